"""Tuning: variants of a player meet the player as given; the best one has to win a last duel on fresh deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import TYPE_CHECKING

from aiplay._core.stream import seed_below
from aiplay.match import Duel, play_all
from aiplay.match.schedule import seatings
from aiplay.profile.result import Score
from aiplay.tune.bandit import Point, TupleBandit
from aiplay.tune.result import Tuning, ValueScore
from aiplay.tune.saved import Plan, write_plan
from aiplay.tune.space import Value, with_options

if TYPE_CHECKING:
    import os

    from aiplay._core.game import Game

__all__ = ["Progress", "Tuner"]

ROUND = 8  # deals of a round: they are played at the same time, so their number may not depend on the machine
ELO = (0.0, 30.0)  # hypotheses of the last duel
BANDIT, SEARCH, FINAL = range(3)  # seeds below that of the plan

Progress = Callable[[str, int, int], object]  # what is going on, games done, all games


class Tuner:
    """A tuning under way. With a limit in iterations, a plan gives the same result everywhere."""

    def __init__(
        self,
        game: Game,
        plan: Plan,
        scores: Sequence[float] = (),
        *,
        save: str | os.PathLike[str] | None = None,
        executor: Executor | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Take the scores of earlier deals of the same plan, if it was interrupted."""
        self.game, self.plan, self.save, self.executor = game, plan, save, executor
        self.show: Progress = progress or (lambda *_: None)
        self.bandit = TupleBandit([len(values) for _, values in plan.space], seed_below(plan.seed, BANDIT))
        self.scores: list[float] = []
        self._earlier = list(scores)
        self._per_deal = len(seatings(game))

    def run(self) -> Tuning:
        """Search, then let the best variant play the last duel."""
        started = time.perf_counter()
        deals = -(-self.plan.games // self._per_deal)
        while len(self.scores) < deals:
            self._next_round(min(ROUND, deals - len(self.scores)))
        best = self.bandit.winner()
        duel = self._final(self._spec(best))
        assert duel.sprt is not None
        return Tuning(
            game=self.game,
            player=self.plan.player,
            seed=self.plan.seed,
            games=len(self.scores) * self._per_deal,
            variants=len(self.bandit.tried),
            values=tuple(self._values()),
            changes=self._changes(best),
            best=self._spec(best),
            final=Score.of(duel.summary()),
            sprt=duel.sprt,
            seconds=time.perf_counter() - started,
        )

    # ---- Points and players ----------------------------------------------------------------------------------

    def _changes(self, point: Point) -> dict[str, Value]:
        found = {}
        for number, (name, values) in zip(point, self.plan.space, strict=True):
            if (value := values[number]) is not None:
                found[name] = value
        return found

    def _spec(self, point: Point) -> str:
        return with_options(self.plan.player, self._changes(point))

    def _values(self) -> Iterator[ValueScore]:
        effects = self.bandit.effects()
        for dimension, (name, values) in enumerate(self.plan.space):
            for number, value in enumerate(values):
                deals = sum(point[dimension] == number for point, _ in self.bandit.scores)
                yield ValueScore(name, value, deals, *effects.get((dimension, number), (0.0, 0.0)))

    # ---- Playing ---------------------------------------------------------------------------------------------

    def _next_round(self, n: int) -> None:
        """Try n points on a deal each. Scores of earlier runs are taken instead, as far as there are any."""
        points = self.bandit.propose(n)
        first = len(self.scores)
        known = self._earlier[first : first + n]
        scores = known + self._play(points[len(known) :], first + len(known))
        for point, score in zip(points, scores, strict=True):
            self.bandit.add(point, score)
        self.scores += scores
        if self.save is not None and len(known) < n:
            write_plan(self.save, self.game, self.plan, self.scores)

    def _play(self, points: Sequence[Point], first: int) -> list[float]:
        """Return the score of every point on a deal of its own."""
        seeds = [
            seed_below(seed_below(self.plan.seed, SEARCH), first + number) for number in range(len(points))
        ]
        duels = [
            Duel(self.game, self._spec(point), self.plan.player, self._per_deal, seed)
            for point, seed in zip(points, seeds, strict=True)
        ]
        schedule = [game for duel in duels for game in duel.schedule]
        numbered = [replace(game, number=number) for number, game in enumerate(schedule)]
        for done, result in enumerate(play_all(numbered, self.executor), 1):
            number, place = divmod(result.scheduled.number, self._per_deal)
            duels[number].count(replace(result, scheduled=duels[number].schedule[place]))
            self.show(self._news(), first * self._per_deal + done, self.plan.games)
        return [duel.summary().a_score for duel in duels]

    def _news(self) -> str:
        best = self.bandit.best()
        found = ",".join(f"{name}={value}" for name, value in self._changes(best).items())
        return f"searching, {found or 'nothing'} leads"

    def _final(self, spec: str) -> Duel:
        seed = seed_below(self.plan.seed, FINAL)
        duel = Duel(self.game, spec, self.plan.player, self.plan.final, seed, ELO)
        for _ in duel.play_games(self.executor):
            self.show(f"last duel of {spec}", len(duel.results), len(duel.schedule))
        return duel
