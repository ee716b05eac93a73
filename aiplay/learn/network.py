"""Training of a small network in numpy, and its weights as whole numbers for `aiplay._core.search.common.value`."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from aiplay._core.features import FULL
from aiplay._core.search.common.value import AMOUNT_BITS, HIDDEN_BITS, WEIGHT_BITS
from aiplay.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aiplay.learn.samples import Samples

__all__ = ["LAYERS", "Trainer", "quantised"]

LAYERS = ("first", "first_bias", "second", "second_bias")
BATCH = 256  # positions of one step
LARGE_BATCH = 1024  # the same for MANY positions and more
MANY = 1_000_000
LEAST_STEPS = 400  # of a round
RATE, LAST_RATE = 3e-3, 3e-4  # learning rate at the beginning and at the end of a round
DECAY1, DECAY2, TINY = 0.9, 0.999, 1e-8  # of Adam (Kingma and Ba 2015)
LEAK = 0.02  # slope beyond 0 .. 1, for training only: a unit that is stuck there can come back
MOST_WEIGHT = 31.0  # fits into 16 bits

Weights = dict[str, "NDArray[np.float32]"]


class Trainer:
    """A network under training: weights, and the averages of Adam."""

    def __init__(self, weights: Weights, means: Weights, squares: Weights, steps: int) -> None:
        self.weights, self.means, self.squares, self.steps = weights, means, squares, steps

    @classmethod
    def new(cls, inputs: int, hidden: int, outputs: int, active: float, seed: int) -> Trainer:
        """Return a network with random weights; `active`: the usual number of active inputs."""
        random = np.random.default_rng(seed)
        spread = 0.5 / max(active, 1.0) ** 0.5
        weights = {
            "first": random.normal(0, spread, (inputs, hidden)),
            "first_bias": random.uniform(0.2, 0.8, hidden),
            "second": random.normal(0, hidden**-0.5, (outputs, hidden)),
            "second_bias": np.zeros(outputs),
        }
        single = {name: layer.astype(np.float32) for name, layer in weights.items()}
        return cls(single, _zeros(single), _zeros(single), 0)

    def train(self, samples: Samples, epochs: int, seed: int) -> None:
        """Go through all samples `epochs` times (more often if they are few) in random order, ever more slowly."""
        random = np.random.default_rng(seed)
        size = BATCH if len(samples) < MANY else LARGE_BATCH
        n_batches = -(-len(samples) // size)
        epochs = max(epochs, -(-LEAST_STEPS // n_batches))
        n_steps, done = epochs * n_batches, 0
        for _ in range(epochs):
            order = random.permutation(len(samples))
            for start in range(0, len(order), size):
                inputs, targets = samples.batch(order[start : start + size])
                self._step(inputs, targets, RATE * (LAST_RATE / RATE) ** (done / n_steps))
                done += 1

    def error(self, samples: Samples) -> float:
        """Return the mean squared error of the targets that are known."""
        squares = (self.values_of(samples) - samples.targets) ** 2
        return float(np.nansum(squares.astype(np.float64))) / max(int(np.isfinite(squares).sum()), 1)

    def values_of(self, samples: Samples) -> NDArray[np.float32]:
        """Return the outputs for all samples."""
        found = np.empty_like(samples.targets)
        for start in range(0, len(samples), LARGE_BATCH):
            rows = np.arange(start, min(start + LARGE_BATCH, len(samples)))
            found[rows] = self.values(samples.batch(rows)[0])
        return found

    def values(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the outputs for rows of inputs."""
        hidden = np.clip(inputs @ self.weights["first"] + self.weights["first_bias"], 0, 1)
        x = hidden @ self.weights["second"].T + self.weights["second_bias"]
        values: NDArray[np.float32] = (1 + x / np.sqrt(1 + x * x)) / 2
        return values

    def _step(self, inputs: NDArray[np.float32], targets: NDArray[np.float32], rate: float) -> None:
        gradients = self._gradients(inputs, targets)
        self.steps += 1
        scale = rate * (1 - DECAY2**self.steps) ** 0.5 / (1 - DECAY1**self.steps)
        for name, gradient in gradients.items():
            mean, square = self.means[name], self.squares[name]
            mean += (1 - DECAY1) * (gradient - mean)
            square += (1 - DECAY2) * (gradient * gradient - square)
            self.weights[name] -= (scale * mean / (np.sqrt(square) + TINY)).astype(np.float32)
            np.clip(self.weights[name], -MOST_WEIGHT, MOST_WEIGHT, out=self.weights[name])

    def _gradients(self, inputs: NDArray[np.float32], targets: NDArray[np.float32]) -> Weights:
        """Return the gradients of the mean squared error; targets that are unknown (NaN) have none."""
        sums = inputs @ self.weights["first"] + self.weights["first_bias"]
        hidden = np.clip(sums, 0, 1)
        x = hidden @ self.weights["second"].T + self.weights["second_bias"]
        root = 1 / np.sqrt(1 + x * x)
        by_x = np.nan_to_num((1 + x * root) / 2 - targets) * root**3 / len(inputs)
        by_sums = (by_x @ self.weights["second"]) * np.where((sums > 0) & (sums < 1), 1, LEAK)
        return {
            "first": inputs.T @ by_sums,
            "first_bias": by_sums.sum(axis=0),
            "second": by_x.T @ hidden,
            "second_bias": by_x.sum(axis=0),
        }


def _zeros(weights: Weights) -> Weights:
    return {name: np.zeros_like(layer) for name, layer in weights.items()}


def quantised(weights: Weights) -> dict[str, array[int]]:
    """Return the weights as whole numbers, rounded to the next."""
    assert 1 << AMOUNT_BITS == FULL
    units = {
        "first": ("h", WEIGHT_BITS),
        "first_bias": ("i", WEIGHT_BITS + AMOUNT_BITS),
        "second": ("h", WEIGHT_BITS),
        "second_bias": ("i", WEIGHT_BITS + HIDDEN_BITS),
    }
    return {
        name: array(code, np.rint(weights[name].astype(np.float64) * 2**bits).astype(int).ravel().tolist())
        for name, (code, bits) in units.items()
    }
