"""The player that looks one move ahead."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from aiplay._core.search.common.control import StopFlag, now
from aiplay._core.search.greedy import greedy_values
from aiplay.options import Option
from aiplay.players.base import Player, Progress, moves_to_choose_from

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.analysis import Analysis
    from aiplay.limit import Limit

__all__ = ["GreedyPlayer"]


class GreedyPlayer(Player):
    """The move after which the game's evaluation (``evaluate``) is best for the seat.

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
    )

    def __init__(self, *, seed: int | None = None, **options: object) -> None:
        super().__init__(seed=seed, **options)
        self._stop = StopFlag()

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """Return the move with the best value; its options bound its work, and so does the time of a limit."""
        self._stop.clear()
        moves = moves_to_choose_from(view, limit)
        return moves[0] if len(moves) == 1 else self._look(view, limit)[0][0][0]

    def stop(self) -> None:
        """End the search that is going on, from any thread; it answers by what it has tried so far."""
        self._stop.set()

    def analyse(
        self, view: View, limit: Limit | None = None, *, progress: Progress | None = None, every: float = 0.5
    ) -> Analysis:
        """Return every move of the position with its value; `progress` is not used."""
        from aiplay.analysis import Analysis, MoveAnalysis

        self._stop.clear()
        moves_to_choose_from(view, limit)
        started = now()
        found, n_positions, n_worlds = self._look(view, limit)
        moves = tuple(
            MoveAnalysis(move, view.move_text(move), 0, values[view.seat], error)
            for move, values, error in found
        )
        return Analysis(
            seat=view.seat,
            moves=moves,
            line=(moves[0].text,),
            odds=tuple(found[0][1]),
            iterations=n_positions,
            seconds=now() - started,
            worlds=n_worlds,
            depth=1,
        )

    def _look(self, view: View, limit: Limit | None) -> tuple[list[tuple[int, list[float], float]], int, int]:
        """Return the result of `greedy_values`, best move first; equal ones (but for rounding) in random order."""
        seed = self.stream.bits()
        deadline = math.inf if limit is None or limit.time is None else now() + limit.time
        found, n_positions, n_worlds = greedy_values(
            view, self.options["worlds"], self.options["samples"], seed, self._stop, deadline
        )
        found = self.stream.shuffled(found)
        found.sort(key=lambda entry: -round(entry[1][view.seat], 12))
        return found, n_positions, n_worlds
