"""The base class of the players that search."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias

from aiplay._core.contract import PLAY_TO_THE_END
from aiplay._core.search.common.control import StopFlag
from aiplay.errors import PlayerSpecError
from aiplay.limit import LIMIT_OPTIONS, Limit
from aiplay.options import Option
from aiplay.players.base import Player, Progress, Slices, finish, moves_to_choose_from

if TYPE_CHECKING:
    from aiplay._core.game import Game, View
    from aiplay.analysis import Analysis, MoveAnalysis

__all__ = ["NO_LIMIT", "Findings", "RankedMove", "SearchPlayer", "advised_cutoff", "analysed"]

NO_LIMIT = 2**62  # iterations or nodes

RankedMove: TypeAlias = tuple[int, int, float, float, bool]  # move, visits, value, standard error, is proven


class Findings(Protocol):
    """The result of a search; the analysis is made only if somebody asks for it."""

    @property
    def iterations(self) -> int:
        """Playouts of mcts, evaluated positions of other players."""

    def best(self) -> int:
        """Return the best move."""

    def analysis(self) -> Analysis:
        """Return all results."""


def analysed(view: View, ranked: Iterable[RankedMove]) -> tuple[MoveAnalysis, ...]:
    """Return moves as a search ranks them, with their notation."""
    from aiplay.analysis import MoveAnalysis

    return tuple(
        MoveAnalysis(move, view.move_text(move), visits, value, error, is_proven)
        for move, visits, value, error, is_proven in ranked
    )


def advised_cutoff(game: Game) -> int:
    """Return the moves of a playout before the evaluation decides, as the game advises; all if it has none."""
    return game.playout_depth if game.offers("evaluate") else PLAY_TO_THE_END


class SearchPlayer(Player):
    """A player that searches within a limit, and can explain its choice.

    The limit comes from its options (``mcts:time=0.2``), or from the caller for one move.
    """

    DEFAULT_LIMIT: ClassVar[Limit] = Limit(time=0.5)

    def __init__(self, *, seed: int | None = None, **options: object) -> None:
        super().__init__(seed=seed, **options)
        self._stop = StopFlag()
        self.iterations_spent: int = 0

    @classmethod
    def limit_options(cls, *names: str) -> tuple[Option, ...]:
        """Return the limits of these names as options for a specification."""
        return tuple(option for option in LIMIT_OPTIONS if option.name in names)

    @property
    def limit(self) -> Limit:
        """The limit for a move unless the caller gives another."""
        given = {option.name: self.options[option.name] for option in self.OPTIONS if option in LIMIT_OPTIONS}
        return Limit(**given) if any(value is not None for value in given.values()) else self.DEFAULT_LIMIT

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """Return the move to make; a position with one legal move needs no search."""
        return finish(self.choose_in_slices(view, limit))

    def choose_in_slices(self, view: View, limit: Limit | None = None) -> Slices[int]:
        """Choose as ``choose`` does, and pause after every slice of the search."""
        self._stop.clear()
        moves = moves_to_choose_from(view, limit)
        if len(moves) == 1:
            return moves[0]
        found = yield from self._search(view, self._checked_limit(limit), None, 0.0, is_choosing=True)
        self.iterations_spent += found.iterations
        return found.best()

    def analyse(
        self,
        view: View,
        limit: Limit | None = None,
        *,
        progress: Progress | None = None,
        every: float = 0.5,
    ) -> Analysis:
        """Return every move of the position with its value; `progress` gets the analysis so far, `every` seconds."""
        return finish(self.analyse_in_slices(view, limit, progress=progress, every=every))

    def analyse_in_slices(
        self,
        view: View,
        limit: Limit | None = None,
        *,
        progress: Progress | None = None,
        every: float = 0.5,
    ) -> Slices[Analysis]:
        """Analyse as ``analyse`` does, and pause after every slice of the search."""
        self._stop.clear()
        moves = moves_to_choose_from(view, limit)
        if not every > 0:
            raise ValueError(f"every is {every!r}; allowed: a number of seconds above 0")
        if len(moves) == 1 and limit is None:
            return self._forced(view, moves[0])
        checked = self._checked_limit(limit)
        found = yield from self._search(view, checked, progress, every, is_choosing=False)
        return found.analysis()

    def stop(self) -> None:
        """End the search that is going on, from any thread; it answers with the best move so far.

        A search goes on from the call of ``choose`` or ``analyse`` to its return. Without one, nothing happens.
        """
        self._stop.set()

    @abstractmethod
    def _search(
        self, view: View, limit: Limit, progress: Progress | None, every: float, *, is_choosing: bool
    ) -> Slices[Findings]:
        """Search a view with at least one legal move of its seat; a generator that pauses after every slice."""

    def _checked_limit(self, limit: Limit | None) -> Limit:
        limit = self.limit if limit is None else limit
        known = {option.name for option in self.OPTIONS}
        for option in LIMIT_OPTIONS:
            if getattr(limit, option.name) is not None and option.name not in known:
                raise PlayerSpecError(
                    f"player {self.name!r} has no limit {option.name!r}; it has {self._limits()}"
                )
        if all(getattr(limit, option.name) is None for option in LIMIT_OPTIONS):
            raise PlayerSpecError(f"player {self.name!r} needs a limit: {self._limits()}")
        return limit

    def _limits(self) -> str:
        return ", ".join(option.name for option in self.OPTIONS if option in LIMIT_OPTIONS)

    def _forced(self, view: View, move: int) -> Analysis:
        """Return the analysis of a position with a single move, without search."""
        from aiplay.analysis import Analysis

        started = time.perf_counter()
        only = analysed(view, [(move, 0, 0.5, 0.0, False)])
        odds = (0.5,) * view.game.seats
        return Analysis(view.seat, only, (only[0].text,), odds, 0, time.perf_counter() - started, worlds=0)
