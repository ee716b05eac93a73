"""Positions from outside (fields, JSON, bytes, arrays): impossible ones are refused with the wrong field."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_games import Bidding

import aiplay
from aiplay import InvalidStateError, RandomStream
from aiplay.testing import check_damaged

GAMES = [
    aiplay.load_game("connect_four"),
    aiplay.load_game("leduc_poker"),
    aiplay.load_game("pig", players=3, target=12, horizon=40),
]
NATIVE = pytest.mark.parametrize("game", GAMES, ids=repr)


def position(game, seed, n_moves):
    """Return the state after at most n random moves."""
    state, stream = game.new_state(), RandomStream(seed)
    for _ in range(n_moves):
        if state.is_over:
            break
        state.play(stream.choice(state.legal_moves()))
    return state


def leduc():
    return position(GAMES[1], 1, 4)


def changed(position, name, value):
    """Return the JSON of a position with one field replaced."""
    document = json.loads(position.to_json())
    document["view" if "view" in document else "state"][name] = value
    return json.dumps(document)


# ---- The document ------------------------------------------------------------------------------------------

NOT_JSON = [
    "",
    "{",
    "nonsense",
    "{'game': 1}",
    "[1, 2",
    "\ud800",
    '{"game":"leduc_poker"',
    b"\xff\xfe",
    "// {}",
    "\0",
]


@pytest.mark.parametrize("text", NOT_JSON, ids=repr)
def test_text_that_is_not_json_is_refused(text):
    for read in (GAMES[0].state_from_json, GAMES[0].view_from_json):
        with pytest.raises(InvalidStateError, match="not valid JSON"):
            read(text)


@pytest.mark.parametrize("value", [None, 3, ["{}"], {"game": "pig"}], ids=repr)
def test_anything_but_text_is_refused(value):
    with pytest.raises(InvalidStateError, match="expected JSON text"):
        GAMES[0].state_from_json(value)


@pytest.mark.parametrize("text", ["null", "3", "[]", '"text"', "true"])
def test_json_that_is_not_an_object_is_refused(text):
    with pytest.raises(InvalidStateError, match="expected a JSON object with game, options, state"):
        GAMES[0].state_from_json(text)


@pytest.mark.parametrize("depth", [100, 2_000, 100_000])
def test_deep_nesting_is_refused(depth):
    for text in ("[" * depth, "[" * depth + "]" * depth, '{"game":' * depth, changed_deep(depth)):
        with pytest.raises(InvalidStateError):
            GAMES[1].state_from_json(text)


def changed_deep(depth):
    return leduc().to_json().replace('"seat":', '"seat":' + "[" * depth + "]" * depth + ',"x":')


def test_missing_and_unknown_keys_are_named():
    document = json.loads(leduc().to_json())
    for key in document:
        with pytest.raises(
            InvalidStateError, match=f"key '{key}' is missing; the keys are game, options, state"
        ):
            GAMES[1].state_from_json(json.dumps({k: v for k, v in document.items() if k != key}))
    with pytest.raises(InvalidStateError, match="unknown key 'truth'"):
        GAMES[1].state_from_json(json.dumps(document | {"truth": 1}))


def test_a_state_is_not_a_view_and_a_view_is_not_a_state():
    state = leduc()
    with pytest.raises(InvalidStateError, match="'state'"):
        GAMES[1].view_from_json(state.to_json())
    with pytest.raises(InvalidStateError, match=r"'seat'|'view'"):
        GAMES[1].state_from_json(state.view(0).to_json())


def test_the_json_of_another_game_is_refused():
    with pytest.raises(InvalidStateError, match="game is 'leduc_poker'; this is 'connect_four'"):
        GAMES[0].state_from_json(leduc().to_json())


def test_the_json_of_other_options_is_refused():
    with pytest.raises(
        InvalidStateError, match=r"options are .*'players': 2.*; this game has .*'players': 3"
    ):
        GAMES[2].state_from_json(aiplay.load_game("pig").new_state().to_json())


@pytest.mark.parametrize("seat", [-1, 2, 10**30, 1.0, True, None, "0", [0]], ids=repr)
def test_the_seat_of_a_view_is_checked(seat):
    document = json.loads(leduc().view(0).to_json())
    with pytest.raises(InvalidStateError, match=r"seat is .*; allowed: 0 to 1"):
        GAMES[1].view_from_json(json.dumps(document | {"seat": seat}))


# ---- The fields --------------------------------------------------------------------------------------------

WRONG_NUMBERS = [
    -2,
    6,
    2**31,
    2**63,
    2**64,
    10**30,
    -(10**30),
    1.0,
    0.5,
    True,
    False,
    None,
    "1",
    [],
    [1],
    {},
    {"a": 1},
]


@pytest.mark.parametrize("value", WRONG_NUMBERS, ids=repr)
def test_a_number_out_of_range_is_refused_with_its_field(value):
    with pytest.raises(InvalidStateError, match=r"field 'board' .*allowed: a whole number from -1 to 5"):
        GAMES[1].state_from_json(changed(leduc(), "board", value))
    with pytest.raises(InvalidStateError, match=r"field 'hands' .*allowed: a whole number from -1 to 5"):
        GAMES[1].state_from_json(changed(leduc(), "hands", [0, value]))


@pytest.mark.parametrize(
    "text", ["NaN", "Infinity", "-Infinity", "1e400", "1e5", "0x1", "01", "+1", "1" * 5000]
)
def test_invalid_numbers_are_refused(text):
    document = leduc().to_json().replace('"folded":0', f'"folded":{text}')
    assert text in document
    with pytest.raises(InvalidStateError):
        GAMES[1].state_from_json(document)


@pytest.mark.parametrize("value", [[], [0], [0, 1, 2], [[0, 1]], 0, None, "01", {"0": 1}], ids=repr)
def test_a_list_of_the_wrong_length_is_refused(value):
    with pytest.raises(InvalidStateError, match=r"field 'hands' has .*; expected a list of 2"):
        GAMES[1].state_from_json(changed(leduc(), "hands", value))


@pytest.mark.parametrize("value", [None, [], 3, "text"], ids=repr)
def test_fields_that_are_not_an_object_are_refused(value):
    document = json.dumps(json.loads(leduc().to_json()) | {"state": value})
    with pytest.raises(InvalidStateError, match="expected an object with hands, board"):
        GAMES[1].state_from_json(document)


@NATIVE
def test_every_missing_or_unknown_field_is_named(game):
    document = json.loads(game.new_state().to_json())
    for name in document["state"]:
        less = {k: v for k, v in document["state"].items() if k != name}
        with pytest.raises(InvalidStateError, match=f"field '{name}' is missing"):
            game.state_from_json(json.dumps(document | {"state": less}))
    with pytest.raises(InvalidStateError, match="unknown field 'extra'; the fields are"):
        game.state_from_json(json.dumps(document | {"state": document["state"] | {"extra": 0}}))


@NATIVE
def test_every_field_is_checked_at_both_ends_of_its_range(game):
    document = json.loads(game.new_state().to_json())
    for name, field in game.FIELDS.items():
        for value in (field.low - 1, field.high + 1):
            wrong = value
            if isinstance(document["state"][name], list):
                wrong = [*document["state"][name][:-1], value]
            with pytest.raises(InvalidStateError, match=f"field '{name}'"):
                game.state_from_json(json.dumps(document | {"state": document["state"] | {name: wrong}}))


def test_long_values_are_shortened_in_messages():
    with pytest.raises(InvalidStateError) as caught:
        GAMES[1].state_from_json(changed(leduc(), "board", "x" * 10**6))
    assert len(str(caught.value)) < 300


# ---- Fields without JSON -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [*GAMES, Bidding()], ids=repr)
def test_positions_come_back_from_their_fields(game):
    for n_moves in range(8):
        state = position(game, 5, n_moves)
        assert game.state_from_fields(state.to_fields()) == state
        for seat in range(game.seats):
            view = state.view(seat)
            again = game.view_from_fields(view.to_fields(), seat)
            assert again == view
            assert again.seat == seat


@NATIVE
def test_fields_are_what_json_holds(game):
    state = position(game, 2, 3)
    assert state.to_fields() == json.loads(state.to_json())["state"]
    assert state.view(1).to_fields() == json.loads(state.view(1).to_json())["view"]


def test_fields_may_hold_tuples_and_numpy_numbers():
    view = leduc().view(0)
    fields = view.to_fields()
    assert GAMES[1].view_from_fields({name: view.fields[name] for name in fields}, 0) == view
    assert GAMES[1].view_from_fields(fields | {"hands": tuple(fields["hands"])}, 0) == view
    assert GAMES[1].view_from_fields(fields | {"hands": list(view.fields["hands"])}, 0) == view


@pytest.mark.parametrize("value", [np.float64(1), np.bool_(True), np.int64(6), np.array([1]), True], ids=repr)
def test_fields_refuse_values_that_are_not_numbers_in_range(value):
    with pytest.raises(InvalidStateError, match=r"field 'board' is .*allowed: a whole number from -1 to 5"):
        GAMES[1].state_from_fields(leduc().to_fields() | {"board": value})


def test_wrong_fields_are_named():
    fields = leduc().view(0).to_fields()
    with pytest.raises(InvalidStateError, match="unknown field 'colour'"):
        GAMES[1].view_from_fields(fields | {"colour": 1}, 0)
    with pytest.raises(InvalidStateError, match="field 'hands' has 3 entries; expected a list of 2"):
        GAMES[1].view_from_fields(fields | {"hands": (0, -1, -1)}, 0)
    with pytest.raises(InvalidStateError, match="field 'hands'"):  # the hand of the other seat is shown
        GAMES[1].view_from_fields(leduc().to_fields(), 0)


@pytest.mark.parametrize("seat", [-1, 2, 1.0, None, True, "0"], ids=repr)
def test_the_seat_of_a_view_from_fields_is_checked(seat):
    with pytest.raises(InvalidStateError, match=r"seat is .*; allowed: 0 to 1"):
        GAMES[1].view_from_fields(leduc().view(0).to_fields(), seat)


@pytest.mark.parametrize("game", [GAMES[1], Bidding()], ids=repr)
@pytest.mark.parametrize("read", ["state_from_fields", "view_from_fields"])
def test_bytes_are_not_fields(game, read):
    """They would be taken for those of `to_bytes`."""
    state = game.new_state()
    more = (0,) if read == "view_from_fields" else ()
    with pytest.raises(InvalidStateError, match="the fields are bytes; read them with state_from_bytes"):
        getattr(game, read)(state.to_bytes(), *more)


def test_a_position_does_not_change_with_the_fields_it_was_made_from():
    state = leduc()
    fields = state.to_fields()
    again = GAMES[1].state_from_fields(fields)
    fields["hands"][0] = -1
    assert again == state == leduc()


# ---- Bytes -------------------------------------------------------------------------------------------------


@NATIVE
@pytest.mark.parametrize("change", [lambda b: b[:-1], lambda b: b + b"\0", lambda b: b"", lambda b: b * 2])
def test_bytes_of_the_wrong_length_are_refused(game, change):
    data = game.new_state().to_bytes()
    wanted = f"{len(change(data))} bytes; a state of {game.name} has {game.state_size}"
    with pytest.raises(InvalidStateError, match=wanted):
        game.state_from_bytes(change(data))
    with pytest.raises(InvalidStateError, match=wanted):
        game.view_from_bytes(change(data), 0)


def test_bytes_out_of_range_are_refused_with_their_field():
    data = bytearray(leduc().to_bytes())
    data[2] = 6
    with pytest.raises(InvalidStateError, match="field 'board' is out of range; allowed: -1 to 5"):
        GAMES[1].state_from_bytes(data)


@NATIVE
def test_padding_between_fields_does_not_matter(game):
    """Padding is zero in every state, whatever the bytes held."""
    state = position(game, 3, 5)
    data, dtype = bytearray(state.to_bytes()), game.dtype
    used = {dtype.fields[name][1] + i for name in dtype.names for i in range(dtype[name].itemsize)}
    for free in set(range(len(data))) - used:
        data[free] = 0xFF
    again = game.state_from_bytes(data)
    assert again == state
    assert hash(again) == hash(state)
    assert again.to_bytes() == state.to_bytes()


@pytest.mark.parametrize("seat", [-1, 2, 1.0, None, True, "0"], ids=repr)
def test_the_seat_of_a_view_from_bytes_is_checked(seat):
    with pytest.raises(ValueError, match=r"seat is .*; allowed: 0 to 1"):
        GAMES[1].view_from_bytes(leduc().view(0).to_bytes(), seat)


# ---- Arrays ------------------------------------------------------------------------------------------------


@NATIVE
def test_states_come_back_from_an_array(game):
    states = [position(game, seed, seed) for seed in range(20)]
    array = game.to_array(states)
    assert array.dtype == game.dtype
    assert array.shape == (20,)
    for name in game.FIELDS:
        assert array[name].tolist() == [state.fields[name].tolist() for state in states]
    assert game.from_array(array) == states
    assert game.from_array(array[::-2]) == states[::-2]


@NATIVE
def test_an_array_with_an_impossible_state_is_refused(game):
    array = game.to_array([game.new_state()] * 3)
    name, field = next((n, f) for n, f in game.FIELDS.items() if f.high < np.iinfo(game.dtype[n].base).max)
    array[1][name] = field.high + 1
    with pytest.raises(InvalidStateError, match=f"field '{name}'"):
        game.from_array(array)


@pytest.mark.parametrize(
    "array", [np.zeros(3), np.zeros((2, 2), GAMES[0].dtype), np.zeros((), GAMES[1].dtype)], ids=str
)
def test_other_arrays_are_refused(array):
    with pytest.raises(InvalidStateError, match=r"expected a one-dimensional array of connect_four.dtype"):
        GAMES[0].from_array(array)


def test_an_array_does_not_take_states_of_another_game():
    with pytest.raises(ValueError, match="state 1 is of load_game"):
        GAMES[0].to_array([GAMES[0].new_state(), leduc()])


def test_states_written_in_python_are_not_records():
    with pytest.raises(TypeError, match="bidding is written in Python"):
        Bidding().to_array([])


# ---- Random damage: refused, or playable like any other position -------------------------------------------


@NATIVE
def test_damaged_positions_are_refused_or_can_be_played_on(game):
    accepted = check_damaged(game, tries=3000)
    assert 0 < accepted < 1500  # few, but some damage makes another valid position


@settings(max_examples=100, deadline=None, derandomize=True)
@given(text=st.text(), where=st.integers(0, 200), cut=st.integers(0, 5))
def test_changed_text_is_refused_or_can_be_played_on(text, where, cut):
    original = leduc().to_json()
    try:
        state = GAMES[1].state_from_json(original[:where] + text + original[where + cut :])
    except InvalidStateError:
        return
    while not state.is_over:
        state.play(state.legal_moves()[-1])


VALUES = st.one_of(
    st.integers(-2, 4), st.integers(), st.floats(), st.booleans(), st.none(), st.text(max_size=3)
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    document=st.one_of(
        VALUES, st.fixed_dictionaries({}, optional={"cards": st.lists(VALUES), "bids": VALUES})
    )
)
def test_games_written_in_python_refuse_data_that_is_not_a_state(document):
    whole = {"game": "bidding", "options": {"most": 2}, "state": document}
    with pytest.raises(InvalidStateError, match=r"not a state of bidding|not valid JSON"):
        Bidding().state_from_json(json.dumps(whole))
