"""aiplay and OpenSpiel side by side: `python bench/vs_openspiel.py [--json]`.

Both libraries are measured in turn within one run, several times, by processor time, and the best of each counts:
other work on the machine disturbs little, and both alike. Ratios say more than the figures themselves.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version

import pyspiel

import aiplay
from aiplay._core import measure

GAMES = ("connect_four", "leduc_poker", "pig")
choice = random.Random(1).choice
choices = random.Random(1).choices


@dataclass
class Contender:
    """One way to do a task; `run(n)` does it n times and returns the number of units."""

    name: str
    run: Callable[[int], int]
    n: int = 1
    rate: float = 0.0  # units per second, the best round

    def calibrate(self, seconds: float) -> None:
        """Find the n that takes about this many seconds."""
        while True:
            started = time.process_time()
            self.run(self.n)
            if time.process_time() - started >= seconds / 4:
                break
            self.n *= 2
        self.n *= 4

    def measure(self) -> None:
        """Measure one round."""
        started = time.process_time()
        units = self.run(self.n)
        self.rate = max(self.rate, units / (time.process_time() - started))


@dataclass
class Comparison:
    """Contenders for one task, compared with the first: OpenSpiel driven from Python."""

    task: str
    unit: str
    contenders: list[Contender]


@dataclass(frozen=True)
class Goal:
    """A bound for a figure."""

    what: str
    value: float
    wanted: float
    is_at_most: bool = False

    @property
    def reached(self) -> bool:
        """True if the figure keeps the bound."""
        return self.value <= self.wanted if self.is_at_most else self.value >= self.wanted


# ---- Random games -----------------------------------------------------------------------------------------------


def spiel_games(game: pyspiel.Game) -> Callable[[int], int]:
    """Play random games of OpenSpiel, with moves chosen in Python."""

    def run(n: int) -> int:
        moves = 0
        for _ in range(n):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(choices(outcomes, probabilities)[0])
                else:
                    state.apply_action(choice(state.legal_actions()))
                moves += 1
        return moves

    return run


def table_games(game: aiplay.Game) -> Callable[[int], int]:
    """Play random games at a table, with moves chosen in Python."""

    def run(n: int) -> int:
        moves = 0
        for seed in range(n):
            table = aiplay.Table(game, seed)
            while not table.over:
                table.play(choice(table.legal_moves()))
            moves += len(table.moves)
        return moves

    return run


def state_games(game: aiplay.Game) -> Callable[[int], int]:
    """Play random games on bare states, with moves and chance chosen in Python as for OpenSpiel."""

    def run(n: int) -> int:
        moves = 0
        for _ in range(n):
            state = game.new_state()
            while (seat := state.to_move) != aiplay.TERMINAL:
                if seat == aiplay.CHANCE:
                    outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
                    state.play(choices(outcomes, probabilities)[0])
                else:
                    state.play(choice(state.legal_moves()))
                moves += 1
        return moves

    return run


def compare_games(name: str) -> Comparison:
    """Compare random games from the first move to the end."""
    game = aiplay.load_game(name)
    start = game.new_state()
    contenders = [
        Contender("OpenSpiel, from Python", spiel_games(pyspiel.load_game(name))),
        Contender("aiplay states, from Python", state_games(game)),
        Contender("aiplay Table, from Python", table_games(game)),
        Contender("aiplay, in C", lambda n: measure.random_games(start, n, 1)),
    ]
    return Comparison(f"{name}: random games", "moves/s", contenders)


# ---- Copies ---------------------------------------------------------------------------------------------------------


def repeated(call: Callable[[], object]) -> Callable[[int], int]:
    """Return a function that makes a call n times."""

    def run(n: int) -> int:
        for _ in range(n):
            call()
        return n

    return run


def compare_copies(name: str) -> Comparison:
    """Compare copies of the state before the first decision of a seat."""
    theirs = pyspiel.load_game(name).new_initial_state()
    while theirs.is_chance_node():
        theirs.apply_action(theirs.chance_outcomes()[0][0])
    ours = aiplay.Table(aiplay.load_game(name), seed=1).state

    def in_c(n: int) -> int:
        measure.copy_states(ours, n)
        return n

    contenders = [
        Contender("OpenSpiel clone, from Python", repeated(theirs.clone)),
        Contender("aiplay copy, from Python", repeated(ours.copy)),
        Contender("aiplay copy, in C", in_c),
    ]
    return Comparison(f"{name}: copies of a state", "copies/s", contenders)


# ---- The run --------------------------------------------------------------------------------------------------------


def measure_all(comparisons: list[Comparison], seconds: float, rounds: int) -> None:
    """Measure everything `rounds` times, in turn."""
    everything = [contender for comparison in comparisons for contender in comparison.contenders]
    for contender in everything:
        contender.calibrate(seconds)
    for number in range(rounds):
        print(f"round {number + 1} of {rounds} ...", file=sys.stderr)
        for contender in everything:
            contender.measure()


def goals_of(comparisons: list[Comparison]) -> list[Goal]:
    """Return the goals of this library."""
    rate = {(c.task, one.name): one.rate for c in comparisons for one in c.contenders}
    goals = []
    task = "connect_four: random games"
    spiel = rate[task, "OpenSpiel, from Python"]
    goals.append(Goal(f"{task}: in C / OpenSpiel from Python", rate[task, "aiplay, in C"] / spiel, 40))
    goals.append(Goal(f"{task}: million moves/s in C", rate[task, "aiplay, in C"] / 1e6, 25))
    for name in GAMES:
        task = f"{name}: random games"
        ratio = rate[task, "aiplay Table, from Python"] / rate[task, "OpenSpiel, from Python"]
        goals.append(Goal(f"{task}: Table / OpenSpiel, from Python", ratio, 1))
        task = f"{name}: copies of a state"
        goals.append(Goal(f"{task}: ns in C", 1e9 / rate[task, "aiplay copy, in C"], 20, True))
        goals.append(Goal(f"{task}: ns from Python", 1e9 / rate[task, "aiplay copy, from Python"], 300, True))
    return goals


def machine() -> dict[str, str]:
    """Return the facts that the figures depend on."""
    names = [line.split(":")[1].strip() for line in _cpu_lines() if line.startswith("model name")]
    return {
        "machine": f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores, {platform.system()}",
        "python": platform.python_version(),
        "aiplay": aiplay.__version__,
        "open_spiel": version("open_spiel"),
    }


def _cpu_lines() -> list[str]:
    try:
        with open("/proc/cpuinfo") as file:
            return file.readlines()
    except OSError:
        return []


def as_json(comparisons: list[Comparison], goals: list[Goal]) -> str:
    """Return all results as one object."""
    tasks = [
        {
            "task": comparison.task,
            "unit": comparison.unit,
            "results": [
                {"name": one.name, "rate": one.rate, "ratio": one.rate / comparison.contenders[0].rate}
                for one in comparison.contenders
            ],
        }
        for comparison in comparisons
    ]
    reached = [{**asdict(goal), "reached": goal.reached} for goal in goals]
    return json.dumps({**machine(), "comparisons": tasks, "goals": reached}, indent=2)


def as_text(comparisons: list[Comparison], goals: list[Goal]) -> str:
    """Return all results as text."""
    lines = [f"{key}: {value}" for key, value in machine().items()]
    for comparison in comparisons:
        lines += ["", f"{comparison.task:<44} {comparison.unit:>12} {'ratio':>9}"]
        for one in comparison.contenders:
            ratio = one.rate / comparison.contenders[0].rate
            lines.append(f"  {one.name:<42} {one.rate:>12,.0f} {ratio:>8.2f}x")
    lines += ["", f"{'goal':<62} {'wanted':>8} {'is':>8}"] if goals else []
    for goal in goals:
        sign = "<=" if goal.is_at_most else ">="
        mark = "" if goal.reached else "  missed"
        lines.append(f"  {goal.what:<60} {sign}{goal.wanted:>6.0f} {goal.value:>8.1f}{mark}")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Compare aiplay with OpenSpiel.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seconds", type=float, default=0.2, help="length of one measurement (default 0.2)")
    parser.add_argument("--rounds", type=int, default=7, help="measurements of everything (default 7)")
    arguments = parser.parse_args()
    comparisons = [compare(name) for name in GAMES for compare in (compare_games, compare_copies)]
    measure_all(comparisons, arguments.seconds, arguments.rounds)
    goals = goals_of(comparisons)
    print(as_json(comparisons, goals) if arguments.json else as_text(comparisons, goals))


if __name__ == "__main__":
    main()
