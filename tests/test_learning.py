"""For learning: playouts of many states at once, and views as vectors of numbers."""

import numpy as np
import pytest
from toy_games import Bidding, Matches

import aiplay
from aiplay._core.observe import Scaler
from aiplay.fields import Field, Part

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
    assert len(vector) == max(part.stop for part in layout.values()) == 12


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


def sizes(name):
    """Return the options for every number of seats of a game."""
    seats = [option for option in aiplay.load_game(name).OPTIONS if option.name == "players"]
    return [{"players": n} for n in range(seats[0].low, seats[0].high + 1)] if seats else [{}]


EVERY_SIZE = pytest.mark.parametrize(
    "game",
    [aiplay.load_game(name, **options) for name in aiplay.game_names() for options in sizes(name)],
    ids=repr,
)


def random_views(game, seat, n, seed=4):
    """Return n views of a seat, of random games."""
    stream, views, state = aiplay.RandomStream(seed), [], game.new_state()
    while len(views) < n:
        if state.is_over:
            state = game.new_state()
        state.play(stream.choice(state.legal_moves()))
        views.append(state.view(seat))
    return views


def spread(field, value):
    """Return the numbers for one entry of a field, by its description."""
    if field.bits:
        top = 2**field.bits - 1
        digits = range(0, field.high.bit_length(), field.bits)
        return [(value >> digit & top) / top for digit in digits]
    if not field.parts:
        return [(value - field.low) / max(field.high - field.low, 1)]
    numbers = []
    for part in field.parts:
        is_there = part.start <= value and (part.stop is None or value < part.stop)
        found = (value - part.start) // part.stride % part.count if is_there else None
        if part.is_category:
            numbers += [float(found == number) for number in range(part.count)]
        else:
            numbers.append((found or 0) / (part.count - 1))
    return numbers


@EVERY_SIZE
def test_observations_of_many_views_equal_those_of_each_view(game):
    """And both equal the fields, spread one by one in Python."""
    views = random_views(game, game.seats - 1, 60)
    rows, layout = game.observations(views), game.observation_layout
    assert rows.dtype == np.float32
    assert np.array_equal(rows, game.observations(game.to_array(views)))
    assert [part.stop for part in layout.values()][-1] == rows.shape[1]
    for view, row in zip(views, rows, strict=True):
        assert np.array_equal(view.observation(), row)
        for name, field in game.FIELDS.items():
            values = np.asarray(view.fields[name]).ravel().tolist()
            expected = [number for value in values for number in spread(field, value)]
            assert np.array_equal(row[layout[name]], np.array(expected, np.float32)), name


@EVERY_SIZE
def test_views_that_differ_have_different_observations(game):
    for seat in range(game.seats):
        views = random_views(game, seat, 400, seed=seat)
        found = {}
        for view, row in zip(views, game.observations(views), strict=True):
            assert found.setdefault(row.tobytes(), view) == view
        assert len(found) == len(set(views))


@EVERY_SIZE
def test_every_value_of_every_entry_has_its_own_observation(game):
    """Views that differ in one entry: all values of a small range; ends, middle and single bits of a large one."""
    (base,) = game.to_array(random_views(game, 0, 1))
    for name, field in game.FIELDS.items():
        values = set(range(field.low, min(field.high, field.low + 300) + 1)) | {field.high, field.high - 1}
        values |= {1 << bit for bit in range(64)} | {
            (field.low + field.high) // 2 + step for step in range(3)
        }
        values = [value for value in values if field.low <= value <= field.high]
        array = np.repeat(base[None], len(values))
        if array[name].ndim == 1:
            array[name] = values
        else:
            array[name].reshape(len(values), -1)[:, -1] = values
        rows = game.observations(array)
        assert len({row.tobytes() for row in rows}) == len(values), name
        assert rows.min() >= 0, name
        assert rows.max() <= 1, name


def test_the_bits_of_a_set_and_the_tickets_of_a_city_are_numbers():
    game = aiplay.load_game("levitation")
    (row,) = game.to_array([aiplay.Table(game, seed=1).view(0)])
    row["owned"][1], row["tickets"][1] = 1 << 47 | 1, 2 << 2 * 3  # cards 0 and 47; two tickets in city 3
    (seen,) = game.observations(np.array([row]))
    owned = seen[game.observation_layout["owned"]].reshape(5, 48)
    assert np.flatnonzero(owned[1]).tolist() == [0, 47]
    tickets = seen[game.observation_layout["tickets"]].reshape(5, 15)
    assert np.flatnonzero(tickets[1]).tolist() == [3]
    assert tickets[1, 3] == np.float32(2 / 3)


def test_a_packed_field_is_spread_to_its_parts():
    game = aiplay.load_game("illusio")
    (row,) = game.to_array([aiplay.Table(game, seed=1).view(0)])
    row["place"][:3] = 0, 2, 8 + 4 * 5 + 3  # not in play; Backstage of seat 1; need 3 of objective 5
    (seen,) = game.observations(np.array([row]))
    place = seen[game.observation_layout["place"]].reshape(64, 8 + 32 + 4)
    assert [np.flatnonzero(numbers).tolist() for numbers in place[:3]] == [[0], [2], [8 + 5, 8 + 32 + 3]]


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        (Field(0, 2**24, "too many for a float32"), "too many for one float32"),
        (Field(0, 5, "no full bits", bits=1), "groups of 1 bits"),
        (Field(1, 7, "not from 0", bits=1), "begin at 0"),
        (Field(0, 3, "alike", parts=(Part("half", 0, 2, 2),)), "some of its values have the same parts"),
        (Field(0, 9999, "too many rows", parts=(Part("all", 0, 10_000),)), "at most 4096 values"),
    ],
    ids=lambda value: getattr(value, "doc", None),
)
def test_fields_whose_values_would_look_alike_are_refused(field, problem):
    with pytest.raises(TypeError, match=problem):
        Scaler(np.dtype([("cards", np.int32)]), {"cards": field})


def test_observations_of_no_views_are_empty():
    assert LEDUC.observations([]).shape == (0, 12)


def test_games_written_in_python_have_no_observations():
    for ask in (lambda: Bidding().observation_layout, lambda: Bidding().new_state().view(0).observation()):
        with pytest.raises(TypeError, match="bidding is written in Python"):
            ask()
