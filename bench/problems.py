"""Positions with exact values: how many does a player solve, and how far off are its values?

    python bench/problems.py                                  # list them
    python bench/problems.py --show "roll for the path"       # one of them, with the value of every move
    python bench/problems.py --player mcts                    # at 100, 1,000, 10,000 and 100,000 iterations
    python bench/problems.py --player expectimax --depth 1 3 --game pig
    python bench/problems.py --player greedy --json
    python bench/problems.py --solve                          # calculate all values again (five minutes)

A problem is solved if the player's best move is one of the best. The error of its value is that of the best move: of
the one it ranks highest, if there are several. docs/problems.md says what the values mean. Positions are in
bench/problems/*.toml, values in bench/problems/values.json; enumeration.py and equilibrium.py calculate them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

from enumeration import TOLERANCE, information_values, open_values, plain_fields, state_of
from rich.console import Console
from rich.progress import Progress

import aiplay

FOLDER = Path(__file__).with_suffix("")
VALUES = FOLDER / "values.json"
ABOUT = "Made by enumeration: python bench/problems.py --solve. The value of every move, from 0 (worst) to 1 (best)."
ITERATIONS = (100, 1_000, 10_000, 100_000)
DEPTHS = (1, 2, 4, 8)
NODES = 1_000_000  # that a search by depth may visit


# ---- Problems --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """A position in which some moves are better than others.

    It is set up by name, so that it survives changes of a game's struct: `fields` override those of a new state (of
    a list that is given in part, the rest stays), then `moves` are played.
    """

    game: str
    name: str
    theme: str
    text: str  # what it is about
    options: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    moves: Sequence[str] | str = ()  # notation, those of chance included; a text is split at blanks

    @cached_property
    def state(self) -> aiplay.State:
        game = load_game(self.game, tuple(self.options.items()))
        state = game.new_state()
        if self.fields:
            base = plain_fields(state)
            state = state_of(
                game, base | {name: _filled(base.get(name), given) for name, given in self.fields.items()}
            )
        for move in self.moves.split() if isinstance(self.moves, str) else self.moves:
            state.play(move)
        return state

    @property
    def view(self) -> aiplay.View:
        return self.state.view(self.state.to_move)

    @property
    def seats(self) -> int:
        return self.state.game.seats

    def solve(self) -> dict[str, float]:
        """The exact value of every move, by enumeration."""
        state = self.state
        if not state.game.has_hidden:
            values = open_values(state)
        elif self.game == "leduc_poker":
            from equilibrium import equilibrium_values  # needs scipy

            values = equilibrium_values(state)
        else:
            values = information_values(self.view)
        return {state.move_text(move): round(value, 9) for move, value in values.items()}


@cache
def load_game(name: str, options: tuple[tuple[str, Any], ...]) -> aiplay.Game:
    """A game, shared by all problems with these options."""
    return aiplay.load_game(name, **dict(options))


def _filled(base: Any, given: Any) -> Any:
    """A value of a field; what a list leaves out is taken from the base."""
    if not isinstance(given, list) or not isinstance(base, list):
        return given
    return [_filled(old, new) for old, new in zip(base, given, strict=False)] + base[len(given) :]


def changed_fields(state: aiplay.State) -> dict[str, Any]:
    """The fields of a state that differ from those of a new one, as problems store them."""
    base = plain_fields(state.game.new_state())
    return {
        name: _cut(base[name], value) for name, value in plain_fields(state).items() if value != base[name]
    }


def _cut(base: Any, value: Any) -> Any:
    """A list without the entries at its end that are those of the base."""
    if not isinstance(value, list):
        return value
    while value and value[-1] == base[len(value) - 1]:
        value = value[:-1]
    return [_cut(old, new) for old, new in zip(base, value, strict=False)]


def load_problems() -> list[Problem]:
    """All problems, game by game."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["problem"]
        found += [Problem(game=path.stem, **entry) for entry in entries]
    return found


@dataclass(frozen=True)
class Solution:
    """The exact values of a problem."""

    values: dict[str, float]

    @property
    def value(self) -> float:
        return max(self.values.values())

    @property
    def best(self) -> list[str]:
        """All best moves."""
        return [move for move, value in self.values.items() if value > self.value - TOLERANCE]

    @property
    def gap(self) -> float:
        """How much worse the next move is; 0 if all are best."""
        others = [value for move, value in self.values.items() if move not in self.best]
        return self.value - max(others) if others else 0.0


def load_solutions() -> dict[str, Solution]:
    """The solutions by the names of the problems."""
    document = json.loads(VALUES.read_text(encoding="utf-8")) if VALUES.exists() else {}
    games = (document[game] for game in document if game != "about")
    return {name: Solution(values) for problems in games for name, values in problems.items()}


def save_solutions(problems: Iterable[Problem], solutions: dict[str, Solution]) -> None:
    """Write the values file, in the order of the problems."""
    document: dict[str, Any] = {"about": ABOUT}
    for problem in problems:
        if problem.name in solutions:
            document.setdefault(problem.game, {})[problem.name] = solutions[problem.name].values
    VALUES.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


# ---- Players ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Attempt:
    """The answer of a player to a problem."""

    problem: Problem
    solution: Solution
    budget: str
    move: str
    value: float  # that it gives to the best move
    seconds: float

    @property
    def is_solved(self) -> bool:
        return self.move in self.solution.best

    @property
    def error(self) -> float:
        return abs(self.value - self.solution.value)


def attempt(problem: Problem, solution: Solution, spec: str, budget: str, seed: int) -> Attempt:
    """Let a fresh player look at a problem."""
    if set(solution.values) != {problem.state.move_text(move) for move in problem.state.legal_moves()}:
        raise ValueError(f"problem {problem.name!r} has other moves than its values have: run --solve first")
    player = aiplay.make_player(spec, seed=seed)
    started = time.perf_counter()
    analysis = player.analyse(problem.view, limit_of(budget))
    seconds = time.perf_counter() - started
    value = next(move.value for move in analysis.moves if move.text in solution.best)
    return Attempt(problem, solution, budget, analysis.moves[0].text, value, seconds)


def limit_of(budget: str) -> aiplay.Limit | None:
    """The limit that a column of the results stands for."""
    kind, _, number = budget.partition(" ")
    if not number:
        return None
    if kind == "depth":
        return aiplay.Limit(depth=int(number), nodes=NODES)
    return aiplay.Limit(iterations=int(number))


def budgets_of(spec: str, iterations: Sequence[int] | None, depths: Sequence[int] | None) -> list[str]:
    """The budgets to try: as given, or those that suit the player."""
    known = {option.name for option in aiplay.make_player(spec).OPTIONS}
    for name, given in (("iterations", iterations), ("depth", depths)):
        if given and name not in known:
            raise ValueError(f"player {spec!r} has no {name}")
    if not iterations and not depths:
        iterations = ITERATIONS if "iterations" in known else None
        depths = DEPTHS if "depth" in known else None
    return [
        *(f"iterations {n}" for n in iterations or ()),
        *(f"depth {n}" for n in depths or ()),
    ] or ["move"]


def attempts(
    problems: Sequence[Problem], solutions: dict[str, Solution], spec: str, budgets: Sequence[str], seed: int
) -> Iterator[Attempt]:
    """Every problem at every budget."""
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("", total=len(problems) * len(budgets))
        for budget in budgets:
            for problem in problems:
                progress.update(task, description=f"{budget}: {problem.name}")
                if problem.name not in solutions:
                    raise ValueError(f"problem {problem.name!r} has no values yet: run --solve first")
                yield attempt(problem, solutions[problem.name], spec, budget, seed)
                progress.advance(task)


# ---- Results ---------------------------------------------------------------------------------------------------


def cell(found: Sequence[Attempt]) -> str:
    errors = [one.error for one in found]
    solved = sum(one.is_solved for one in found)
    return f"{solved}/{len(found)}, {fmean(errors):.3f} ({max(errors):.2f})"


def grid(title: str, groups: dict[str, list[Attempt]], budgets: Sequence[str]) -> list[str]:
    """A Markdown grid: solved, mean error and largest error, a column for each budget."""
    lines = [f"| {title} | {' | '.join(budgets)} |", f"| --- |{' --- |' * len(budgets)}"]
    for name, found in groups.items():
        cells = [cell([one for one in found if one.budget == budget]) for budget in budgets]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def report(found: Sequence[Attempt], budgets: Sequence[str]) -> str:
    """The results by game and by theme, and the problems that the largest budget does not solve."""
    by_game: dict[str, list[Attempt]] = {}
    by_theme: dict[str, list[Attempt]] = {}
    for one in found:
        by_game.setdefault(one.problem.game, []).append(one)
        by_theme.setdefault(one.problem.theme, []).append(one)
    by_game["all"] = list(found)
    lines = [*grid("game", by_game, budgets), "", *grid("theme", dict(sorted(by_theme.items())), budgets)]
    missed = [one for one in found if one.budget == budgets[-1] and not one.is_solved]
    if missed:
        lines += ["", f"| not solved with {budgets[-1]} | game | seats | plays | best | costs |"]
        lines += ["| --- | --- | --- | --- | --- | --- |"]
        lines += [missed_row(one) for one in missed]
    return "\n".join(lines)


def missed_row(one: Attempt) -> str:
    problem, solution = one.problem, one.solution
    cost = solution.value - solution.values[one.move]
    best = ", ".join(solution.best)
    return f"| {problem.name} | {problem.game} | {problem.seats} | {one.move} | {best} | {cost:.3f} |"


def as_json(found: Sequence[Attempt], spec: str, seed: int) -> str:
    rows = [
        {
            "game": one.problem.game,
            "name": one.problem.name,
            "theme": one.problem.theme,
            "seats": one.problem.seats,
            "budget": one.budget,
            "move": one.move,
            "best": one.solution.best,
            "gap": round(one.solution.gap, 6),
            "is_solved": one.is_solved,
            "cost": round(one.solution.value - one.solution.values[one.move], 6),
            "error": round(one.error, 6),
            "seconds": round(one.seconds, 4),
        }
        for one in found
    ]
    return json.dumps({"player": spec, "seed": seed, "attempts": rows}, indent=1, ensure_ascii=False)


# ---- The command -----------------------------------------------------------------------------------------------


def show(problem: Problem, solution: Solution | None) -> str:
    """A problem in full."""
    lines = [f"{problem.name} ({problem.game}, {problem.seats} seats, {problem.theme})", problem.text, ""]
    lines += [f"seat {problem.state.to_move} to move", str(problem.view), ""]
    for move, value in sorted(solution.values.items(), key=lambda entry: -entry[1]) if solution else ():
        lines.append(f"{value:.6f} {move}")
    return "\n".join(lines)


def listing(problems: Iterable[Problem], solutions: dict[str, Solution]) -> str:
    lines = []
    for problem in problems:
        solution = solutions.get(problem.name)
        gap = f"{solution.gap:.3f}" if solution else "?"
        lines.append(f"{problem.game:16} {problem.seats}  {problem.theme:12} {gap:>6}  {problem.name}")
    return "\n".join(lines)


def solve(problems: Sequence[Problem], everything: Sequence[Problem], solutions: dict[str, Solution]) -> None:
    """Calculate values and write them, one problem after the other."""
    for number, problem in enumerate(problems, 1):
        started = time.perf_counter()
        values = problem.solve()
        old = solutions.get(problem.name)
        note = "" if old and old.values == values else " (changed)" if old else " (new)"
        solutions[problem.name] = solution = Solution(values)
        save_solutions(everything, solutions)
        print(
            f"{number}/{len(problems)} {problem.game}, {problem.name}: {', '.join(solution.best)} "
            f"{solution.value:.4f}, gap {solution.gap:.4f}, {time.perf_counter() - started:.1f} s{note}",
            flush=True,
        )


def selected(problems: Sequence[Problem], given: argparse.Namespace) -> list[Problem]:
    """The problems that the options ask for."""
    for option in ("game", "theme", "name"):
        wanted, known = getattr(given, option), sorted({getattr(problem, option) for problem in problems})
        if wanted is not None:
            if wanted not in known:
                raise ValueError(f"--{option} is {wanted!r}; allowed: {', '.join(known)}")
            problems = [problem for problem in problems if getattr(problem, option) == wanted]
    return list(problems)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--player", help="the player to try, e.g. mcts, expectimax:worlds=64, greedy")
    parser.add_argument("--iterations", type=int, nargs="+", help="budgets for mcts (100 to 100000)")
    parser.add_argument(
        "--depth", type=int, nargs="+", help=f"budgets for expectimax (1 to 8), {NODES} nodes at most"
    )
    parser.add_argument("--game", help="only the problems of this game")
    parser.add_argument("--theme", help="only the problems of this theme")
    parser.add_argument("--name", help="only this problem")
    parser.add_argument("--seed", type=int, default=1, help="seed of the player (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--show", metavar="NAME", help="print a problem and its values")
    parser.add_argument("--solve", action="store_true", help="calculate the exact values and write them")
    return parser


def main() -> None:
    """Do what the command line says."""
    parser = arguments()
    given = parser.parse_args()
    problems, solutions = load_problems(), load_solutions()
    try:
        given.name = given.show or given.name
        chosen = selected(problems, given)
        if given.show:
            print(show(chosen[0], solutions.get(given.show)))
        elif given.solve:
            solve(chosen, problems, solutions)
        elif given.player:
            budgets = budgets_of(given.player, given.iterations, given.depth)
            found = list(attempts(chosen, solutions, given.player, budgets, given.seed))
            print(as_json(found, given.player, given.seed) if given.json else report(found, budgets))
        else:
            print(listing(chosen, solutions))
    except (ValueError, aiplay.AiplayError) as problem:
        parser.error(str(problem))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
