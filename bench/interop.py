"""The cost of the adapters: `python bench/interop.py [--json]`.

Random games with moves chosen in Python, in OpenSpiel and here: each library's own game, and the other's through the
adapter. Steps of PettingZoo environments, compared with PettingZoo's own if that is installed (`pip install
'pettingzoo[classic]'`). Observations and playouts one by one and in arrays. All are measured alternately in one run, as
in vs_openspiel.py.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from vs_openspiel import Comparison, Contender, as_json, as_text, measure_all, spiel_games, state_games

import aiplay
from aiplay.interop.openspiel import from_openspiel, to_openspiel
from aiplay.interop.pettingzoo import env

choice = random.Random(1).choice
ROWS = 1000  # views or states in an array


def compare_openspiel(name: str) -> Comparison:
    """Compare the same game in four ways."""
    contenders = [
        Contender("OpenSpiel's, in OpenSpiel", spiel_games(pyspiel.load_game(name))),
        Contender("aiplay's, in OpenSpiel", spiel_games(to_openspiel(name))),
        Contender("OpenSpiel's, in aiplay", state_games(from_openspiel(name))),
        Contender("aiplay's, in aiplay", state_games(aiplay.load_game(name))),
    ]
    return Comparison(f"{name}: random games", "moves/s", contenders)


def environment_games(environment: Any) -> Callable[[int], int]:
    """Return a function that plays random games of a PettingZoo environment, with every observation."""

    def run(n: int) -> int:
        steps = 0
        for seed in range(n):
            environment.reset(seed=seed)
            for _ in environment.agent_iter():
                seen, _, over, cut, _ = environment.last()
                environment.step(None if over or cut else choice(np.flatnonzero(seen["action_mask"])))
                steps += 1
        return steps

    return run


def compare_pettingzoo(name: str) -> Comparison:
    """Compare steps of environments, with observations and masks."""
    contenders = [Contender("aiplay's environment", environment_games(env(name)))]
    if name == "connect_four":
        try:
            from pettingzoo.classic import connect_four_v3

            theirs = Contender("PettingZoo's connect_four_v3", environment_games(connect_four_v3.env()))
            contenders.insert(0, theirs)
        except ModuleNotFoundError:
            pass
    return Comparison(f"{name}: PettingZoo", "steps/s", contenders)


def times(call: Callable[[], object], each: int) -> Callable[[int], int]:
    """Return a function that makes n calls, each of which does `each` units of work."""

    def run(n: int) -> int:
        for _ in range(n):
            call()
        return n * each

    return run


def compare_arrays(name: str) -> list[Comparison]:
    """Compare single states with whole arrays."""
    game = aiplay.load_game(name)
    states: list[aiplay.State] = []
    while len(states) < ROWS:
        state = game.new_state()
        while not state.is_over and len(states) < ROWS:
            states.append(state.copy())
            state.play(choice(state.legal_moves()))
    views = [state.view(i % game.seats) for i, state in enumerate(states)]
    seen, true = game.to_array(views), game.to_array(states)
    one_by_one = times(lambda: [view.observation() for view in views], ROWS)
    observations = [
        Contender("view.observation, one by one", one_by_one),
        Contender("game.observations of an array", times(lambda: game.observations(seen), ROWS)),
    ]
    playouts = [
        Contender("game.playouts of an array", times(lambda: game.playouts(true), ROWS)),
        Contender("without checking it", times(lambda: game.playouts(true, check=False), ROWS)),
    ]
    return [
        Comparison(f"{name}: observations", "views/s", observations),
        Comparison(f"{name}: playouts of {ROWS} states", "games/s", playouts),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the adapters.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seconds", type=float, default=0.2, help="length of one measurement (default 0.2)")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of everything (default 5)")
    arguments = parser.parse_args()
    comparisons = [compare_openspiel(name) for name in ("connect_four", "leduc_poker", "pig")]
    comparisons += [compare_pettingzoo(name) for name in ("connect_four", "leduc_poker", "illusio")]
    for name in ("connect_four", "leduc_poker", "illusio"):
        comparisons += compare_arrays(name)
    measure_all(comparisons, arguments.seconds, arguments.rounds)
    print(as_json(comparisons, []) if arguments.json else as_text(comparisons, []))


if __name__ == "__main__":
    main()
