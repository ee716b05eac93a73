"""Scores without the luck of chance: control variates at chance events.

The luck of a deal is a zero-mean number for each kind of value (`GameResult.luck`), so subtracting any multiple of it
leaves the mean of the score as it is. The multiples are fitted to the *other* deals (leave one out), or in a sequential
test to the deals before: they do not depend on the luck that they multiply, and the adjusted score stays unbiased.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias

from aiplay._core.typedefs import CHANCE
from aiplay.errors import OptionError
from aiplay.lazy import numpy as np
from aiplay.match.statistics import Sprt, elo, elo_score
from aiplay.story import positions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aiplay._core.game import Game, State
    from aiplay._core.search.common.value import Network
    from aiplay.match.scheduled import GameResult

__all__ = [
    "Adjust",
    "Adjusted",
    "AdjustedSprt",
    "Value",
    "adjusted",
    "adjusted_points",
    "check_adjustment",
    "deal_luck",
    "luck_by",
    "luck_in",
    "saved_adjustment",
]

FEWEST = 20  # deals to fit multiples to; with fewer, nothing is subtracted

Array: TypeAlias = "NDArray[np.float64]"
Value: TypeAlias = "Callable[[State], Sequence[float]]"  # of a state, for every seat
# How a match is adjusted: not at all (False), by a function, or by the game's evaluation and a trained value: the one
# that comes with the game, if there is one (True, "auto"), the one of a file (its path), or none ("game").
Adjust: TypeAlias = "bool | str | Value"


@dataclass(frozen=True)
class Adjusted:
    """A mean score after subtracting luck."""

    score: float
    low: float  # 95 % interval
    high: float
    games_saved: float  # factor by which the variance fell; below 1: the adjustment does not pay

    @property
    def elo(self) -> tuple[float, float, float]:
        """The score and its interval as differences in Elo."""
        return elo(self.score), elo(self.low), elo(self.high)


def luck_in(game: Game, moves: Sequence[int], adjust: Adjust) -> tuple[tuple[float, ...], ...]:
    """Return the luck of every seat in a game of these moves, for each kind of value; none without an adjustment."""
    if not adjust:
        return ()
    if callable(adjust):
        return luck_by(game, moves, adjust)
    from aiplay._core.search.luck import game_luck  # here, not above: most matches need none

    return game_luck(game, moves, trained_value(game, adjust))


def trained_value(game: Game, adjust: bool | str) -> Network | None:
    """Return the trained value of an adjustment for a game, if there is one; ValueFileError if it does not fit."""
    from aiplay.value import ValueChoice

    return ValueChoice("auto" if adjust is True else str(adjust)).of(game)


def luck_by(game: Game, moves: Sequence[int], value: Value) -> tuple[tuple[float, ...], ...]:
    """Return the luck of every seat in a game of these moves, by any value of states: one kind of luck.

    `aiplay._core.search.luck` does the same by the game's evaluation, much faster.
    """
    luck = [0.0] * game.seats
    for state, move in zip(positions(game, moves), moves, strict=False):
        outcomes = state.chance_outcomes() if state.to_move == CHANCE else []
        for outcome, p in outcomes if len(outcomes) > 1 else []:
            after = state.copy()
            after.play(outcome)
            weight = (outcome == move) - p
            for seat, worth in enumerate(value(after)):
                luck[seat] += weight * worth
    return (tuple(luck),)


def deal_luck(deal: Sequence[GameResult], first: int, second: int | None = None) -> list[float]:
    """Return the luck of one player against another (default: all others) on a deal, for each kind of value.

    On the scale of a score: half the difference between the mean luck of their seats, averaged over the games.
    """
    totals = [0.0] * len(deal[0].luck)
    for result in deal:
        seating = result.scheduled.seating
        mine = [seat for seat, player in enumerate(seating) if player == first]
        theirs = [
            seat
            for seat, player in enumerate(seating)
            if player != first and (second is None or player == second)
        ]
        for kind, luck in enumerate(result.luck):
            if mine and theirs:
                totals[kind] += (_mean(luck, mine) - _mean(luck, theirs)) / 2
    return [total / len(deal) for total in totals]


def adjusted(scores: Sequence[float], lucks: Sequence[Sequence[float]]) -> Adjusted:
    """Return the adjusted mean of the scores of deals, with its interval; `lucks` as `deal_luck` returns them."""
    n = len(scores)
    if n < 2:
        return Adjusted(scores[0] if scores else 0.5, 0.0, 1.0, 1.0)
    rest = _without_luck(scores, lucks)
    mean, variance = _moments(rest)
    before = _moments(scores)[1]
    reach = _quantile(n - 1) * math.sqrt(max(variance, 0.25**2 / n) / n)  # equal scores are not certain
    saved = before / variance if variance > 0 else 1.0
    return Adjusted(mean, max(0.0, mean - reach), min(1.0, mean + reach), saved)


def adjusted_points(points: Array, deals: Sequence[Sequence[GameResult]]) -> Array:
    """Return the points of `points_by_deal` without luck: those of every two players, over the deals they shared."""
    found = points.copy()
    n = points.shape[1]
    for first in range(n):
        for second in range(first + 1, n):
            weights = points[:, first, second] + points[:, second, first]
            met = np.flatnonzero(weights).tolist()
            scores = (points[met, first, second] / weights[met]).tolist()
            rest = _without_luck(scores, [deal_luck(deals[deal], first, second) for deal in met])
            found[met, first, second] = weights[met] * rest
            found[met, second, first] = weights[met] - found[met, first, second]
    return found


def _without_luck(scores: Sequence[float], lucks: Sequence[Sequence[float]]) -> list[float]:
    """Return scores without their luck, each by the multiples that all the others say."""
    fit, rest = _Fit(), []
    for score, luck in zip(scores, lucks, strict=True):
        fit.add(score, luck)
    for score, luck in zip(scores, lucks, strict=True):
        fit.add(score, luck, -1)
        rest.append(fit.subtract(score, luck))
        fit.add(score, luck)
    return rest


class AdjustedSprt(Sprt):
    """The sequential test on adjusted scores, which are not discrete: normal, with the variance seen so far.

    The log-likelihood ratio of means s1 and s0 is n (s1 - s0) (2 mean - s0 - s1) / (2 variance).
    """

    def __init__(self, elo0: float, elo1: float) -> None:
        super().__init__(elo0, elo1)
        self._fit = _Fit()
        self._scores: list[float] = []

    def add_adjusted(self, score: float, luck: Sequence[float]) -> None:
        """Take the score and the luck of another deal into account."""
        self._scores.append(self._fit.subtract(score, luck))
        self._fit.add(score, luck)
        self.n += 1
        if self.n < FEWEST:
            return
        mean, variance = _moments(self._scores)
        low, high = elo_score(self.elo0), elo_score(self.elo1)
        variance = max(variance, 0.25**2 / self.n)
        self.llr = self.n * (high - low) * (2 * mean - low - high) / (2 * variance)


class _Fit:
    """Least squares of scores on luck, from running sums: deals can be added and taken out again."""

    def __init__(self) -> None:
        self.n = 0
        self.sums: Array = np.zeros(0)
        self.products: Array = np.zeros((0, 0))

    def add(self, score: float, luck: Sequence[float], sign: int = 1) -> None:
        """Add a deal, or take it out with sign -1."""
        row = np.array([score, *luck])
        if not len(self.sums):
            self.sums, self.products = np.zeros(len(row)), np.zeros((len(row), len(row)))
        self.n += sign
        self.sums += sign * row
        self.products += sign * np.outer(row, row)

    def subtract(self, score: float, luck: Sequence[float]) -> float:
        """Return a score without its luck, as far as the deals added say how much luck counts."""
        if self.n < FEWEST:
            return score
        covariance = self.products / self.n - np.outer(self.sums, self.sums) / self.n**2
        ridge = 1e-9 * np.eye(len(luck)) + 0.01 * np.diag(np.diag(covariance)[1:])
        multiples = np.linalg.solve(covariance[1:, 1:] + ridge, covariance[1:, 0])
        return score - float(multiples @ np.array(luck))


def check_adjustment(games: Sequence[Game], adjust: Adjust) -> None:
    """Raise an AiplayError if games have no chance events to adjust for, or the value does not fit them."""
    if not any(game.has_chance for game in games):
        raise OptionError("the game has no chance events to adjust for; leave out the adjustment")
    for game in games:
        if not callable(adjust):
            trained_value(game, adjust)


def saved_adjustment(adjust: Adjust) -> dict[str, bool | str]:
    """Return the part of a description that says how a match is adjusted."""
    if callable(adjust):
        raise OptionError("a match that is adjusted by a function cannot be saved; allowed: adjust=True")
    return {"adjust": adjust} if adjust else {}


def _mean(luck: Sequence[float], seats: Sequence[int]) -> float:
    return math.fsum(luck[seat] for seat in seats) / len(seats)


def _moments(values: Sequence[float]) -> tuple[float, float]:
    mean = math.fsum(values) / len(values)
    return mean, math.fsum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)


def _quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t, by its expansion around the normal one."""
    z = NormalDist().inv_cdf(0.975)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
