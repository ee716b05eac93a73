"""The base class of the players that search."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias

from aiplay._core.contract import PLAY_TO_THE_END
from aiplay._core.search.common.control import StopFlag, now
from aiplay.errors import PlayerSpecError
from aiplay.limit import LIMIT_OPTIONS, Limit
from aiplay.options import Option
from aiplay.players.base import Effort, Player, Progress, Slices, Step, finish, moves_to_choose_from
from aiplay.value import ValueChoice

if TYPE_CHECKING:
    from aiplay._core.game import Game, View
    from aiplay.analysis import Analysis, MoveAnalysis

__all__ = [
    "NO_LIMIT",
    "SLICE",
    "Findings",
    "RankedMove",
    "Report",
    "SearchPlayer",
    "advised_cutoff",
    "analysed",
    "forced_analysis",
]

NO_LIMIT = 2**62  # iterations or nodes
SLICE = 0.05  # seconds that a search goes on before it looks for signals and progress, and pauses

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

    @property
    def effort(self) -> Effort:
        """The work that was done: enough to repeat it."""

    @property
    def goes_on(self) -> bool:
        """True if the search went on from the last one: repeating it means to repeat both."""


class UnderWay(Protocol):
    """A search that can tell what it has found so far."""

    def analysis(self, *, is_final: bool) -> Analysis:
        """Return all results so far."""


class Report:
    """Calls back regularly during a search."""

    def __init__(self, progress: Progress, every: float) -> None:
        self.progress, self.every = progress, every
        self.due = now() + every

    def look(self, search: UnderWay) -> None:
        """Call back if it is time."""
        if now() >= self.due:
            self.progress(search.analysis(is_final=False))
            self.due = now() + self.every


def analysed(view: View, ranked: Iterable[RankedMove]) -> tuple[MoveAnalysis, ...]:
    """Return moves as a search ranks them, with their notation."""
    from aiplay.analysis import MoveAnalysis

    return tuple(
        MoveAnalysis(move, view.move_text(move), visits, value, error, is_proven)
        for move, visits, value, error, is_proven in ranked
    )


def forced_analysis(view: View, move: int) -> Analysis:
    """Return the analysis of a position with a single move, without search."""
    from aiplay.analysis import Analysis

    started = time.perf_counter()
    only = analysed(view, [(move, 0, 0.5, 0.0, False)])
    odds = (0.5,) * view.game.seats
    return Analysis(view.seat, only, (only[0].text,), odds, 0, time.perf_counter() - started, worlds=0)


def advised_cutoff(game: Game, choice: ValueChoice | None = None) -> int:
    """Return the moves of a playout before the evaluation decides, as value file or game advise; all without either."""
    cutoff = None if choice is None else choice.cutoff(game)
    if cutoff is not None:
        return cutoff
    return game.playout_depth if game.offers("evaluate") else PLAY_TO_THE_END


class SearchPlayer(Player):
    """A player that searches within a limit, and can explain its choice.

    The limit comes from its options (``mcts:time=0.2``), or from the caller for one move.
    """

    DEFAULT_LIMIT: ClassVar[Limit] = Limit(time=0.5)

    def __init__(self, *, seed: int | None = None, **options: object) -> None:
        super().__init__(seed=seed, **options)
        self._stop = StopFlag()
        self._searched: tuple[Step, ...] = ()  # the last search, after those that it went on from
        self._values = ValueChoice(self.options.get("value", "game"))
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

    def limit_for(self, game: Game, limit: Limit | None = None) -> Limit:
        """Return the limit for a move in a game: the caller's, else the player's own."""
        return self.limit if limit is None else limit

    def choose(self, view: View, limit: Limit | None = None) -> int:
        """Return the move to make; a position with one legal move needs no search."""
        return finish(self.choose_in_slices(view, limit))

    def choose_in_slices(self, view: View, limit: Limit | None = None) -> Slices[int]:
        """Choose as ``choose`` does, and pause after every slice of the search."""
        self._stop.clear()
        moves = moves_to_choose_from(view, limit)
        seed = self.stream.state
        if len(moves) == 1:
            self._steps = (Step(view, seed, None, True, moves[0]),)
            return moves[0]
        found = yield from self._search(
            view, self._checked_limit(limit, view.game), None, 0.0, is_choosing=True
        )
        self.iterations_spent += found.iterations
        move = found.best()
        self._note(Step(view, seed, found.effort, True, move), found)
        return move

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
        seed = self.stream.state
        if len(moves) == 1 and limit is None:
            self._steps = (Step(view, seed, None, False, moves[0]),)
            return self._signed(forced_analysis(view, moves[0]))
        checked = self._checked_limit(limit, view.game)
        found = yield from self._search(view, checked, progress, every, is_choosing=False)
        analysis = found.analysis()
        self._note(Step(view, seed, found.effort, False, analysis.best), found)
        return self._signed(analysis)

    def forget(self) -> None:
        """Free the memory that is kept for the next move, and for the token of the last one."""
        super().forget()
        self._searched = ()

    def stop(self) -> None:
        """End the search that is going on, from any thread; it answers with the best move so far.

        A search goes on from the call of ``choose`` or ``analyse`` to its return. Without one, nothing happens.
        """
        self._stop.set()

    def repeat(self, step: Step) -> tuple[int, Analysis]:
        """Do a search again, right after those that it went on from; return the choice and all results."""
        self._stop.clear()
        self.stream.state = step.seed
        if step.effort is None:
            return step.move, forced_analysis(step.view, step.move)
        found = finish(self._repeat(step.view, step.effort, is_choosing=step.is_choosing))
        move = found.best() if step.is_choosing else None
        analysis = found.analysis()
        return analysis.best if move is None else move, analysis

    def _note(self, step: Step, found: Findings) -> None:
        """Keep a search for its token."""
        self._searched = (*self._searched, step) if found.goes_on else (step,)
        self._steps = self._searched

    def _repeat(self, view: View, effort: Effort, *, is_choosing: bool) -> Slices[Findings]:
        """Do the work of an earlier search again."""
        raise PlayerSpecError(f"player {self.name!r} cannot repeat a search")

    @abstractmethod
    def _search(
        self, view: View, limit: Limit, progress: Progress | None, every: float, *, is_choosing: bool
    ) -> Slices[Findings]:
        """Search a view with at least one legal move of its seat; a generator that pauses after every slice."""

    def _checked_limit(self, limit: Limit | None, game: Game) -> Limit:
        limit = self.limit_for(game, limit)
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
