"""Savings by each part of expectimax: ``python bench/expectimax_pruning.py [--game NAME]``.

Every variant finds the same values on the same positions. Nodes and processor time are given as shares of the plain
search without pruning, ordering and cache.
"""

from __future__ import annotations

import argparse
import time

from time_limits import some_views

import aiplay
from aiplay import Limit
from aiplay.registry import split_spec

VARIANTS = {
    "nothing": "pruning=none,ordering=no,cache=0",
    "alpha-beta": "pruning=alphabeta,ordering=no,cache=0",
    "+ Star1": "pruning=star1,ordering=no,cache=0",
    "+ Star2": "pruning=star2,ordering=no,cache=0",
    "+ ordering": "pruning=star2,ordering=yes,cache=0",
    "+ cache": "pruning=star2,ordering=yes",
    "all but Star2": "pruning=star1,ordering=yes",
    "all but Star1, Star2": "pruning=alphabeta,ordering=yes",
    "all but ordering": "pruning=star2,ordering=no",
    "cache alone": "pruning=none,ordering=no",
}
DEPTHS = {"connect_four": 7, "pig": 7, "leduc_poker": 12}


def cost(spec: str, views: list[aiplay.View], depth: int) -> tuple[int, float, list[float]]:
    """Return nodes, processor seconds, and the values found."""
    nodes, seconds, values = 0, 0.0, []
    for view in views:
        player = aiplay.make_player(f"expectimax:{spec}", seed=1)
        started = time.process_time()
        analysis = player.analyse(view, Limit(depth=depth))
        seconds += time.process_time() - started
        nodes += analysis.nodes
        values += [move.value for move in sorted(analysis.moves, key=lambda move: move.move)]
    return nodes, seconds, values


def report(name: str, depth: int, n: int, extra: str) -> None:
    game_name, options = split_spec(name)
    game = aiplay.load_game(game_name, **options)
    views = some_views(game, n, seed=2)
    print(f"\n{game!r}, {n} positions, {depth} decisions ahead {extra}")
    print(f"{'':22} {'nodes':>12} {'share':>8} {'CPU s':>8} {'share':>8} {'M nodes/s':>10}")
    base = None
    for title, spec in VARIANTS.items():
        nodes, seconds, values = cost(spec + extra, views, depth)
        base = base or (nodes, seconds, values)
        assert all(abs(a - b) < 1e-9 for a, b in zip(values, base[2], strict=True)), "a value has changed"
        print(
            f"{title:22} {nodes:12,} {100 * nodes / base[0]:7.2f}% {seconds:8.3f} {100 * seconds / base[1]:7.2f}%"
            f" {nodes / seconds / 1e6:10.2f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--game", action="append", help="one or more, like pig:players=3; default: the reference games"
    )
    parser.add_argument("--depth", type=int, help="decisions to look ahead")
    parser.add_argument("--positions", type=int, default=10)
    parser.add_argument("--options", default="", help="more options of the player, like width=4")
    args = parser.parse_args()
    for name in args.game or DEPTHS:
        depth = args.depth or DEPTHS.get(name, 3)
        report(name, depth, args.positions, f",{args.options}" if args.options else "")


if __name__ == "__main__":
    main()
