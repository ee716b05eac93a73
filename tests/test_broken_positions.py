"""Positions that were not made by a game, or come from a damaged pickle: errors, never a crash."""

import copyreg
import pickle

import numpy as np
import pytest
from broken_games import Card, Deal

import aiplay
from aiplay._core.facts import _restore_game
from aiplay._core.game import Position, State, View, _restore_state, _restore_view
from aiplay._core.measure import copy_states, perft

GAMES = tuple(aiplay.game_names())


def damaged(data, stream):
    """Bytes with a few of them replaced."""
    damaged = bytearray(data)
    for _ in range(1 + stream.below(3)):
        damaged[stream.below(len(damaged))] = stream.choice(
            [0, 1, 2, 5, 13, 127, 128, 255, stream.below(256)]
        )
    return bytes(damaged)


class StateWithoutInit(State):
    def __init__(self):
        pass


class ViewWithoutInit(View):
    def __init__(self, *args):
        pass


@pytest.mark.parametrize(
    "make",
    [
        State,
        View,
        Position,
        StateWithoutInit,
        ViewWithoutInit,
        lambda: ViewWithoutInit(object()),
        lambda: State.__new__(State),
        lambda: View.__new__(View),
        lambda: View.__new__(View, object()),
        lambda: Position.__new__(Position),
        lambda: State.__new__(StateWithoutInit),
        lambda: copyreg.__newobj__(State),
    ],
)
def test_a_position_cannot_be_made_without_a_game(make):
    with pytest.raises(TypeError, match=r"positions come from games|object\.__new__"):
        make()


@pytest.mark.parametrize("entry", [None, 3, "state", object()])
def test_lists_of_anything_else_than_states_are_refused(entry):
    game = aiplay.load_game("pig")
    for method in (game.playouts, game.to_array, game.observations):
        with pytest.raises(TypeError, match=r"entry 1 is .*; allowed: a position of load_game"):
            method([game.new_state(), entry])


def test_a_view_has_no_playouts():
    game = aiplay.load_game("pig")
    with pytest.raises(TypeError, match="State"):
        game.playouts([game.new_state().view(0)])


@pytest.mark.parametrize("call", [_restore_state, copy_states, perft])
def test_none_is_not_a_game_or_a_state(call):
    with pytest.raises(TypeError, match="None"):
        call(None, 1)
    with pytest.raises(TypeError, match="None"):
        _restore_view(None, b"", 0)


# ---- Pickles -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_pickle_gives_a_valid_position_or_an_error_of_ours(name):
    game = aiplay.load_game(name)
    table, stream = aiplay.Table(game, seed=5), aiplay.RandomStream(7)
    while not table.over and len(table.moves) < 12:
        table.play(stream.choice(table.legal_moves()))
    state, refused = table._state, 0
    for position in (state, state.view(0)):
        restore, (_, dumped, *seat) = position.__reduce__()
        assert restore(game, dumped, *seat) == position
        for _ in range(150):
            try:
                found = restore(game, damaged(dumped, stream), *seat)
            except aiplay.InvalidStateError:
                refused += 1
                continue
            found.legal_moves()
            if isinstance(found, State):
                game.playouts([found])
            else:
                found.sample_world(1)
    assert refused > 0


def test_a_damaged_pickle_has_no_other_length_or_seat():
    game = aiplay.load_game("leduc_poker")
    dumped = game.new_state().to_bytes()
    for data in (b"", dumped[:-1], dumped + b"x"):
        with pytest.raises(aiplay.InvalidStateError, match="bytes"):
            _restore_state(game, data)
    for seat in (-1, 2, None, 10**9):
        with pytest.raises(aiplay.InvalidStateError, match="seat"):
            _restore_view(game, dumped, seat)


def test_a_pickled_view_shows_nothing_hidden():
    game = aiplay.load_game("leduc_poker")
    state = game.new_state()
    while state.to_move == aiplay.CHANCE:
        state.play(state.legal_moves()[0])
    with pytest.raises(aiplay.InvalidStateError, match="the card of seat 1 is"):
        _restore_view(game, state.to_bytes(), 0)


def test_positions_of_games_in_python_come_back_checked():
    game = Card()
    state = game.new_state()
    state.play(3)
    for position in (state, state.view(1)):
        restore, (_, dumped, *seat) = position.__reduce__()
        assert restore(game, dumped, *seat) == position
    for wrong in (None, 7, "x", (1, 2, 3), Deal("ace", ())):
        with pytest.raises((aiplay.InvalidStateError, TypeError)):
            _restore_state(game, wrong)
    with pytest.raises(aiplay.InvalidStateError, match="cannot see"):
        _restore_view(game, Deal(3, ()), 0)


def test_pickles_of_native_positions_are_those_of_before():
    state = aiplay.load_game("connect_four").new_state()
    state.play("4")
    assert pickle.loads(pickle.dumps(state)) == state
    assert np.array_equal(
        pickle.loads(pickle.dumps(state.view(1))).observation(), state.view(1).observation()
    )


@pytest.mark.parametrize(
    "options",
    [None, 7, ["players"], ((),), (("players",),), ((2, 2),), (("players", [2]),), (("data", "\0"),)],
)
def test_a_pickled_game_has_options_by_name(options):
    with pytest.raises(aiplay.AiplayError):
        _restore_game(type(aiplay.load_game("illusio")), options)


@pytest.mark.parametrize("cls", [int, None, "pig", lambda: None])
def test_a_pickled_game_is_a_game(cls):
    with pytest.raises(aiplay.OptionError, match="allowed: a class of games"):
        _restore_game(cls, ())
