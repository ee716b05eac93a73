"""How readable players are in Liar's Dice: ``python bench/liars_dice_players.py docs/pictures/liars_dice.json``.

One die with four faces each: small enough for an exact best response, large enough to bluff. Every player is asked once
for each decision; one tree stands for all decisions of `mixed`, which solves the whole game for each. From these
strategies follow, without chance, what a best response wins against the player, and what the solved game
(`mixed:iterations=1000`) wins against it. Every result is written at once, and results in the file are not measured
again.
"""

from __future__ import annotations

import json
import math
import sys
from array import array
from pathlib import Path

import aiplay
from aiplay._core.search.common.control import StopFlag
from aiplay._core.search.regret.gametree import GameTree
from aiplay.exploit.exact import gains

ROOT = Path(__file__).parents[1]
PLAYERS = (
    "random",
    "greedy",
    "expectimax:depth=8",
    "mcts:iterations=100",
    "mcts:iterations=1000",
    "mixed:method=here,iterations=1000",
    "mixed:iterations=10",
    "mixed:iterations=100",
)


def strategy_of(tree: GameTree, spec: str) -> array[float]:
    """Return how often a player makes each move of each decision."""
    if spec.startswith("mixed:iterations="):
        return solved(tree.game, int(spec.partition("=")[2]))
    strategy = array("d")
    for place in range(tree.n_infosets):
        policy = aiplay.make_player(spec, seed=1).policy(tree.view(place))
        strategy.extend(policy.get(move, 0.0) for move in tree.moves_of(place))
    return strategy


def unrolled(game: aiplay.Game) -> GameTree:
    return GameTree(game, max_nodes=100_000, stop=StopFlag())


def solved(game: aiplay.Game, iterations: int) -> array[float]:
    """Return the strategy of the solved game."""
    tree = unrolled(game)
    tree.solve(StopFlag(), math.inf, math.inf, iterations)
    return array("d", [share for place in range(tree.n_infosets) for share in tree.average(place)])


def wins(tree: GameTree, one: array[float], other: array[float]) -> float:
    """Return the mean returns of a strategy against another one, over both seats."""
    total = 0.0
    for seat in (0, 1):
        both, first = array("d"), 0
        for place in range(tree.n_infosets):
            n = len(tree.moves_of(place))
            both.extend((one if tree.view(place).seat == seat else other)[first : first + n])
            first += n
        total += tree.value(seat, both) / 2
    return total


def main() -> None:
    sys.path.insert(0, str(ROOT / "examples" / "liars_dice"))
    from liars_dice import LiarsDice

    tree, file = unrolled(LiarsDice(dice=1, faces=4)), Path(sys.argv[1])
    best, found = solved(tree.game, 1000), json.loads(file.read_text()) if file.exists() else {}
    for spec in PLAYERS:
        if spec in found:
            continue
        strategy = strategy_of(tree, spec)
        found[spec] = {
            "exploitability": round(gains(tree, strategy).value, 5),
            "solved_wins": round(wins(tree, best, strategy), 5),
        }
        print(spec, found[spec], flush=True)
        file.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
