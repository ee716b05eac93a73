"""The games that `--adjust` saves in every game with chance, and in pig with its exact values.

    python bench/games_saved.py                      the table of docs/review.md
    python bench/games_saved.py --only pig           some rows

A row is a duel of 400 games. The factor is the variance of the scores of deals divided by that of the adjusted ones.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from aiplay.match import Duel
from aiplay.report import duel_document

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

GREEDY = ("greedy", "mcts:iterations=60")
SEARCH = ("mcts:iterations=60", "mcts:iterations=120")
ROWS = [  # game, players, exact values
    ("pig", SEARCH, False),
    ("pig", SEARCH, True),
    ("pig", GREEDY, False),
    ("pig", GREEDY, True),
    ("leduc_poker", GREEDY, False),
    ("three_magicians", GREEDY, False),
    ("illusio", SEARCH, False),
    ("illusio", GREEDY, False),
    ("levitation", SEARCH, False),
    ("levitation", GREEDY, False),
]


def games_saved(game: str, players: tuple[str, str], is_exact: bool, games: int, seed: int) -> dict[str, Any]:
    """Return the document of a duel with adjusted scores."""
    from test_adjust import exact

    duel = Duel(game, *players, games=games, seed=seed, adjust=exact if is_exact else True)
    duel.play()
    found: dict[str, Any] = duel_document(duel)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="rows of this game")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| game | a | b | games saved |\n| --- | --- | --- | --- |")
    for game, players, is_exact in ROWS:
        if given.only in (None, game):
            found = games_saved(game, players, is_exact, given.games, given.seed)
            name = f"{game}, exact values" if is_exact else game
            print(f"| {name} | `{players[0]}` | `{players[1]}` | {found['games_saved']:.1f} |", flush=True)


if __name__ == "__main__":
    main()
