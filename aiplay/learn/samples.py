"""Positions to learn from: their active inputs, and the value of every seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aiplay._core.features import FULL
from aiplay.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Samples"]


class Samples:
    """Rows of active inputs, one after the other, with their targets; the games are told apart by their number."""

    def __init__(
        self,
        starts: NDArray[np.int64],
        inputs: NDArray[np.int32],
        amounts: NDArray[np.int16],
        targets: NDArray[np.float32],
        n_inputs: int,
    ) -> None:
        self.starts, self.inputs, self.amounts = starts, inputs, amounts  # row i: starts[i] .. starts[i + 1]
        self.targets, self.n_inputs = targets, n_inputs

    @classmethod
    def of(
        cls, rows: Sequence[Sequence[tuple[int, int]]], targets: Sequence[Sequence[float]], n_inputs: int
    ) -> Samples:
        """Return samples of rows of (input, amount)."""
        starts = np.cumsum([0, *map(len, rows)])
        pairs = np.array([pair for row in rows for pair in row], np.int32).reshape(-1, 2)
        return cls(
            starts,
            pairs[:, 0].copy(),
            pairs[:, 1].astype(np.int16),
            np.array(targets, np.float32).reshape(len(rows), -1),
            n_inputs,
        )

    def __len__(self) -> int:
        return len(self.targets)

    def batch(self, order: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return some rows with all of their inputs, and their targets."""
        lengths = self.starts[order + 1] - self.starts[order]
        rows = np.repeat(np.arange(len(order)), lengths)
        ends = np.cumsum(lengths)
        places = np.arange(len(rows)) + np.repeat(self.starts[order] - (ends - lengths), lengths)
        dense = np.zeros((len(order), self.n_inputs), np.float32)
        dense[rows, self.inputs[places]] = self.amounts[places] / np.float32(FULL)
        return dense, self.targets[order]

    def joined(self, later: Samples, most: int) -> Samples:
        """Return these samples and later ones, the last `most` of them."""
        targets = np.concatenate([self.targets, later.targets])
        starts = np.concatenate([self.starts, later.starts[1:] + self.starts[-1]])
        inputs = np.concatenate([self.inputs, later.inputs])
        amounts = np.concatenate([self.amounts, later.amounts])
        first = max(0, len(targets) - most)
        begin = int(starts[first])
        return Samples(
            starts[first:] - begin, inputs[begin:], amounts[begin:], targets[first:], self.n_inputs
        )

    def split(self, every: int) -> tuple[Samples, Samples]:
        """Return most of the samples, and the last `1 / every` of them for a check."""
        middle = len(self) - len(self) // every
        begin = int(self.starts[middle])
        return (
            Samples(
                self.starts[: middle + 1],
                self.inputs[:begin],
                self.amounts[:begin],
                self.targets[:middle],
                self.n_inputs,
            ),
            Samples(
                self.starts[middle:] - begin,
                self.inputs[begin:],
                self.amounts[begin:],
                self.targets[middle:],
                self.n_inputs,
            ),
        )
