"""The N-tuple bandit (Lucas, Liu, Perez-Liebana 2018): finds good combinations of options from few, noisy scores.

A point chooses one value of every dimension. Statistics are kept of every value, of every pair of values of two
dimensions, and of every whole point, so a score also tells something about the points beside it. The next point to try
is the neighbour with the highest upper bound,

    mean over tuples t of   m_t + k sqrt(log(1 + N) / (n_t + 1/2)),

where N counts all scores, n_t those of the tuple, and m_t is their mean, drawn towards one half: the score of point 0
(the first value of every dimension), which is the opponent itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from operator import itemgetter
from typing import TypeAlias

from aiplay._core.stream import RandomStream
from aiplay.lazy import numpy as np

__all__ = ["Point", "TupleBandit"]

Point: TypeAlias = tuple[int, ...]  # the number of a value, for every dimension
Key: TypeAlias = tuple[int, object]  # the number of a tuple of dimensions, and the numbers of their values

EXPLORATION = 0.6  # k: about twice the deviation of the score of a deal
EQUAL = 0.5  # the score of point 0
WEIGHT = 2.0  # scores that this counts for in every mean
NEIGHBOURS = 40  # of the best point, and of point 0, that are compared


class TupleBandit:
    """Scores of points from 0 to 1: which point to try next, and which is the best."""

    def __init__(self, sizes: Sequence[int], seed: int) -> None:
        """Take the number of values of every dimension, each at least two."""
        self.sizes = tuple(sizes)
        dimensions = range(len(sizes))
        groups = {(d,) for d in dimensions} | {*combinations(dimensions, 2)} | {tuple(dimensions)}
        ordered = sorted(groups, key=lambda group: (len(group), group))
        self._values_of = [itemgetter(*group) for group in ordered]
        self._stream = RandomStream(seed)
        self.scores: list[tuple[Point, float]] = []
        self._n: dict[Key, int] = {}
        self._sum: dict[Key, float] = {}

    # ---- Scores ----------------------------------------------------------------------------------------------

    def add(self, point: Point, score: float) -> None:
        """Take a score into account."""
        self.scores.append((point, score))
        for key in self._keys(point):
            self._n[key] = self._n.get(key, 0) + 1
            self._sum[key] = self._sum.get(key, 0.0) + score

    @property
    def tried(self) -> list[Point]:
        """The points that have scores."""
        return list(dict.fromkeys(point for point, _ in self.scores))

    def estimate(self, point: Point) -> float:
        """Return the expected score of a point."""
        return self._bound(point, {}, 0.0)

    def best(self) -> Point:
        """Return the point with the highest estimate of those tried; point 0 if none was."""
        return max(self.tried, key=self.estimate, default=(0,) * len(self.sizes))

    # ---- The next points -------------------------------------------------------------------------------------

    def propose(self, n: int) -> list[Point]:
        """Return the n points to try next; the same one may be among them several times."""
        pending: Counter[Key] = Counter()
        found: list[Point] = []
        best = self.best()
        for number in range(n):
            reach = EXPLORATION * math.sqrt(math.log(1 + len(self.scores) + number))
            bounds = {point: self._bound(point, pending, reach) for point in self._candidates(best)}
            found.append(max(bounds, key=bounds.__getitem__))
            pending.update(self._keys(found[-1]))
        return found

    def _bound(self, point: Point, pending: dict[Key, int], reach: float) -> float:
        total = 0.0
        for key in self._keys(point):
            n = self._n.get(key, 0)
            total += (self._sum.get(key, 0.0) + WEIGHT * EQUAL) / (n + WEIGHT)
            if reach:
                total += reach / math.sqrt(n + pending.get(key, 0) + 0.5)
        return total / len(self._values_of)

    def _candidates(self, best: Point) -> list[Point]:
        """Return points to choose from: the best one, points beside it and beside 0; never 0, whose score is known."""
        origin = (0,) * len(self.sizes)
        found = [best, *(self._changed(point) for point in (best, origin) for _ in range(NEIGHBOURS))]
        return [point for point in dict.fromkeys(found) if any(point)]

    def _changed(self, point: Point) -> Point:
        """Return a point with another value in one dimension, and now and then in others."""
        first, changed = self._stream.below(len(point)), list(point)
        for dimension, size in enumerate(self.sizes):
            if dimension == first or self._stream.below(len(point)) == 0:
                changed[dimension] = (changed[dimension] + 1 + self._stream.below(size - 1)) % size
        return tuple(changed)

    def _keys(self, point: Point) -> list[Key]:
        return [(number, values_of(point)) for number, values_of in enumerate(self._values_of)]

    # ---- The result ------------------------------------------------------------------------------------------

    def effects(self) -> dict[tuple[int, int], tuple[float, float]]:
        """Return what every value adds to the score, by (dimension, value), with its standard error.

        Ridge regression of all scores: score = 1/2 + the sum of the effects of a point; value 0 has effect 0.
        """
        names = [(d, value) for d, size in enumerate(self.sizes) for value in range(1, size)]
        rows = np.array([[float(point[d] == value) for d, value in names] for point, _ in self.scores])
        rest = np.array([score - EQUAL for _, score in self.scores])
        inverse = np.linalg.inv(rows.T @ rows + WEIGHT * np.eye(len(names)))
        effects = inverse @ (rows.T @ rest)
        variance = float(np.mean((rest - rows @ effects) ** 2))
        errors = np.sqrt(variance * np.diag(inverse))
        return dict(zip(names, zip(effects.tolist(), errors.tolist(), strict=True), strict=True))

    def winner(self) -> Point:
        """Return the best point, without the values that add nothing certain by themselves; not point 0."""
        point, effects = self.best(), self.effects()
        kept = [value and effects[d, value][0] > effects[d, value][1] for d, value in enumerate(point)]
        if any(kept):
            return tuple(value if is_kept else 0 for value, is_kept in zip(point, kept, strict=True))
        most = max(effects, key=lambda name: effects[name][0] - effects[name][1])
        return tuple(most[1] if d == most[0] else 0 for d in range(len(point)))
