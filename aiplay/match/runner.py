"""Play the games of a match, on any executor.

    for result in play_all(schedule):                       # one after the other, in this process
    for result in play_all(schedule, executor):             # on any concurrent.futures.Executor, in any order
    for results in play_batches(schedule, executor): ...    # the results that arrive together, as a list

A result depends on nothing but the scheduled game, so results are the same everywhere; only their order differs. Quick
games are sent in batches, since a call of another process costs more than such a game. A limited number of batches is
under way at any time (`executor.capacity`, if it has one). Games that are lost with a worker are played again.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
import time
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from queue import Empty, SimpleQueue
from typing import Any

import aiplay
from aiplay.errors import AiplayError, MatchError
from aiplay.match.scheduled import GameResult, ScheduledGame, play_scheduled

__all__ = ["play_all", "play_batches"]

LOSSES = 3  # of one game before the match gives up: the game itself may crash its worker
BATCH_SECONDS = 0.1  # that a batch of games should take
MAX_BATCH = 256  # games
WAIT = 0.5  # seconds; waiting longer in one go would hold back Ctrl-C on some systems


_Row = tuple[Any, ...]  # a result without its scheduled game, which need not travel back
_Played = tuple[list[_Row], float]  # results of a batch, and the seconds that it took


def play_all(schedule: Iterable[ScheduledGame], executor: Executor | None = None) -> Iterator[GameResult]:
    """Play games and yield each result as soon as it is known. Closing the iterator cancels games under way.

    Raises MatchError if a game fails, or if workers die repeatedly.
    """
    with contextlib.closing(play_batches(schedule, executor)) as batches:
        for results in batches:
            yield from results


def play_batches(
    schedule: Iterable[ScheduledGame], executor: Executor | None = None
) -> Generator[list[GameResult]]:
    """Play games, and yield the results that arrive together; otherwise like `play_all`."""
    if executor is None:
        for scheduled in schedule:
            yield [_play_here(scheduled)]
    else:
        yield from _Flight(executor).results(iter(schedule))


class _Flight:
    """Games under way on an executor."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self.pending: dict[Future[_Played], list[ScheduledGame]] = {}
        self.done: SimpleQueue[Future[_Played]] = SimpleQueue()
        self.losses: dict[int, int] = {}  # by number of the game
        self.batch_size = 1

    def results(self, schedule: Iterator[ScheduledGame]) -> Iterator[list[GameResult]]:
        try:
            while self._fill(schedule):
                with contextlib.suppress(Empty):
                    future = self.done.get(timeout=WAIT)
                    if future in self.pending and not self._is_lost(future):
                        batch = self.pending.pop(future)
                        results = self._results(future, batch)
                        schedule = itertools.chain(batch[len(results) :], schedule)
                        yield results
                    else:
                        schedule = itertools.chain(self._lost(), schedule)
        finally:
            for future in self.pending:
                future.cancel()

    def _fill(self, schedule: Iterator[ScheduledGame]) -> bool:
        """Start batches up to the capacity. Return True if any game is under way."""
        while len(self.pending) < _capacity(self.executor):
            batch = list(itertools.islice(schedule, self.batch_size))
            if not batch:
                break
            try:
                future = self.executor.submit(_play_there, batch, aiplay.__version__)
            except BrokenExecutor as problem:  # a worker died a moment ago
                future = Future()
                future.set_exception(problem)
            self.pending[future] = batch
            future.add_done_callback(self.done.put)
        return bool(self.pending)

    def _results(self, future: Future[_Played], batch: list[ScheduledGame]) -> list[GameResult]:
        """Return the results of a batch; set the size of the next ones by the time that it took."""
        try:
            rows, seconds = future.result()
        except Exception as problem:
            raise _failure(batch[0], problem) from problem
        per_game = max(seconds / len(rows), 1e-9)
        self.batch_size = max(1, min(MAX_BATCH, 2 * self.batch_size, int(BATCH_SECONDS / per_game)))
        return [GameResult(scheduled, *row) for scheduled, row in zip(batch, rows, strict=False)]

    def _lost(self) -> list[ScheduledGame]:
        """Remove and return the games that were lost with their workers, after renewing the executor.

        All lost games at once: a pool that breaks loses all its games, and renewing it twice would lose them again.
        """
        found = [future for future in self.pending if self._is_lost(future)]
        if not found:
            return []  # returned by an earlier call
        if hasattr(self.executor, "renew"):
            self.executor.renew()
            found = [future for future in self.pending if self._is_lost(future)]
        elif isinstance(problem := _problem(found[0]), BrokenExecutor):
            raise MatchError(f"the workers have died: {problem}") from problem
        self.batch_size = 1  # a game that crashes its worker is found by itself
        games = []
        for future in found:
            problem = _problem(future)
            for scheduled in self.pending.pop(future):
                self._count_loss(scheduled, problem)
                games.append(scheduled)
        return sorted(games, key=lambda scheduled: scheduled.number)

    def _is_lost(self, future: Future[_Played]) -> bool:
        """True if the worker went away; a game that failed is not lost. Matches Dask's errors by name, without Dask."""
        if not future.done():
            return False
        problem = _problem(future)
        names = ("FutureCancelledError", "KilledWorker")
        return isinstance(problem, BrokenExecutor | CancelledError) or type(problem).__name__ in names

    def _count_loss(self, scheduled: ScheduledGame, problem: BaseException | None) -> None:
        self.losses[scheduled.number] = self.losses.get(scheduled.number, 0) + 1
        if self.losses[scheduled.number] >= LOSSES:
            raise MatchError(
                f"game {scheduled.number} was lost with its worker {LOSSES} times "
                f"({type(problem).__name__}); does a player crash, or is memory short?"
            ) from problem


def _problem(future: Future[_Played]) -> BaseException | None:
    """Return the error of a call that is done; None if it has a result."""
    try:
        return future.exception(timeout=0)
    except CancelledError as problem:
        return problem


def _capacity(executor: Executor) -> int:
    """Return how many batches to keep under way: two for each worker, one that is played and one that waits."""
    workers = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
    return int(getattr(executor, "capacity", 2 * workers))


def _play_here(scheduled: ScheduledGame) -> GameResult:
    try:
        return play_scheduled(scheduled)
    except Exception as problem:
        raise _failure(scheduled, problem) from problem


def _play_there(batch: list[ScheduledGame], version: str) -> _Played:
    """Play games in a worker, perhaps on another machine; return the results and the seconds they took.

    A game that fails ends the batch. It is sent again, and raises its error as the first of another batch.
    """
    if aiplay.__version__ != version:
        raise MatchError(
            f"a worker has aiplay {aiplay.__version__}, the match is played with aiplay {version}; "
            "install the same everywhere"
        )
    started = time.perf_counter()
    rows: list[_Row] = []
    for scheduled in batch:
        try:
            result = play_scheduled(scheduled)
        except Exception:
            if not rows:
                raise
            break
        rows.append(
            (result.returns, result.moves, result.seconds, result.iterations, result.record, result.luck)
        )
    return rows, time.perf_counter() - started


def _failure(scheduled: ScheduledGame, problem: Exception) -> Exception:
    """Return the error to raise for a game that failed. Errors of this library are raised as they are."""
    if isinstance(problem, AiplayError):
        return problem
    where = f"game {scheduled.number} of the match ({scheduled.game.name}, seed {scheduled.seed})"
    if isinstance(problem, pickle.PicklingError | AttributeError) and "pickle" in str(problem).lower():
        return MatchError(
            f"{where} cannot be sent to a worker: {problem}; allowed: a game whose class other processes can "
            "import, or no executor (one process)"
        )
    return MatchError(f"{where} failed: {type(problem).__name__}: {problem}")
