"""Positions to learn from: their inputs, and the value of every seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aiplay._core.features import FULL
from aiplay.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SampleWriter", "Samples"]


class Samples:
    """A row of inputs for every position, 0 to FULL each, and a row of targets: the values of the seats.

    `firsts` has the seat that comes first in the row, `lasts` is True at the last position of a game: positions that
    were played follow each other.
    """

    def __init__(
        self,
        inputs: NDArray[np.int16],
        targets: NDArray[np.float32],
        firsts: NDArray[np.int8] | None = None,
        lasts: NDArray[np.bool_] | None = None,
    ) -> None:
        self.inputs, self.targets = inputs, targets
        self.firsts = np.zeros(len(targets), np.int8) if firsts is None else firsts
        self.lasts = np.ones(len(targets), np.bool_) if lasts is None else lasts

    @classmethod
    def of(
        cls, rows: Sequence[Sequence[tuple[int, int]]], targets: Sequence[Sequence[float]], n_inputs: int
    ) -> Samples:
        """Return samples of rows of active inputs: (input, amount)."""
        inputs = np.zeros((len(rows), n_inputs), np.int16)
        for row, pairs in zip(inputs, rows, strict=True):
            for number, amount in pairs:
                row[number] = amount
        return cls(inputs, np.array(targets, np.float32).reshape(len(rows), -1))

    def __len__(self) -> int:
        return len(self.targets)

    @property
    def n_inputs(self) -> int:
        """Numbers in a row."""
        return int(self.inputs.shape[1])

    @property
    def active(self) -> float:
        """Inputs above 0 in a row, on average."""
        return float(np.count_nonzero(self.inputs)) / max(len(self), 1)

    def batch(self, order: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return some rows, their inputs from 0 to 1, and their targets."""
        return self.inputs[order].astype(np.float32) / np.float32(FULL), self.targets[order]

    def joined(self, later: Samples, most: int) -> Samples:
        """Return these samples and later ones, the last `most` of them."""
        first = max(0, len(self) + len(later) - most)
        cut = max(0, first - len(self))
        return Samples(
            *(
                np.concatenate([mine[first:], theirs[cut:]])
                for mine, theirs in zip(self._arrays, later._arrays, strict=True)
            )
        )

    def split(self, every: int) -> tuple[Samples, Samples]:
        """Return most of the samples, and the last `1 / every` of them for a check."""
        middle = len(self) - len(self) // every
        return (
            Samples(*(array[:middle] for array in self._arrays)),
            Samples(*(array[middle:] for array in self._arrays)),
        )

    def with_targets(self, targets: NDArray[np.float32]) -> Samples:
        """Return the same positions with other targets."""
        return Samples(self.inputs, targets, self.firsts, self.lasts)

    @property
    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.inputs, self.targets, self.firsts, self.lasts


class SampleWriter:
    """Samples that grow row by row."""

    def __init__(self, n_inputs: int, n_targets: int) -> None:
        self._inputs = np.empty((1024, n_inputs), np.int16)
        self._targets = np.empty((1024, n_targets), np.float32)
        self._firsts: list[int] = []
        self._lasts: list[bool] = []

    def add(self, inputs: NDArray[np.int16], targets: Sequence[float], first: int = 0) -> None:
        """Copy a row."""
        n = len(self._firsts)
        if n == len(self._inputs):
            self._inputs = np.concatenate([self._inputs, np.empty_like(self._inputs)])
            self._targets = np.concatenate([self._targets, np.empty_like(self._targets)])
        self._inputs[n], self._targets[n] = inputs, targets
        self._firsts.append(first)
        self._lasts.append(False)

    def end_game(self) -> None:
        """Mark the latest row as the last position of its game."""
        self._lasts[-1:] = [True]

    def samples(self) -> Samples:
        """Return what was written."""
        n = len(self._firsts)
        return Samples(
            self._inputs[:n],
            self._targets[:n],
            np.array(self._firsts, np.int8),
            np.array(self._lasts, np.bool_),
        )
