"""The player that every other player has to beat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiplay.players.base import Player, Step, moves_to_choose_from

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay.analysis import Analysis
    from aiplay.limit import Limit

__all__ = ["RandomPlayer"]


class RandomPlayer(Player):
    """Any legal move, all equally likely."""

    name = "random"

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """Return a legal move; it takes no time worth limiting."""
        moves, seed = moves_to_choose_from(view, limit), self.stream.state
        move = self.stream.choice(moves)
        self._steps = (Step(view, seed, None, True, move),)
        return move

    def repeat(self, step: Step) -> tuple[int, Analysis]:
        """Choose again."""
        self.stream.state = step.seed
        analysis = self.analyse(step.view)
        return analysis.best, analysis

    def policy(self, view: View, limit: Limit | None = None) -> dict[int, float]:
        """Return the same share for every legal move."""
        moves = moves_to_choose_from(view, limit)
        return dict.fromkeys(moves, 1 / len(moves))
