"""Time limits without a stopwatch: a game sleeps until the time is up and counts the moves that are tried afterwards.

A loaded machine delays every search, so an upper bound on seconds would test the machine. What a search decides
itself is how much it still does after its time. Figures in milliseconds come from bench/time_limits.py.
"""

from __future__ import annotations

import itertools
import time

import pytest

import aiplay
from aiplay import Limit

LIMIT = 0.1  # seconds
SLOW = 1e-4  # seconds for a move: the search reads the clock at every node or iteration
FAST = 0.0
STRIDE = 256  # nodes or iterations between two readings of the clock, at most
LINE_LENGTH = 12  # moves of the expected line, which may be played again after the search


class Sleeper(aiplay.PythonGame):
    """Three moves in every position; the first one wins. Playing the move numbered `bedtime` takes `nap` seconds."""

    name = "sleeper"
    seats, max_moves, max_depth = 2, 3, 20

    def __init__(self, *, bedtime: int, nap: float, step: float) -> None:
        super().__init__()
        self.bedtime, self.nap, self.step = bedtime, nap, step
        self.counter = itertools.count(1)
        self.is_late = False
        self.late_moves = 0

    def setup(self) -> tuple[int, ...]:  # the moves so far
        return ()

    def to_move(self, state: tuple[int, ...]) -> int:
        return len(state) % 2 if len(state) < self.max_depth else self.TERMINAL

    def legal_moves(self, state: tuple[int, ...]) -> list[int]:
        return [0, 1, 2]

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        self.late_moves += self.is_late
        if next(self.counter) == self.bedtime:
            time.sleep(self.nap)
            self.is_late = True
        else:
            spend(self.step)
        return (*state, move)

    def returns(self, state: tuple[int, ...]) -> list[float]:
        return [float(state[0] == 0), float(state[0] != 0)]


class HiddenSleeper(Sleeper):
    """The same for searches that sample worlds, all of which are alike."""

    name = "hidden_sleeper"

    def perceive(self, state: tuple[int, ...], move: int, seat: int) -> int:
        return move

    def conceal(self, state: tuple[int, ...], seat: int) -> tuple[int, ...]:
        return state

    def determinise(self, view: tuple[int, ...], seat: int, stream: aiplay.RandomStream) -> tuple[int, ...]:
        return view


def spend(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def sleep_through_the_limit(spec: str, game: Sleeper, limit: float = LIMIT) -> None:
    """Analyse the first position; the search uses all of its time."""
    analysis = aiplay.make_player(spec, seed=1).analyse(game.new_state().view(0), Limit(time=limit))
    assert analysis.best in (0, 1, 2)
    assert analysis.seconds >= limit


@pytest.mark.parametrize("bedtime", [1, 10, 100])
@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("expectimax", Sleeper),
        ("expectimax:worlds=4", HiddenSleeper),
        ("mcts", Sleeper),
        ("mcts:trees=3", Sleeper),
        ("mcts:mode=single", HiddenSleeper),
        ("mcts:mode=several", HiddenSleeper),
        ("mcts:mode=pimc", HiddenSleeper),
    ],
)
def test_a_search_in_a_slow_game_ends_with_the_iteration_in_which_its_time_is_up(spec, kind, bedtime):
    game = kind(bedtime=bedtime, nap=LIMIT, step=SLOW)
    sleep_through_the_limit(spec, game)
    assert game.late_moves <= game.max_depth + LINE_LENGTH


def test_every_thread_ends_with_the_iteration_in_which_its_time_is_up():
    game = Sleeper(bedtime=10, nap=LIMIT, step=SLOW)
    sleep_through_the_limit("mcts:trees=2,threads=2", game)
    assert game.late_moves <= 2 * game.max_depth + LINE_LENGTH


@pytest.mark.parametrize("bedtime", [1000, 10_000])
@pytest.mark.parametrize("spec", ["expectimax", "mcts", "mcts:trees=3"])
def test_a_search_in_a_fast_game_ends_when_it_reads_the_clock_again(spec, bedtime):
    game = Sleeper(bedtime=bedtime, nap=LIMIT, step=FAST)
    sleep_through_the_limit(spec, game)
    assert game.late_moves <= STRIDE * game.max_depth


def test_mcts_stops_early_when_the_time_left_is_too_short_for_another_move_to_catch_up():
    game = Sleeper(bedtime=4000, nap=0.4, step=FAST)
    player = aiplay.make_player("mcts:solver=no", seed=1)
    assert player.choose(game.new_state().view(0), Limit(time=0.5)) == 0
    assert game.late_moves <= STRIDE * game.max_depth


def test_no_time_at_all_still_gives_a_legal_move():
    for spec in ("expectimax", "mcts", "mcts:trees=2,threads=2"):
        game = Sleeper(bedtime=1, nap=0.0, step=SLOW)
        sleep_through_the_limit(spec, game, limit=0.0)
        assert game.late_moves <= 2 * game.max_depth + LINE_LENGTH
