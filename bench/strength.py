"""How strong the players are, claim by claim: ``python bench/strength.py --claim illusio --results strength.jsonl``.

Games come in groups (pairs, with two seats): the same deal and chance, once for every way to seat the players. Every
game is written to the results file when it ends, and games that are in the file are not played again: a run that was
stopped, or ended by ``--minutes``, goes on with the same command. Prints a table in Markdown.

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
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

import aiplay
from aiplay._core.stream import seed_below
from aiplay.match.duel import GameResult, play_fixture
from aiplay.match.schedule import A, B, Fixture, arrangements
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
    groups: int  # that are enough to tell
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


@dataclass(frozen=True)
class Task:
    """One game to play, and what makes it the same game in another run."""

    game: str
    a: str
    b: str
    fixture: Fixture


@cache
def game_of(spec: str) -> aiplay.Game:
    name, options = split_spec(spec)
    return aiplay.load_game(name, **options)


def tasks_of(claim: Claim, seed: int) -> list[Task]:
    """All games of a claim, group after group."""
    seatings = claim.seatings or tuple(arrangements(game_of(claim.game)))
    fixtures = [
        Fixture(group * len(seatings) + i, group, seed_below(seed, group), sides)
        for group in range(claim.groups)
        for i, sides in enumerate(seatings)
    ]
    return [Task(claim.game, claim.a, claim.b, fixture) for fixture in fixtures]


def play(task: Task) -> GameResult:
    return play_fixture(game_of(task.game), (task.a, task.b), task.fixture)


def play_all(tasks: Iterable[Task], jobs: int, deadline: float) -> Iterator[tuple[Task, GameResult]]:
    """Play in so many processes until all is done; no game begins after the deadline."""
    waiting = (task for task in tasks if time.monotonic() < deadline)
    with ProcessPoolExecutor(jobs) as pool:
        running: dict[Future[GameResult], Task] = {}
        while True:
            for task in islice(waiting, jobs - len(running)):
                running[pool.submit(play, task)] = task
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()


# ---- The results file --------------------------------------------------------------------------------------------


def line_of(task: Task, result: GameResult) -> str:
    measured = {"returns": result.returns, "moves": result.moves, "seconds": result.seconds}
    return json.dumps(asdict(task) | measured)


def append(path: Path, line: str) -> None:
    """Write a line of its own, also after one that is not whole."""
    with path.open("a+b") as file:
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            line = line if file.read() == b"\n" else "\n" + line
        file.write(f"{line}\n".encode())


def read_results(path: Path) -> dict[Task, GameResult]:
    """The games in the file; a line is not whole if a run was killed while it wrote."""
    found: dict[Task, GameResult] = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
        except ValueError:
            print(f"{path}, line {number} is not whole; that game is played again", file=sys.stderr)
            continue
        fixture = Fixture(**data["fixture"] | {"sides": tuple(data["fixture"]["sides"])})
        task = Task(data["game"], data["a"], data["b"], fixture)
        found[task] = GameResult(
            fixture, tuple(data["returns"]), tuple(data["moves"]), tuple(data["seconds"])
        )
    return found


# ---- The report --------------------------------------------------------------------------------------------------


def score(result: GameResult) -> float:
    """What a got of a game: 1 if its best seat got more than the best of b, half if as much."""
    best = [
        max(got for got, at in zip(result.returns, result.fixture.sides, strict=True) if at == side)
        for side in (A, B)
    ]
    return 0.5 + 0.5 * ((best[A] > best[B]) - (best[A] < best[B]))


def row(claim: Claim, tasks: list[Task], found: dict[Task, GameResult]) -> str:
    """One line of the table; groups that are not complete do not count."""
    groups: dict[int, list[GameResult | None]] = {}
    for task in tasks:
        groups.setdefault(task.fixture.pair, []).append(found.get(task))
    complete = [[one for one in group if one] for group in groups.values() if None not in group]
    scores = [sum(map(score, group)) / len(group) for group in complete]
    played = [result for group in complete for result in group]
    low, high = score_interval(scores)
    mean = sum(scores) / max(1, len(scores))
    holds = "yes" if low > claim.wanted else "no" if high < claim.wanted else "not certain"
    pace = [
        1000 * sum(r.seconds[i] for r in played) / max(1, sum(r.moves[i] for r in played)) for i in (A, B)
    ]
    return (
        f"| `{claim.game}` | `{claim.a}` | `{claim.b}` | {mean:.1%} | {low:.1%} to {high:.1%} | {len(played)} in "
        f"{len(complete)} | {claim.wanted:.0%} | {holds} | {pace[A]:.3g}, {pace[B]:.3g} |"
    )


def machine() -> str:
    model = platform.machine()
    if Path("/proc/cpuinfo").exists():
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{os.cpu_count()} cores, {model}, {platform.system()}, Python {platform.python_version()}"


def report(claims: list[Claim], seed: int, found: dict[Task, GameResult]) -> None:
    print(f"`python {shlex.join(sys.argv)}` on {machine()}\n")
    print("| game | a | b | a gets | 95 % interval | games in groups | wanted | holds | ms a move: a, b |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for claim in claims:
        print(row(claim, tasks_of(claim, seed), found))


# ---- The command -------------------------------------------------------------------------------------------------


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure how strong the players are.",
        epilog="claims: " + "; ".join(claim.name for claim in CLAIMS),
    )
    parser.add_argument("--claim", action="append", help="only claims with this in their name")
    parser.add_argument("--pairs", type=int, help="groups of games for each claim, instead of its own number")
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
            groups=args.pairs or claim.groups,
        )
        for claim in claims
    ]


def with_options(spec: str, changes: list[str]) -> str:
    return f"{spec}:{','.join(changes)}" if changes else spec


def main() -> None:
    args = parse()
    claims = chosen_claims(args)
    found = read_results(args.results) if args.results else {}
    tasks = [task for claim in claims for task in tasks_of(claim, args.seed) if task not in found]
    deadline = time.monotonic() + 60 * args.minutes
    for done, (task, result) in enumerate(play_all(tasks, args.jobs, deadline), 1):
        found[task] = result
        if args.results:
            append(args.results, line_of(task, result))
        if sys.stderr.isatty():
            print(f"\r{done} of {len(tasks)} games", end="", file=sys.stderr, flush=True)
    report(claims, args.seed, found)


if __name__ == "__main__":
    main()
