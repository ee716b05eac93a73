"""Pig, rule by rule; compared with OpenSpiel in test_against_openspiel.py."""

from fractions import Fraction
from itertools import pairwise

import pytest

import aiplay
from aiplay.fields import encode_json
from aiplay.testing import check_game


def play(moves, **options):
    """The state after these moves: roll, hold, or a face of the die."""
    state = aiplay.load_game("pig", **options).new_state()
    for move in moves.split():
        state.play(move)
    return state


def scores(state):
    return state.fields["scores"].tolist()[: state.game.seats]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 3, "target": 20},
        {"players": 6, "target": 5, "horizon": 40},
        {"target": 2},
        {"horizon": 1},
    ],
    ids=str,
)
def test_the_game_keeps_the_contract(options):
    check_game(aiplay.load_game("pig", **options), games=20)


def test_a_die_has_six_equally_likely_faces():
    state = play("roll")
    assert state.to_move == aiplay.CHANCE
    assert state.chance_outcomes() == [(face, pytest.approx(1 / 6)) for face in range(6)]
    assert [state.move_text(face) for face in range(6)] == ["1", "2", "3", "4", "5", "6"]


def test_the_points_of_a_roll_are_added_to_the_turn_total():
    state = play("roll 6 roll 2")
    assert state.fields["turn_total"] == 8
    assert scores(state) == [0, 0]
    assert state.to_move == 0


def test_a_one_ends_the_turn_and_loses_its_points():
    state = play("roll 6 hold roll 5 hold roll 6 roll 1")
    assert state.fields["turn_total"] == 0
    assert scores(state) == [6, 5]
    assert state.to_move == 1


def test_holding_banks_the_points_and_passes_the_turn():
    state = play("roll 6 roll 3 hold")
    assert scores(state) == [9, 0]
    assert state.fields["turn_total"] == 0
    assert state.to_move == 1


def test_holding_at_once_is_allowed():
    assert play("hold").to_move == 1
    assert scores(play("hold")) == [0, 0]


def test_seats_take_turns_in_order():
    assert [play("hold " * n, players=4).to_move for n in range(6)] == [0, 1, 2, 3, 0, 1]


def test_the_first_to_bank_the_target_wins():
    state = play("roll 6 hold roll 5 hold roll 4", target=10)
    assert not state.is_over  # enough points, but not banked yet
    state.play("hold")
    assert state.is_over
    assert state.returns() == [1.0, -1.0]


def test_more_points_than_the_target_win_too():
    assert play("roll 6 roll 6 hold", target=10).returns() == [1.0, -1.0]


def test_a_seat_with_enough_points_to_win_can_only_hold():
    assert play("roll 6 roll 4", target=10).legal_moves() == [1]
    assert play("roll 6 roll 3", target=10).legal_moves() == [0, 1]


def test_the_others_lose_in_equal_parts():
    assert play("hold roll 6 hold", players=5, target=6).returns() == [-0.25, 1.0, -0.25, -0.25, -0.25]


def test_nobody_wins_at_the_horizon():
    state = play("roll 2 hold hold", horizon=4)
    assert not state.is_over
    state.play("roll")
    assert state.is_over  # before the die has stopped
    assert state.returns() == [0.0, 0.0]


def test_a_win_with_the_last_decision_counts():
    assert play("roll 6 hold", target=6, horizon=2).returns() == [1.0, -1.0]


# ---- Evaluation and priors; compared with exact values in test_expectimax_pig.py ------------------------------


def position(scores, at_risk=0, seat=0, n_decisions=10_000, is_rolling=0, **options):
    """A state with these scores; far from the horizon if nothing else is given."""
    game = aiplay.load_game("pig", players=len(scores), **{"horizon": 30_000, **options})
    fields = {
        "scores": scores + [0] * (6 - len(scores)),
        "turn_total": at_risk,
        "n_decisions": n_decisions,
        "seat": seat,
        "is_rolling": is_rolling,
        "winner": 0,
    }
    return game.state_from_json(encode_json({"game": "pig", "options": dict(game.options), "state": fields}))


@pytest.mark.parametrize("at_risk", [10, 15])
def test_evaluate_values_a_roll_that_was_not_needed(at_risk):
    """No seat can roll if it wins by holding, but a position may be set up like that."""
    assert position([90, 90], at_risk=at_risk).evaluate()[0] == 1.0
    assert 5 / 6 < position([90, 90], at_risk=at_risk, is_rolling=1).evaluate()[0] < 0.95


@pytest.mark.parametrize("moves", ["roll 6 roll 6 roll 6", "roll 5 hold hold", "hold roll 4"])
def test_evaluate_favours_the_seat_that_leads(moves):
    state = play(moves)
    values = state.evaluate()
    ahead = max(
        range(2),
        key=lambda seat: scores(state)[seat] + (seat == state.fields["seat"]) * state.fields["turn_total"],
    )
    assert values[ahead] > values[1 - ahead]


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("horizon", [30_000, 10_012])
def test_values_sum_to_those_of_the_returns(seats, horizon):
    """Returns sum to 0, so mapped to 0 .. 1 they sum to half the seats: also when nobody may win any more."""
    state = position([10, 40, 25, 33, 0, 47][:seats], at_risk=9, target=50, horizon=horizon)
    assert sum(state.evaluate()) == pytest.approx(seats / 2)
    state.play("roll")
    assert sum(state.evaluate()) == pytest.approx(seats / 2)


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_seat_that_wins_by_holding_has_won(seats):
    state = position([90] + [99] * (seats - 1), at_risk=10)
    values = state.evaluate()
    state.play("hold")
    assert values == pytest.approx([(got + 1) / 2 for got in state.returns()])


@pytest.mark.parametrize("target", [100, 1000, 10_000])
def test_a_huge_lead_is_nearly_a_win(target):
    """Two points are needed: five of six rolls give them, and the other seat has no time to come near."""
    assert position([target - 2, 0], seat=1, target=target).evaluate()[0] > 0.97
    assert position([target - 2, 0], target=target).evaluate()[0] > 0.99


@pytest.mark.parametrize("seats", range(2, 7))
def test_more_points_are_better_and_those_of_others_are_worse(seats):
    for turn in range(seats):
        values = [
            position([score] + [30] * (seats - 1), seat=turn, target=60).evaluate() for score in range(59)
        ]
        for less, more in pairwise(values):
            assert less[0] < more[0]
            assert all(mine > after for mine, after in zip(less[1:], more[1:], strict=True))


@pytest.mark.parametrize("scores", [[0, 0], [80, 95], [50, 0], [30, 30, 95], [0, 20, 40, 60]])
def test_points_at_risk_do_no_harm(scores):
    values = [position(scores, at_risk=n).evaluate()[0] for n in (0, *range(2, 100 - scores[0] + 1))]
    assert values == sorted(values)
    assert values[-1] == 1.0


@pytest.mark.parametrize("at_risk", [0, 7, 25])
def test_seats_are_treated_alike(at_risk):
    scores = [12, 40, 31, 0, 25]
    values = position(scores, at_risk=at_risk).evaluate()
    for turn in range(1, 5):
        turned = position(scores[-turn:] + scores[:-turn], at_risk=at_risk, seat=turn).evaluate()
        assert turned == pytest.approx(values[-turn:] + values[:-turn])


def test_only_the_points_that_are_missing_count():
    near, far = (position([n - 40, n - 25, n - 8], at_risk=11, target=n).evaluate() for n in (50, 10_000))
    assert near == pytest.approx(far)


def test_seats_that_have_no_time_left_do_not_win():
    state = position([50, 60], n_decisions=29_998)  # a roll and a hold are left
    assert state.evaluate() == [0.5, 0.5]
    state = position([95, 60], n_decisions=29_998)
    assert state.evaluate()[0] > 0.5 > state.evaluate()[1]


@pytest.mark.parametrize(
    ("scores", "at_risk", "better"),
    [([0, 0], 10, "roll"), ([0, 0], 30, "hold"), ([50, 98], 30, "roll"), ([60, 0], 22, "hold")],
)
def test_priors_favour_the_move_that_players_know_to_be_better(scores, at_risk, better):
    """Hold at 20 or more at the beginning, roll when the rival is about to win, bank with a lead."""
    state = position(scores, at_risk=at_risk)
    weights = {state.move_text(move): weight for move, weight in state.priors()}
    assert weights[better] > 0.5
    assert sum(weights.values()) == pytest.approx(1)


def test_the_value_of_the_smallest_game_is_exact():
    """Random play with target 2: the first roll that is not a 1 wins when it is held.

    A seat rolls with probability 1/2, gets 2 or more with 5/6 and then has to hold; otherwise the other seat starts.
    """
    win_at_once = Fraction(1, 2) * Fraction(5, 6)
    first = win_at_once / (1 - (1 - win_at_once) ** 2)
    game, stream, wins, n = aiplay.load_game("pig", target=2), aiplay.RandomStream(4), 0, 20_000
    for _ in range(n):
        state = game.new_state()
        while not state.is_over:
            if state.to_move == aiplay.CHANCE:
                state.play_chance(stream)
            else:
                state.play(stream.choice(state.legal_moves()))
        wins += state.returns()[0] == 1.0
    deviation = float(first * (1 - first) / n) ** 0.5
    assert abs(wins / n - float(first)) < 5 * deviation


# ---- Impossible positions ----------------------------------------------------------------------------------


def refused(options=None, **changes):
    game = aiplay.load_game("pig", **(options or {}))
    fields = {
        "scores": [0] * 6,
        "turn_total": 0,
        "n_decisions": 0,
        "seat": 0,
        "is_rolling": 0,
        "winner": 0,
    } | changes
    with pytest.raises(aiplay.InvalidStateError) as caught:
        game.state_from_json(encode_json({"game": "pig", "options": dict(game.options), "state": fields}))
    return str(caught.value)


def test_points_of_seats_that_do_not_play_are_refused():
    assert "'scores'" in refused(scores=[0, 0, 5, 0, 0, 0], n_decisions=9)


def test_two_winners_are_refused():
    assert "'winner' is 1" in refused(scores=[100, 100, 0, 0, 0, 0], n_decisions=99, winner=1)


def test_a_winner_without_the_points_is_refused():
    assert "'winner' is 2" in refused(scores=[100, 99, 0, 0, 0, 0], n_decisions=99, winner=2)


def test_a_seat_that_does_not_play_is_refused():
    assert "'seat' is 2" in refused(seat=2)


def test_decisions_beyond_the_horizon_are_refused():
    assert "'n_decisions' is 11" in refused(options={"horizon": 10}, n_decisions=11)


def test_more_points_than_rolls_can_give_are_refused():
    assert "'n_decisions' is too small" in refused(scores=[7, 0, 0, 0, 0, 0], n_decisions=1)


@pytest.mark.parametrize(
    "changes",
    [{"scores": [106, 0, 0, 0, 0, 0], "winner": 1}, {"scores": [90, 0, 0, 0, 0, 0], "turn_total": 16}],
)
def test_more_points_than_any_game_gives_are_refused(changes):
    assert "nobody gets beyond 105" in refused(**changes, n_decisions=900)
