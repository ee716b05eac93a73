"""Speed of this tree against another checkout of aiplay: the same work by turns, ratios of the best times.

    python bench/compare.py ../aiplay-before             # compiled in place (python setup.py build_ext --inplace)
    python bench/compare.py ../aiplay-before --only mcts --rounds 9

Both run in the present Python, each round in a fresh process, one after the other. Times are processor times. A ratio
above 1 means that this tree is faster. The noise is a few per cent on a quiet machine; more rounds make it smaller.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
SEED = 5
PLIES = {
    "connect_four": 4,
    "leduc_poker": 1,
    "pig": 5,
}  # decisions before the position that is searched; else 20
# Rules that older checkouts have without the option, so that both play the same game.
OPTIONS = {"three_magicians": {"apprentice_must_move": True}}
SECONDS = 0.15  # that one measurement of a probe should take


def mcts(iterations):
    """Search one position for a fixed number of iterations."""
    return lambda aiplay, view: aiplay.make_player(f"mcts:iterations={iterations}", seed=SEED).analyse(view)


def expectimax(depth):
    """Search one position to a fixed depth."""
    return lambda aiplay, view: aiplay.make_player(f"expectimax:depth={depth},worlds=8", seed=SEED).analyse(
        view
    )


def choices(spec):
    """Choose with a small budget, where the work around the search shows."""

    def run(aiplay, view):
        player = aiplay.make_player(spec, seed=SEED)
        for _ in range(20):
            player.choose(view)

    return run


def playouts(aiplay, view):
    """Random games from one position."""
    view.game.playouts([view.sample_world(seed=SEED)], n=200, seed=SEED)


GAMES = ("connect_four", "illusio", "leduc_poker", "levitation", "magic_rabbit", "pig", "three_magicians")
ITERATIONS = {"magic_rabbit": 2_000}
LARGE = {"illusio": 6, "levitation": 5, "magic_rabbit": 4}  # games that are searched with more seats, too
DEPTHS = {"connect_four": 8, "levitation": 3, "pig": 5}
PROBES = {
    **{f"playouts {game}": (game, playouts) for game in GAMES},
    **{f"mcts {game}": (game, mcts(ITERATIONS.get(game, 20_000))) for game in GAMES},
    **{f"mcts {game}, {seats} seats": (game, mcts(2_000)) for game, seats in LARGE.items()},
    **{f"expectimax {game}": (game, expectimax(depth)) for game, depth in DEPTHS.items()},
    **{f"greedy {game}": (game, choices("greedy")) for game in ("illusio", "levitation")},
    "choose illusio, 100 iterations": ("illusio", choices("mcts:iterations=100,reuse=no")),
}


def measure(names):
    """Run the probes of these names with the aiplay that Python finds; print the best time of each."""
    import aiplay

    best = {}
    for name in names:
        game, probe = PROBES[name]
        view = position(aiplay, game, {"players": LARGE[game]} if name.endswith(" seats") else {})
        probe(aiplay, view)  # imports what is imported on demand
        times, end = [], time.perf_counter() + SECONDS
        while not times or time.perf_counter() < end:
            started = time.process_time()
            probe(aiplay, view)
            times.append(time.process_time() - started)
        best[name] = min(times)
    print(json.dumps(best))


def position(aiplay, name, options):
    """A view of a seat that has a choice, some random decisions into a game."""
    try:
        game = aiplay.load_game(name, **OPTIONS.get(name, {}), **options)
    except aiplay.AiplayError:
        game = aiplay.load_game(name, **options)
    table = aiplay.Table(game, seed=SEED)
    dice = random.Random(SEED)
    n_decisions = 0
    while True:
        view = table.view(table.to_move)
        moves = view.legal_moves()
        if len(moves) > 1:
            if n_decisions == PLIES.get(name, 20):
                return view
            n_decisions += 1
        table.play(moves[int(dice.random() * len(moves))])


def compare(other, names, rounds):
    """The ratio of the best times of the other tree and this one, for each probe."""
    best = {tree: dict.fromkeys(names, float("inf")) for tree in (HERE, other)}
    for _ in range(rounds):
        for tree, times in best.items():
            for name, seconds in run_in(tree, names).items():
                times[name] = min(times[name], seconds)
    return {name: (best[HERE][name], best[other][name] / best[HERE][name]) for name in names}


def run_in(tree, names):
    """One round in a fresh process that imports aiplay from a tree."""
    command = [sys.executable, __file__, "--measure", *names]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(command, env=environment, cwd=tree, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("other", nargs="?", type=Path, help="the checkout to compare with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="probes whose name contains this")
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure(given.measure)
        return
    names = [name for name in PROBES if given.only in name]
    if given.other is None or not (given.other / "aiplay").is_dir() or not names:
        parser.error(f"needed: a checkout of aiplay, and probes among {', '.join(PROBES)}")
    for name, (seconds, ratio) in compare(given.other.resolve(), names, given.rounds).items():
        print(f"{name:32} {1000 * seconds:9.2f} ms   {ratio:5.2f} times as fast as there")


if __name__ == "__main__":
    main()
