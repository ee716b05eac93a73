"""For learning: playouts of many states at once, and views as vectors of numbers."""

import numpy as np
import pytest
from toy_games import Bidding, Matches

import aiplay

FOUR, LEDUC = aiplay.load_game("connect_four"), aiplay.load_game("leduc_poker")


def after(game, *moves):
    state = game.new_state()
    for move in moves:
        state.play(move)
    return state


# ---- Playouts ----------------------------------------------------------------------------------------------


def test_playouts_give_the_mean_returns_of_every_seat():
    """Pig to 2 points: seat 0 wins its first turn with 1/2 * 5/6 = 5/12, otherwise seat 1 is in the same situation."""
    pig = aiplay.load_game("pig", target=2)
    first = (5 / 12) / (1 - (7 / 12) ** 2)
    n = 40_000
    (means,) = pig.playouts([pig.new_state()], n, seed=5)
    deviation = 2 * (first * (1 - first) / n) ** 0.5
    assert means == pytest.approx([2 * first - 1, 1 - 2 * first], abs=5 * deviation)


def test_a_game_that_is_over_has_its_returns():
    won = after(FOUR, *"1212121")
    assert FOUR.playouts([won], 10).tolist() == [[1.0, -1.0]]


def test_the_result_of_a_state_does_not_depend_on_its_neighbours():
    states = [after(FOUR, *columns) for columns in ("", "4", "44", "1234")]
    together = FOUR.playouts(states, 50, seed=3)
    assert together.shape == (4, 2)
    assert np.array_equal(FOUR.playouts(states[:1], 50, seed=3), together[:1])
    assert np.array_equal(FOUR.playouts(FOUR.to_array(states), 50, seed=3), together)
    assert not np.array_equal(FOUR.playouts(states, 50, seed=4), together)
    assert [state.to_json() for state in states] == [
        after(FOUR, *c).to_json() for c in ("", "4", "44", "1234")
    ]


@pytest.mark.parametrize("name", aiplay.game_names())
def test_an_array_that_is_not_checked_gives_the_same_playouts(name):
    game, stream, states = aiplay.load_game(name), aiplay.RandomStream(4), []
    state = game.new_state()
    while not state.is_over and len(states) < 12:
        states.append(state.copy())
        state.play(stream.choice(state.legal_moves()))
    array = game.to_array(states)
    before = array.copy()
    quick = game.playouts(array, 3, seed=3, check=False)
    assert np.array_equal(quick, game.playouts(array, 3, seed=3))
    assert np.array_equal(quick, game.playouts(states, 3, seed=3))
    assert np.array_equal(array, before)
    assert np.array_equal(
        game.playouts(array[::2], 3, seed=3, check=False), game.playouts(states[::2], 3, seed=3)
    )


def test_playouts_of_no_states_are_empty():
    assert FOUR.playouts([]).shape == (0, 2)
    assert FOUR.playouts(FOUR.to_array([]), check=False).shape == (0, 2)


def test_games_written_in_python_have_playouts_too():
    game = Bidding()
    means = game.playouts([game.new_state(), after(game, 0, 3)], 2000, seed=1)
    # The stake is the smaller of two bids of 0, 1 or 2, halved: (1 * 3 + 2 * 1) / 9 / 2 on average.
    assert means[0].sum() == pytest.approx(5 / 18, abs=0.04)
    assert means[1] == pytest.approx([0.0, 5 / 18], abs=0.04)


def test_an_exception_in_a_playout_is_raised():
    class Broken(Matches):
        def returns(self, state):
            raise ZeroDivisionError("no result")

    game = Broken()
    with pytest.raises(ZeroDivisionError, match="no result"):
        game.playouts([game.new_state()], 10)


@pytest.mark.parametrize("n", [0, -1])
def test_the_number_of_playouts_is_checked(n):
    with pytest.raises(ValueError, match=f"n is {n}; allowed: 1 or more"):
        FOUR.playouts([FOUR.new_state()], n)


def test_states_of_another_game_are_refused():
    with pytest.raises(ValueError, match="state 1 is of load_game"):
        FOUR.playouts([FOUR.new_state(), LEDUC.new_state()])
    with pytest.raises(TypeError):
        FOUR.playouts([FOUR.new_state().view(0)])  # a view is not a state
    with pytest.raises(aiplay.InvalidStateError):
        FOUR.playouts(np.zeros(3))
    with pytest.raises(aiplay.InvalidStateError, match=r"one-dimensional array of connect_four\.dtype"):
        FOUR.playouts(LEDUC.to_array([LEDUC.new_state()]), check=False)


# ---- Observations ------------------------------------------------------------------------------------------


def test_an_observation_is_every_field_scaled_to_the_unit_interval():
    view = after(LEDUC, "Js", "Kh", "raise").view(1)
    layout, vector = LEDUC.observation_layout, view.observation()
    assert vector.dtype == np.float32
    assert list(layout) == list(LEDUC.FIELDS)
    assert layout["hands"] == slice(0, 2)
    assert vector[layout["hands"]].tolist() == [0.0, 1.0]  # hidden, and the highest card
    assert vector[layout["chips"]] == pytest.approx([(3 - 1) / 12, 0.0])
    assert len(vector) == max(part.stop for part in layout.values()) == 11


@pytest.mark.parametrize("game", [FOUR, LEDUC, aiplay.load_game("pig", players=4, target=20)], ids=repr)
def test_observations_stay_in_range(game):
    stream = aiplay.RandomStream(1)
    for _ in range(20):
        state = game.new_state()
        while not state.is_over:
            state.play(stream.choice(state.legal_moves()))
            for seat in range(game.seats):
                vector = state.view(seat).observation()
                assert vector.min() >= 0
                assert vector.max() <= 1


def test_an_observation_does_not_depend_on_hidden_cards():
    first, second = after(LEDUC, "Js", "Kh").view(0), after(LEDUC, "Js", "Qs").view(0)
    assert np.array_equal(first.observation(), second.observation())


@pytest.mark.parametrize("name", aiplay.game_names())
def test_observations_of_many_views_equal_those_of_each_view(name):
    """And both equal the fields, scaled by numpy."""
    game, stream, views = aiplay.load_game(name), aiplay.RandomStream(4), []
    state = game.new_state()
    while not state.is_over and len(views) < 300:
        state.play(stream.choice(state.legal_moves()))
        views.append(state.view(len(views) % game.seats))
    rows = game.observations(views)
    assert rows.dtype == np.float32
    assert np.array_equal(rows, game.observations(game.to_array(views)))
    for view, row in zip(views, rows, strict=True):
        assert np.array_equal(view.observation(), row)
        parts = [
            (np.asarray(view.fields[field], float).ravel() - limits.low) / max(limits.high - limits.low, 1)
            for field, limits in game.FIELDS.items()
        ]
        assert np.array_equal(row, np.concatenate(parts).astype(np.float32))


def test_observations_of_no_views_are_empty():
    assert LEDUC.observations([]).shape == (0, 11)


def test_games_written_in_python_have_no_observations():
    for ask in (lambda: Bidding().observation_layout, lambda: Bidding().new_state().view(0).observation()):
        with pytest.raises(TypeError, match="bidding is written in Python"):
            ask()
