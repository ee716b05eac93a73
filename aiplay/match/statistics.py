"""Statistics of a match: score intervals, Elo, and a sequential test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from aiplay.errors import OptionError

__all__ = ["Sprt", "elo", "elo_score", "score_interval"]

STEP = 0.25  # the smallest difference between the scores of two deals of two games


def score_interval(scores: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """Return the confidence interval of the mean of independent scores from 0 to 1, one for each deal.

    Wilson's interval for the number of coin flips that would vary as much as the scores do. Deals vary at most as
    much as coin flips (the luck of the deal cancels out), so there are at least as many flips as deals. One deviation
    of `STEP` is added, so that scores that happen to be equal do not look certain.

    >>> low, high = score_interval([1.0] * 20)
    >>> f"{low:.2f} .. {high:.2f}"
    '0.84 .. 1.00'
    """
    n = len(scores)
    if n == 0:
        return 0.0, 1.0
    mean = sum(scores) / n
    variance = (sum((score - mean) ** 2 for score in scores) + STEP**2) / max(n - 1, 1)
    flips = n * max(1.0, mean * (1 - mean) / variance)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (mean + z * z / (2 * flips)) / (1 + z * z / flips)
    reach = z / (1 + z * z / flips) * math.sqrt(mean * (1 - mean) / flips + z * z / (4 * flips * flips))
    return max(0.0, min(mean, middle - reach)), min(1.0, max(mean, middle + reach))


def elo(score: float) -> float:
    """Return the difference in Elo at which this score is expected; infinite for 0 and 1.

    >>> round(elo(0.75))
    191
    """
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def elo_score(difference: float) -> float:
    """Return the expected score at a difference in Elo: the inverse of `elo`."""
    return 1 / (1 + 10 ** (-difference / 400))


class Sprt:
    """Sequential test of two hypotheses about A's score: A is better by elo0, or by elo1 (elo0 < elo1).

    The generalised SPRT of multinomial results. A deal of two games scores 0, 1/4, 1/2, 3/4 or 1 (pentanomial), a deal
    of `n_contests` contests one of 2 n + 1 values x. The probabilities p of these scores are unknown (they depend on
    draws and on the luck of the deal). For each hypothesis they are therefore estimated from the counts n, such that
    the mean is its expected score s:

        p_s = argmax sum n_i log p_i   subject to   sum p_i = 1, sum p_i x_i = s,

    and the log-likelihood ratio is llr = sum n_i log(p_s1,i / p_s0,i). The test ends when llr leaves the interval
    log(b / (1 - a)) .. log((1 - b) / a), where a and b are the error probabilities (0.05 each).
    """

    ERROR = 0.05  # probability of either wrong verdict
    PRIOR = 1e-3  # initial count of every score: one that was not seen yet is not impossible

    def __init__(self, elo0: float, elo1: float, n_contests: int = 2) -> None:
        if not (math.isfinite(elo0) and math.isfinite(elo1) and elo0 < elo1):
            raise OptionError(f"SPRT of Elo {elo0:g} and {elo1:g}; allowed: two numbers, the first smaller")
        self.elo0, self.elo1 = elo0, elo1
        self.n = 0  # deals so far
        self.llr = 0.0
        self.upper = math.log((1 - self.ERROR) / self.ERROR)
        self.lower = -self.upper
        self._steps = 2 * n_contests  # between the worst and the best score
        self._counts = [self.PRIOR] * (self._steps + 1)

    def add(self, score: float) -> None:
        """Take the score of another deal into account, 0 .. 1."""
        self._counts[round(score * self._steps)] += 1
        self.n += 1
        self.llr = log_likelihood_ratio(self._counts, elo_score(self.elo0), elo_score(self.elo1))

    @property
    def verdict(self) -> float | None:
        """The Elo that the test has decided for, elo0 or elo1; None while it is open."""
        if self.llr >= self.upper:
            return self.elo1
        return self.elo0 if self.llr <= self.lower else None


def log_likelihood_ratio(counts: Sequence[float], score0: float, score1: float) -> float:
    """Return the log-likelihood ratio of mean score1 against mean score0.

    Before: counts of equally spaced scores from 0 to 1, all positive. By Lagrange, p_i is proportional to
    n_i / (1 + t (x_i - s)), with the t for which the mean is s. In the ratio, only these denominators remain.
    """
    scores = [i / (len(counts) - 1) for i in range(len(counts))]
    tilt0, tilt1 = (_tilt(counts, scores, mean) for mean in (score0, score1))
    return sum(
        n * math.log((1 + tilt0 * (x - score0)) / (1 + tilt1 * (x - score1)))
        for n, x in zip(counts, scores, strict=True)
    )


def _tilt(counts: Sequence[float], scores: Sequence[float], mean: float) -> float:
    """Return the t with sum n_i (x_i - mean) / (1 + t (x_i - mean)) = 0, by bisection: the sum falls as t grows."""
    low, high = -1 / (scores[-1] - mean), 1 / (mean - scores[0])  # in between, every denominator is positive
    pulls = [(n, x - mean) for n, x in zip(counts, scores, strict=True)]
    while True:
        middle = (low + high) / 2
        if not low < middle < high or high - low < 1e-12:
            return middle
        if sum(n * d / (1 + middle * d) for n, d in pulls) > 0:
            low = middle
        else:
            high = middle
