"""The profile of a game, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiplay.lazy import numpy as np

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.match import Summary

__all__ = ["Advice", "Effort", "Facts", "Profile", "Score", "Spread", "spread_of"]


@dataclass(frozen=True)
class Spread:
    """How a figure varies."""

    mean: float
    low: float  # 10 % quantile
    middle: float  # 50 % quantile
    high: float  # 90 % quantile
    most: float


@dataclass(frozen=True)
class Facts:
    """A game, as sampled games show it. Choices are decisions of at least two moves."""

    player: str  # that played all seats of the sampled games
    games: int
    choices: Spread  # moves to choose from
    forced: float  # share of the moves of seats that were forced
    outcomes: Spread | None  # of a chance event; None: nothing was left to chance
    between: Spread | None  # outcomes of all chance events between two choices, multiplied
    decisions: Spread  # choices per game, of all seats
    moves: Spread  # per game: all moves and outcomes of chance
    worlds: Spread | None  # that fit a view at a choice, estimated; None: nothing is hidden
    most_worlds: float  # the largest number that the estimate can give: it then means "at least"
    hides_moves: bool  # True if seats see some move differently
    luck: float  # share of the variance of results that is luck

    @property
    def is_hidden(self) -> bool:
        """True if seats do not know everything."""
        return self.worlds is not None


@dataclass(frozen=True)
class Effort:
    """How far searches get in the time for a move; medians over some choices of the sampled games."""

    seconds: float  # the time for a move
    iterations: float  # of mcts
    depth: float  # decisions that expectimax looks ahead


@dataclass(frozen=True)
class Score:
    """The score of one player against another, with its 95 % interval over deals."""

    a: str
    b: str
    games: int
    score: float
    low: float
    high: float

    @classmethod
    def of(cls, summary: Summary) -> Score:
        """Return the score of a duel."""
        a, b = summary.a.spec, summary.b.spec
        return cls(a, b, summary.games, summary.a_score, summary.a_score_low, summary.a_score_high)

    @property
    def is_better(self) -> bool:
        """True if the whole interval is above one half."""
        return self.low > 0.5

    @property
    def is_worse(self) -> bool:
        """True if the whole interval is below one half."""
        return self.high < 0.5


@dataclass(frozen=True)
class Advice:
    """A recommended player, and the next best one by the same rules."""

    player: str
    runner_up: str
    mode: str  # of mcts in this game: open, single, several, team, pimc; auto if the position decides
    reason: str
    iterations: (
        int | None
    )  # of mcts from which on four times as many gain nothing certain; None: more than were tried


@dataclass(frozen=True)
class Profile:
    """A game: its figures, how strength grows with iterations, and which player to take."""

    game: Game
    seed: int
    facts: Facts
    effort: Effort
    growth: tuple[Score, ...]  # of four times the iterations
    advice: Advice
    check: Score | None  # of the recommended player against the runner-up; None: not played
    seconds: float  # taken

    @property
    def player(self) -> str:
        """The player to take: the recommended one, unless the check shows that the runner-up is better."""
        is_refuted = self.check is not None and self.check.is_worse
        return self.advice.runner_up if is_refuted else self.advice.player


def spread_of(values: Sequence[float]) -> Spread | None:
    """Return how values vary; None if there are none.

    >>> spread_of([1, 2, 3])
    Spread(mean=2.0, low=1.2, middle=2.0, high=2.8, most=3.0)
    """
    if not values:
        return None
    low, middle, high = np.quantile(values, [0.1, 0.5, 0.9]).tolist()
    return Spread(float(np.mean(values)), low, middle, high, float(max(values)))
