"""How fast games and search are on this machine: the figures of `aiplay bench`."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from aiplay._core import measure
from aiplay._core.game import Game, State
from aiplay._core.stream import RandomStream
from aiplay.limit import Limit
from aiplay.registry import make_player
from aiplay.table import Table

__all__ = ["Speed", "machine", "measure_speed", "middle_of_a_game"]

ROUND = 0.1  # seconds of a round
ROUNDS = 3  # the best of so many counts
SEARCH = 0.5  # seconds of a search
MOVES = 6  # decisions before the middle of a game


@dataclass(frozen=True)
class Speed:
    """What one core does in a second."""

    game: str
    state_bytes: int
    copies: float  # of a state, in C
    worlds: float | None  # sampled from a view, in C; None where nothing is hidden
    moves: float  # of random games, in C, chance included
    playouts: float  # whole random games, in C
    iterations: float  # of mcts with its default options, from the middle of a game


def measure_speed(game: Game) -> Speed:
    """All figures of a game; takes some two seconds."""
    state, start = middle_of_a_game(game), game.new_state()
    view = state.view(state.to_move)
    length = measure.survey(start, 1000, 1)["moves"]
    games = rate(lambda n: measure.random_games(start, n, 1))
    analysis = make_player("mcts:reuse=false", seed=1).analyse(view, Limit(time=SEARCH))
    return Speed(
        game=game.name,
        state_bytes=game.state_size,
        copies=rate(lambda n: measure.copy_states(state, n)),
        worlds=rate(lambda n: measure.sample_worlds(view, n, 1)) if game.has_hidden else None,
        moves=games * length,
        playouts=games,
        iterations=analysis.iterations_per_second,
    )


def rate(work: Callable[[int], object]) -> float:
    """How many turns of some work fit into a second, in the best of some rounds; `work(n)` does n turns."""
    n = 1
    while (spent := _seconds(work, n)) < ROUND / 2:
        n *= min(max(round(ROUND / max(spent, 1e-9)), 2), 10)
    return max(n / _seconds(work, n) for _ in range(ROUNDS))


def _seconds(work: Callable[[int], object], n: int) -> float:
    started = time.perf_counter()
    work(n)
    return time.perf_counter() - started


def middle_of_a_game(game: Game) -> State:
    """A decision of a seat some way into a random game; less far in games that are over sooner."""
    for n_moves in range(MOVES, -1, -1):
        for seed in range(100):
            table, stream = Table(game, seed=seed), RandomStream(seed)
            for _ in range(n_moves):
                if not table.over:
                    table.play(stream.choice(table.legal_moves()))
            if not table.over:
                return table.state
    raise ValueError(f"{game.name} is over before anybody can move")


def machine() -> dict[str, object]:
    """What the figures depend on: processor, system, compiler and versions."""
    from importlib.metadata import version

    return {
        "cpu": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **measure.build_facts(),
        "aiplay": version("aiplay"),
        "numpy": version("numpy"),
    }


def _processor() -> str:
    """The name of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine() or "unknown"
