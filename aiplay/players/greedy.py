"""The player that looks one move ahead."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from aiplay._core.search.greedy import greedy_values
from aiplay.analysis import Analysis, MoveAnalysis
from aiplay.options import Option
from aiplay.players.base import Player, Progress, moves_to_choose_from

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.limit import Limit

__all__ = ["GreedyPlayer"]


class GreedyPlayer(Player):
    """The move after which the game's own guess (``evaluate``) is best for the seat.

    One small move, not a whole turn. The guess is averaged over what is hidden (``worlds``) and over the dice
    and cards that follow the move before anybody has to decide (``samples``); a finished game counts as it
    ended. Equally good moves are chosen from by the seed.
    """

    name = "greedy"
    OPTIONS = (
        Option("worlds", 16, "worlds to average over where information is hidden", low=1, high=1_000_000),
        Option(
            "samples",
            64,
            "outcomes of chance per move and world; no more: all are tried",
            low=1,
            high=1_000_000,
        ),
    )

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """The move with the best value; a position with one legal move is answered at once."""
        moves = moves_to_choose_from(view, limit)
        return moves[0] if len(moves) == 1 else self._look(view)[0][0][0]

    def analyse(
        self, view: View, limit: Limit | None = None, *, progress: Progress | None = None, every: float = 0.5
    ) -> Analysis:
        """Every move of the position with its value; there is nothing to limit."""
        moves_to_choose_from(view, limit)
        started = time.perf_counter()
        found, n_positions, n_worlds = self._look(view)
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
            seconds=time.perf_counter() - started,
            worlds=n_worlds,
            depth=1,
        )

    def _look(self, view: View) -> tuple[list[tuple[int, list[float], float]], int, int]:
        """What `greedy_values` gives, best move first; equal ones (but for rounding) in random order."""
        seed = self.stream.bits()
        found, n_positions, n_worlds = greedy_values(
            view, self.options["worlds"], self.options["samples"], seed
        )
        found = self.stream.shuffled(found)
        found.sort(key=lambda entry: -round(entry[1][view.seat], 12))
        return found, n_positions, n_worlds
