"""Targets that look ahead: what a value says of the positions that followed, and at last the result.

The result of a game says little about an early position: too much is left to chance and to mistakes. What a value says
a few moves later says more. So the target of a position mixes both, TD(lambda) (Sutton 1988):

    target[t] = (1 - trust) * value[t + 1] + trust * target[t + 1],    target[last] = result
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiplay.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aiplay.learn.samples import Samples

__all__ = ["targets_ahead"]


def targets_ahead(samples: Samples, values: NDArray[np.float32], trust: float) -> NDArray[np.float32]:
    """Return new targets for the positions of games; those of `samples` are the results, `values` their values now."""
    results = _turned(samples.targets, samples.firsts)
    seen = _turned(values, samples.firsts)
    found = results.copy()
    lasts = samples.lasts.copy()
    lasts[-1:] = True  # a game may have been cut here
    ends = np.flatnonzero(lasts)
    lengths = np.diff(ends, prepend=-1)
    for back in range(1, int(lengths.max(initial=1))):
        here = ends[lengths > back] - back
        found[here] = (1 - trust) * seen[here + 1] + trust * found[here + 1]
    return _turned(found, -samples.firsts)


def _turned(rows: NDArray[np.float32], by: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return rows of seats, each turned to the right by a number of places."""
    n = rows.shape[1]
    places = (np.arange(n) - by.astype(np.int64)[:, None]) % n
    return np.take_along_axis(rows, places, axis=1)
