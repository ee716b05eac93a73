"""The native Love Letter: its contract, and the same game as examples/love_letter.py, move by move."""

import sys
from pathlib import Path

import aiplay
from aiplay.testing import check_damaged, check_game

sys.path.insert(0, str(Path(__file__).parents[2]))  # the folder examples
from love_letter import LoveLetter

NATIVE, PYTHON = aiplay.load_game("love_letter_native"), LoveLetter()


def test_it_keeps_the_contract():
    check_game(NATIVE)


def test_damaged_positions_are_refused_or_safe():
    assert check_damaged(NATIVE) < 1000


def test_it_keeps_its_secrets():
    assert aiplay.audit.audit_player(NATIVE, "random", games=20).broken == ()


def test_it_is_the_game_in_python():
    for seed in range(300):
        stream = aiplay.RandomStream(seed)
        native, python = NATIVE.new_state(), PYTHON.new_state()
        while not python.is_over:
            assert native.to_move == python.to_move
            assert native.legal_moves() == python.legal_moves()
            assert native.chance_outcomes() == python.chance_outcomes()
            assert str(native) == str(python)
            move = stream.choice(python.legal_moves())
            for seat in range(2):
                assert str(native.view(seat)) == str(python.view(seat))
                assert sees(native, move, seat) == sees(python, move, seat)
            native.play(move)
            python.play(move)
        assert native.is_over
        assert native.returns() == python.returns()


def sees(state, move, seat):
    """The moves that look like this one to a seat."""
    key = state.perceive(move, seat)
    return [other for other in state.legal_moves() if state.perceive(other, seat) == key]
