"""Playing the games of a match, on whatever computes.

    for result in play_all(fixtures):                       # one after the other, in this process
    for result in play_all(fixtures, executor):             # on any concurrent.futures.Executor, as they come

A game depends on its fixture alone, so the results are the same everywhere; only their order differs. Some more
games than can be played at once are under way (`executor.capacity`, if it has one), never all of them. Games that
are lost with a worker are played again.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from queue import Empty, SimpleQueue

import aiplay
from aiplay.errors import AiplayError, MatchError
from aiplay.match.fixture import Fixture, GameResult, play_fixture

__all__ = ["play_all"]

LOSSES = 3  # of one game before the match gives up: a game that kills its worker would do so for ever
LOOK = 0.5  # seconds; waiting is broken up so that Ctrl-C gets through everywhere


def play_all(fixtures: Iterable[Fixture], executor: Executor | None = None) -> Iterator[GameResult]:
    """Play games; give every result as soon as it is there. What is under way is cancelled when nobody listens.

    MatchError if a game fails, or if workers die again and again.
    """
    if executor is None:
        return map(_play_here, fixtures)
    return _Flight(executor).results(iter(fixtures))


class _Flight:
    """Games under way on an executor."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self.pending: dict[Future[GameResult], Fixture] = {}
        self.done: SimpleQueue[Future[GameResult]] = SimpleQueue()
        self.losses: dict[int, int] = {}  # by number of the game

    def results(self, fixtures: Iterator[Fixture]) -> Iterator[GameResult]:
        try:
            while self._fill(fixtures):
                with contextlib.suppress(Empty):
                    future = self.done.get(timeout=LOOK)
                    if future in self.pending and not self._is_lost(future):
                        yield self._result(future)
                    else:
                        fixtures = itertools.chain(self._lost(), fixtures)
        finally:
            for future in self.pending:
                future.cancel()

    def _fill(self, fixtures: Iterator[Fixture]) -> bool:
        """Start games up to the capacity; whether any is under way."""
        for fixture in itertools.islice(fixtures, max(0, _capacity(self.executor) - len(self.pending))):
            try:
                future = self.executor.submit(_play_there, fixture, aiplay.__version__)
            except BrokenExecutor as problem:  # a worker died a moment ago
                future = Future()
                future.set_exception(problem)
            self.pending[future] = fixture
            future.add_done_callback(self.done.put)
        return bool(self.pending)

    def _result(self, future: Future[GameResult]) -> GameResult:
        fixture = self.pending.pop(future)
        try:
            return future.result()
        except Exception as problem:
            raise _failure(fixture, problem) from problem

    def _lost(self) -> list[Fixture]:
        """The games that were lost with their workers; the executor gets a chance to mend what broke.

        All of them at once: when a pool breaks, every game in it is lost, and mending it twice would lose them again.
        """
        found = [future for future in self.pending if self._is_lost(future)]
        if not found:
            return []  # told by an earlier one
        if hasattr(self.executor, "renew"):
            self.executor.renew()
            found = [future for future in self.pending if self._is_lost(future)]
        elif isinstance(problem := _problem(found[0]), BrokenExecutor):
            raise MatchError(f"the workers have died: {problem}") from problem
        for future in found:
            self._count_loss(self.pending[future], _problem(future))
        return sorted((self.pending.pop(future) for future in found), key=lambda fixture: fixture.number)

    def _is_lost(self, future: Future[GameResult]) -> bool:
        """Whether a game did not fail, but its worker went away. Dask's names for that need no import of Dask."""
        if not future.done():
            return False
        problem = _problem(future)
        names = ("FutureCancelledError", "KilledWorker")
        return isinstance(problem, BrokenExecutor | CancelledError) or type(problem).__name__ in names

    def _count_loss(self, fixture: Fixture, problem: BaseException | None) -> None:
        self.losses[fixture.number] = self.losses.get(fixture.number, 0) + 1
        if self.losses[fixture.number] >= LOSSES:
            raise MatchError(
                f"game {fixture.number} was lost with its worker {LOSSES} times "
                f"({type(problem).__name__}); does a player crash, or is memory short?"
            ) from problem


def _problem(future: Future[GameResult]) -> BaseException | None:
    """Why a call that is over has no result."""
    try:
        return future.exception(timeout=0)
    except CancelledError as problem:
        return problem


def _capacity(executor: Executor) -> int:
    """How many games to have under way: one for every worker and one that waits for it."""
    workers = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
    return int(getattr(executor, "capacity", 2 * workers))


def _play_here(fixture: Fixture) -> GameResult:
    try:
        return play_fixture(fixture)
    except Exception as problem:
        raise _failure(fixture, problem) from problem


def _play_there(fixture: Fixture, version: str) -> GameResult:
    """Play a game in another process, perhaps on another machine."""
    if aiplay.__version__ != version:
        raise MatchError(
            f"a worker has aiplay {aiplay.__version__}, the match is played with aiplay {version}; "
            "install the same everywhere"
        )
    return play_fixture(fixture)


def _failure(fixture: Fixture, problem: Exception) -> Exception:
    """What to tell about a game that failed; errors of this library say enough themselves."""
    if isinstance(problem, AiplayError):
        return problem
    where = f"game {fixture.number} of the match ({fixture.game.name}, seed {fixture.seed})"
    if isinstance(problem, pickle.PicklingError | AttributeError) and "pickle" in str(problem).lower():
        return MatchError(
            f"{where} cannot be sent to a worker: {problem}; allowed: a game whose class other processes can "
            "import, or no executor (one process)"
        )
    return MatchError(f"{where} failed: {type(problem).__name__}: {problem}")
