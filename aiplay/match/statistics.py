"""What the results of a match say, and how surely."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

__all__ = ["score_interval"]

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
