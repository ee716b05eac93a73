"""The queries of the protocol as types; docs/engine_schema.json is made from them."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

__all__ = [
    "PROTOCOL",
    "QUERIES",
    "Analyse",
    "Choose",
    "Close",
    "Explain",
    "Games",
    "Id",
    "LegalMoves",
    "LimitFields",
    "NewTable",
    "Play",
    "PlayerQuery",
    "Position",
    "Query",
    "Terminate",
    "Undo",
    "Version",
    "View",
    "ViewFields",
]

PROTOCOL = 1  # increased when a client for the previous version would misunderstand an answer

# Names that a client chooses are bounded: the engine keeps them, and repeats them in every answer.
Id = (
    Annotated[str, Meta(max_length=1000)]
    | Annotated[int, Meta(ge=-(2**63), le=2**63 - 1, description="chosen by the client")]
)
TableName = Annotated[str, Meta(max_length=1000, description="a table that the engine holds")]
Text = Annotated[str, Meta(max_length=1000)]
Seat = Annotated[int, Meta(ge=0, description="a seat, counted from 0")]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1, description="makes the answer reproducible")]


class Query(Struct, kw_only=True, tag_field="action", rename=None):
    """A query: an id of the client's choice, which every answer to it repeats."""

    id: Id


class Version(Query, tag="version"):
    """Ask for the versions of aiplay and of the protocol."""


class Games(Query, tag="games"):
    """List the games that can be played, with their options."""


class NewTable(Query, tag="new_table"):
    """Set up a table that the engine holds."""

    game: Text
    options: dict[str, Any] = {}
    seed: Seed | None = None
    table: TableName | None = None  # a name of the client's choice


class View(Query, tag="view"):
    """Show what a seat of a table knows; by default the seat to move."""

    table: TableName
    seat: Seat | None = None


class Undo(Query, tag="undo"):
    """Take back the last decision at a table."""

    table: TableName


class Close(Query, tag="close"):
    """Close a table."""

    table: TableName


class Play(Query, tag="play"):
    """Make a move at a table, by number or notation."""

    table: TableName
    move: int | Text


class ViewFields(Struct, kw_only=True, forbid_unknown_fields=True):
    """A whole view, as the query `view` and `View.to_json()` give it."""

    game: Text
    options: dict[str, Any] = {}
    seat: Seat
    view: dict[str, Any]  # the fields of the game's state, the hidden ones blanked


class Position(Query, kw_only=True):
    """A query about a position: a table that the engine holds, or a whole view from the client."""

    table: TableName | None = None
    view: ViewFields | None = None


class LegalMoves(Position, tag="legal_moves"):
    """List the legal moves of the seat to move."""


class LimitFields(Struct, kw_only=True, forbid_unknown_fields=True):
    """Limits of a player for this query; the first one reached ends the search."""

    time: Annotated[float, Meta(ge=0, le=1e6, description="seconds")] | None = None
    iterations: Annotated[int, Meta(ge=1)] | None = None
    nodes: Annotated[int, Meta(ge=1)] | None = None
    depth: Annotated[int, Meta(ge=1)] | None = None


class PlayerQuery(Position, kw_only=True):
    """A query that a player answers."""

    player: Text = "mcts"
    seed: Seed | None = None
    limit: LimitFields | UnsetType = UNSET


class Choose(PlayerQuery, tag="choose"):
    """Let a player choose a move. It is not played at the table: send `play` for that."""


class Analyse(PlayerQuery, tag="analyse"):
    """Ask for every move with its value; with `every`, partial answers at this interval."""

    every: Annotated[float, Meta(ge=0.01, description="seconds")] | None = None


class Explain(PlayerQuery, tag="explain"):
    """Compare one move with the best one."""

    move: int | Text


class Terminate(Query, tag="terminate"):
    """End a running or waiting query (or all of them): it answers with what it has found so far."""

    query: Id | None = None


QUERIES = (
    Version
    | Games
    | NewTable
    | View
    | LegalMoves
    | Play
    | Undo
    | Choose
    | Analyse
    | Explain
    | Close
    | Terminate
)
