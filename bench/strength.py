"""Strength of the players, claim by claim: ``python bench/strength.py --claim illusio --results strength.jsonl``.

Every deal (the same cards and dice) is played in every seating. Every game is written to the results file when it ends,
and games in the file are not played again: the same command continues a run that was stopped, or ended by
``--minutes``. Prints Markdown.

Teams of Magic Rabbit do not play against each other: bench/magic_rabbit_teams.py measures them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import aiplay
from aiplay._core.stream import seed_below
from aiplay.match.executors import ProcessPool
from aiplay.match.runner import play_all
from aiplay.match.schedule import A, B, seatings
from aiplay.match.scheduled import GameResult, ScheduledGame
from aiplay.match.statistics import score_interval
from aiplay.registry import limited_spec, split_spec

ONE_AGAINST_TWO = ((A, B, B), (B, A, B), (B, B, A))


@dataclass(frozen=True)
class Claim:
    """Player a gets at least this share of the games against player b; a draw is half a game."""

    name: str
    game: str
    a: str
    b: str
    wanted: float
    deals: int  # enough to decide it
    seatings: tuple[tuple[int, ...], ...] = ()  # none: those of a duel


CLAIMS = (
    Claim("illusio: greedy, random", "illusio", "greedy", "random", 0.98, 250),
    Claim("illusio: mcts, greedy", "illusio", "mcts", "greedy", 0.75, 100),
    Claim("illusio: expectimax, greedy", "illusio", "expectimax", "greedy", 0.5, 50),
    Claim("levitation: greedy, random", "levitation", "greedy", "random", 0.98, 250),
    Claim("levitation: mcts, greedy", "levitation", "mcts", "greedy", 0.75, 50),
    Claim("levitation: expectimax, greedy", "levitation", "expectimax", "greedy", 0.5, 50),
    Claim(
        "three_magicians: mcts, two greedy",
        "three_magicians:players=3",
        "mcts",
        "greedy",
        0.6,
        50,
        ONE_AGAINST_TWO,
    ),
    Claim(
        "three_magicians: expectimax, greedy", "three_magicians:players=2", "expectimax", "greedy", 0.5, 50
    ),
)


@cache
def game_of(spec: str) -> aiplay.Game:
    name, options = split_spec(spec)
    return aiplay.load_game(name, **options)


def schedule_of(claim: Claim, seed: int) -> list[ScheduledGame]:
    """Return all games of a claim, deal after deal."""
    game, specs = game_of(claim.game), (claim.a, claim.b)
    all_seatings = claim.seatings or tuple(seatings(game))
    return [
        ScheduledGame(
            number=deal * len(all_seatings) + i,
            deal=deal,
            seed=seed_below(seed, deal),
            game=game,
            specs=tuple(specs[side] for side in seating),
            seating=seating,
        )
        for deal in range(claim.deals)
        for i, seating in enumerate(all_seatings)
    ]


def until(deadline: float, schedule: list[ScheduledGame]) -> Iterator[ScheduledGame]:
    for scheduled in schedule:
        if time.monotonic() >= deadline:
            return
        yield scheduled


# ---- The results file --------------------------------------------------------------------------------------------


Played = dict[str, GameResult]  # by the key of a game, the same in every run


def key_of(scheduled: ScheduledGame) -> str:
    game = {"game": scheduled.game.name, "options": dict(scheduled.game.options)}
    return json.dumps(game | {"seed": scheduled.seed, "number": scheduled.number, "players": scheduled.specs})


def line_of(result: GameResult) -> str:
    measured = {"returns": result.returns, "moves": result.moves, "seconds": result.seconds}
    return json.dumps(json.loads(key_of(result.scheduled)) | measured)


def append(path: Path, line: str) -> None:
    """Append a line, also to a file whose last line is not complete."""
    with path.open("a+b") as file:
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            line = line if file.read() == b"\n" else "\n" + line
        file.write(f"{line}\n".encode())


def read_results(path: Path, schedule: list[ScheduledGame]) -> Played:
    """Return the scheduled games that are in the file; a line may be incomplete if a run was killed."""
    known = {key_of(scheduled): scheduled for scheduled in schedule}
    played: Played = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
        except ValueError:
            print(f"{path}, line {number} is not complete; that game is played again", file=sys.stderr)
            continue
        returns, moves, seconds = (tuple(data.pop(name)) for name in ("returns", "moves", "seconds"))
        key = json.dumps(data)
        if key in known:
            played[key] = GameResult(known[key], returns, moves, seconds, iterations=(), record=())
    return played


# ---- The report --------------------------------------------------------------------------------------------------


def score(result: GameResult) -> float:
    """Return the score of a in a game: 1 if its best seat got more than the best of b, half if as much."""
    best = [
        max(got for got, at in zip(result.returns, result.scheduled.seating, strict=True) if at == side)
        for side in (A, B)
    ]
    return 0.5 + 0.5 * ((best[A] > best[B]) - (best[A] < best[B]))


def pace(results: list[GameResult], side: int) -> float:
    """Return milliseconds per move."""
    seats = [
        (r, seat) for r in results for seat, sitting in enumerate(r.scheduled.seating) if sitting == side
    ]
    return 1000 * sum(r.seconds[i] for r, i in seats) / max(1, sum(r.moves[i] for r, i in seats))


def row(claim: Claim, schedule: list[ScheduledGame], played: Played) -> str:
    """Return a row of the report. Deals that are not complete do not count."""
    deals: dict[int, list[GameResult | None]] = {}
    for scheduled in schedule:
        deals.setdefault(scheduled.deal, []).append(played.get(key_of(scheduled)))
    complete = [[one for one in deal if one] for deal in deals.values() if None not in deal]
    scores = [sum(map(score, deal)) / len(deal) for deal in complete]
    results = [result for deal in complete for result in deal]
    low, high = score_interval(scores)
    mean = sum(scores) / max(1, len(scores))
    holds = "yes" if low > claim.wanted else "no" if high < claim.wanted else "not certain"
    return (
        f"| `{claim.game}` | `{claim.a}` | `{claim.b}` | {mean:.1%} | {low:.1%} to {high:.1%} | {len(results)} on "
        f"{len(complete)} | {claim.wanted:.0%} | {holds} | {pace(results, A):.3g}, {pace(results, B):.3g} |"
    )


def machine() -> str:
    model = platform.machine()
    if Path("/proc/cpuinfo").exists():
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{os.cpu_count()} cores, {model}, {platform.system()}, Python {platform.python_version()}"


def report(games: dict[Claim, list[ScheduledGame]], played: Played) -> None:
    print(f"`python {shlex.join(sys.argv)}` on {machine()}\n")
    print("| game | a | b | a gets | 95 % interval | games on deals | wanted | holds | ms a move: a, b |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for claim, schedule in games.items():
        print(row(claim, schedule, played))


# ---- The command -------------------------------------------------------------------------------------------------


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure how strong the players are.",
        epilog="claims: " + "; ".join(claim.name for claim in CLAIMS),
    )
    parser.add_argument("--claim", action="append", help="only claims with this in their name")
    parser.add_argument("--deals", type=int, help="deals for each claim, instead of its own number")
    parser.add_argument("--pairs", type=int, dest="deals", help=argparse.SUPPRESS)  # the old name of --deals
    parser.add_argument("--limit", default="time=0.2", help="what players that search may spend (time=0.2)")
    parser.add_argument("--change", action="append", default=[], help="an option for a, like exploration=0.4")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no game after so long")
    parser.add_argument("--seed", type=int, default=1, help="of the deals (1)")
    parser.add_argument("--results", type=Path, help="file for the games, to go on later")
    return parser.parse_args()


def chosen_claims(args: argparse.Namespace) -> list[Claim]:
    wanted = args.claim or [""]
    claims = [claim for claim in CLAIMS if any(part in claim.name for part in wanted)]
    if not claims:
        sys.exit(f"no claim has any of {wanted} in its name; the claims: {[claim.name for claim in CLAIMS]}")
    return [
        replace(
            claim,
            a=limited_spec(with_options(claim.a, args.change), args.limit),
            b=limited_spec(claim.b, args.limit),
            deals=args.deals or claim.deals,
        )
        for claim in claims
    ]


def with_options(spec: str, changes: list[str]) -> str:
    return f"{spec}:{','.join(changes)}" if changes else spec


def main() -> None:
    args = parse()
    games = {claim: schedule_of(claim, args.seed) for claim in chosen_claims(args)}
    schedule = [scheduled for of_claim in games.values() for scheduled in of_claim]
    played = read_results(args.results, schedule) if args.results else {}
    missing = [scheduled for scheduled in schedule if key_of(scheduled) not in played]
    due = until(time.monotonic() + 60 * args.minutes, missing)
    with ProcessPool(args.jobs) if args.jobs > 1 else nullcontext() as pool:
        for done, result in enumerate(play_all(due, pool), 1):
            played[key_of(result.scheduled)] = result
            if args.results:
                append(args.results, line_of(result))
            if sys.stderr.isatty():
                print(f"\r{done} of {len(missing)} games", end="", file=sys.stderr, flush=True)
    report(games, played)


if __name__ == "__main__":
    main()
