"""mcts on connect four against a UCT in plain C that knows only this game: `python bench/bare_uct.py [--json]`.

Both search the first move with random playouts to the end (with our default options: by the policy of the game), one
thread, in turn within one run, measured by processor time; the best round of each counts. bare_uct.c is compiled with
the flags of a release build, by the compiler in the environment variable CC or by `cc`.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import aiplay

SOURCE = Path(__file__).with_name("bare_uct.c")
FLAGS = ["-O3", "-g0", "-fno-math-errno", "-shared", "-fPIC"]
EXPLORATION = 0.7
BARE = f"exploration={EXPLORATION},prior=none,cutoff=-1,playout=random,early_stop=no,reuse=no"
SPECS = {
    "bare": f"{BARE},solver=no",
    "bare, with proofs": BARE,
    "default options": "early_stop=no,reuse=no",
}

Search = Callable[[int, int], object]  # takes iterations and a seed


def compiled(folder: str) -> Search:
    """Compile the C file; return its search."""
    library = str(Path(folder) / "bare_uct.so")
    compiler = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*compiler, *FLAGS, str(SOURCE), "-o", library, "-lm"], check=True)
    run = ctypes.CDLL(library).bare_uct
    run.argtypes = [ctypes.c_uint32, ctypes.c_double, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint32)]
    run.restype = ctypes.c_uint32

    def search(iterations: int, seed: int) -> list[int]:
        visits = (ctypes.c_uint32 * 7)()
        if not run(iterations, EXPLORATION, seed, visits):
            raise MemoryError
        return list(visits)

    return search


def ours(options: str) -> Search:
    """Return the same search of ours."""
    view = aiplay.load_game("connect_four").new_state().view(0)

    def search(iterations: int, seed: int) -> list[int]:
        player = aiplay.make_player(f"mcts:iterations={iterations},memory=4096,{options}", seed=seed)
        moves = player.analyse(view).moves
        return [found.visits for found in sorted(moves, key=lambda found: found.move)]

    return search


def measure(searches: dict[str, Search], iterations: int, rounds: int) -> dict[str, float]:
    """Return the nanoseconds of an iteration of each search, all in turn."""
    best = dict.fromkeys(searches, float("inf"))
    for seed in range(rounds):
        for name, search in searches.items():
            started = time.process_time()
            search(iterations, seed)
            best[name] = min(best[name], 1e9 * (time.process_time() - started) / iterations)
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Compare mcts on connect four with a bare UCT in C.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--iterations", type=int, nargs="+", default=[20_000, 200_000], help="per search")
    parser.add_argument("--rounds", type=int, default=9, help="measurements of each (9)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        searches = {"C": compiled(folder), **{name: ours(options) for name, options in SPECS.items()}}
        found = {n: measure(searches, n, arguments.rounds) for n in arguments.iterations}
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{'ns per iteration':<20}" + "".join(f"{f'{n:,} iterations':>24}" for n in found))
    for name in searches:
        cells = (f"{row[name]:.0f} ({row[name] / row['C']:.2f}x)" for row in found.values())
        print(f"{name:<20}" + "".join(f"{cell:>24}" for cell in cells))


if __name__ == "__main__":
    main()
