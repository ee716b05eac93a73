"""Ratings: closed forms, a published example, simulated players of known strength."""

from itertools import combinations

import numpy as np
import pytest

from aiplay.match.ratings import ELO, rate, strengths

# Seven baseball teams of 1987, thirteen games between any two, and the estimates of the Bradley-Terry model relative to
# the last team: A. Agresti, Categorical Data Analysis.
BASEBALL = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
AGRESTI = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0]


def meetings(*scores, n=2, players=(0, 1)):
    """Return one deal for each score of the first of two players against the second."""
    deals = np.zeros((len(scores), n, n))
    deals[:, players[0], players[1]] = scores
    deals[:, players[1], players[0]] = 1 - np.array(scores)
    return deals


def elo_of(share):
    """Return the difference in Elo that corresponds to a share of the points."""
    return 400 * np.log10(share / (1 - share))


def difference(ratings):
    return ratings[0].rating - ratings[1].rating


def test_a_published_example_of_the_bradley_terry_model():
    found = strengths(np.array(BASEBALL, float))
    assert found - found[-1] == pytest.approx(AGRESTI, abs=0.001)


@pytest.mark.parametrize(
    ("scores", "points"), [([1] * 15 + [0] * 5, 15), ([1] * 6 + [0.5] * 9, 10.5), ([0.75] * 8, 6)]
)
def test_two_players_differ_by_the_elo_of_their_score_plus_half_a_win_each(scores, points):
    assert difference(rate(meetings(*scores))) == pytest.approx(elo_of((points + 0.5) / (len(scores) + 1)))


def test_with_many_games_the_prior_is_negligible():
    assert difference(rate(meetings(*[1] * 7500, *[0] * 2500), samples=10)) == pytest.approx(190.85, abs=0.1)


@pytest.mark.parametrize(("wins", "losses"), [(15, 5), (8, 2), (40, 60), (20, 0)])
def test_two_players_without_draws_have_jeffreys_interval(wins, losses):
    best = rate(meetings(*[1] * wins, *[0] * losses), samples=8000)[0]
    posterior = np.random.default_rng(1).beta(wins + 0.5, losses + 0.5, 200_000)
    low, high = elo_of(np.quantile(posterior, [0.025, 0.975]))
    assert 2 * best.low == pytest.approx(low, abs=12)  # each rating takes half of the difference
    if losses:
        assert 2 * best.high == pytest.approx(high, abs=12)


@pytest.mark.parametrize("score", [0, 1])
def test_a_player_who_won_or_lost_everything_has_a_finite_rating_and_a_wide_interval(score):
    first, second = rate(meetings(*[score] * 30))
    assert abs(first.rating) < 500
    assert 100 < abs(first.high - first.low) < 3000
    assert first.above[1] == pytest.approx(score, abs=0.01)
    assert (first.above[1] + second.above[0]) == 1


def test_without_games_the_intervals_are_wide():
    for rating in rate(np.zeros((0, 3, 3))):
        assert rating.rating == 0
        assert rating.low < -300
        assert rating.high > 300


def test_players_who_only_draw_are_equal():
    first, second = rate(meetings(*[0.5] * 40))
    assert (first.rating, second.rating) == (0, 0)
    assert -40 < first.low < 0 < first.high < 40


def test_the_order_of_players_does_not_matter():
    points = np.array(BASEBALL, float)
    deals = np.stack([points, points.T / 3])
    order = np.random.default_rng(3).permutation(7)
    plain, mixed = rate(deals, samples=2000), rate(deals[:, order][:, :, order], samples=2000)
    for place, player in enumerate(order):
        assert mixed[place].rating == pytest.approx(plain[player].rating)
        assert mixed[place].low == pytest.approx(plain[player].low, abs=15)
        assert mixed[place].above[0] == pytest.approx(plain[player].above[order[0]], abs=0.06)


def test_the_order_of_deals_does_not_matter():
    deals = meetings(*np.random.default_rng(2).random(50))
    plain, mixed = rate(deals, samples=4000), rate(deals[::-1], samples=4000)
    for one, other in zip(plain, mixed, strict=True):
        assert one.rating == pytest.approx(other.rating)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=4)


def test_deals_that_cancel_out_give_narrower_intervals_than_coin_flips():
    """The first seat nearly always wins, so most deals end 1:1 and equal strength shows soon."""
    cancelling = rate(meetings(*[0.5] * 96, 1, 1, 0, 0))[0]
    coins = rate(meetings(*[1, 0] * 50))[0]
    assert cancelling.high - cancelling.low < 0.5 * (coins.high - coins.low)


def test_a_player_who_always_loses_does_not_widen_the_intervals_of_the_others():
    """Only the interval of that player is wide."""
    close = meetings(*[1, 0, 1] * 20, n=3)
    lost = [meetings(*[1] * 30, n=3, players=(player, 2)) for player in (0, 1)]
    alone = rate(close[:, :2, :2])[0]
    together = rate(np.concatenate([close, *lost]))
    width = together[0].high - together[0].low
    assert width < 1.2 * (alone.high - alone.low)
    assert together[2].high - together[2].low > 3 * width


# ---- Simulated players of known strength ---------------------------------------------------------------------


def two_seat_games(truth, n_deals, rng):
    """Simulate a round robin: two games on each deal, some of them drawn."""
    n = len(truth)
    deals = []
    for first, second in combinations(range(n), 2):
        wins = 1 / (1 + np.exp((truth[second] - truth[first]) / ELO))
        drawn = 0.3 * min(wins, 1 - wins)
        chances = [1 - wins - drawn, 2 * drawn, wins - drawn]
        scores = rng.choice([0, 0.5, 1], (n_deals, 2), p=chances).mean(axis=1)
        deals.append(meetings(*scores, n=n, players=(first, second)))
    return np.concatenate(deals)


def races(truth, n_deals, rng):
    """Simulate games of all players at one table, one for each seat; places follow the model of Plackett and Luce."""
    n = len(truth)
    times = np.array(truth) / ELO + rng.gumbel(size=(n_deals, n, n))
    return (times[:, :, :, None] > times[:, :, None, :]).mean(axis=1) / (n - 1)


def covered(play, truth, n_deals, repeats=150):
    """Return for each player how often its interval contains the truth, and the mean error of its rating."""
    held, missed = np.zeros(len(truth)), np.zeros(len(truth))
    for number in range(repeats):
        ratings = rate(play(truth, n_deals, np.random.default_rng(number)), samples=200, seed=number)
        zero = sum(rating.weight * true for rating, true in zip(ratings, truth, strict=True))
        held += [
            rating.low <= true - zero <= rating.high for rating, true in zip(ratings, truth, strict=True)
        ]
        missed += [rating.rating - true + zero for rating, true in zip(ratings, truth, strict=True)]
    return held / repeats, missed / repeats


@pytest.mark.parametrize("n_deals", [10, 25])
@pytest.mark.parametrize("play", [two_seat_games, races])
@pytest.mark.parametrize("truth", [(0, 50, 150, 250), (-400, 0, 100)])
def test_intervals_contain_the_truth_as_often_as_promised(play, truth, n_deals):
    held, missed = covered(play, truth, n_deals)
    assert held.mean() > 0.92  # 0.94 to 0.98 in 800 repeats; the standard error is 0.01 here
    assert held.min() > 0.88
    if min(truth) == 0:  # the prior draws a player who nearly always loses to the others
        assert np.abs(missed).max() < 20


@pytest.mark.parametrize(("n_deals", "promised"), [(10, 0.87), (50, 0.90)])
@pytest.mark.parametrize(
    "spread", [(0.2, 0.2, 0.2, 0.2, 0.2), (0.45, 0, 0.1, 0, 0.45), (0.01, 0, 0.09, 0.1, 0.8)]
)
def test_intervals_of_two_players_hold_however_games_on_a_deal_depend_on_each_other(
    spread, n_deals, promised
):
    """Probabilities of the five scores of a deal: even, the second game repeats the first, one is much better."""
    values = np.array([0, 0.25, 0.5, 0.75, 1])
    truth = elo_of(values @ np.array(spread))
    held = 0
    for number in range(150):
        scores = np.random.default_rng(number).choice(values, n_deals, p=spread)
        best = rate(meetings(*scores), samples=200, seed=number)[0]
        held += 2 * best.low <= truth <= 2 * best.high
    assert held / 150 > promised  # nominally 0.95, with few deals 0.92; the standard error is 0.02
