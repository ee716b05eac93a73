"""Speed of mcts with a trained value against the game's own evaluation: ``python bench/learned_value.py FILE``.

Both search the same positions in turn, each as it does by default; with `--cutoff` both make as many moves in playouts,
so that only the evaluation differs. Prints iterations per second of
processor time and their ratio for every round, and the median ratio. Without a file, random weights for `--game` are
used: the speed does not depend on them.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import aiplay
from aiplay._core.game import View
from aiplay.value import Value

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from value_files import random_value


def views_of(game: aiplay.Game, count: int, seed: int) -> list[View]:
    """Return the views of the seat to move in the middle of random games."""
    stream, views = aiplay.RandomStream(seed), []
    while len(views) < count:
        table = aiplay.Table(game, seed=stream.bits())
        for _ in range(stream.below(20)):
            if not table.over:
                table.play(stream.choice(table.legal_moves()))
        if not table.over and len(table.legal_moves()) > 1:
            views.append(table.view(table.to_move))
    return views


def speed(spec: str, views: list[View]) -> float:
    """Return the iterations per second of processor time over all views."""
    iterations, started = 0, time.process_time()
    for view in views:
        iterations += aiplay.make_player(spec, seed=1).analyse(view).iterations
    return iterations / (time.process_time() - started)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", help="a value file")
    parser.add_argument("--game", default="connect_four", help="the game, without a file")
    parser.add_argument("--hidden", type=int, default=32, help="hidden units, without a file")
    parser.add_argument("--share", type=float, default=1.0, help="share of the inputs, without a file")
    parser.add_argument("--cutoff", type=int, help="moves of a playout of both")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = given.file or str(Path(folder) / "random.json")
        if given.file is None:
            game = aiplay.load_game(given.game)
            random_value(game, given.hidden, share=given.share).write(file)
        value = Value.read(file)
        game = aiplay.load_game(value.description["game"], **value.description["options"])
        cutoff = "" if given.cutoff is None else f",cutoff={given.cutoff}"
        base = f"mcts:iterations={given.iterations},early_stop=false{cutoff}"
        views, ratios = views_of(game, 8, 1), []
        speed(base, views)  # the first search of a process is slower
        for _ in range(given.rounds):
            own = speed(f"{base},value=game", views)
            trained = speed(f"{base},value={file}", views)
            ratios.append(trained / own)
            print(f"value=game {own:10,.0f}/s   trained {trained:10,.0f}/s   ratio {ratios[-1]:.2f}")
    print(f"{game!r}{cutoff}: median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
