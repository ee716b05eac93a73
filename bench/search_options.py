"""What each option of mcts is worth: `python bench/search_options.py [--pairs 200] [--game pig]`.

Every row is a player with one option changed against the player with all defaults, in paired games: the same deal
and dice, seats exchanged. "Equal iterations": both have the same number. "Equal time": the changed player has as
many more or fewer iterations as its moves are cheaper or dearer in processor time, so that the result does not
depend on what else the machine does. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from dataclasses import dataclass
from statistics import fmean, stdev

import aiplay
from aiplay.match.fixture import play_fixture
from aiplay.match.schedule import A, duel_fixtures

ITERATIONS = {"connect_four": 200, "pig": 100, "leduc_poker": 1000}
CHANGES = {
    "connect_four": (
        "exploration=0.3",
        "exploration=1.4",
        "fpu=0.5",
        "prior=none",
        "prior_visits=8",
        "prior_weight=8",
        "playout=greedy",
        "cutoff=0",
        "cutoff=8",
        "solver=no",
        "reuse=no",
        "early_stop=no",
        "trees=4",
    ),
    "pig": (
        "exploration=0.3",
        "exploration=1.4",
        "scale=no",
        "prior=none",
        "cutoff=-1",
        "cutoff=20",
        "reuse=no",
        "trees=4",
    ),
    "leduc_poker": (
        "exploration=0.3",
        "exploration=1.4",
        "prior=none",
        "prior_weight=8",
        "cutoff=0",
        "mode=several",
        "mode=pimc",
        "reuse=no",
        "trees=4",
    ),
}


@dataclass(frozen=True)
class Score:
    """What a player got more than the other, per game, and the standard error of that."""

    mean: float
    error: float
    unit: str

    def __str__(self) -> str:
        return (
            f"{self.mean:+.{1 if self.unit == '%' else 2}f} ± {self.error:.{1 if self.unit == '%' else 2}f}"
        )


def spec(iterations: int, change: str = "") -> str:
    return f"mcts:iterations={iterations}" + (f",{change}" if change else "")


def duel(game: aiplay.Game, a: str, b: str, pairs: int) -> Score:
    """Paired games of a against b: chips per game in poker, else by how many per cent a won more than half."""
    is_poker = game.name == "leduc_poker"
    scale = 1.0 if is_poker else 100 / (game.max_return - game.min_return)
    results: dict[int, list[float]] = {}
    for fixture in duel_fixtures(game, (a, b), 2 * pairs, seed=7):
        result = play_fixture(fixture)
        results.setdefault(fixture.pair, []).append(scale * result.returns[fixture.sides.index(A)])
    means = [fmean(pair) for pair in results.values()]
    return Score(fmean(means), stdev(means) / math.sqrt(len(means)), "chips" if is_poker else "%")


def decisions(game: aiplay.Game, count: int) -> list[aiplay.View]:
    """Views with a choice, from random games."""
    stream, views = aiplay.RandomStream(3), []
    while len(views) < count:
        table = aiplay.Table(game, seed=stream.bits())
        for _ in range(stream.below(20)):
            if not table.over:
                table.play(stream.choice(table.legal_moves()))
        if len(table.legal_moves()) > 1:
            views.append(table.view(table.to_move))
    return views


def seconds(player: str, views: list[aiplay.View]) -> float:
    """Processor time of all these choices."""
    players = [aiplay.make_player(player, seed=1) for _ in views]
    started = time.process_time()
    for one, view in zip(players, views, strict=True):
        one.choose(view)
    return time.process_time() - started


def cost(game: aiplay.Game, change: str, iterations: int) -> float:
    """Processor time of a choice as a multiple of the default player's, on the same views: the best of each."""
    views = decisions(game, 50)
    rounds = [(seconds(spec(iterations, change), views), seconds(spec(iterations), views)) for _ in range(9)]
    return min(changed for changed, _ in rounds) / min(default for _, default in rounds)


def row(name: str, change: str, pairs: int, is_cost_only: bool) -> str:
    """One line of the table."""
    game, iterations = aiplay.load_game(name), ITERATIONS[name]
    if is_cost_only:
        return f"| `{change}` | | {cost(game, change, iterations):.2f} | |"
    equal = duel(game, spec(iterations, change), spec(iterations), pairs)
    ratio = cost(game, change, iterations)
    scaled = max(1, round(iterations / ratio))
    timed = duel(game, spec(scaled, change), spec(iterations), pairs)
    return f"| `{change}` | {equal} | {ratio:.2f} | {timed} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure what the options of mcts are worth.")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of games for each figure (200)")
    parser.add_argument("--game", choices=tuple(CHANGES), action="append", help="only this game")
    parser.add_argument("--option", help="only the changes that start like this")
    parser.add_argument("--cost", action="store_true", help="no games, only the processor time")
    arguments = parser.parse_args()
    for name in arguments.game or CHANGES:
        unit = "chips" if name == "leduc_poker" else "%"
        print(f"\n{name}, {ITERATIONS[name]} iterations, {arguments.pairs} pairs of games\n")
        print(f"| option | equal iterations, {unit} | cost | equal time, {unit} |")
        print("| --- | --- | --- | --- |")
        for change in CHANGES[name]:
            if change.startswith(arguments.option or ""):
                print(row(name, change, arguments.pairs, arguments.cost), flush=True)
                print(f"{name} {change} done", file=sys.stderr)


if __name__ == "__main__":
    main()
