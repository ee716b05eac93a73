"""Files that commands read and write: records of games, and positions."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from aiplay.errors import AiplayError, InvalidStateError, RecordError

if TYPE_CHECKING:
    from aiplay._core.game import Game, View
    from aiplay.table import Record, Table

__all__ = ["read_record", "read_table", "read_view", "write_text"]


def read_record(path: str) -> Record:
    """The record in a file; every problem with it names the file."""
    from aiplay.table import Record

    try:
        return Record.from_json(_read(path))
    except RecordError as problem:
        raise RecordError(f"{path}: {problem}") from None


def read_table(path: str, ply: int | None = None, game: Game | None = None) -> tuple[Record, Table]:
    """The record in a file, and the table as it stood after `ply` moves of it."""
    from aiplay.table import replay

    record = read_record(path)
    try:
        return record, replay(record, ply, game)
    except AiplayError as problem:
        raise RecordError(f"{path}: {problem}") from None


def read_view(path: str, game: Game | None = None) -> View:
    """The position in a file: a view, or a state as the seat to move sees it."""
    import msgspec

    from aiplay.registry import load_game

    text = _read(path)
    try:
        document = msgspec.json.decode(text)
        if not isinstance(document, dict) or not {"view", "state"} & document.keys():
            raise InvalidStateError("expected a view or a state, as `to_json` of it writes them")
        if game is None:
            game = load_game(document.get("game", ""), **(document.get("options") or {}))
        if "view" in document:
            return game.view_from_json(text)
        state = game.state_from_json(text)
        if state.to_move < 0:
            turn = "the game is over" if state.is_over else "it is for chance to decide"
            raise InvalidStateError(f"{turn}; allowed: a position in which a seat has to choose")
        return state.view(state.to_move)
    except (AiplayError, TypeError, UnicodeError, msgspec.DecodeError, RecursionError) as problem:
        raise InvalidStateError(f"{path}: {problem}") from None


def write_text(path: str | Path, text: str) -> None:
    """Write a file as a whole or not at all."""
    path = Path(path)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as problem:  # it would name the draft
        raise OSError(problem.errno, problem.strerror, str(path)) from None
    finally:
        draft.unlink(missing_ok=True)


def _read(path: str) -> bytes:
    return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
