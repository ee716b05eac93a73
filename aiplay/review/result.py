"""The review of a game, as data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aiplay._core.typedefs import CHANCE
from aiplay.review.judge import VERDICTS

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.record import Record
    from aiplay.review.accounts import Account, Change
    from aiplay.review.judge import Decision
    from aiplay.review.values import Values

__all__ = ["ChanceEvent", "Review"]


@dataclass(frozen=True)
class ChanceEvent:
    """One outcome of chance: how lucky it was for every seat."""

    ply: int
    text: str  # notation of the outcome
    luck: Values


@dataclass(frozen=True)
class Review:
    """A game, reviewed: the account of every seat, every decision and every outcome of chance."""

    record: Record = field(repr=False)
    game: Game
    seats: tuple[Account, ...]
    decisions: tuple[Decision, ...] = field(repr=False)  # with at least two moves to choose from
    events: tuple[ChanceEvent, ...] = field(repr=False)  # of chance, with at least two outcomes
    changes: tuple[Change, ...] = field(repr=False)  # by every move of the record
    returns: tuple[float, ...] | None  # None: the record ends before the game, and final values are estimates
    player: str  # that analysed
    seed: int
    seconds: float

    @property
    def odds(self) -> tuple[Values, ...]:
        """The value of every position for every seat, the first and the last included."""
        return (*(change.before for change in self.changes), *(c.after for c in self.changes[-1:]))

    def decisions_of(self, seat: int) -> list[Decision]:
        """Return the decisions of a seat."""
        return [decision for decision in self.decisions if decision.seat == seat]

    def loss_of(self, seat: int) -> float:
        """Return the value that a seat has lost by its decisions, by what it knew."""
        return math.fsum(decision.loss for decision in self.decisions_of(seat))

    def verdicts_of(self, seat: int) -> dict[str, int]:
        """Return how often a seat got each verdict."""
        verdicts = [decision.verdict for decision in self.decisions_of(seat)]
        return {name: verdicts.count(name) for name in VERDICTS}

    def worst(self, n: int, seat: int | None = None) -> list[Decision]:
        """Return the n decisions (of a seat) that lost most, the worst first; only those that lost something."""
        found = [one for one in self.decisions if seat in (None, one.seat) and one.verdict != "best"]
        return sorted(found, key=lambda one: (-one.loss, one.ply))[:n]

    def luckiest(self, n: int) -> list[ChanceEvent]:
        """Return the n outcomes that changed the value of a seat most."""
        return sorted(self.events, key=lambda one: (-max(map(abs, one.luck)), one.ply))[:n]

    def mistakes(self) -> list[Decision]:
        """Return the decisions that are worth another try."""
        return [decision for decision in self.decisions if decision.is_wrong]

    def names(self) -> Sequence[str]:
        """Return the seats with their players, if the record names them."""
        players = self.record.players
        return [
            f"seat {one.seat}" + (f" ({players[one.seat]})" if one.seat < len(players) else "")
            for one in self.seats
        ]

    def hidden_luck(self, seat: int) -> float:
        """Return the luck of a seat at decisions: by what the seat to move could not know."""
        return math.fsum(change.luck[seat] for change in self.changes if change.seat != CHANCE)
