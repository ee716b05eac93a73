"""Strength against time: ``python bench/strength_time.py --results docs/pictures/strength_time.json``.

In a game every searching player meets the same reference player, with more and more time per move. Every finished duel is written
to the results file, and duels in the file are not played again: the same command continues a run that was stopped.
``python docs/pictures/draw_strength.py`` draws the figures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aiplay.match import Duel

REFERENCE = {  # strong enough that no player wins nearly every game
    "connect_four": "mcts:iterations=20000",
    "leduc_poker": "mcts:iterations=1000",
    "pig": "mcts:iterations=1000",
}
SECONDS = (0.01, 0.02, 0.05, 0.1, 0.2)
GAMES = {"connect_four": 40, "leduc_poker": 200, "pig": 30}
PLAYERS = {
    "connect_four": ("mcts", "expectimax"),
    "leduc_poker": ("mcts", "expectimax", "mixed"),
    "pig": ("mcts", "expectimax"),
}


def duels(scale: float) -> Iterator[tuple[str, str, float, int]]:
    """Yield game, player, seconds per move and number of games; the quick ones first."""
    for seconds in SECONDS:
        for game, players in PLAYERS.items():
            for player in players:
                yield game, player, seconds, max(2, round(scale * GAMES[game]))


def measure(game: str, player: str, seconds: float, games: int, seed: int) -> dict[str, Any]:
    summary = Duel(game, f"{player}:time={seconds}", REFERENCE[game], games=games, seed=seed).play()
    return {
        "game": game,
        "player": player,
        "reference": REFERENCE[game],
        "seconds": seconds,
        "games": summary.games,
        "score": summary.a_score,
        "low": summary.a_score_low,
        "high": summary.a_score_high,
        "ms_per_move": 1000 * summary.a.seconds_per_move,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="JSON file of finished duels")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the usual number of games")
    parser.add_argument("--seed", type=int, default=24)
    given = parser.parse_args()
    rows = json.loads(given.results.read_text()) if given.results.exists() else []
    done = {(row["game"], row["player"], row["seconds"]) for row in rows}
    for game, player, seconds, games in duels(given.scale):
        if (game, player, seconds) not in done:
            rows.append(measure(game, player, seconds, games, given.seed))
            given.results.write_text(json.dumps(rows, indent=1) + "\n")
            print(rows[-1])


if __name__ == "__main__":
    main()
