"""Measure the levels of mcts: every level against the one below it, in every game.

    python bench/levels.py                      plays what is missing, then writes the figures
    python bench/levels.py --game pig --game illusio
    python bench/levels.py --check              only prints them

Results are kept in build/levels.json after every few deals: a run that was killed goes on. A step is played again if
one of its levels has changed. The figures go to aiplay/levels.toml (the Elo scale that ratings use) and docs/levels.md.

Level 10 thinks for a second, which depends on the machine and on what else it does. It is measured with a number of
iterations instead (`most`): far fewer than a second allows, so that figures repeat, and are rather too low.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import aiplay
from aiplay.levels import FILE, FIRST, LAST, level_of
from aiplay.match.statistics import elo, score_interval
from aiplay.rating import score_of

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "levels.md"
KEPT = ROOT / "build" / "levels.json"
PAUSE = 10.0  # seconds between two writes
NEAR = 0.001  # scores closer than this to 0 or 1 count as this close: their Elo would have no bound


class Plan(NamedTuple):
    """How much is played of a game."""

    deals: int  # of each step: the games of a deal have the same cards and dice, and the seats exchanged
    last_deals: int  # of the last step, whose games are long
    most: int  # iterations of level 10


PLANS = {
    "connect_four": Plan(150, 40, 20_000),
    "illusio": Plan(60, 40, 1500),
    "leduc_poker": Plan(6000, 1500, 2000),
    "levitation": Plan(100, 60, 1500),
    "magic_rabbit": Plan(1500, 1500, 400),
    "pig": Plan(400, 150, 2000),
    "three_magicians": Plan(120, 120, 1000),
}


def spec_of(game: str, number: int) -> str:
    """Return the player of a level as it is measured."""
    if number == LAST:
        return f"mcts:iterations={PLANS[game].most},reuse=no"
    level = level_of(game, number)
    return f"mcts:iterations={level.limit.iterations},blur={level.blur},value=game,reuse=no"


def returns_of(game: aiplay.Game, specs: list[str], deal: int, seating: int) -> list[float]:
    """Return the returns of one game."""
    players = [
        aiplay.make_player(spec, seed=(deal * 10 + seating) * 10 + seat) for seat, spec in enumerate(specs)
    ]
    return aiplay.play_game(aiplay.Table(game, seed=deal), players)


def score_on(game: aiplay.Game, above: str, below: str, deal: int) -> float:
    """Return the score of a player on a deal, against another one at all other seats, from every seat."""
    scores = []
    for seat in range(game.seats):
        specs = [above if place == seat else below for place in range(game.seats)]
        scores.append(score_of(game, returns_of(game, specs, deal, seat), seat))
    return sum(scores) / len(scores)


def success_on(game: aiplay.Game, spec: str, deal: int) -> float:
    """Return the return of a team of such players on a deal."""
    return returns_of(game, [spec] * game.seats, deal, 0)[0]


# ---- Playing -------------------------------------------------------------------------------------------------


class Results:
    """The games played so far, in a file."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, Any]] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        self.written = time.monotonic()

    def played(self, name: str, specs: list[str], deals: int, play: Callable[[int], float]) -> list[float]:
        """Return one number for each deal; those that are missing are played."""
        entry = self.kept.setdefault(" ".join([name, *specs]), {"numbers": [], "seconds": 0.0})
        numbers: list[float] = entry["numbers"]
        while len(numbers) < deals:
            started = time.process_time()
            numbers.append(round(play(len(numbers)), 6))
            entry["seconds"] += time.process_time() - started
            if time.monotonic() - self.written > PAUSE:
                self.write()
        self.write()
        return numbers[:deals]

    def write(self) -> None:
        """Keep the results, completely or not at all."""
        KEPT.parent.mkdir(exist_ok=True)
        draft = KEPT.with_suffix(".draft")
        draft.write_text(json.dumps(self.kept))
        draft.replace(KEPT)
        self.written = time.monotonic()

    def seconds(self, name: str) -> float:
        """Return the seconds of a core that a game took."""
        return sum(entry["seconds"] for key, entry in self.kept.items() if key.startswith(f"{name} "))


def step_of(results: Results, name: str, number: int) -> list[float]:
    """Return the scores of a level against the one below it, one for each deal."""
    game, plan = aiplay.load_game(name), PLANS[name]
    above, below = spec_of(name, number), spec_of(name, number - 1)
    deals = plan.last_deals if number == LAST else plan.deals
    if not game.is_cooperative:
        return results.played(name, [above, below], deals, lambda deal: score_on(game, above, below, deal))
    teams = [
        results.played(name, [spec], deals, lambda deal, spec=spec: success_on(game, spec, deal))
        for spec in (above, below)
    ]
    return [0.5 + (one - other) / 2 for one, other in zip(*teams, strict=True)]


# ---- Figures -------------------------------------------------------------------------------------------------


def bounded_elo(score: float) -> float:
    """Return the Elo of a score, with a bound."""
    return elo(min(max(score, NEAR), 1 - NEAR))


class Scale:
    """The levels of a game: score of each step with its interval, and the sum of the steps in Elo."""

    def __init__(self, steps: list[list[float]]) -> None:
        self.means = [sum(scores) / len(scores) for scores in steps]
        self.intervals = [score_interval(scores) for scores in steps]
        self.elo, self.margins = [0.0], [0.0]
        for mean, (low, high) in zip(self.means, self.intervals, strict=True):
            width = (bounded_elo(high) - bounded_elo(low)) / 2
            self.elo.append(self.elo[-1] + bounded_elo(mean))
            self.margins.append(math.hypot(self.margins[-1], width))

    @property
    def rising(self) -> int:
        """The number of steps whose interval is above one half."""
        return sum(low > 0.5 for low, _ in self.intervals)

    def rows(self, name: str) -> str:
        """Return the levels as they stand on the page."""
        plan, seats = (
            PLANS[name],
            1 if aiplay.load_game(name).is_cooperative else aiplay.load_game(name).seats,
        )
        lines = [
            f"{plan.deals * seats:,} games for each step, {plan.last_deals * seats:,} for the last one; "
            f"level 10 with {plan.most:,} iterations.",
            "",
            "| level | iterations | blur | score against the level below | Elo |",
            "| --- | --- | --- | --- | --- |",
        ]
        digits = 2 if len(self.means) and max(self.means) < 0.55 else 1
        for place in range(LAST - FIRST + 1):
            level = level_of(name, place + FIRST)
            thinks = "1 s" if level.limit.iterations is None else str(level.limit.iterations)
            score, width = "", ""
            if place:
                low, high = self.intervals[place - 1]
                score = f"{self.means[place - 1]:.{digits}%} ({low:.{digits}%} to {high:.{digits}%})".replace(
                    "%", " %"
                )
                width = f" ± {self.margins[place]:.0f}"
            lines.append(
                f"| {place + FIRST} | {thinks} | {level.blur:g} | {score} | {self.elo[place]:.0f}{width} |"
            )
        return "\n".join(lines)


def write_scale(name: str, scale: Scale) -> None:
    """Write the Elo of every level of a game to the data file."""
    text = FILE.read_text(encoding="utf-8")
    head, mark, rest = text.partition(f"[{name}]")
    table, gap, others = rest.partition("\n\n[")
    table = re.sub(r"\nelo = .*", "", table.rstrip("\n"))
    numbers = ", ".join(f"{value:.0f}" for value in scale.elo)
    FILE.write_text(f"{head}{mark}{table}\nelo = [{numbers}]{gap or chr(10)}{others}", encoding="utf-8")


def write_page(name: str, scale: Scale) -> None:
    """Write the table of a game to the page."""
    text = PAGE.read_text(encoding="utf-8")
    start = f"<!-- levels of {name} -->\n"
    head, mark, rest = text.partition(start)
    if not mark:
        raise SystemExit(f"{PAGE} has no place for {name}: {start.strip()}")
    _, end, tail = rest.partition("\n<!-- end -->")
    PAGE.write_text(head + mark + scale.rows(name) + end + tail, encoding="utf-8")


def main() -> None:
    """Play, print and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", action="append", choices=sorted(PLANS))
    parser.add_argument("--check", action="store_true", help="print the figures, and write nothing else")
    arguments = parser.parse_args()
    results = Results()
    for name in arguments.game or sorted(PLANS):
        scale = Scale([step_of(results, name, number) for number in range(FIRST + 1, LAST + 1)])
        print(f"{name}: {scale.rising} of {LAST - FIRST} steps rise, {results.seconds(name):.0f} s")
        print(f"{scale.rows(name)}\n", flush=True)
        if not arguments.check:
            write_scale(name, scale)
            write_page(name, scale)


if __name__ == "__main__":
    main()
