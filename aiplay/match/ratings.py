"""Ratings of several players on the Elo scale, with intervals, from whatever games they played.

Contests: everything is computed from contests on a deal, in which one player scored 1, 0.5 or 0 against another (or the
mean of several such scores, if the deal was played in several seatings). At two seats a game has one contest. At more
seats any two players at the table have one; the higher return wins. Teams of a cooperative game have one on each deal
that both played. A deal counts as one contest for each of its players, shared among the opponents met: the games of a
deal resemble each other and are not independent evidence.

Model: player i beats player j with probability s_i / (s_i + s_j), and 400 log10(s) is the rating (R. A. Bradley and
M. E. Terry, 1952). A draw is half a win. For the places in games of more seats, the model of R. L. Plackett (1975) and
R. D. Luce (1959) says the same about any two of the players, whoever else sits there.

Prior: before the first deal, any two of k players have shared 2/k of a drawn contest. The prior is weak (it weighs as
much as k - 1 contests in all), keeps the rating of a player who won or lost everything finite, and is Jeffreys' prior
for two players.

Intervals: a Bayesian bootstrap over deals (D. B. Rubin, 1981). Every deal gets a random weight and the players are
rated again, a thousand times; the interval holds the middle 95 % of these ratings. Only deals have to be independent:
games on the same deal may resemble each other or cancel out, and draws may be frequent or rare. (The Fisher information
of the model would treat every game as an independent coin flip.) For two players without draws this is Jeffreys'
interval.

>>> wins = np.array([[0, 1], [0, 0]])
>>> best, other = rate(np.array([wins] * 15 + [wins.T] * 5))     # 15 wins, 5 losses
>>> f"{best.rating - other.rating:.0f}"
'180'
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from aiplay.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ELO", "Rating", "rate", "strengths"]

ELO = 400 / math.log(10)  # Elo points of a factor e in strength
SAMPLES = 1000  # resampled ratings behind an interval
CHUNK = 250  # samples computed at a time; bounds the memory
SMALLEST = 1e-6  # smallest random weight of the prior; keeps ratings within a few thousand points

Array: TypeAlias = "NDArray[np.float64]"


@dataclass(frozen=True)
class Rating:
    """The strength of a player, relative to a weighted average of all players.

    The better the contests separate a player from the others, the more it weighs. Otherwise a player who loses
    everything, whose strength is nearly unknown, would widen the intervals of all.
    """

    rating: float  # in Elo points
    low: float  # 95 % interval
    high: float
    weight: float  # in the average that is rated 0; the weights of all players add up to 1
    above: tuple[float, ...]  # the probability of being stronger than each of the players, by number


def rate(deals: Array, confidence: float = 0.95, seed: int = 0, samples: int = SAMPLES) -> list[Rating]:
    """Return the rating of every player; ``deals[d, i, j]`` are the points of player i against player j on deal d.

    ``deals[d, i, j] + deals[d, j, i]`` is the weight of the contest: 1 at two seats, 0 if the two did not meet.
    """
    n = deals.shape[1]
    points = _bounded(deals.sum(axis=0)) + _prior(n)
    found = strengths(points)
    zero = _zero(points, found)
    drawn = _resample(deals, samples, np.random.default_rng(seed))
    drawn -= (drawn @ zero)[:, None]
    found -= found @ zero
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    above = (drawn[:, :, None] > drawn[:, None, :]).mean(axis=0)
    return [
        Rating(
            float(ELO * found[player]),
            float(ELO * min(low[player], found[player])),
            float(ELO * max(high[player], found[player])),
            float(zero[player]),
            tuple(above[player].tolist()),
        )
        for player in range(n)
    ]


def strengths(points: Array) -> Array:
    """Return the most likely logarithms of strength, mean 0; ``points[..., i, j]`` are all points of i against j.

    Newton's method on the likelihood of Bradley and Terry, which has one maximum; for many samples at once.
    """
    got = points.sum(axis=-1)
    theta = np.zeros(points.shape[:-1])
    for _ in range(200):
        expected, curvature = _expectation(points, theta)
        step = np.linalg.solve(curvature, (got - expected)[..., None])[..., 0]
        step /= np.maximum(1.0, np.abs(step).max(axis=-1, keepdims=True))  # larger steps could overshoot
        theta += step
        if np.abs(step).max(initial=0.0) < 1e-8:
            break
    centred: Array = theta - theta.mean(axis=-1, keepdims=True)
    return centred


def _expectation(points: Array, theta: Array) -> tuple[Array, Array]:
    """Return the expected points of players of these strengths, and the information matrix of the strengths.

    Contests say nothing about a shift of all strengths. A constant is added in that direction, so that the matrix
    can be inverted.
    """
    played = points + np.swapaxes(points, -1, -2)
    wins = 1 / (1 + np.exp(theta[..., None, :] - theta[..., :, None]))
    weight = played * wins * (1 - wins)
    curvature = weight.sum(axis=-1)[..., None] * np.eye(points.shape[-1]) - weight
    return (played * wins).sum(axis=-1), curvature + weight.mean(axis=(-1, -2), keepdims=True)


def _zero(points: Array, theta: Array) -> Array:
    """Return the weight of each player in the average that is rated 0: its sharpness, squared.

    The sharpness is how precisely contests separate a player from the others. Where zero lies is a convention. The
    square is taken because the variance at the maximum underestimates the intervals of players far from the others.
    """
    covariance = np.linalg.inv(_expectation(points, theta)[1])
    variances = np.diag(covariance)
    of_differences = variances[:, None] + variances[None, :] - 2 * covariance
    np.fill_diagonal(of_differences, np.inf)
    sharpness = (1 / of_differences).sum(axis=1)
    weights: Array = sharpness**2 / (sharpness**2).sum()
    return weights


def _bounded(points: Array) -> Array:
    """Return points of 0 .. weight for every two players. Only points without luck can lie outside."""
    played = points + np.swapaxes(points, -1, -2)
    bounded: Array = np.clip(points, 0.0, played)
    return bounded


def _prior(n: int) -> Array:
    """Return the points of any two of n players against each other before they met."""
    return (1 - np.eye(n)) / n


def _resample(deals: Array, samples: int, rng: np.random.Generator) -> Array:
    """Return the strengths for random weights of all deals and of the prior, `samples` times."""
    n_deals, n, _ = deals.shape
    flat = deals.reshape(n_deals, n * n)
    drawn = []
    for start in range(0, samples, CHUNK):
        size = min(CHUNK, samples - start)
        points = (rng.exponential(size=(size, n_deals)) @ flat).reshape(size, n, n)
        prior = np.maximum(rng.gamma(1 / n, size=(size, n, n)), SMALLEST) * (1 - np.eye(n))
        drawn.append(strengths(_bounded(points) + prior))
    return np.concatenate(drawn)
