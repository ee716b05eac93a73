"""Figures in words: shares, ratings, times and numbers of games as people read them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiplay.match import Sprt

__all__ = ["elo", "elo_interval", "llr", "milliseconds", "percent", "played"]


def percent(share: float) -> str:
    """Return a share in per cent."""
    return f"{100 * share:.1f} %"


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds."""
    return f"{1000 * seconds:.3g}"


def elo(difference: float) -> str:
    """Return a difference in Elo with its sign; never -0."""
    return f"{round(difference):+d}" if math.isfinite(difference) else f"{difference:+}"


def elo_interval(low: float, high: float) -> str:
    """Return an interval of differences in Elo."""
    return f"{elo(low)} .. {elo(high)}"


def llr(test: Sprt) -> str:
    """Return the log-likelihood ratio of a test, with the bounds at which it ends."""
    return f"llr {test.llr:+.2f} ({test.lower:.2f} .. {test.upper:.2f})"


def played(games: int, deals: int) -> str:
    """Return how much was played that counts.

    >>> played(6, 3), played(2, 1), played(0, 0)
    ('6 games on 3 deals', '2 games on 1 deal', 'no deal is complete')
    """
    return f"{_counted(games, 'game')} on {_counted(deals, 'deal')}" if deals else "no deal is complete"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
