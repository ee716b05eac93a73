"""Copies, move generation, worlds and playouts of every game: `pytest bench`.

Every figure is the time of one call, which works COUNT times in C or once from Python, as the name says.
"""

from __future__ import annotations

import itertools
import random

import pytest

import aiplay
from aiplay._core import measure
from aiplay.speed import middle_of_a_game

COUNT = 1000
GAMES = aiplay.game_names()


@pytest.fixture(params=GAMES)
def state(request: pytest.FixtureRequest) -> aiplay.State:
    return middle_of_a_game(aiplay.load_game(request.param))


@pytest.mark.benchmark(group=f"{COUNT} copies in C")
def bench_copies_in_c(benchmark, state):
    benchmark(measure.copy_states, state, COUNT)


@pytest.mark.benchmark(group="a copy from Python")
def bench_copy_from_python(benchmark, state):
    benchmark(state.copy)


@pytest.mark.benchmark(group=f"{COUNT} lists of legal moves in C")
def bench_moves_in_c(benchmark, state):
    benchmark(measure.generate_moves, state, COUNT)


@pytest.mark.benchmark(group="a list of legal moves from Python")
def bench_moves_from_python(benchmark, state):
    benchmark(state.legal_moves)


@pytest.mark.benchmark(group=f"{COUNT} worlds in C")
def bench_worlds_in_c(benchmark, state):
    if not state.game.has_hidden:
        pytest.skip("nothing is hidden")
    benchmark(measure.sample_worlds, state.view(state.to_move), COUNT, 1)


@pytest.mark.benchmark(group=f"{COUNT} random games in C")
def bench_playouts_in_c(benchmark, state):
    start = state.game.new_state()
    benchmark.extra_info["moves"] = measure.random_games(start, COUNT, 1)
    benchmark(measure.random_games, start, COUNT, 1)


@pytest.mark.benchmark(group="a random game at a table, from Python")
def bench_table_from_python(benchmark, state):
    choice = random.Random(1).choice
    seeds = itertools.count()

    def play() -> None:
        table = aiplay.Table(state.game, seed=next(seeds))
        while not table.over:
            table.play(choice(table.legal_moves()))

    benchmark(play)
