"""How strong bots are in a game written in Python, and what that costs: ``python bench/love_letter.py``.

Plays examples/love_letter.py; docs/guides/game.md has the result. Prints Markdown.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from aiplay.match import Duel

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

PAIRS = (
    ("greedy", "random"),
    ("mcts:iterations=100", "random"),
    ("mcts:iterations=100", "greedy"),
    ("mcts:iterations=1000", "greedy"),
)


def main() -> None:
    from love_letter import LoveLetter

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| a | b | a's score | 95 % interval | ms per move of a |\n| --- | --- | --- | --- | --- |")
    for a, b in PAIRS:
        found = Duel(LoveLetter(), a, b, games=given.games, seed=given.seed).play()
        low, high = 100 * found.a_score_low, 100 * found.a_score_high
        milliseconds = 1000 * found.a.seconds_per_move
        print(
            f"| `{a}` | `{b}` | {100 * found.a_score:.1f} % | {low:.0f} to {high:.0f} | {milliseconds:.2g} |"
        )


if __name__ == "__main__":
    main()
