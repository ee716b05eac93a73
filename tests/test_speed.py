"""aiplay.speed: the positions at which players are measured."""

import pytest

import aiplay
from aiplay.speed import measure_speed, middle_of_a_game


class NoChoice(aiplay.PythonGame):
    """Seats take turns to make the only move there is."""

    name = "no_choice"
    max_moves, max_depth = 1, 3

    def setup(self) -> int:
        return 0

    def to_move(self, state):
        return state % 2 if state < 3 else self.TERMINAL

    def legal_moves(self, state):
        return [0]

    def play(self, state, move):
        return state + 1

    def returns(self, state):
        return [1.0, 0.0]


@pytest.mark.parametrize("name", aiplay.game_names())
def test_the_middle_of_a_game_is_a_choice(name):
    assert len(middle_of_a_game(aiplay.load_game(name)).legal_moves()) > 1


def test_a_search_of_a_forced_move_is_measured_by_choices():
    """There is nothing to search: counting iterations would never end."""
    found = measure_speed(NoChoice(), ("mcts",)).players[0]
    assert (found.unit, found.per_second > 0) == ("choices", True)
