"""The player that looks one move ahead."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from aiplay._core.search.common.control import StopFlag, now
from aiplay._core.search.greedy import greedy_values
from aiplay.options import Option
from aiplay.players.base import Effort, Player, Progress, Step, moves_to_choose_from
from aiplay.players.search import forced_analysis
from aiplay.value import VALUE_OPTION, ValueChoice

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.analysis import Analysis
    from aiplay.limit import Limit

__all__ = ["GreedyPlayer"]


class GreedyPlayer(Player):
    """The move after which the evaluation (the game's ``evaluate``, or a trained value) is best for the seat.

    One small move, not a whole turn. Values are averaged over hidden information (``worlds``) and over the dice and
    cards that follow the move before the next decision (``samples``); a finished game counts by its returns. The seed
    decides between equally good moves.
    """

    name = "greedy"
    OPTIONS = (
        Option("worlds", 16, "worlds to average over if information is hidden", low=1, high=1_000_000),
        Option(
            "samples",
            64,
            "outcomes of chance to try per move and world, sampled if there are more",
            low=1,
            high=1_000_000,
        ),
        VALUE_OPTION,
    )

    def __init__(self, *, seed: int | None = None, **options: object) -> None:
        super().__init__(seed=seed, **options)
        self._stop = StopFlag()
        self._values = ValueChoice(self.options["value"])

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """Return the move with the best value; its options bound its work, and so does the time of a limit."""
        self._stop.clear()
        moves = moves_to_choose_from(view, limit)
        if len(moves) == 1:
            self._steps = (Step(view, self.stream.state, None, True, moves[0]),)
            return moves[0]
        return self._look(view, limit, is_choosing=True).moves[0][0]

    def stop(self) -> None:
        """End the search that is going on, from any thread; it answers by what it has tried so far."""
        self._stop.set()

    def analyse(
        self, view: View, limit: Limit | None = None, *, progress: Progress | None = None, every: float = 0.5
    ) -> Analysis:
        """Return every move of the position with its value; `progress` is not used."""
        self._stop.clear()
        moves_to_choose_from(view, limit)
        started = now()
        return self._signed(self._analysed(view, self._look(view, limit), started))

    def repeat(self, step: Step) -> tuple[int, Analysis]:
        """Look again; a scan that was stopped is stopped at the same place."""
        self._stop.clear()
        if step.effort is None:
            return step.move, forced_analysis(step.view, step.move)
        started, self.stream.state = now(), step.seed
        looks = sum(step.effort.counts)
        analysis = self._analysed(step.view, self._look(step.view, None, most_looks=looks), started)
        return analysis.best, analysis

    def _analysed(self, view: View, scan: _Scan, started: float) -> Analysis:
        from aiplay.analysis import Analysis, MoveAnalysis

        moves = tuple(
            MoveAnalysis(move, view.move_text(move), 0, values[view.seat], error)
            for move, values, error in scan.moves
        )
        return Analysis(
            seat=view.seat,
            moves=moves,
            line=(moves[0].text,),
            odds=tuple(scan.moves[0][1]),
            iterations=scan.n_positions,
            seconds=now() - started,
            worlds=scan.n_worlds,
            depth=1,
        )

    def _look(
        self, view: View, limit: Limit | None, *, is_choosing: bool = False, most_looks: int = 0
    ) -> _Scan:
        """Return the result of `greedy_values`, best move first; equal ones (but for rounding) in random order."""
        state = self.stream.state
        deadline = math.inf if limit is None or limit.time is None else now() + limit.time
        found, n_positions, n_worlds, n_looks = greedy_values(
            view,
            self.options["worlds"],
            self.options["samples"],
            self.stream.bits(),
            self._stop,
            deadline,
            most_looks,
            self._values.of(view.game),
        )
        found = self.stream.shuffled(found)
        found.sort(key=lambda entry: -round(entry[1][view.seat], 12))
        effort = Effort((n_looks,), is_cut=n_looks > 0)
        self._steps = (Step(view, state, effort, is_choosing, found[0][0]),)
        return _Scan(found, n_positions, n_worlds)


class _Scan(NamedTuple):
    """The result of a look ahead."""

    moves: list[tuple[int, list[float], float]]  # move, values of all seats, standard error; best first
    n_positions: int
    n_worlds: int
