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
    "LegalMoves",
    "LimitFields",
    "NewTable",
    "Play",
    "Query",
    "Terminate",
    "Thinking",
    "Undo",
    "Version",
    "View",
]

PROTOCOL = 1  # raised when a client written for the version before would misunderstand an answer

Id = str | int
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

    game: str
    options: dict[str, Any] = {}
    seed: Seed | None = None
    table: str | None = None  # a name of the client's choice


class View(Query, tag="view"):
    """What a seat of a table knows; by default the seat whose turn it is."""

    table: str
    seat: Seat | None = None


class Undo(Query, tag="undo"):
    """Take the last decision of a table back."""

    table: str


class Close(Query, tag="close"):
    """Forget a table."""

    table: str


class Play(Query, tag="play"):
    """Make a move at a table, by number or notation."""

    table: str
    move: int | str


class Position(Query, kw_only=True):
    """A query about a position: a table that the engine holds, or a whole view that the client sends."""

    table: str | None = None
    view: dict[str, Any] | None = None


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

    player: str = "mcts"
    seed: Seed | None = None
    limit: LimitFields | UnsetType = UNSET


class Choose(Thinking, tag="choose"):
    """Let a player choose a move; at a table it is not made, send `play` for that."""


class Analyse(Thinking, tag="analyse"):
    """Every move with its value; partial answers `every` so many seconds, if given."""

    every: Annotated[float, Meta(gt=0)] | None = None


class Explain(Thinking, tag="explain"):
    """What a player thinks of one move, compared with the best one."""

    move: int | str


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
