"""The seats of a room: people, bots, and bots that stand in for people who have left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import aiplay
from aiplay._core.game import Game
from aiplay.engine.answers import shorten
from aiplay.engine.players import made_player
from aiplay.engine.positions import QueryError
from aiplay.limit import Limit
from aiplay.players.base import Player
from aiplay.players.search import SearchPlayer
from aiplay.serve.limits import LEVELS, STRENGTHS, Limits
from aiplay.serve.messages import SeatFields

__all__ = ["STAND_IN", "Seat", "limit_of", "seated", "strength_player"]

STAND_IN = "club"  # strength of a bot that takes over a seat


@dataclass(eq=False)
class Seat:
    """A seat of a room."""

    number: int
    kind: str  # "human" or "bot"
    name: str
    strength: str | None = None  # of a bot, by name
    spec: str | None = None  # of a bot
    player: Player | None = None  # the bot, or the one that stands in
    secret: str | None = None  # digest of the secret of a person
    is_away: bool = False  # a bot plays for the person

    @property
    def has_bot(self) -> bool:
        """True if a bot decides."""
        return self.kind == "bot" or self.is_away

    def bot(self) -> Player:
        """Return the player that decides."""
        if self.player is None:
            self.player = aiplay.make_player(self.spec or strength_player(STAND_IN))
        return self.player

    def to_document(self) -> dict[str, Any]:
        """Return the seat as JSON keeps it."""
        return {
            "kind": self.kind,
            "name": self.name,
            "strength": self.strength,
            "spec": self.spec,
            "secret": self.secret,
        }

    @classmethod
    def from_document(cls, number: int, document: dict[str, Any]) -> Seat:
        """Return the seat that `to_document` wrote."""
        names = ("kind", "name", "strength", "spec", "secret")
        return cls(number, **{name: document[name] for name in names})


def strength_player(name: str) -> str:
    """Return the specification of a bot by its strength."""
    for strength in STRENGTHS:
        if strength.name == name:
            return strength.player
    known = ", ".join(level.name for level in LEVELS)
    raise QueryError(f"strength is {shorten(name)}; allowed: {known}", "seats")


def limit_of(player: Player, game: Game, limits: Limits) -> Limit:
    """Return the limit of a bot for one move, within those of the server."""
    return limits.cap(player.limit_for(game) if isinstance(player, SearchPlayer) else Limit())


def seated(sent: Sequence[SeatFields], count: int, *, allows_people: bool, allows_specs: bool) -> list[Seat]:
    """Return the seats that a query describes."""
    if len(sent) != count:
        raise QueryError(f"{len(sent)} seats are given; the game has {count}", "seats")
    return [
        _seat(number, fields, allows_people=allows_people, allows_specs=allows_specs)
        for number, fields in enumerate(sent)
    ]


def _seat(number: int, fields: SeatFields, *, allows_people: bool, allows_specs: bool) -> Seat:
    if fields.kind == "human":
        if not allows_people:
            raise QueryError(f"seat {number} is for a person; in `watch` all seats are for bots", "seats")
        if fields.strength is not None or fields.player is not None:
            raise QueryError(f"seat {number} is for a person, who has no strength and no player", "seats")
        return Seat(number, "human", fields.name or f"seat {number}")
    if fields.player is None:
        strength = fields.strength or STAND_IN
        spec = strength_player(strength)
        return Seat(number, "bot", fields.name or f"{strength} bot", strength, spec)
    if fields.strength is not None:
        raise QueryError(f"seat {number}: give either a strength or a player", "seats")
    if not allows_specs:
        raise QueryError("this server offers its strengths only, not any `player`", "seats")
    try:
        spec = made_player(fields.player, None).player.spec
    except QueryError as problem:
        raise QueryError(f"seat {number}: {problem}", "seats") from None
    return Seat(number, "bot", fields.name or spec, None, spec)
