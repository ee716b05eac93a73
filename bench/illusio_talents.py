"""Luck of the draw in Illusio: ``python bench/illusio_talents.py [--seats 2 4] [--games 2000] [--player greedy]``.

Games of one player against itself. The share of games that the first seat wins, the turns of a seat, and for each
magician the share of its games that it wins, also as a multiple of an equal share. Shares have 95 % intervals.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import aiplay
from aiplay._core.stream import seed_below
from aiplay.match.statistics import score_interval
from aiplay.table import play_game


@dataclass(frozen=True)
class Result:
    """A finished game: returns and magician of each seat, the first seat, and the turns of a seat."""

    returns: tuple[float, ...]
    magicians: tuple[str, ...]
    first: int
    turns: float


def play_one(spec: str, seats: int, seed: int, number: int) -> Result:
    """Play one game of a player against itself."""
    game = aiplay.load_game("illusio", players=seats)
    names = game.labels["magician"]
    table = aiplay.Table(game, seed=seed_below(seed, number))
    first = int(table.state.fields["seat"])
    magicians = tuple(names[m] for m in table.state.fields["magicians"][:seats])
    players = [
        aiplay.make_player(spec, seed=seed_below(seed + 1, seats * number + at)) for at in range(seats)
    ]
    returns = tuple(play_game(table, players))
    return Result(returns, magicians, first, int(table.state.fields["turn"]) / seats)


def row(who: str, scores: list[float], seats: int) -> str:
    """One row of the report: the share of games won, its interval, and how many equal shares that is."""
    low, high = score_interval(scores)
    mean = sum(scores) / len(scores)
    return f"| {who} | {mean:.1%} | {low:.1%} to {high:.1%} | {mean * seats:.2f} |"


def report(results: list[Result], seats: int) -> None:
    """Print the shares for one number of seats."""
    turns = sum(result.turns for result in results) / len(results)
    print(f"\n{seats} seats, {len(results)} games, {turns:.1f} turns a seat\n")
    print("| who | wins | 95 % interval | equal shares |\n| --- | --- | --- | --- |")
    print(row("the first seat", [result.returns[result.first] for result in results], seats))
    found: dict[str, list[float]] = {}
    for result in results:
        for magician, got in zip(result.magicians, result.returns, strict=True):
            found.setdefault(magician, []).append(got)
    for magician, scores in sorted(found.items(), key=lambda item: -sum(item[1]) / len(item[1])):
        print(row(magician, scores, seats), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--seats", type=int, nargs="+", default=[2, 4], help="numbers of seats (default: 2 4)"
    )
    parser.add_argument("--games", type=int, default=2000, help="games for each (default: 2000)")
    parser.add_argument(
        "--player", default="greedy:value=game", help="who plays all seats (greedy:value=game)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="of cards and players (default: 1)")
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs) as pool:
        for seats in given.seats:
            play = partial(play_one, given.player, seats, given.seed)
            report(list(pool.map(play, range(given.games), chunksize=10)), seats)


if __name__ == "__main__":
    main()
