"""`aiplay duel -j 2` against `-j 1`, start of the processes included. `python bench/jobs.py [--rounds 3] [--json]`

Plays the same match with one process and with two, in turn; the best of all rounds counts. The wall times need two idle
cores. The processor times of all processes do not: half of what two processes need is what two idle cores would take
at best.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

# Games of each match, by game and player: some seconds on one core.
MATCHES = {
    ("connect_four", "random"): 60_000,
    ("connect_four", "greedy"): 40_000,
    ("connect_four", "expectimax:depth=4"): 4_000,
    ("connect_four", "mcts:iterations=100"): 2_000,
    ("pig", "random"): 15_000,
    ("pig", "greedy"): 10_000,
    ("pig", "mcts:iterations=100"): 600,
    ("illusio", "random"): 4_000,
    ("illusio", "greedy"): 400,
    ("illusio", "mcts:iterations=100"): 100,
}


def play(game: str, player: str, games: int, jobs: int, bytecode: str) -> tuple[float, float]:
    """Play a match with the command; return its wall time and the processor time of all its processes, in seconds."""
    environment = os.environ | {
        "PYTHONPYCACHEPREFIX": bytecode
    }  # compiled modules, as an installed package has
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    options = [
        "--game",
        game,
        "--a",
        player,
        "--b",
        player,
        "--games",
        str(games),
        "--seed",
        "1",
        "-j",
        str(jobs),
    ]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "aiplay", "duel", *options], check=True, capture_output=True, env=environment
    )
    after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    return ended - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="times that each match is played")
    parser.add_argument("--share", type=float, default=1.0, help="share of the games to play")
    parser.add_argument("--json", action="store_true", help="print one JSON list")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as bytecode:
        play("pig", "random", 2, 2, bytecode)  # compiles the modules
        for (game, player), full in MATCHES.items():
            games = max(2, int(full * arguments.share))
            times: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
            for _ in range(arguments.rounds):
                for jobs, found in times.items():
                    found.append(play(game, player, games, jobs, bytecode))
            (wall, processor), (wall_2, processor_2) = (
                map(min, zip(*found, strict=True)) for found in times.values()
            )
            row = {"game": game, "player": player, "games": games, "seconds": wall, "seconds, -j 2": wall_2}
            row |= {"processor seconds": processor, "processor seconds, -j 2": processor_2}
            row |= {"speed-up": wall / wall_2, "at best": 2 * processor / processor_2}
            rows.append(row)
            if not arguments.json:
                print(
                    f"{game:<14}{player:<22}{games:>7}{wall:>8.2f} s{wall_2:>8.2f} s{row['speed-up']:>7.2f}x   "
                    f"processor{processor:>7.2f} s{processor_2:>7.2f} s, at best{row['at best']:>6.2f}x",
                    flush=True,
                )
    if arguments.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
