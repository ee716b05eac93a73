"""The speed of games and search on this machine, as `aiplay bench` shows it.

All figures are per second of processor time, which other programs on the machine hardly change.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aiplay._core import measure
from aiplay._core.game import Game, State, View
from aiplay._core.stream import RandomStream
from aiplay.errors import PlayerSpecError
from aiplay.players.human import HumanPlayer
from aiplay.registry import limited_spec, make_player
from aiplay.table import Table

__all__ = ["PLAYERS", "PlayerSpeed", "Speed", "machine", "measure_speed", "middle_of_a_game"]

ROUND = 0.1  # seconds of a round
BEST_OF = 3  # rounds
SEARCH = 0.5  # seconds of the choices of a player
PLAYERS = ("mcts", "expectimax")  # measured by default
MOVES = 6  # decisions up to the middle of a game


@dataclass(frozen=True)
class PlayerSpeed:
    """The speed of a player in the middle of a game."""

    player: str  # its specification
    unit: str  # iterations of mcts, nodes of expectimax, choices of players that do not search
    per_second: float


@dataclass(frozen=True)
class Speed:
    """Operations per second of processor time."""

    game: str
    state_bytes: int
    copies: float  # of a state, in C
    worlds: float | None  # sampled from a view, in C; None if nothing is hidden
    moves: float  # of random games, in C, chance included
    playouts: float  # whole random games, in C
    players: tuple[PlayerSpeed, ...]
    share: float  # of a core that this process got: processor time / wall time; above 1 with several threads


def measure_speed(game: Game, specs: Sequence[str] = PLAYERS) -> Speed:
    """Measure all figures of a game. Takes about two seconds of processor time."""
    began, began_work = time.perf_counter(), time.process_time()
    state, start = middle_of_a_game(game), game.new_state()
    view = state.view(state.to_move)
    length = measure.survey(start, 1000, 1)["moves"]
    games = rate(lambda n: measure.random_games(start, n, 1))
    return Speed(
        game=game.name,
        state_bytes=game.state_size,
        copies=rate(lambda n: measure.copy_states(state, n)),
        worlds=rate(lambda n: measure.sample_worlds(view, n, 1)) if game.has_hidden else None,
        moves=games * length,
        playouts=games,
        players=tuple(_player_speed(spec, view) for spec in specs),
        share=(time.process_time() - began_work) / (time.perf_counter() - began),
    )


def _player_speed(spec: str, view: View) -> PlayerSpeed:
    """Measure a player by choices from one view, each by a new player; without a limit, by one of half a second."""
    player = make_player(spec)
    if isinstance(player, HumanPlayer):
        raise PlayerSpecError(f"player {spec!r} has no speed; allowed: the other players")
    limited = limited_spec(spec, f"time={SEARCH}") if player.iterations_spent is not None else spec
    searches = player.iterations_spent is not None and len(view.legal_moves()) > 1
    unit, amount, seconds, seed = "choices", 0, 0.0, 0
    began = time.perf_counter()
    while not amount or time.perf_counter() - began < SEARCH:
        seed += 1
        player = make_player(limited, seed=seed)
        started = time.process_time()
        if not searches:  # a forced move is made without search
            player.choose(view)
            amount += 1
        else:
            analysis = player.analyse(view)
            unit = "nodes" if analysis.depth else "iterations"  # mcts has no depth
            amount += analysis.nodes if analysis.depth else analysis.iterations
        seconds += time.process_time() - started
    return PlayerSpeed(spec, unit, amount / seconds)


def rate(work: Callable[[int], object]) -> float:
    """Return how many repetitions of some work are done per second of processor time; `work(n)` does n of them."""
    n = 1
    while (spent := _seconds(work, n)) < ROUND / 2:
        n *= min(max(round(ROUND / max(spent, 1e-9)), 2), 10)
    return max(n / _seconds(work, n) for _ in range(BEST_OF))


def _seconds(work: Callable[[int], object], n: int) -> float:
    started = time.process_time()
    work(n)
    return time.process_time() - started


def middle_of_a_game(game: Game) -> State:
    """Return a choice after a few moves of a random game; after fewer if the game is shorter.

    A forced move if no random game has a choice there.
    """
    forced: State | None = None
    for n_moves in range(MOVES, -1, -1):
        for seed in range(100):
            table, stream = Table(game, seed=seed), RandomStream(seed)
            for _ in range(n_moves):
                if not table.over:
                    table.play(stream.choice(table.legal_moves()))
            if not table.over and len(table.legal_moves()) > 1:
                return table.state
            if not table.over and forced is None:
                forced = table.state
    if forced is None:
        raise ValueError(f"{game.name} is over before any seat can move")
    return forced


def machine() -> dict[str, object]:
    """Return what the figures depend on: processor, system, compiler and versions."""
    from importlib.metadata import version
    from importlib.util import find_spec

    return {
        "cpu": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **measure.build_facts(),
        "aiplay": version("aiplay"),
        "numpy": version("numpy") if find_spec("numpy") else None,
    }


def _processor() -> str:
    """Return the name of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine() or "unknown"
