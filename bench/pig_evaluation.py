"""The evaluation of pig against exact chances to win: where its constants come from, and how far off it is.

    python bench/pig_evaluation.py              the fitted constants, then root mean square errors (half a minute)

The constants are fitted to all scores of two seats (target 100) at the beginning of a turn. The errors are those of
`evaluate`, as chances to win of every seat: at the beginning of a turn, and of two seats also with 2 to 40 points at
risk, on random positions. `before` is the evaluation until 0.1.0. Needs scipy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import least_squares

import aiplay

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

Array = np.ndarray[Any, Any]
GAINS = (2, 3, 4, 5, 6)
TARGETS = {3: 40, 4: 20, 5: 11, 6: 8}  # of games of more seats: all positions fit into memory
POSITIONS = 4000
ENOUGH = 3000  # decisions made and left: far from the horizon
START = (0.7, 35.0, 10.0, 3.5)  # any will do that are near


def fitted(start: Array) -> tuple[Array, float]:
    """Return the constants of STRENGTH and PASS, and their error; `start` has the chances [needed - 1, theirs - 1]."""
    points = np.maximum(np.arange(1, len(start) + 1), 2)
    mine, theirs = points[:, None], points[None, :]

    def error(x: Array) -> Array:
        odds = x[0] * (np.sqrt(theirs + x[1]) - np.sqrt(mine + x[1])) + x[2] / (mine + x[3])
        return (1 / (1 + np.exp(-odds)) - start).ravel()

    found = least_squares(error, START)
    return found.x, float(np.sqrt(np.mean(found.fun**2)))


def exact(seats: int, target: int, sweeps: int = 200, close: float = 1e-4) -> Array:
    """Return the chances [seat, needed - 1 of each] at the beginning of a turn of seat 0, by value iteration.

    Every seat plays for its own chance. The turn is solved from its last roll to its first.
    """
    shape = (seats, *[target] * seats)
    start = np.full(shape, 1 / seats, np.float32)
    won = np.zeros(shape, np.float32)
    won[0] = 1
    for _ in range(sweeps):
        passed = np.stack([np.moveaxis(start[(seat - 1) % seats], -1, 0) for seat in range(seats)])
        after = [won] * (target + 7)  # by the points at risk; they win if they are enough
        for at_risk in range(target - 1, -1, -1):
            rolled = (passed + sum(after[at_risk + gain] for gain in GAINS)) / 6
            if at_risk:
                held = won.copy()
                held[:, at_risk:] = passed[:, : target - at_risk]
                rolled = np.where(held[0] >= rolled[0], held, rolled)
                rolled[:, :at_risk] = won[:, :at_risk]
            after[at_risk] = rolled
            after[at_risk + 6] = won
        change = float(np.abs(after[0] - start).max())
        start = after[0]
        if change < close:
            break
    return start


def before(scores: list[int], at_risk: int, target: int) -> Array:
    """Return the shares of an earlier evaluation; seat 0 is in turn."""
    points = np.array(scores, float)
    points[0] += at_risk if points[0] + at_risk >= target else 0.75 * at_risk
    closeness = 1 / (1 + 8 * np.maximum(target - points, 0) / target)
    return closeness / closeness.sum()


def now(scores: list[int], at_risk: int, target: int) -> Array:
    """Return the chances to win that `evaluate` gives; seat 0 is in turn."""
    seats = len(scores)
    game = aiplay.load_game("pig", players=seats, target=target, horizon=2 * ENOUGH)
    fields = np.zeros(1, game.dtype)
    fields["scores"][0, :seats] = scores
    fields["turn_total"], fields["n_decisions"] = at_risk, ENOUGH
    worst = 0.5 - 0.5 / (seats - 1)
    return (np.array(game.state_from_bytes(fields.tobytes()).evaluate()) - worst) / (1 - worst)


Judged = Callable[[list[int], int, int], Array]


def errors(positions: list[tuple[list[int], int, int, Array]]) -> str:
    """Return the root mean square errors before and now, as two cells."""

    def of(judge: Judged) -> float:
        return float(np.sqrt(np.mean([(judge(*known) - right) ** 2 for *known, right in positions])))

    return f"{of(before):.4f} | {of(now):.4f}"


def main() -> None:
    """Print the constants and the errors."""
    from test_expectimax_pig import solution

    roll, hold = solution()
    constants, error = fitted(roll[0, ::-1, ::-1])
    print("STRENGTH = exp(-{:.4f} * sqrt(points + {:.2f}))".format(*constants[:2]))
    print("PASS = exp(-{:.2f} / (points + {:.2f}))".format(*constants[2:]))
    print(f"error of the fit: {error:.4f}\n")
    print("| seats | target | positions | before | now |\n| --- | --- | --- | --- | --- |")
    random = np.random.default_rng(1)
    for low, high, name in ((0, 0, "at the beginning of a turn"), (2, 40, "within a turn")):
        found = []
        while len(found) < POSITIONS:
            mine, theirs, at_risk = (int(n) for n in random.integers([0, 0, low], [100, 100, high + 1]))
            if mine + at_risk < 100:
                best = max(roll[at_risk, mine, theirs], hold[at_risk, mine, theirs] if at_risk else 0.0)
                found.append(([mine, theirs], at_risk, 100, np.array([best, 1 - best])))
        print(f"| 2 | 100 | {name} | {errors(found)} |", flush=True)
    for seats, target in TARGETS.items():
        start = exact(seats, target)
        scores = random.integers(0, target, (POSITIONS, seats))
        known = [
            (row.tolist(), 0, target, start[(slice(None), *(target - row - 1).tolist())]) for row in scores
        ]
        print(f"| {seats} | {target} | at the beginning of a turn | {errors(known)} |", flush=True)


if __name__ == "__main__":
    main()
