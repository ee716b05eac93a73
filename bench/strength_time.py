"""Strength against time: ``python bench/strength_time.py --results docs/pictures/strength_time.json``.

In a game every searching player meets the same reference player, with more and more time per move. Time is processor
time on a free core: first the speed of a player is measured (iterations or nodes per second of processor time), then it
plays with as many of them as fit into the time. So other work on the machine changes nothing.

Every finished duel is written to the results file, and duels in the file are not played again: the same command
continues a run that was stopped. ``python docs/pictures/draw_strength.py`` draws the figures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import aiplay
from aiplay.match import Duel
from aiplay.speed import measure_speed

OPENING = 2  # random moves at the start of games without chance: they would all be the same


class Curve(NamedTuple):
    """The curves of a game: which players, against whom, and how many games at how many milliseconds per move."""

    players: tuple[str, ...]
    reference: str
    games: dict[float, int]


# With more time a game takes longer and teaches less: what is to be seen there are large differences.
LARGE = {10: 200, 30: 200, 100: 100, 300: 60, 1000: 16, 2000: 10}
CURVES = {
    "connect_four": Curve(
        ("mcts", "expectimax"),
        "mcts:iterations=3000",
        dict.fromkeys((0.1, 0.3, 1, 3, 10, 30), 100) | {100: 60, 300: 40, 1000: 24, 2000: 16},
    ),
    "leduc_poker": Curve(
        ("mcts", "expectimax", "mixed"),
        "mcts:iterations=1000",
        dict.fromkeys((0.1, 0.3, 1, 3, 10, 30, 100), 400) | {300: 100, 1000: 100, 2000: 100},
    ),
    # Games of pig have many moves, and more time than this changes nothing.
    "pig": Curve(("mcts", "expectimax"), "mcts:iterations=1000", dict.fromkeys((0.1, 0.3, 1, 3, 10), 100)),
    "illusio": Curve(("mcts",), "mcts:iterations=4000", LARGE),
    "levitation": Curve(("mcts",), "mcts:iterations=4000", LARGE),
    "three_magicians": Curve(
        ("mcts",), "mcts:iterations=4000", {10: 200, 30: 100, 100: 40, 300: 24, 1000: 8, 2000: 4}
    ),
}


@cache
def speed_of(game: str, player: str) -> tuple[str, float]:
    """Return the unit of a player's work, and how much of it a second of processor time buys."""
    measured = measure_speed(aiplay.load_game(game), (player,)).players[0]
    return measured.unit, measured.per_second


def duels(scale: float) -> Iterator[tuple[str, str, float, int]]:
    """Yield game, player, milliseconds per move and number of games; the quick ones first."""
    for milliseconds in sorted({milliseconds for curve in CURVES.values() for milliseconds in curve.games}):
        for game, curve in CURVES.items():
            if milliseconds in curve.games:
                for player in curve.players:
                    yield game, player, milliseconds, max(2, round(scale * curve.games[milliseconds]))


def measure(game: str, player: str, milliseconds: float, games: int, seed: int) -> dict[str, Any]:
    unit, per_second = speed_of(game, player)
    spec = f"{player}:{unit}={max(1, round(per_second * milliseconds / 1000))}"
    reference = CURVES[game].reference
    opening = 0 if aiplay.load_game(game).has_chance else OPENING
    summary = Duel(aiplay.load_game(game), spec, reference, games=games, seed=seed, opening=opening).play()
    return {
        "game": game,
        "player": player,
        "spec": spec,
        "reference": reference,
        "milliseconds": milliseconds,
        "games": summary.games,
        "score": summary.a_score,
        "low": summary.a_score_low,
        "high": summary.a_score_high,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="JSON file of finished duels")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the usual number of games")
    parser.add_argument("--seed", type=int, default=24)
    parser.add_argument("--game", choices=CURVES, action="append", help="only this game; may be repeated")
    given = parser.parse_args()
    rows = json.loads(given.results.read_text()) if given.results.exists() else []
    done = {(row["game"], row["player"], row["milliseconds"]) for row in rows}
    for game, player, milliseconds, games in duels(given.scale):
        if given.game and game not in given.game:
            continue
        if (game, player, milliseconds) not in done:
            rows.append(measure(game, player, milliseconds, games, given.seed))
            given.results.write_text(json.dumps(rows, indent=1) + "\n")
            print(rows[-1])


if __name__ == "__main__":
    main()
