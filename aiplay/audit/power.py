"""Error rates and powers of the tests: binomial and chi-square, in plain floats."""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = [
    "POWER",
    "binomial_tail",
    "chi_square_tail",
    "least_lean",
    "least_share",
    "most_hits",
    "share_of_hits",
]

POWER = 0.99  # "would have been noticed": with this probability
NORMAL_99 = 2.3263  # its quantile of the normal distribution


def least_share(n: int) -> float:
    """Return the smallest share of changed choices that `n` comparisons notice with 99 %: 1 - (1 - p)^n >= 0.99."""
    return -math.expm1(math.log(1 - POWER) / n)


# ---- Guesses: binomial ---------------------------------------------------------------------------------------


def binomial_tail(n: int, p: float, least: int) -> float:
    """Return the probability of at least `least` hits in `n` guesses, each right with probability `p`."""
    if least <= 0:
        return 1.0
    if not 0 < p < 1:
        return float(p >= 1 and least <= n)
    logs = (_log_choose(n, k) + k * math.log(p) + (n - k) * math.log1p(-p) for k in range(least, n + 1))
    return min(1.0, math.fsum(math.exp(log) for log in logs))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def most_hits(n: int, p: float, error_rate: float) -> int:
    """Return the most hits that a fair player may have; it has more with at most the probability `error_rate`."""
    low, high = 0, n  # more than `high` hits are rare enough
    while low < high:
        middle = (low + high) // 2
        if binomial_tail(n, p, middle + 1) <= error_rate:
            high = middle
        else:
            low = middle + 1
    return high


def share_of_hits(n: int, p: float, most: int) -> float:
    """Return the share of guesses that a cheater may know and is still noticed with 99 %, from 0 to 1."""
    return _bisect(lambda known: binomial_tail(n, known + (1 - known) * p, most + 1) >= POWER)


# ---- Frequencies: chi-square ---------------------------------------------------------------------------------


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square with `freedom` degrees is at least `value`."""
    if value <= 0:
        return 1.0
    a, x = freedom / 2, value / 2
    start = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:  # series of the lower incomplete gamma function
        term = total = 1 / a
        n = a
        while term > 1e-16 * total:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - start * total)
    b, fraction = x + 1 - a, 0.0  # continued fraction of the upper one, by Lentz's method
    c, d = 1e300, 1 / b
    fraction = d
    for i in range(1, 10_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return start * fraction


def least_lean(n: int, freedom: int, truth: float, error_rate: float) -> float:
    """Return the smallest lean to the truth that a chi-square test notices with 99 %.

    A lean of 0.1: one world in ten is the truth, the others are as they should be. `truth`: the probability of the
    true world, `n`: worlds sampled. Uses the normal approximation of the noncentral chi-square.
    """
    limit = freedom * _bisect(lambda f: chi_square_tail(100 * f * freedom, freedom) <= error_rate) * 100

    def is_noticed(lean: float) -> bool:
        shift = n * lean**2 * (1 - truth) / truth
        return freedom + shift - NORMAL_99 * math.sqrt(2 * (freedom + 2 * shift)) >= limit

    return _bisect(is_noticed)


def _bisect(holds: Callable[[float], bool]) -> float:
    """Return the smallest number from 0 to 1 for which a condition holds; 1 if it holds for none."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high
