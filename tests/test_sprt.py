"""Elo and the sequential test: against independent calculations, and error rates by simulation."""

import math

import numpy as np
import pytest

from aiplay.errors import OptionError
from aiplay.match.statistics import Sprt, elo, elo_score, log_likelihood_ratio, score_interval


@pytest.mark.parametrize(
    ("score", "difference"),
    [(0.5, 0.0), (10 / 11, 400.0), (1 / 11, -400.0), (100 / 101, 800.0), (0.64, 99.951)],
)
def test_elo_is_the_logistic_scale(score, difference):
    """A difference of 400 makes odds of 10 to 1; 16 wins of 25 are worth 400 log10(16 / 9)."""
    assert elo(score) == pytest.approx(difference, abs=1e-3)
    assert elo_score(difference) == pytest.approx(score, abs=1e-6)


def test_elo_is_infinite_for_0_and_100_per_cent():
    assert (elo(1.0), elo(0.0)) == (math.inf, -math.inf)


def test_the_interval_of_elo_is_the_interval_of_the_score():
    """60 of 100 coin flips: Wilson's interval is 0.502 .. 0.691 by the textbook, in Elo 1.4 .. 139.6."""
    low, high = score_interval([1.0] * 60 + [0.0] * 40)
    assert (elo(low), elo(high)) == pytest.approx((1.4, 139.6), abs=1.5)


# ---- The likelihood ratio --------------------------------------------------------------------------------------------


def best_likelihood(counts, mean):
    """Return the highest log-likelihood of probabilities with this mean, by Newton's method.

    Three of the five probabilities are free: their sum is 1 and their mean is given.
    """
    counts = np.array(counts, dtype=float)
    directions = np.array([[-0.75, 1, 0, 0, -0.25], [-0.5, 0, 1, 0, -0.5], [-0.25, 0, 0, 1, -0.75]])
    chances = np.array([0.8 * (1 - mean), 0.1 * (1 - mean), 0.1, 0.1 * mean, 0.8 * mean])
    chances += (1 - chances.sum()) / 5
    chances[[0, 4]] += np.array([1, -1]) * (chances @ np.linspace(0, 1, 5) - mean)
    for _ in range(200):
        slope = directions @ (counts / chances)
        bend = directions @ np.diag(counts / chances**2) @ directions.T
        step = np.linalg.solve(bend, slope) @ directions
        shrink = -chances[step < 0] / step[step < 0]
        chances = chances + step * min(1.0, 0.5 * shrink.min(initial=np.inf))
    assert chances.sum() == pytest.approx(1)
    assert chances @ np.linspace(0, 1, 5) == pytest.approx(mean)
    return float(counts @ np.log(chances))


@pytest.mark.parametrize(
    "counts", [(3, 10, 30, 20, 8), (1, 1, 1, 1, 1), (40, 2, 100, 5, 9), (0.5, 0.5, 90, 0.5, 20)]
)
@pytest.mark.parametrize(("score0", "score1"), [(0.5, 0.55), (0.45, 0.5), (0.3, 0.9)])
def test_the_ratio_is_the_ratio_of_the_highest_likelihoods(counts, score0, score1):
    expected = best_likelihood(counts, score1) - best_likelihood(counts, score0)
    assert log_likelihood_ratio(counts, score0, score1) == pytest.approx(expected, abs=1e-6)


def test_for_single_games_without_draws_it_is_walds_ratio():
    """With 60 wins and 40 losses, the probabilities follow from the mean alone."""
    wald = 60 * math.log(0.6 / 0.5) + 40 * math.log(0.4 / 0.5)
    assert log_likelihood_ratio((40, 1e-12, 60), 0.5, 0.6) == pytest.approx(wald, abs=1e-6)


def test_exchanging_the_hypotheses_or_the_sides_changes_the_sign():
    counts = (3, 10, 30, 20, 8)
    there = log_likelihood_ratio(counts, 0.5, 0.6)
    assert log_likelihood_ratio(counts, 0.6, 0.5) == pytest.approx(-there)
    assert log_likelihood_ratio(counts[::-1], 0.5, 0.4) == pytest.approx(there)


# ---- The test --------------------------------------------------------------------------------------------------------

# Probabilities of the five scores of a deal at equal strength: few draws; many draws and much luck of the deal.
EVEN = {"few draws": (0.22, 0.06, 0.44, 0.06, 0.22), "lucky deals": (0.05, 0.1, 0.7, 0.1, 0.05)}


def with_mean(chances, mean):
    """Return the probabilities, tilted until they have this mean."""
    low, high = -20.0, 20.0
    values = np.linspace(0, 1, 5)
    while high - low > 1e-9:
        tilted = np.array(chances) * np.exp((low + high) / 2 * values)
        tilted /= tilted.sum()
        low, high = ((low + high) / 2, high) if tilted @ values < mean else (low, (low + high) / 2)
    return tilted


def verdicts(chances, truth, elo0, elo1, n_runs):
    """Return how often the test decides for elo1, and how many deals it takes on average."""
    random = np.random.default_rng(7)
    p = with_mean(chances, elo_score(truth))
    found, deals = [], 0
    for _ in range(n_runs):
        sprt = Sprt(elo0, elo1)
        while sprt.verdict is None:
            sprt.add(random.choice(5, p=p) / 4)
        found.append(sprt.verdict == elo1)
        deals += sprt.n
    return sum(found) / n_runs, deals / n_runs


@pytest.mark.parametrize("chances", EVEN.values(), ids=EVEN)
def test_wrong_verdicts_are_as_rare_as_promised(chances):
    """5 % of 200 runs are 10; 21 or more have a probability of 0.1 %."""
    at_0, deals = verdicts(chances, 0, elo0=0, elo1=120, n_runs=200)
    at_1, _ = verdicts(chances, 120, elo0=0, elo1=120, n_runs=200)
    assert at_0 <= 20 / 200
    assert at_1 >= 180 / 200
    assert deals < 200


def test_a_difference_between_the_bounds_may_get_either_verdict():
    share, _ = verdicts(EVEN["few draws"], 60, elo0=0, elo1=120, n_runs=60)
    assert 0.2 < share < 0.8


@pytest.mark.parametrize("n_contests", [1, 2, 6])
def test_deals_of_any_number_of_contests_are_tested(n_contests):
    won, lost = Sprt(0, 50, n_contests), Sprt(0, 50, n_contests)
    while won.verdict is None:
        won.add(1.0)
    while lost.verdict is None:
        lost.add(0.0)
    assert (won.verdict, lost.verdict) == (50, 0)
    assert won.n > 5


@pytest.mark.parametrize("bounds", [(5, 5), (5, 0), (0, math.inf), (math.nan, 5)])
def test_the_first_bound_has_to_be_smaller(bounds):
    with pytest.raises(OptionError, match="the first smaller"):
        Sprt(*bounds)
