"""What the players that search have in common."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from aiplay._core.contract import PLAY_TO_THE_END
from aiplay._core.search.common.control import StopFlag
from aiplay.analysis import Analysis, MoveAnalysis
from aiplay.errors import PlayerSpecError
from aiplay.limit import LIMIT_OPTIONS, Limit
from aiplay.options import Option
from aiplay.players.base import Player, Progress, moves_to_choose_from

if TYPE_CHECKING:
    from aiplay._core.game import Game, View

__all__ = ["PLAY_TO_THE_END", "Progress", "SearchPlayer", "advised_cutoff"]


def advised_cutoff(game: Game) -> int:
    """Moves of a playout before the game's evaluation decides, as the game advises; all if it has no evaluation."""
    return game.playout_depth if game.offers("evaluate") else PLAY_TO_THE_END


class SearchPlayer(Player):
    """A player that thinks within a limit, and can tell what it thought.

    Its limit comes from its options (``mcts:time=0.2``), or from the caller for one move.
    """

    DEFAULT_LIMIT: ClassVar[Limit] = Limit(time=0.5)

    def __init__(self, *, seed: int | None = None, **options: object) -> None:
        super().__init__(seed=seed, **options)
        self._stop = StopFlag()
        self.iterations_spent: int = 0

    @classmethod
    def limit_options(cls, *names: str) -> tuple[Option, ...]:
        """The limits that a kind of player understands, as options for its specification."""
        return tuple(option for option in LIMIT_OPTIONS if option.name in names)

    @property
    def limit(self) -> Limit:
        """What the player spends on a move unless the caller says otherwise."""
        given = {option.name: self.options[option.name] for option in self.OPTIONS if option in LIMIT_OPTIONS}
        return Limit(**given) if any(value is not None for value in given.values()) else self.DEFAULT_LIMIT

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """The move to make; a position with one legal move is answered at once."""
        self._stop.clear()
        moves = moves_to_choose_from(view, limit)
        if len(moves) == 1:
            return moves[0]
        analysis = self._search(view, self._checked_limit(limit), None, 0.0, is_choosing=True)
        self.iterations_spent += analysis.iterations
        return analysis.best

    def analyse(
        self,
        view: View,
        limit: Limit | None = None,
        *,
        progress: Progress | None = None,
        every: float = 0.5,
    ) -> Analysis:
        """Every move of the position with its value; `progress` gets what is known, `every` seconds."""
        self._stop.clear()
        moves = moves_to_choose_from(view, limit)
        if not every > 0:
            raise ValueError(f"every is {every!r}; allowed: a number of seconds above 0")
        if len(moves) == 1 and limit is None:
            return self._forced(view, moves[0])
        return self._search(view, self._checked_limit(limit), progress, every, is_choosing=False)

    def stop(self) -> None:
        """End the search that is going on, from any thread; it answers with the best move so far.

        A search goes on from the call of ``choose`` or ``analyse`` to its return. Without one, nothing happens.
        """
        self._stop.set()

    @abstractmethod
    def _search(
        self, view: View, limit: Limit, progress: Progress | None, every: float, *, is_choosing: bool
    ) -> Analysis:
        """Think; the view has at least one legal move of its seat."""

    def _checked_limit(self, limit: Limit | None) -> Limit:
        limit = self.limit if limit is None else limit
        known = {option.name for option in self.OPTIONS}
        for option in LIMIT_OPTIONS:
            if getattr(limit, option.name) is not None and option.name not in known:
                raise PlayerSpecError(
                    f"player {self.name!r} has no limit {option.name!r}; it has {self._limits()}"
                )
        if all(getattr(limit, name) is None for name in ("time", "iterations", "nodes", "depth")):
            raise PlayerSpecError(f"player {self.name!r} needs a limit: {self._limits()}")
        return limit

    def _limits(self) -> str:
        return ", ".join(option.name for option in self.OPTIONS if option in LIMIT_OPTIONS)

    def _forced(self, view: View, move: int) -> Analysis:
        """The analysis of a position with a single move: nothing to think about."""
        started = time.perf_counter()
        text = view.move_text(move)
        seats = view.game.seats
        only: Sequence[MoveAnalysis] = (MoveAnalysis(move, text, 0, 0.5),)
        return Analysis(
            view.seat, tuple(only), (text,), (0.5,) * seats, 0, time.perf_counter() - started, worlds=0
        )
