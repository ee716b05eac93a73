"""The balance of a game, as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aiplay.match.statistics import score_interval

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["Balance", "Course", "Share", "Usage", "share_of"]


@dataclass(frozen=True)
class Share:
    """The mean share of a win of some seats, with its 95 % interval over deals."""

    name: str
    games: int  # seats of games that it is about
    score: float
    low: float
    high: float

    def differs(self, equal: float) -> bool:
        """True if an equal share lies outside the interval."""
        return not self.low <= equal <= self.high


@dataclass(frozen=True)
class Usage:
    """A choice, or a thing that chance gives to a seat: how often, and how the seats did that had it."""

    verb: str
    kind: str  # of the thing, as in the catalogue of the game; "" if the verb needs none
    name: str  # of the thing
    is_dealt: bool  # True: chance gave it
    offered: int  # decisions at which it could be chosen; 0 if it is dealt
    chosen: int  # decisions at which it was chosen, or outcomes that gave it
    share: Share | None  # of the seats that had it; None: nobody did

    @property
    def title(self) -> str:
        """The verb and the thing."""
        return f"{self.verb} {self.name}".rstrip()

    @property
    def group(self) -> str:
        """The verb and the kind of thing."""
        return f"{self.verb}: {self.kind}" if self.kind not in ("", self.verb) else self.verb

    @property
    def games(self) -> int:
        """How many seats of games had it."""
        return 0 if self.share is None else self.share.games


@dataclass(frozen=True)
class Course:
    """How the games went, by the referee's value of their positions."""

    luck: float  # share of the variance of results that is luck: Cov(luck, result) / Var(result)
    skill: float  # share that is decisions; luck + skill = 1
    lead_changes: float  # per game
    decided: float  # mean share of the game after which the winner led until the end
    halfway: float  # share of the games whose leader at half-time won
    decisions: tuple[
        float, float, float
    ]  # per game: 10 %, 50 % and 90 % quantile; choices of at least two moves
    moves: tuple[float, float, float]  # the same, all moves and outcomes of chance


@dataclass(frozen=True)
class Balance:
    """A game, as matches of strong players show it."""

    game: Game
    players: tuple[str, ...]
    games: int
    deals: int
    value: str  # how positions were valued
    seats: tuple[Share, ...]
    order: tuple[Share, ...]  # by who had the first decision, the second ...
    course: Course
    usages: tuple[Usage, ...] = field(repr=False)
    seconds: float

    @property
    def equal(self) -> float:
        """The share of a win that every seat would have in a balanced game; of a team, its mean result."""
        if not self.game.is_cooperative:
            return 1 / self.game.seats
        return sum(one.score for one in self.seats) / len(self.seats)

    def unused(self, least: int = 20) -> list[Usage]:
        """Return the choices that nobody made at `least` decisions that offered them, the most offered first."""
        found = [one for one in self.usages if not one.chosen and one.offered >= least]
        return sorted(found, key=lambda one: (-one.offered, one.title))

    def used(self) -> dict[str, list[Usage]]:
        """Return what was dealt and chosen, by verb and kind of thing, the best first.

        The verbs that matter to most seats come first.
        """
        found: dict[str, list[Usage]] = {}
        for one in sorted(self.usages, key=lambda one: (-one.share.score if one.share else 0.0, one.title)):
            if one.share is not None:
                found.setdefault(one.group, []).append(one)
        return dict(sorted(found.items(), key=lambda item: -sum(one.games for one in item[1])))


def share_of(name: str, by_deal: Iterable[Sequence[float]]) -> Share | None:
    """Return the mean of scores, given for each deal; None if there are none. A deal counts by its mean."""
    deals = [scores for scores in by_deal if scores]
    if not deals:
        return None
    means = [sum(scores) / len(scores) for scores in deals]
    low, high = score_interval(means)
    return Share(name, sum(map(len, deals)), sum(means) / len(means), low, high)
