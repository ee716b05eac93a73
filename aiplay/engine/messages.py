"""The messages of the protocol, as types: what they hold is what docs/engine_schema.json says."""

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
    "Position",
    "Query",
    "Terminate",
    "Thinking",
    "Undo",
    "Version",
    "View",
    "ViewFields",
]

PROTOCOL = 1  # raised when a client written for the version before would misunderstand an answer

# What a client chooses is bounded: the engine keeps it, and repeats it in every answer.
Id = (
    Annotated[str, Meta(max_length=1000)]
    | Annotated[int, Meta(ge=-(2**63), le=2**63 - 1, description="chosen by the client")]
)
TableName = Annotated[str, Meta(max_length=1000, description="a table that the engine holds")]
Text = Annotated[str, Meta(max_length=1000)]
Seat = Annotated[int, Meta(ge=0, description="a seat, counted from 0")]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1, description="makes the answer reproducible")]


class Query(Struct, kw_only=True, tag_field="action", rename=None):
    """What every query has: an id of the client's choice, which every answer to it repeats."""

    id: Id


class Version(Query, tag="version"):
    """Which aiplay and which protocol this is."""


class Games(Query, tag="games"):
    """The games that can be played, with their options."""


class NewTable(Query, tag="new_table"):
    """Set up a table that the engine holds."""

    game: Text
    options: dict[str, Any] = {}
    seed: Seed | None = None
    table: TableName | None = None  # a name of the client's choice


class View(Query, tag="view"):
    """What a seat of a table knows; by default the seat whose turn it is."""

    table: TableName
    seat: Seat | None = None


class Undo(Query, tag="undo"):
    """Take the last decision of a table back."""

    table: TableName


class Close(Query, tag="close"):
    """Forget a table."""

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
    view: dict[str, Any]  # the fields of the game's state, what is hidden blanked


class Position(Query, kw_only=True):
    """A query about a position: a table that the engine holds, or a whole view that the client sends."""

    table: TableName | None = None
    view: ViewFields | None = None


class LegalMoves(Position, tag="legal_moves"):
    """The moves of the seat whose turn it is."""


class LimitFields(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a player may spend; whichever is reached first."""

    time: Annotated[float, Meta(ge=0, le=1e6, description="seconds")] | None = None
    iterations: Annotated[int, Meta(ge=1)] | None = None
    nodes: Annotated[int, Meta(ge=1)] | None = None
    depth: Annotated[int, Meta(ge=1)] | None = None


class Thinking(Position, kw_only=True):
    """A query that a player answers."""

    player: Text = "mcts"
    seed: Seed | None = None
    limit: LimitFields | UnsetType = UNSET


class Choose(Thinking, tag="choose"):
    """Let a player choose a move; at a table it is not made, send `play` for that."""


class Analyse(Thinking, tag="analyse"):
    """Every move with its value; partial answers `every` so many seconds, if given."""

    every: Annotated[float, Meta(ge=0.01, description="seconds")] | None = None


class Explain(Thinking, tag="explain"):
    """What a player thinks of one move, compared with the best one."""

    move: int | Text


class Terminate(Query, tag="terminate"):
    """End a query that is still being thought about (or all): it answers with what it knows so far."""

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
