"""Ratings of several players on the Elo scale, with intervals, from whatever they played.

Everything rests on contests on a deal: what one player got against another (1, 0.5 or 0, or the mean of several such
results when the deal was played in several seatings). Games of two seats have one contest on a deal; in a game of more
seats every two players at the table have one, decided by who stands higher at the end; teams of a cooperative game
have one each time they played the same deal. A deal counts as one contest for each player who was there, shared among
the opponents met, so that many games on one deal, which resemble each other, do not pass for much evidence.

Model: player i beats player j with probability s_i / (s_i + s_j), and 400 log10(s) is the rating (Bradley and Terry). A
draw is half a win. For places in games of more seats this is also what the model of Plackett and Luce says about any
two of the players, whoever else sits there.

Prior: any two of k players have besides shared 2/k of a drawn contest. It is weak (all of it weighs as much as k - 1
contests), keeps the rating of a player finite who won or lost everything, and is Jeffreys' prior for two players.

Intervals: a Bayesian bootstrap over deals. Every deal gets a random weight and the players are rated again, a
thousand times; the interval holds the middle 95 % of these ratings. It asks no more than that deals are independent:
games on the same deal may resemble each other or cancel out, draws may be frequent or not. (The Fisher information of
the model would take every game for an independent coin.) For two players without draws it is the interval of Jeffreys.

>>> wins = np.array([[0, 1], [0, 0]])
>>> best, other = rate(np.array([wins] * 15 + [wins.T] * 5))     # 15 wins, 5 losses
>>> f"{best.rating - other.rating:.0f}"
'180'
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ELO", "Rating", "rate", "strengths"]

ELO = 400 / math.log(10)  # Elo points of a factor e in strength
SAMPLES = 1000  # ratings that an interval is taken from
CHUNK = 250  # of them at a time, which bounds the memory
SMALLEST = 1e-6  # of a random weight of the prior: no rating is further away than some thousand points

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """How strong a player is, compared with the average of all.

    In that average a player weighs as much as the contests tell it from others: a player who loses everything, whose
    strength is anybody's guess, would otherwise blur the ratings of all.
    """

    rating: float  # in Elo points
    low: float  # 95 % interval
    high: float
    weight: float  # in the average that is 0; the weights of all players add up to 1
    above: tuple[float, ...]  # the chance to be stronger than each of the players

    @property
    def texts(self) -> tuple[str, str]:
        """The rating and its interval, for people to read."""
        return f"{round(self.rating):+}", f"{round(self.low):+} .. {round(self.high):+}"  # never -0


def rate(deals: Array, confidence: float = 0.95, seed: int = 0, samples: int = SAMPLES) -> list[Rating]:
    """The rating of every player; ``deals[d, i, j]`` is what player i got of the contest with j on deal d.

    Both together are what the contest counts: 1 in a game of two seats, 0 where the two did not meet.
    """
    n = deals.shape[1]
    points = deals.sum(axis=0) + _prior(n)
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
    """The most likely logarithms of strength, mean 0; ``points[..., i, j]`` is what i got against j in all.

    Newton's method on the likelihood of Bradley and Terry, which has one maximum; for many tables of points at once.
    """
    got = points.sum(axis=-1)
    theta = np.zeros(points.shape[:-1])
    for _ in range(200):
        expected, curvature = _expectation(points, theta)
        step = np.linalg.solve(curvature, (got - expected)[..., None])[..., 0]
        step /= np.maximum(
            1.0, np.abs(step).max(axis=-1, keepdims=True)
        )  # no leap beyond what the slope tells
        theta += step
        if np.abs(step).max(initial=0.0) < 1e-8:
            break
    centred: Array = theta - theta.mean(axis=-1, keepdims=True)
    return centred


def _expectation(points: Array, theta: Array) -> tuple[Array, Array]:
    """What players of these strengths can expect of the contests that were held, and how it depends on strength.

    The latter is the information about the strengths, with something added in the one direction that contests tell
    nothing about: all strengths growing alike.
    """
    played = points + np.swapaxes(points, -1, -2)
    wins = 1 / (1 + np.exp(theta[..., None, :] - theta[..., :, None]))
    weight = played * wins * (1 - wins)
    curvature = weight.sum(axis=-1)[..., None] * np.eye(points.shape[-1]) - weight
    return (played * wins).sum(axis=-1), curvature + weight.mean(axis=(-1, -2), keepdims=True)


def _zero(points: Array, theta: Array) -> Array:
    """The weight of each player in the average that is 0: how sharply contests tell it from the others, squared.

    Where zero lies is a matter of taste. Squared, because far off players have intervals that are wider still than
    their spread near the maximum makes believe.
    """
    spread = np.linalg.inv(_expectation(points, theta)[1])
    own = np.diag(spread)
    of_difference = own[:, None] + own[None, :] - 2 * spread + np.diag(np.full(len(own), np.inf))
    sharpness = (1 / of_difference).sum(axis=1)
    weights: Array = sharpness**2 / (sharpness**2).sum()
    return weights


def _prior(n: int) -> Array:
    """What any two of n players got against each other before they met."""
    return (1 - np.eye(n)) / n


def _resample(deals: Array, samples: int, rng: np.random.Generator) -> Array:
    """The strengths with random weights on all deals and on the prior, `samples` times."""
    n_deals, n, _ = deals.shape
    flat = deals.reshape(n_deals, n * n)
    drawn = []
    for start in range(0, samples, CHUNK):
        size = min(CHUNK, samples - start)
        points = (rng.exponential(size=(size, n_deals)) @ flat).reshape(size, n, n)
        prior = np.maximum(rng.gamma(1 / n, size=(size, n, n)), SMALLEST) * (1 - np.eye(n))
        drawn.append(strengths(points + prior))
    return np.concatenate(drawn)
