"""Searches of a server: the interface that rooms use, and a pool of threads behind it."""

from __future__ import annotations

import heapq
import itertools
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from aiplay._core.game import View
from aiplay.analysis import Analysis
from aiplay.limit import Limit
from aiplay.players.base import Player
from aiplay.serve.limits import Limits

__all__ = ["QUIET", "Clock", "Search", "Searches", "ThreadSearches", "Timer"]

STOP_INTERVAL = 0.02  # seconds between two calls of `stop` for a search that has not ended yet
QUIET = math.inf  # due: when nothing else waits


class Timer(Protocol):
    """A call that can be cancelled."""

    def cancel(self) -> None:
        """Forget the call."""


class Clock(Protocol):
    """The thread that a host lives in: an event loop, or a test."""

    def now(self) -> float:
        """Return the time in seconds, from any point on."""

    def call_later(self, seconds: float, call: Callable[[], object]) -> Timer:
        """Call back in the host's thread."""

    def post(self, call: Callable[[], object]) -> None:
        """Call back in the host's thread soon; from any thread."""


@dataclass(eq=False)
class Search:
    """A position for a player to search. `done` and `progress` are called in the host's thread."""

    player: Player
    view: View
    limit: Limit
    done: Callable[[Search], object] = lambda search: None
    due: float = QUIET  # when the answer has to be there
    progress: Callable[[Search], object] | None = None
    every: float = 0.25
    before: Callable[[], dict[str, Any]] | None = (
        None  # more work in the same thread; `found` gets the results
    )
    after: Callable[[Analysis], dict[str, Any]] | None = None
    analysis: Analysis | None = None  # so far; None at the end: the player failed
    found: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    is_stopped: bool = False
    is_over: bool = False

    def report(self, now: Analysis) -> None:
        """Show what is found so far."""
        if not self.is_over and self.progress is not None:
            self.analysis = now
            self.progress(self)

    def end(self, analysis: Analysis | None) -> None:
        """Hand over the result; None: the player has failed."""
        self.is_over, self.analysis = True, analysis
        self.done(self)


class Searches(Protocol):
    """Runs searches: in threads here, in slices of time where there are none."""

    @property
    def waiting(self) -> int:
        """How many have not begun."""

    def start(self, search: Search) -> None:
        """Run a search when its turn comes."""

    def stop(self, search: Search) -> None:
        """End a search early; it is done with what it has found."""

    def close(self) -> None:
        """End all searches; nothing is called back any more."""


class ThreadSearches:
    """A pool of threads that takes the search that is due first.

    A person waits for a move, so moves are in time even if more searches wait than there are threads: each then gets
    its share of the time that is left until the last of them is due.
    """

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self._clock, self._limits = clock, limits
        self._heap: list[tuple[float, int, Search]] = []
        self._running: set[Search] = set()
        self._numbers = itertools.count()
        self._wake = threading.Condition()
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"aiplay-serve-{number}", daemon=True)
            for number in range(limits.searches)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """How many searches have not begun."""
        return len(self._heap)

    def start(self, search: Search) -> None:
        """Run a search when its turn comes."""
        with self._wake:
            heapq.heappush(self._heap, (search.due, next(self._numbers), search))
            self._wake.notify()

    def stop(self, search: Search) -> None:
        """End a search early: called again until it has ended, because one that is just starting misses a call."""
        search.is_stopped = True
        if search in self._running and not search.is_over:
            search.player.stop()
            self._clock.call_later(STOP_INTERVAL, partial(self.stop, search))

    def close(self) -> None:
        """End all searches, and wait for their threads."""
        with self._wake:
            self._is_closed = True
            self._heap.clear()
            self._wake.notify_all()
        while any(thread.is_alive() for thread in self._threads):
            for search in list(self._running):
                search.is_stopped = True
                search.player.stop()
            for thread in self._threads:
                thread.join(STOP_INTERVAL)

    # ---- In the threads --------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (taken := self._next()) is not None:
            search, seconds = taken
            analysis = self._searched(search, seconds)
            self._running.discard(search)
            if not self._is_closed:
                self._clock.post(partial(search.end, analysis))

    def _next(self) -> tuple[Search, float] | None:
        """Return the search that is due first, and the seconds that it may take; None at the end."""
        with self._wake:
            self._wake.wait_for(lambda: self._heap or self._is_closed)
            if self._is_closed:
                return None
            seconds = self._share()
            search = heapq.heappop(self._heap)[2]
            self._running.add(search)
            return search, seconds

    def _share(self) -> float:
        """Return the seconds for the next search, so that it and those that wait behind it are in time."""
        dues = sorted(due for due, _, _ in self._heap if due < QUIET)
        if len(dues) < 2:
            return math.inf
        now, threads, cost = self._clock.now(), self._limits.searches, self._limits.cost
        shares = ((due - now) * threads / (place + threads) - cost for place, due in enumerate(dues))
        return max(self._limits.shortest, min(shares))

    def _searched(self, search: Search, seconds: float) -> Analysis | None:
        try:
            if search.before is not None and not search.is_stopped:
                search.found = search.before()
            limit = self._allowed(search, seconds)
            report = self._reporter(search)
            analysis = search.player.analyse(search.view, limit, progress=report, every=search.every)
            if search.after is not None and not search.is_stopped:
                search.found = {**search.found, **search.after(analysis)}
        except Exception as problem:  # a broken game or player must not end the thread
            search.error = f"{type(problem).__name__}: {problem}"
            return None
        return analysis

    def _allowed(self, search: Search, seconds: float) -> Limit:
        """Return the limit of a search, shortened if others wait."""
        limit = self._limits.cap(search.limit)
        longest = 0.0 if search.is_stopped else seconds
        return limit if limit.time is not None and limit.time <= longest else limit._replace(time=longest)

    def _reporter(self, search: Search) -> Callable[[Analysis], object] | None:
        if search.progress is None:
            return None
        return lambda now: self._clock.post(partial(search.report, now))
