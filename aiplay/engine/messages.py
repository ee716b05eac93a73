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
    "Events",
    "Explain",
    "Forget",
    "Games",
    "Hint",
    "Id",
    "LegalMoves",
    "LimitFields",
    "Move",
    "NewTable",
    "NextLevel",
    "Play",
    "PlayerQuery",
    "Position",
    "Query",
    "Record",
    "RecordFields",
    "ResultFields",
    "Terminate",
    "Undo",
    "Version",
    "View",
    "ViewFields",
]

PROTOCOL = 2  # increased when a client for the previous version would misunderstand an answer

# Names that a client chooses are bounded: the engine keeps them, and repeats them in every answer.
Id = (
    Annotated[str, Meta(max_length=1000)]
    | Annotated[int, Meta(ge=-(2**63), le=2**63 - 1, description="chosen by the client")]
)
TableName = Annotated[str, Meta(max_length=1000, description="a table that the engine holds")]
Text = Annotated[str, Meta(max_length=1000)]
Seat = Annotated[int, Meta(ge=0, description="a seat, counted from 0")]
Ply = Annotated[int, Meta(ge=0, description="moves before an event, those of chance included")]
Move = int | Text | Annotated[dict[str, Any], Meta(description="parts that only one legal move has")]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1, description="makes the answer reproducible")]


class Query(Struct, kw_only=True, tag_field="action", rename=None):
    """A query: an id of the client's choice, which every answer to it repeats."""

    id: Id


class Version(Query, tag="version"):
    """Ask for the versions of aiplay and of the protocol."""


class Games(Query, tag="games"):
    """List the games that can be played, or describe one of them."""

    game: Text | None = None  # only this one
    options: dict[str, Any] = {}  # of that game
    catalogue: bool = False  # True: with every card, place, die and verb
    rules: bool = False  # True: with the rules as Markdown
    scene_schema: bool = False  # True: with the JSON Schema of its scenes


class RecordFields(Struct, kw_only=True, forbid_unknown_fields=True):
    """A game so far, as the query `record` and `Record.to_json()` give it: it holds everything that is hidden."""

    game: Text
    options: dict[str, Any]
    seed: Seed
    moves: list[int]
    players: list[Text] | UnsetType = UNSET


class NewTable(Query, tag="new_table"):
    """Set up a table that the engine holds: a new game, or one that goes on from its record."""

    game: Text | None = None
    options: dict[str, Any] = {}
    seed: Seed | None = None
    record: RecordFields | None = None  # instead of game, options and seed
    table: TableName | None = None  # a name of the client's choice


class View(Query, tag="view"):
    """Show what a seat of a table knows; by default the seat to move."""

    table: TableName
    seat: Seat | None = None


class Events(Query, tag="events"):
    """Tell what happened at a table from a ply on, as a seat noticed it; without a seat, everything."""

    table: TableName
    seat: Seat | None = None
    since: Ply = 0


class Record(Query, tag="record"):
    """Save a table: its record sets it up again with `new_table`."""

    table: TableName


class Undo(Query, tag="undo"):
    """Take back the last decision at a table."""

    table: TableName


class Close(Query, tag="close"):
    """Close a table."""

    table: TableName


class Play(Query, tag="play"):
    """Make a move at a table, by number, notation or parts."""

    table: TableName
    move: Move
    seat: Seat | None = None  # who makes it; refused if it is not this seat's turn
    observer: Seat | None = None  # the seat that `events` are for; by default `seat`


class ViewFields(Struct, kw_only=True, forbid_unknown_fields=True):
    """A whole view: its fields, as the query `view` and `View.to_json()` give them, or its scene."""

    game: Text
    options: dict[str, Any] = {}
    seat: Seat
    view: dict[str, Any] | UnsetType = UNSET  # the fields of the game's state, the hidden ones blanked
    scene: Any = UNSET  # the same by names; options that are left out have their defaults


class Position(Query, kw_only=True):
    """A query about a position: a table that the engine holds, or a whole view from the client."""

    table: TableName | None = None
    seat: Seat | None = None  # of the table; by default the seat to move
    view: ViewFields | None = None


class LegalMoves(Position, tag="legal_moves"):
    """List the legal moves of a seat; none if it is not its turn."""


class LimitFields(Struct, kw_only=True, forbid_unknown_fields=True):
    """Limits of a player for this query; the first one reached ends the search."""

    time: Annotated[float, Meta(ge=0, le=1e6, description="seconds")] | None = None
    iterations: Annotated[int, Meta(ge=1)] | None = None
    nodes: Annotated[int, Meta(ge=1)] | None = None
    depth: Annotated[int, Meta(ge=1)] | None = None


class PlayerQuery(Position, kw_only=True):
    """A query that a player answers."""

    player: Text | UnsetType = UNSET  # its specification; "mcts" by default
    seed: Seed | None = None
    limit: LimitFields | UnsetType = UNSET
    keep: Text | None = None  # a name under which the player is kept for the next queries, with its tree


class Choose(PlayerQuery, tag="choose"):
    """Let a player choose a move. It is not played at the table: send `play` for that."""


class Analyse(PlayerQuery, tag="analyse"):
    """Ask for every move with its value; with `every`, partial answers at this interval."""

    every: Annotated[float, Meta(ge=0.01, description="seconds")] | None = None


class Explain(PlayerQuery, tag="explain"):
    """Compare one move with the best one."""

    move: Move


class Hint(PlayerQuery, tag="hint"):
    """Ask for a few good moves in no order, so that a person can choose among them."""

    count: Annotated[int, Meta(ge=1)] = 3  # at most


class Forget(Query, tag="forget"):
    """Forget a player that was kept."""

    keep: Text


class ResultFields(Struct, kw_only=True, forbid_unknown_fields=True):
    """The result of a person's game against bots of a level."""

    level: Annotated[int, Meta(ge=1, le=10)]
    score: Annotated[float, Meta(ge=0, le=1, description="0 lost, 1 won")]


class NextLevel(Query, tag="next_level"):
    """Rate a person by results against levels of `mcts`: which level gives an even chance?"""

    game: Text
    options: dict[str, Any] = {}
    results: Annotated[list[ResultFields], Meta(max_length=1000)] = []  # oldest first


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
    | Events
    | Undo
    | Record
    | Choose
    | Analyse
    | Explain
    | Hint
    | Forget
    | NextLevel
    | Close
    | Terminate
)
