"""Games, positions and moves that queries name, and the error that names the wrong field."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import UNSET

import aiplay
from aiplay._core.game import Game, View
from aiplay.engine import messages
from aiplay.engine.answers import shorten
from aiplay.errors import AiplayError, GameDataError, IllegalMoveError, PackageError
from aiplay.files import FileRefusedError, files_from
from aiplay.record import Record
from aiplay.table import Table, replay

__all__ = [
    "QueryError",
    "blaming",
    "checked_seat",
    "find_move",
    "loaded_game",
    "seat_view",
    "sent_view",
    "table_of_record",
]


class QueryError(Exception):
    """A query cannot be answered; `field` is the field that is wrong."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


@contextmanager
def blaming(field: str) -> Iterator[None]:
    """Turn errors within into a QueryError about this field."""
    try:
        yield
    except (AiplayError, TypeError, OverflowError) as problem:
        raise QueryError(str(problem), field) from None


# ---- Games -------------------------------------------------------------------------------------------------


def loaded_game(name: str, options: dict[str, Any], folder: str | None = None) -> Game:
    """Return the game of a query; errors are about the field `game` or `options`.

    Options may name files in `folder`; without one, none.
    """
    with blaming("options"):
        try:
            return _load_game(name, options, folder)
        except (aiplay.UnknownGameError, PackageError) as problem:
            raise QueryError(str(problem), "game") from None


def _load_game(name: str, options: dict[str, Any], folder: str | None) -> Game:
    """Return a game: immutable, so that all tables and views with the same options can share it."""
    with files_from(folder):
        try:
            return _shared_game(name, folder, **options)
        except (
            TypeError
        ):  # a value that cannot be cached, such as a list: load_game says what is wrong with it
            return aiplay.load_game(name, **options)
        except FileRefusedError:
            raise
        except GameDataError:  # its text tells what is in the file
            raise GameDataError(
                f"the data file does not fit {name}: load it with aiplay.load_game to see why"
            ) from None


@functools.lru_cache(maxsize=64, typed=True)
def _shared_game(name: str, folder: str | None, /, **options: Any) -> Game:
    return aiplay.load_game(name, **options)


def table_of_record(sent: messages.RecordFields, folder: str | None = None) -> Table:
    """Return the table of a record, after its last move and what chance decides then."""
    with blaming("record"):
        game = _load_game(sent.game, sent.options, folder)
        record = Record(game=sent.game, options=game.options, seed=sent.seed, moves=sent.moves)
        table = replay(record, game=game)
        table.deal()
        return table


# ---- Positions ---------------------------------------------------------------------------------------------


def seat_view(table: Table, seat: int | None) -> View:
    """Return the view of a seat; of the one to move by default."""
    return table.view(max(table.to_move, 0) if seat is None else checked_seat(table, seat, "seat"))


def checked_seat(table: Table, seat: int, field: str) -> int:
    """Return a seat of a table; QueryError about `field` if the game has no such seat."""
    if not 0 <= seat < table.game.seats:
        raise QueryError(f"{field} is {seat}; allowed: 0 to {table.game.seats - 1}", field)
    return seat


def sent_view(sent: messages.ViewFields, folder: str | None = None) -> View:
    """Return a view that a client sent as a whole, as fields or as a scene."""
    if (sent.view is UNSET) == (sent.scene is UNSET):
        raise QueryError("give either the fields of the view (view) or its scene (scene)", "view")
    with blaming("view"):
        game = _load_game(sent.game, sent.options, folder)
        if sent.scene is not UNSET:
            return game.view_from_scene(sent.scene, sent.seat)
        if sent.options != game.options:
            needed = f"needed are all of them: {dict(game.options)}"
            raise QueryError(f"options are {sent.options}; {needed}", "view")
        return game.view_from_fields(sent.view, sent.seat)


# ---- Moves -------------------------------------------------------------------------------------------------


def find_move(view: View, move: messages.Move, *, is_own: bool) -> int:
    """Return the number of a legal move of the seat to move.

    If `is_own` is false, the query may come from another seat: its error must not list the legal moves, which can name
    hidden cards.
    """
    try:
        return _find_move(view, move)
    except (AiplayError, TypeError, OverflowError) as problem:
        if is_own or not isinstance(problem, IllegalMoveError):
            raise QueryError(str(problem), "move") from None
    if view.is_over:
        raise QueryError("the game is over", "move")
    raise QueryError(
        f"seat {view.seat} has no legal move {shorten(move)}; send `seat`, who makes it, for a list of them",
        "move",
    )


def _find_move(view: View, move: messages.Move) -> int:
    if isinstance(move, dict):
        return view.find_move(move)
    if isinstance(move, str):
        return view.parse_move(move)
    view.move_text(move)  # raises IllegalMoveError
    return move
