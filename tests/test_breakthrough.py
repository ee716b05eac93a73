"""The example Breakthrough: one test for every clause of its rules."""

import runpy
import sys
from pathlib import Path

import pytest

import aiplay
from aiplay.testing import check_game

FOLDER = Path(__file__).parents[1] / "examples" / "breakthrough"


@pytest.fixture(scope="module")
def breakthrough():
    sys.path.insert(0, str(FOLDER))
    try:
        import breakthrough

        yield breakthrough
    finally:
        sys.path.remove(str(FOLDER))
        sys.modules.pop("breakthrough", None)


def position(breakthrough, own, other, seat=0, size=4):
    """A position with pawns on these squares, given as text: own are those of seat 0."""
    game = breakthrough.Breakthrough(size=size)

    def squares(names):
        return sum(1 << "abcdefgh".index(name[0]) + size * (int(name[1]) - 1) for name in names.split())

    return game.state_from_fields(breakthrough.Board((squares(own), squares(other)), seat))


def texts(state):
    return [state.move_text(move) for move in state.legal_moves()]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_it_keeps_the_contract(breakthrough, size):
    check_game(breakthrough.Breakthrough(size=size), games=5)


def test_set_up_pawns_on_the_first_two_rows(breakthrough):
    assert str(breakthrough.Breakthrough(size=4).new_state()).splitlines() == [
        "4 o o o o",
        "3 o o o o",
        "2 x x x x",
        "1 x x x x",
        "  a b c d",
    ]
    assert len(breakthrough.Breakthrough().new_state().legal_moves()) == 3 * 6 - 2


def test_a_pawn_steps_forward_onto_an_empty_square(breakthrough):
    assert texts(position(breakthrough, "b2", "d4")) == ["b2-a3", "b2-b3", "b2-c3"]
    assert texts(position(breakthrough, "a1", "b3", seat=1)) == ["b3-a2", "b3-b2", "b3-c2"]


def test_a_pawn_stays_on_the_board(breakthrough):
    assert texts(position(breakthrough, "a2", "d4")) == ["a2-a3", "a2-b3"]
    assert texts(position(breakthrough, "d2", "a4")) == ["d2-c3", "d2-d3"]


def test_a_pawn_captures_diagonally_only(breakthrough):
    state = position(breakthrough, "b2", "b3 c3")
    assert texts(state) == ["b2-a3", "b2-c3"]
    state.play("b2-c3")
    assert texts(state) == ["b3-a2", "b3-b2", "b3-c2"]


def test_own_pawns_are_in_the_way(breakthrough):
    assert texts(position(breakthrough, "b2 a3 b3 c3", "d4"))[:1] == ["a3-a4"]


def test_who_reaches_the_last_row_wins(breakthrough):
    state = position(breakthrough, "b3", "d3")
    state.play("b3-b4")
    assert state.is_over
    assert state.returns() == [1.0, 0.0]
    state = position(breakthrough, "b3", "d2", seat=1)
    state.play("d2-d1")
    assert state.returns() == [0.0, 1.0]


def test_who_captures_the_last_pawn_wins(breakthrough):
    state = position(breakthrough, "b2", "c3")
    state.play("b2-c3")
    assert state.is_over
    assert state.returns() == [1.0, 0.0]


def test_features_are_seen_from_behind_the_own_pawns(breakthrough):
    """Turning the board and exchanging the seats changes nothing."""
    game = breakthrough.Breakthrough(size=4)
    here = position(breakthrough, "a1 b2", "d4 d3")
    turned = position(breakthrough, "a1 a2", "d4 c3")
    assert game.features(here.fields, 0) == game.features(turned.fields, 1)
    assert game.features(here.fields, 0)[:6] == [1, 0, 0, 0, 0, 1]


def test_the_example_runs(capsys):
    runpy.run_path(str(FOLDER / "breakthrough.py"), run_name="__main__")
    assert capsys.readouterr().out.splitlines()[-1] in ("winner: x", "winner: o")


def test_mcts_finds_a_win_in_one(breakthrough):
    state = position(breakthrough, "a1 c3", "b3 d2")
    assert state.move_text(aiplay.make_player("mcts:iterations=100", seed=1).choose(state.view(0))) in (
        "c3-b4",
        "c3-c4",
        "c3-d4",
    )
