"""Files that commands read and write: records of games, and positions."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from aiplay.errors import AiplayError, InvalidStateError, RecordError

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.table import Record, Table

__all__ = ["read_decision", "read_table", "read_view", "write_text"]

SQLITE = b"SQLite format 3\0"  # how the file of a match begins


def read_table(path: str, ply: int | None = None) -> tuple[Record, Table]:
    """The record in a file, and the table as it stood after `ply` moves of it; problems name the file."""
    from aiplay.table import Record, replay

    text = _read(path)
    if text.startswith(SQLITE):
        raise RecordError(
            f"{_called(path)}: this is a saved match (SQLite), not the record of one game; `aiplay report {path}` "
            f"tells what it says, `aiplay replay {path} --game-number N` shows one of its games"
        )
    try:
        record = Record.from_json(text)
        return record, replay(record, ply)
    except AiplayError as problem:
        raise RecordError(f"{_called(path)}: {problem}") from None


def read_decision(path: str, ply: int | None) -> tuple[Table, int]:
    """The table at a seat's decision of a record, and all moves of the record.

    After `ply` moves; without a `ply`, at the last decision.
    """
    from aiplay.story import positions
    from aiplay.table import replay

    record, table = read_table(path, ply)
    if table.to_move < 0:
        states = positions(table.game, record.moves)
        plies = [number for number, state in enumerate(states) if state.to_move >= 0]
        if not plies:
            raise RecordError(f"{_called(path)}: it has no decision of a seat")
        at = len(table.moves)
        nearest = min(plies, key=lambda one: abs(one - at))
        if ply is not None:
            turn = "the game is over" if table.over else "it is for chance to decide"
            raise RecordError(
                f"{_called(path)}: at --ply {at} {turn}; the nearest decision of a seat is at --ply {nearest}"
            )
        table = replay(record, nearest)
    return table, len(record.moves)


def read_view(path: str) -> View:
    """The position in a file: a view, or a state as the seat to move sees it."""
    text = _read(path)
    try:
        return _view(text)
    except AiplayError as problem:
        raise InvalidStateError(f"{_called(path)}: {problem}") from None


def _view(text: bytes) -> View:
    import msgspec

    from aiplay.players.base import moves_to_choose_from
    from aiplay.registry import load_game

    try:
        document = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise InvalidStateError(f"not valid JSON: {problem}") from None
    kinds = {"game": str, "options": dict}
    if not isinstance(document, dict) or any(
        type(document.get(key)) is not kind for key, kind in kinds.items()
    ):
        raise InvalidStateError("expected a view or a state, as `to_json` of one writes it")
    game = load_game(document["game"], **document["options"])
    if "view" in document:
        view = game.view_from_json(text)
    else:
        state = game.state_from_json(text)
        view = state.view(max(state.to_move, 0))
    moves_to_choose_from(view)
    return view


def _called(path: str) -> str:
    return "standard input" if path == "-" else path


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
