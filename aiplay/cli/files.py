"""Files that commands read and write: records, positions, results."""

from __future__ import annotations

import os
import sys
from errno import EISDIR, ENOENT
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from aiplay.errors import AiplayError, InvalidStateError, RecordError
from aiplay.files import write_file

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.record import Record
    from aiplay.table import Table

__all__ = ["check_targets", "read_decision", "read_table", "read_table_of_match", "read_view", "write_text"]


def read_table(path: str, ply: int | None = None) -> tuple[Record, Table]:
    """Return the record in a file, and the table after `ply` moves of it. Errors name the file."""
    from aiplay.match.store import SQLITE
    from aiplay.record import Record
    from aiplay.table import replay

    text = _read(path)
    if text.startswith(SQLITE):
        raise RecordError(
            f"{_called(path)}: this is a saved match (SQLite), not the record of one game; `aiplay report {path}` "
            f"shows its results, `aiplay replay {path} --game-number N` one of its games, and `aiplay review {path} "
            "--game-number N` reviews one"
        )
    try:
        record = Record.from_json(text)
        return record, replay(record, ply)
    except AiplayError as problem:
        raise RecordError(f"{_called(path)}: {problem}") from None


def read_table_of_match(path: str, number: int) -> tuple[Record, Table]:
    """Return a finished game of a saved match, and its table at the end."""
    from aiplay.match import load_match
    from aiplay.table import replay

    played = {result.scheduled.number: result for result in load_match(path).results}
    if number not in played:
        known = f"finished games {min(played)} to {max(played)}" if played else "no finished game"
        raise typer.BadParameter(f"{number}; {path} has {known}", param_hint="--game-number")
    record = played[number].to_record()
    return record, replay(record, game=played[number].scheduled.game)


def read_decision(path: str, ply: int | None) -> tuple[Table, int]:
    """Return the table at a decision of a seat, after `ply` moves of a record, and the number of moves in the record.

    Without a `ply`: at the last decision.
    """
    from aiplay.story import positions
    from aiplay.table import replay

    record, table = read_table(path, ply)
    if table.to_move < 0:
        states = positions(table.game, record.moves)
        plies = [number for number, state in enumerate(states) if state.to_move >= 0]
        if not plies:
            raise RecordError(f"{_called(path)}: no seat has a decision in this record")
        at = len(table.moves)
        nearest = min(plies, key=lambda one: abs(one - at))
        if ply is not None:
            turn = "the game is over" if table.over else "chance decides"
            raise RecordError(
                f"{_called(path)}: at --ply {at} {turn}; the nearest decision of a seat is at --ply {nearest}"
            )
        table = replay(record, nearest)
    return table, len(record.moves)


def read_view(path: str) -> View:
    """Return the position in a file: a view, or a state as the seat to move sees it."""
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
        raise InvalidStateError("expected a view or a state, as written by its `to_json`")
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


def check_targets(match: Path | None, *targets: Path | None) -> None:
    """Refuse to write over the match, and into files that cannot be written."""
    for target in filter(None, targets):
        if match is not None and target.resolve() == match.resolve():
            raise typer.BadParameter(
                f"{target} is the match itself; give another file", param_hint="--html or --csv"
            )
        for is_wrong, number in ((target.is_dir(), EISDIR), (not target.parent.is_dir(), ENOENT)):
            if is_wrong:
                raise OSError(number, os.strerror(number), str(target))


def write_text(path: str | Path, text: str) -> None:
    """Write a file completely or not at all."""
    write_file(path, text)


def _read(path: str) -> bytes:
    return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
