"""Time from a fresh process to its first move. `python bench/first_move.py [--json] [--rounds 15] [--game NAME ...]`.

Every contender is a new Python process, started in turn with the others; the best of all rounds counts, after one that
does not: it writes the compiled bytecode, which an installed package has. Processor times are steadier than wall times
on a busy machine, and the ratio to an empty process is steadier still.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

from aiplay.registry import GAMES

AIPLAY = """
import aiplay
table = aiplay.Table(aiplay.load_game({game!r}), seed=1)
aiplay.make_player("mcts:iterations=100", seed=1).choose(table.view(table.to_move))
"""
OPENSPIEL = """
import pyspiel
state = pyspiel.load_game("connect_four").new_initial_state()
evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
pyspiel.MCTSBot(pyspiel.load_game("connect_four"), evaluator, 2.0, 100, 100, True, 1, False).step(state)
"""


def contenders(games: list[str]) -> dict[str, str]:
    """The programs to start, by name."""
    found = {
        "python -c pass": "pass",
        "import numpy": "import numpy",
        "import aiplay": "import aiplay",
    } | {f"aiplay: 100 iterations of mcts on {game}": AIPLAY.format(game=game) for game in games}
    if importlib.util.find_spec("pyspiel"):
        found["pyspiel: 100 simulations of MCTSBot on connect_four"] = OPENSPIEL
    return found


def start(program: str, bytecode: str) -> tuple[float, float]:
    """Run a program in a new process; return its processor time and wall time in milliseconds.

    `bytecode` is the folder of compiled modules.
    """
    environment = os.environ | {"PYTHONPYCACHEPREFIX": bytecode}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
    after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1000 * processor, 1000 * (ended - began)


def main() -> None:
    """Start every program in turn, and print the best times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", nargs="+", default=list(GAMES), help="games of the first move")
    parser.add_argument("--rounds", type=int, default=15, help="times that each program is started")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    programs = contenders(arguments.game)
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as bytecode:
        for _ in range(1 + arguments.rounds):
            for name, program in programs.items():
                times[name].append(start(program, bytecode))
    best = {name: [min(column) for column in zip(*found[1:], strict=True)] for name, found in times.items()}
    empty = best["python -c pass"][0]
    rows = {
        name: {"processor ms": processor, "wall ms": wall, "ratio": processor / empty}
        for name, (processor, wall) in best.items()
    }
    if arguments.json:
        print(json.dumps(rows))
        return
    print(f"{'':54}{'processor ms':>14}{'wall ms':>10}{'ratio':>8}")
    for name, row in rows.items():
        print(f"{name:54}{row['processor ms']:14.0f}{row['wall ms']:10.0f}{row['ratio']:7.1f}x")


if __name__ == "__main__":
    main()
