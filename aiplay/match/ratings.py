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
CHUNK = 100  # of them at a time, which bounds the memory
SMALLEST = 1e-6  # of a random weight of the prior: no rating is further away than some thousand points

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """How strong a player is, compared with the average of all.

    In that average a player weighs as much as its contests tell about it: a player who loses everything, whose
    strength is anybody's guess, would otherwise blur the ratings of all others.
    """

    rating: float  # in Elo points
    low: float  # 95 % interval
    high: float
    weight: float  # in the average that is 0; the weights of all players add up to 1
    above: tuple[float, ...]  # the chance to be stronger than each of the players


def rate(deals: Array, confidence: float = 0.95, seed: int = 0, samples: int = SAMPLES) -> list[Rating]:
    """The rating of every player; ``deals[d, i, j]`` is what player i got of the contest with j on deal d.

    Both together are what the contest counts: 1 in a game of two seats, 0 where the two did not meet.
    """
    n = deals.shape[1]
    found = strengths(deals.sum(axis=0) + _prior(n))
    told = _information(deals.sum(axis=0) + _prior(n), found)
    zero = told / told.sum()
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
    n = points.shape[-1]
    played = points + np.swapaxes(points, -1, -2)
    got = points.sum(axis=-1)
    theta = np.zeros(points.shape[:-1])
    for _ in range(200):
        expected = 1 / (1 + np.exp(theta[..., None, :] - theta[..., :, None]))
        slope = got - (played * expected).sum(axis=-1)
        weight = played * expected * (1 - expected)
        curvature = weight.sum(axis=-1)[..., None] * np.eye(n) - weight
        step = np.linalg.solve(curvature + weight.mean(axis=(-1, -2), keepdims=True), slope[..., None])[..., 0]
        step /= np.maximum(1.0, np.abs(step).max(axis=-1, keepdims=True))  # no leap beyond what the slope tells
        theta += step
        if np.abs(step).max(initial=0.0) < 1e-10:
            break
    centred: Array = theta - theta.mean(axis=-1, keepdims=True)
    return centred


def _prior(n: int) -> Array:
    """What any two of n players got against each other before they met."""
    return (1 - np.eye(n)) / n


def _information(points: Array, theta: Array) -> Array:
    """How much the contests tell about each player."""
    expected = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    told: Array = ((points + points.T) * expected * (1 - expected)).sum(axis=1)
    return told


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
