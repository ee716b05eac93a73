"""How soon players stop: ``python bench/stopping.py [--tries N]``.

A search that would take hours is stopped after a moment; the time from the call of `stop` to the answer is measured.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time

import aiplay

LONG = (
    "greedy:worlds=1000000,samples=1000000",
    "mcts:iterations=1000000000000,early_stop=no,solver=no",
    "mcts:iterations=1000000000000,early_stop=no,solver=no,threads=2",
    "mcts:iterations=1000000000000,early_stop=no,mode=pimc,worlds=1000",
    "expectimax:depth=10000",
    "expectimax:depth=10000,threads=2",
    "mixed:method=whole,positions=20000000,iterations=1000000000",
    "mixed:method=start,iterations=1000000000",
    "mixed:method=here,iterations=1000000000",
)
GAMES = ("illusio", "levitation", "magic_rabbit", "three_magicians")


def seconds_to_stop(name: str, spec: str, after: float) -> float:
    """Return the seconds from a stop to the answer of a search that has run for `after` seconds."""
    table = aiplay.Table(aiplay.load_game(name), seed=3)
    while len(table.legal_moves()) == 1:
        table.play(table.legal_moves()[0])
    view, player = table.view(table.to_move), aiplay.make_player(spec, seed=1)
    search = threading.Thread(target=player.choose, args=(view,), daemon=True)
    search.start()
    time.sleep(after)
    started = time.perf_counter()
    while search.is_alive():
        player.stop()
        search.join(0.2)
    return time.perf_counter() - started


def main() -> None:
    """Measure, and print a row for each player."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=5)
    tries = parser.parse_args().tries
    print("| player | median | longest |")
    print("| --- | --- | --- |")
    for spec in LONG:
        found = [
            1000 * seconds_to_stop(name, spec, 0.1 + 0.1 * number)
            for name in GAMES
            for number in range(tries)
        ]
        print(f"| `{spec}` | {statistics.median(found):.1f} ms | {max(found):.1f} ms |")


if __name__ == "__main__":
    main()
