"""Soak: many random moves, many games of mcts, and matches that are killed and resumed. Needs a debug build.

    AIPLAY_BUILD=debug python setup.py build_ext --inplace
    python tests/soak.py --report         everything; writes the result to docs/reliability.md
    python tests/soak.py --moves 1000 --games 50 --matches 2

The first failure ends it with a traceback that names the seed.
"""

import argparse
import time

from reliability.endurance import GAMES_OF_A_MATCH, killed_matches, mcts_games, random_moves
from reliability.report import machine, write_section

from aiplay._core.measure import build_facts


def main(arguments=None):
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--moves", type=int, default=1_000_000, help="random moves of each game and number of seats"
    )
    parser.add_argument(
        "--games", type=int, default=10_000, help="games of mcts, over all games and numbers of seats"
    )
    parser.add_argument("--matches", type=int, default=50, help="matches that are killed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", action="store_true", help="write the result to docs/reliability.md")
    given = parser.parse_args(arguments)
    if build_facts()["build"] != "debug":
        print("note: not a debug build; array bounds and undefined behaviour are not checked")
    begun = time.monotonic()
    moves = list(shown(random_moves(given.moves, given.seed)))
    games = list(shown(mcts_games(given.games, given.seed)))
    matches = list(shown(killed_matches(given.matches, given.seed)))
    if given.report:
        write_section("soak", report(given, moves, games, matches, time.monotonic() - begun))


def shown(rows):
    """Print rows as they come."""
    for row in rows:
        print(*row, flush=True)
        yield row


def report(given, moves, games, matches, seconds):
    """Return the section of docs/reliability.md."""
    command = f"--moves {given.moves} --games {given.games} --matches {given.matches} --seed {given.seed}"
    table = [
        f"| {name} | {seats} | {n:,} | {made:,} | {worlds:,} | {played:,} | {searched:,} |"
        for (name, seats, n, made, worlds, _), (_, _, played, searched, _) in zip(moves, games, strict=True)
    ]
    kills = [max(0, kill) for _, each in matches for kill in each]
    return "\n".join(
        [
            f"Last run: `python tests/soak.py {command} --report`, {machine()}; it took {seconds / 60:.0f} minutes.",
            "",
            "| game | seats | random games | moves | worlds checked | games of mcts | their moves |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
            *table,
            "",
            f"{len(matches)} matches of {GAMES_OF_A_MATCH} games were killed {len(kills)} times, after "
            f"{min(kills, default=0)} to {max(kills, default=0)} finished games. Each was resumed to its end: no game "
            "was lost or played twice, and all results are those of an undisturbed run.",
            "",
            "No promise was broken.",
        ]
    )


if __name__ == "__main__":
    main()
