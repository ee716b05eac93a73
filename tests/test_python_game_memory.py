"""Games written in Python: states are freed, after errors too."""

import gc
import sys

import pytest
from toy_games import Matches

from aiplay import RandomStream
from aiplay._core import measure


class BoomError(Exception):
    """Raised by the methods of these tests."""


class Counted:
    """A state that counts how many of them are alive."""

    alive = 0

    def __init__(self, left, seat):
        self.left, self.seat = left, seat
        Counted.alive += 1

    def __del__(self):
        Counted.alive -= 1

    def __eq__(self, other):
        return (self.left, self.seat) == (other.left, other.seat)

    def __hash__(self):
        return hash((self.left, self.seat))


class CountedMatches(Matches):
    """Matches with chance and views that hide nothing, so that every function of the contract runs."""

    fails = ""

    def maybe(self, method):
        if self.fails == method:
            raise BoomError(method)

    def setup(self) -> Counted:
        self.maybe("setup")
        return Counted(5, 0)

    def to_move(self, state):
        self.maybe("to_move")
        return self.TERMINAL if state.left <= 0 else self.CHANCE if state.left == 4 else state.seat

    def legal_moves(self, state):
        self.maybe("legal_moves")
        return [1, 2]

    def chance_outcomes(self, state):
        self.maybe("chance_outcomes")
        return [(1, 0.5), (2, 0.5)]

    def play(self, state, move):
        new = Counted(state.left - move, 1 - state.seat)
        self.maybe("play")
        return new

    def returns(self, state):
        self.maybe("returns")
        return [state.seat, 1 - state.seat]

    def perceive(self, state, move, seat):
        self.maybe("perceive")
        return move

    def conceal(self, state, seat):
        self.maybe("conceal")
        return Counted(state.left, state.seat)

    def determinise(self, view, seat, stream):
        self.maybe("determinise")
        return Counted(view.left, view.seat)

    def evaluate(self, state):
        self.maybe("evaluate")
        return [0.5, 0.5]


def use_everything(game):
    """Call every function of states and views once."""
    state = game.new_state()
    state.play(1)
    state.play_chance(RandomStream(1))
    view = state.view(0)
    view.sample_world(1).copy()
    state.perceive(1, 0)
    state.evaluate()
    hash(state)
    measure.perft(state, 3)
    measure.survey(state, 3)
    measure.sample_worlds(view, 3)
    measure.copy_states(state, 3)
    measure.random_games(state, 3)
    measure.play_out(state, RandomStream(1))
    state.returns()


def test_no_state_is_left_after_ten_thousand_games():
    game = CountedMatches()
    measure.random_games(game.new_state(), 10_000)
    gc.collect()
    assert Counted.alive == 0


def test_no_state_is_left_after_using_every_function():
    game = CountedMatches()
    for _ in range(50):
        use_everything(game)
    gc.collect()
    assert Counted.alive == 0


@pytest.mark.parametrize(
    "method",
    [
        "setup",
        "to_move",
        "legal_moves",
        "chance_outcomes",
        "play",
        "returns",
        "perceive",
        "conceal",
        "determinise",
    ],
)
def test_no_state_is_left_after_errors(method):
    game = CountedMatches()
    use_everything(game)
    game.fails = method
    for _ in range(50):
        with pytest.raises(BoomError, match=method):
            use_everything(game)
    gc.collect()
    assert Counted.alive == 0
    game.fails = ""
    use_everything(game)


def test_the_exception_itself_is_not_kept():
    game = CountedMatches()
    game.fails = "play"
    state = game.new_state()
    with pytest.raises(BoomError) as caught:
        state.play(1)
    error = caught.value
    del caught
    error.__traceback__ = None
    gc.collect()
    # The variable here, and the argument of getrefcount.
    assert sys.getrefcount(error) == 2


def test_copies_hold_a_reference_and_release_it():
    marker = (5, 0)

    class Marked(Matches):
        def setup(self):
            return marker

    before = sys.getrefcount(marker)
    game = Marked()
    states = [game.new_state().copy() for _ in range(100)]
    assert sys.getrefcount(marker) == before + 100
    del states
    assert sys.getrefcount(marker) == before


def test_a_state_keeps_its_game_alive():
    state = CountedMatches().new_state()
    gc.collect()
    assert state.play(1) == 1
