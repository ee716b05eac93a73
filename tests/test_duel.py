"""Duels: seatings of a deal, scores and their intervals."""

from collections import Counter

import numpy as np
import pytest

from aiplay import load_game
from aiplay.errors import OptionError, PlayerSpecError
from aiplay.match import Duel, GameResult, ScheduledGame, Store, play_scheduled
from aiplay.match.schedule import A, B, schedule_duel, seatings
from aiplay.match.statistics import score_interval


def test_two_seats_are_exchanged_on_the_same_deal():
    schedule = list(schedule_duel(load_game("leduc_poker"), ("x", "y"), 10, seed=3))
    assert len(schedule) == 10
    for first, second in zip(schedule[::2], schedule[1::2], strict=True):
        assert first.deal == second.deal
        assert first.seed == second.seed
        assert {first.seating, second.seating} == {(A, B), (B, A)}
    assert len({scheduled.seed for scheduled in schedule}) == 5


def test_the_last_deal_is_completed():
    assert len(list(schedule_duel(load_game("connect_four"), ("x", "y"), 7, seed=3))) == 8


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_side_has_every_seat_and_every_left_neighbour_equally_often(seats):
    found = seatings(load_game("pig", players=seats))
    assert len(set(found)) == len(found) == (2 if seats % 2 == 0 else 2 * seats)
    for seat in range(seats):
        assert Counter(seating[seat] for seating in found) == {A: len(found) / 2, B: len(found) / 2}
        neighbours = Counter((seating[seat], seating[seat - 1]) for seating in found)
        assert neighbours[A, B] == neighbours[B, A]


def test_a_result_depends_on_nothing_but_the_scheduled_game():
    scheduled = ScheduledGame(4, 2, 99, load_game("pig"), specs=("greedy", "random"), seating=(B, A))
    first, again = (play_scheduled(scheduled) for _ in range(2))
    assert (first.returns, first.record) == (again.returns, again.record)


def test_the_same_seed_gives_the_same_duel_and_another_seed_another():
    runs = [Duel(load_game("pig"), "random", "random", games=20, seed=seed).play() for seed in (5, 5, 6)]
    moves = [(run.a.moves, run.b.moves) for run in runs]
    assert moves[0] == moves[1] != moves[2]


def test_wins_draws_and_losses_add_up_to_the_score():
    summary = Duel(load_game("leduc_poker"), "random", "random", games=400, seed=1).play()
    assert summary.a_wins + summary.b_wins + summary.draws == summary.games == 2 * summary.deals == 400
    assert summary.draws > 0
    assert summary.a_score == pytest.approx((summary.a_wins + summary.draws / 2) / 400)
    assert summary.a_score_low <= summary.a_score <= summary.a_score_high


def test_greedy_beats_random():
    summary = Duel(load_game("connect_four"), "greedy", "random", games=40, seed=1).play()
    assert summary.a_score_low > 0.5
    mirrored = Duel(load_game("connect_four"), "random", "greedy", games=40, seed=1).play()
    assert mirrored.a_score_high < 0.5


def test_only_complete_deals_count():
    duel = Duel(load_game("connect_four"), "random", "random", games=10, seed=1)
    for result in duel.play_games():
        if result.scheduled.number == 4:
            break
    summary = duel.summary()
    assert (summary.games, summary.deals) == (4, 2)
    assert summary.a_wins + summary.b_wins + summary.draws == 4


def test_before_the_first_game_the_interval_is_0_to_1():
    summary = Duel(load_game("connect_four"), "random", "random").summary()
    assert (summary.games, summary.a_score_low, summary.a_score_high) == (0, 0.0, 1.0)


def test_in_a_cooperative_game_the_teams_are_compared_on_each_deal():
    duel = Duel(load_game("magic_rabbit"), "random", "random", games=6, seed=1)
    returns = {0: {A: 3.0, B: 1.0}, 1: {A: 2.0, B: 2.0}, 2: {A: 0.0, B: 5.0}}
    for deal, got in returns.items():
        for side in (A, B):
            number = 2 * deal + side
            scheduled = ScheduledGame(number, deal, 0, duel.game, ("random", "random"), (side, side))
            duel.count(GameResult(scheduled, (got[side], got[side]), (1, 1), (0.0, 0.0), (None, None), ()))
    summary = duel.summary()
    assert (summary.deals, summary.a_wins, summary.draws, summary.b_wins) == (3, 1, 1, 1)
    assert summary.a_score == 0.5


@pytest.mark.parametrize(
    ("a", "games", "error"),
    [("nobody", 2, PlayerSpecError), ("random:x=1", 2, PlayerSpecError), ("random", 0, OptionError)],
)
def test_mistakes_are_reported_before_the_first_game(a, games, error):
    with pytest.raises(error):
        Duel(load_game("connect_four"), a, "random", games=games)


# Probabilities of the five scores of a deal of two games: 0, 1/4, 1/2, 3/4, 1.
SPREADS = {
    "even": (0.2, 0.2, 0.2, 0.2, 0.2),
    "no draws": (0.25, 0.0, 0.5, 0.0, 0.25),
    "first seat wins": (0.02, 0.0, 0.96, 0.0, 0.02),
    "second game repeats the first": (0.45, 0.0, 0.1, 0.0, 0.45),
    "much better": (0.01, 0.0, 0.09, 0.1, 0.8),
    "nearly always": (0.0, 0.0, 0.02, 0.03, 0.95),
}


@pytest.mark.parametrize("n_deals", [10, 50, 500])
@pytest.mark.parametrize("spread", SPREADS.values(), ids=SPREADS)
def test_the_interval_contains_the_truth_as_often_as_promised(spread, n_deals):
    values = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    truth = float(values @ np.array(spread))
    samples = np.random.default_rng(n_deals).choice(values, (1000, n_deals), p=spread)
    intervals = [score_interval(row.tolist()) for row in samples]
    held = sum(low <= truth <= high for low, high in intervals)
    assert held >= 930  # 950 expected; 930 or fewer have a probability of 0.3 %


def test_the_interval_is_narrower_than_that_of_independent_games():
    scores = [0.5] * 90 + [1.0] * 10  # independent games would be coin flips
    low, high = score_interval(scores)
    assert 0.5 < low < 0.55 < high < 0.6


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_equal_scores_are_not_certain(score):
    low, high = score_interval([score] * 10)
    assert 0.0 <= low <= score <= high <= 1.0
    assert high - low > 0.05


def test_a_sequential_test_may_end_without_a_verdict():
    duel = Duel("pig", "greedy", "greedy", games=4, seed=1, sprt=(0, 30))
    summary = duel.play()
    assert summary.games == 4
    assert summary.sprt.n == 2
    assert summary.sprt.verdict is None


# ---- Openings ----------------------------------------------------------------------------------------------


def test_the_games_of_a_deal_begin_with_the_same_random_moves():
    duel = Duel("connect_four", "greedy", "greedy", games=12, seed=3, opening=5)
    duel.play()
    openings = [{result.record[:5] for result in deal} for deal in duel.complete_deals()]
    assert all(len(records) == 1 for records in openings)
    assert len({records.pop() for records in openings}) == 6


def test_an_opening_is_saved_with_the_duel(tmp_path):
    duel = Duel("connect_four", "greedy", "random", games=4, seed=3, opening=3)
    assert duel.description()["opening"] == 3
    assert "opening" not in Duel("connect_four", "greedy", "random", games=4, seed=3).description()
    with Store.create(tmp_path / "duel.db", duel.description()) as store:
        duel.play(store=store)
    with Store.read(tmp_path / "duel.db") as store:
        again = Duel.of(store)
    assert again.opening == 3
    assert again.summary() == duel.summary()


@pytest.mark.parametrize("opening", [-1, 1001])
def test_a_wrong_opening_is_refused(opening):
    with pytest.raises(OptionError, match="allowed: 0 to 1000"):
        Duel("connect_four", "greedy", "random", opening=opening)
