"""What the results of a match say, and how surely."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from aiplay.errors import OptionError

__all__ = ["Sprt", "elo", "elo_score", "score_interval"]

STEP = 0.25  # the smallest difference between the scores of two pairs of games


def score_interval(scores: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """Where the true mean lies, given independent scores from 0 to 1, each of a pair (or larger group) of games.

    Wilson's interval for as many coin flips as would be spread like the scores. Pairs spread less than coins do
    (the luck of the deal cancels out), never more, so there are at least as many flips as pairs. The one deviation
    that is added keeps scores that happen to be all alike from looking certain.

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
    """The difference in Elo at which the better player expects this score; infinite for 0 and 1.

    >>> round(elo(0.75))
    191
    """
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def elo_score(difference: float) -> float:
    """The score that a difference in Elo lets expect: the inverse of `elo`."""
    return 1 / (1 + 10 ** (-difference / 400))


class Sprt:
    """Sequential test of two hypotheses about A's score in pairs: A is better by elo0, or by elo1 (elo0 < elo1).

    The generalised SPRT of multinomial results. A pair of two games scores 0, 1/4, 1/2, 3/4 or 1 (pentanomial), a
    group of `n_contests` games any of 2 n + 1 values x. Nobody knows the chances p of these scores: the draws, the
    luck of the deal. Each hypothesis therefore gets those under which its mean score s fits the counts n best,

        p_s = argmax sum n_i log p_i   subject to   sum p_i = 1, sum p_i x_i = s,

    and the log-likelihood ratio is llr = sum n_i log(p_s1,i / p_s0,i). The test ends when llr leaves the interval
    log(b / (1 - a)) .. log((1 - b) / a), a and b being the chances of a wrong verdict (0.05 each).
    """

    ERROR = 0.05  # chance of either wrong verdict
    PRIOR = 1e-3  # count of every score before the first pair: none is impossible because it was not seen yet

    def __init__(self, elo0: float, elo1: float, n_contests: int = 2) -> None:
        if not (math.isfinite(elo0) and math.isfinite(elo1) and elo0 < elo1):
            raise OptionError(f"SPRT of Elo {elo0:g} and {elo1:g}; allowed: two numbers, the first smaller")
        self.elo0, self.elo1 = elo0, elo1
        self.n = 0  # pairs so far
        self.llr = 0.0
        self.upper = math.log((1 - self.ERROR) / self.ERROR)
        self.lower = -self.upper
        self._steps = 2 * n_contests  # between the worst and the best score
        self._counts = [self.PRIOR] * (self._steps + 1)

    def add(self, score: float) -> None:
        """Take the score of one more pair into account, 0 .. 1."""
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
    """Of mean score1 against mean score0, given counts of equally spaced scores from 0 to 1, none of them zero.

    Lagrange gives p_i proportional to n_i / (1 + t (x_i - s)), with the t that makes the mean s. Only the ratio of
    the two denominators is left over.
    """
    scores = [i / (len(counts) - 1) for i in range(len(counts))]
    tilt0, tilt1 = (_tilt(counts, scores, mean) for mean in (score0, score1))
    return sum(
        n * math.log((1 + tilt0 * (x - score0)) / (1 + tilt1 * (x - score1)))
        for n, x in zip(counts, scores, strict=True)
    )


def _tilt(counts: Sequence[float], scores: Sequence[float], mean: float) -> float:
    """The t for which sum n_i (x_i - mean) / (1 + t (x_i - mean)) is 0; the sum falls as t grows, so halve."""
    low, high = -1 / (scores[-1] - mean), 1 / (mean - scores[0])  # within, every denominator is positive
    pulls = [(n, x - mean) for n, x in zip(counts, scores, strict=True)]
    while True:
        middle = (low + high) / 2
        if not low < middle < high or high - low < 1e-12:
            return middle
        if sum(n * d / (1 + middle * d) for n, d in pulls) > 0:
            low = middle
        else:
            high = middle
