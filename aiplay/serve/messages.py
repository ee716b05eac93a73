"""The queries of the server as types. docs/serving.md explains them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

from aiplay.engine.messages import Id, Move, Ply, RecordFields, ResultFields, Seat, Seed, Text

__all__ = [
    "ACTIONS",
    "GameQuery",
    "Hello",
    "Hint",
    "Join",
    "Leave",
    "MoveQuery",
    "NextLevel",
    "Now",
    "OpenRoom",
    "Query",
    "Replay",
    "RoomQuery",
    "Save",
    "SeatFields",
    "SeatQuery",
    "Seek",
    "Speed",
    "Step",
    "StopThinking",
    "Think",
    "Undo",
    "Watch",
]

Name = Annotated[str, Meta(max_length=40)]  # of a person or a bot, for people
Secret = Annotated[str, Meta(max_length=100)]
Seconds = Annotated[float, Meta(ge=0, le=60)]
Saved = Annotated[str, Meta(max_length=2000)]


class SeatFields(Struct, kw_only=True, forbid_unknown_fields=True):
    """Who sits at a seat: a person, or a bot by its strength or its specification."""

    kind: Literal["human", "bot"]
    name: Name | None = None
    strength: Text | None = None
    player: Text | None = None  # only on a local server


class Query(Struct, kw_only=True, tag_field="action", forbid_unknown_fields=True):
    """A query: an id of the client's choice, which every answer to it repeats."""

    id: Id


class Hello(Query, kw_only=True, tag="hello"):
    """Ask what the server offers; with the token of a public server, also for the right to open rooms."""

    token: Secret | None = None


class GameQuery(Query, kw_only=True, tag="game"):
    """Describe a game with these options: catalogue, rules, schema of its scenes, labels."""

    game: Text
    options: dict[str, Any] = {}


class NextLevel(Query, kw_only=True, tag="next_level"):
    """Ask which level gives a person with these results an even chance."""

    game: Text
    options: dict[str, Any] = {}
    results: Annotated[list[ResultFields], Meta(max_length=1000)] = []  # oldest first


class OpenRoom(Query, kw_only=True, tag="open_room"):
    """Open a room to play in: a new game, one that goes on from a record, or a saved room."""

    game: Text | None = None
    options: dict[str, Any] = {}
    seed: Seed | None = None
    seats: Annotated[list[SeatFields], Meta(max_length=64)] = []
    tutor: Annotated[float, Meta(ge=0, le=1)] = 0.0  # a loss of value that warns; 0: no warnings
    pace: Annotated[float, Meta(ge=0, le=10)] = 0.0  # seconds between two moves of bots, at least
    record: RecordFields | None = None  # instead of game, options and seed
    saved: Saved | None = None  # instead of everything else


class Watch(Query, kw_only=True, tag="watch"):
    """Open a room in which bots play each other."""

    game: Text
    options: dict[str, Any] = {}
    seed: Seed | None = None
    seats: Annotated[list[SeatFields], Meta(max_length=64)]
    speed: Seconds | None = 1.0  # seconds from move to move; null: paused


class Replay(Query, kw_only=True, tag="replay"):
    """Open a room that shows a record, or a game of a saved match."""

    record: RecordFields | None = None
    match: Text | None = None  # one of `hello`
    number: Annotated[int, Meta(ge=0)] | None = None  # of the game


class RoomQuery(Query, kw_only=True):
    """A query about a room."""

    room: Text


class Join(RoomQuery, kw_only=True, tag="join"):
    """Take a seat, or watch, with a secret; `since` is the ply up to which the client knows what happened."""

    secret: Secret
    since: Ply = 0


class SeatQuery(RoomQuery, kw_only=True):
    """A query of a seat."""

    seat: Seat


class MoveQuery(SeatQuery, kw_only=True, tag="move"):
    """Make a move, by number, notation or parts."""

    move: Move
    ply: Ply | None = None  # refused if the room is at another ply: the move was meant for another position


class Undo(SeatQuery, kw_only=True, tag="undo"):
    """Take back the last decision of a seat, and what bots and chance did after it."""


class Hint(SeatQuery, kw_only=True, tag="hint"):
    """Ask for a few good moves in no order."""

    count: Annotated[int, Meta(ge=1, le=10)] = 3


class Think(RoomQuery, kw_only=True, tag="think"):
    """Ask for every move with its value, from what the seat sees."""

    seat: Seat | None = None  # in watch and replay: the seat to move
    time: Annotated[float, Meta(ge=0, le=1e6)] = 2.0
    every: Annotated[float, Meta(ge=0.05, le=60)] = 0.25
    move: Move | None = None  # whose outcomes to show; by default the best one


class StopThinking(RoomQuery, kw_only=True, tag="stop_thinking"):
    """End the thinking that this connection asked for."""


class Now(RoomQuery, kw_only=True, tag="now"):
    """Let the bot that thinks move at once; after a warning, go on."""


class Speed(RoomQuery, kw_only=True, tag="speed"):
    """Set the seconds from move to move; null pauses."""

    seconds: Seconds | None


class Step(RoomQuery, kw_only=True, tag="step"):
    """Make one move of a paused room; in a replay, several, or some back."""

    count: Annotated[int, Meta(ge=-1000, le=1000)] = 1


class Seek(RoomQuery, kw_only=True, tag="seek"):
    """Show a replay after so many moves, as one seat saw it (null: everything)."""

    ply: Ply | None = None  # null: where it is
    seat: Seat | None = None


class Save(RoomQuery, kw_only=True, tag="save"):
    """Save a room."""

    secret: Secret | None = None


class Leave(SeatQuery, kw_only=True, tag="leave"):
    """Leave a seat to a bot; `join` with its secret gives it back."""


ACTIONS: dict[str, type[Query]] = {
    str(kind.__struct_config__.tag): kind
    for kind in get_args(
        Hello
        | GameQuery
        | NextLevel
        | OpenRoom
        | Watch
        | Replay
        | Join
        | MoveQuery
        | Undo
        | Hint
        | Think
        | StopThinking
        | Now
        | Speed
        | Step
        | Seek
        | Save
        | Leave
    )
}  # the type of every query
