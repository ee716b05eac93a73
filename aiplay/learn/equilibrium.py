"""Strategies that cannot be read: counterfactual regret minimisation, until a best response wins little."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiplay import __version__
from aiplay._core.game import Game
from aiplay._core.search.common.control import StopFlag, now
from aiplay._core.stream import check_seed
from aiplay.errors import OptionError
from aiplay.exploit.exact import Gains, unrolled
from aiplay.learn import checkpoint
from aiplay.learn.solvers import Solver, made_solver, measured, shares_of
from aiplay.strategy import Strategy

__all__ = ["MEMORY", "MINUTES", "POSITIONS", "LearningState", "learn_equilibrium"]

MINUTES = 5.0
POSITIONS = 2_000_000  # of the largest game that is held as a whole
MEMORY = 1024  # megabytes for sampled games
TARGET = 1e-4  # default target, as a share of the range of returns
FIRST, GROWTH = 10, 1.3  # iterations of the first measurement; factor to the next
FIRST_SAMPLED = 10_000
SLICE = 0.2  # seconds between two calls of `progress`
SAVED_EVERY = 20.0  # seconds between two checkpoints, or more if writing one takes long
SAVING_SHARE = 20


@dataclass(frozen=True)
class LearningState:
    """How far learning is."""

    iterations: int
    information_sets: int
    exploitability: float | None  # at the last measurement; None: not yet, or the game is too large
    seconds: float


Progress = Callable[[LearningState], object]


def learn_equilibrium(
    game: Game,
    out: str | Path | None = None,
    *,
    minutes: float | None = MINUTES,
    iterations: int | None = None,
    target: float | None = None,
    seed: int | None = 0,
    sampled: bool = False,
    positions: int = POSITIONS,
    memory: int = MEMORY,
    resume: bool = False,
    progress: Progress | None = None,
    stop: StopFlag | None = None,
) -> Strategy:
    """Learn a strategy that approaches an equilibrium, write it to the file `out`, and return it.

    A game of at most `positions` positions is solved as a whole (CFR+). A larger one, or any with `sampled`, is sampled
    from its start, within `memory` megabytes. Learning ends after `minutes` (None: no limit) or `iterations`, or when
    the exploitability is below `target` (by default 0.01 % of the range of returns). It is known in games that fit into
    `positions`. The same seed and iterations give the same file.

    While it learns, a checkpoint lies beside the file; `resume` goes on from it after a killed run.
    """
    _check(minutes, iterations, target)
    tree = unrolled(game, positions)
    seed = check_seed(seed)
    solver = made_solver(game, tree, is_sampled=sampled, seed=seed, memory=memory)
    learner = _Learner(
        solver, tree, None if out is None else Path(out), seed, progress, StopFlag() if stop is None else stop
    )
    learner.target = TARGET * (game.max_return - game.min_return) if target is None else target
    if resume:
        learner.restore()
    learner.run(math.inf if minutes is None else 60 * minutes, iterations or 2**62)
    return learner.strategy()


def _check(minutes: float | None, iterations: int | None, target: float | None) -> None:
    for name, value in (("minutes", minutes), ("iterations", iterations), ("target", target)):
        if value is not None and not 0 < value < math.inf:
            raise OptionError(f"{name} is {value!r}; allowed: a number above 0")


class _Learner:
    """One run of learning."""

    target: float

    def __init__(
        self,
        solver: Solver,
        tree: Any,
        out: Path | None,
        seed: int,
        progress: Progress | None,
        stop: StopFlag,
    ) -> None:
        self.solver, self.tree, self.out, self.seed = solver, tree, out, seed
        self.progress, self.stop, self.started = progress, stop, time.monotonic()
        self.gains: Gains | None = None
        self.is_sampled = solver is not tree
        self.saved, self.saving = (
            self.started,
            0.0,
        )  # when the last checkpoint was written, and how long it took

    def restore(self) -> None:
        if self.out is None:
            raise OptionError("only a run that writes a file can be resumed: give `out`")
        checkpoint.restore(checkpoint.checkpoint_of(self.out), self.solver, self._made())

    def run(self, seconds: float, iterations: int) -> None:
        """Learn to the end of the time, the iterations or the target; then write the file."""
        deadline, is_done = now() + seconds, False
        try:
            while not is_done:
                self._learn_until(min(self._next_measurement(), iterations), deadline)
                self.gains = measured(self.tree, self.solver)
                is_good = self.gains is not None and self.gains.value <= self.target
                is_done = is_good or bool(self.stop) or now() >= deadline
                is_done = is_done or self.solver.iterations >= iterations
        except KeyboardInterrupt:
            self._save()
            raise
        if self.out is not None:
            self.strategy().write(self.out)
            if not self.stop:
                checkpoint.checkpoint_of(self.out).unlink(missing_ok=True)

    def _next_measurement(self) -> int:
        """Return the iterations at which to measure next: always the same, so that the target ends runs alike."""
        following = FIRST_SAMPLED if self.is_sampled else FIRST
        while following <= self.solver.iterations:
            following = math.ceil(following * GROWTH)
        return following

    def _learn_until(self, iterations: int, deadline: float) -> None:
        while self.solver.iterations < iterations:
            goes_on = self.solver.solve(self.stop, deadline, now() + SLICE, iterations)
            if self.progress is not None:
                self.progress(self._state())
            if time.monotonic() - self.saved > max(SAVED_EVERY, SAVING_SHARE * self.saving) or self.stop:
                self._save()
            if not goes_on:
                break

    def _state(self) -> LearningState:
        value = None if self.gains is None else self.gains.value
        spent = time.monotonic() - self.started
        return LearningState(self.solver.iterations, self.solver.n_infosets, value, spent)

    def _save(self) -> None:
        """Write a checkpoint, and the strategy so far."""
        if self.out is None:
            return
        began = time.monotonic()
        checkpoint.save(checkpoint.checkpoint_of(self.out), self.solver, self._made())
        self.strategy().write(self.out)
        self.saved = time.monotonic()
        self.saving = self.saved - began

    def _made(self) -> dict[str, Any]:
        solver = "sampled" if self.is_sampled else "whole"
        return {"method": "equilibrium", "solver": solver, "seed": self.seed}

    def strategy(self) -> Strategy:
        """Return the strategy so far, with its description."""
        found = self.gains
        return Strategy.of_game(
            self.solver.game,
            dict(shares_of(self.solver)),
            **self._made(),
            aiplay=__version__,
            iterations=self.solver.iterations,
            information_sets=self.solver.n_infosets,
            positions=None if self.tree is None else self.tree.size,
            forgotten=None if self.tree is None else self.tree.n_merged,
            exploitability=None if found is None else found.value,
            returns=None if found is None else list(found.own),
        )
