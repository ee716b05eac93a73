"""Soak: many random moves, many games of mcts, and matches that are killed and resumed. Needs a debug build.

    AIPLAY_BUILD=debug python setup.py build_ext --inplace
    python tests/soak.py --report         everything; writes the result to docs/reliability.md
    python tests/soak.py --moves 1000 --games 50 --matches 2
    python tests/soak.py --part matches --report

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
    parser.add_argument("--part", action="append", choices=list(PARTS), help="only these parts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", action="store_true", help="write the result to docs/reliability.md")
    given = parser.parse_args(arguments)
    if build_facts()["build"] != "debug":
        print("note: not a debug build; array bounds and undefined behaviour are not checked")
    for part in given.part or PARTS:
        run_part(part, given)


def run_part(part, given):
    """Run one part, print its rows as they come, and write its report."""
    play, tell = PARTS[part]
    count, begun, rows = getattr(given, part), time.monotonic(), []
    for row in play(count, given.seed):
        print(*row, flush=True)
        rows.append(row)
    if given.report:
        command = f"python tests/soak.py --part {part} --{part} {count} --seed {given.seed} --report"
        minutes = (time.monotonic() - begun) / 60
        origin = f"Last run: `{command}`, {machine()}; it took {minutes:.0f} minutes."
        write_section(f"soak of {part}", "\n".join([origin, "", *tell(rows)]))


def moves_report(rows):
    """Return the lines about random moves."""
    return [
        "| game | seats | games | moves | worlds checked | promises broken |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        *(
            f"| {name} | {seats} | {n:,} | {made:,} | {worlds:,} | 0 |"
            for name, seats, n, made, worlds, _ in rows
        ),
    ]


def games_report(rows):
    """Return the lines about games of mcts."""
    return [
        "| game | seats | games of mcts | moves | illegal or other moves the second time |",
        "| --- | ---: | ---: | ---: | ---: |",
        *(f"| {name} | {seats} | {n:,} | {moves:,} | 0 |" for name, seats, n, moves, _ in rows),
    ]


def matches_report(rows):
    """Return the lines about matches that were killed."""
    kills = [max(0, kill) for _, each in rows for kill in each]
    inner = sum(0 < kill < GAMES_OF_A_MATCH for kill in kills)
    return [
        f"{len(rows)} matches of {GAMES_OF_A_MATCH} games were killed {len(kills)} times, {inner} of these with some "
        "of their games finished. Each was resumed to its end: no game was lost or played twice, and all results are "
        "those of an undisturbed run.",
    ]


PARTS = {
    "moves": (random_moves, moves_report),
    "games": (mcts_games, games_report),
    "matches": (killed_matches, matches_report),
}

if __name__ == "__main__":
    main()
