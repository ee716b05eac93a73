"""Searches where there are no threads, as in a browser: in slices, between which messages are read."""

from __future__ import annotations

import itertools

from aiplay.analysis import Analysis
from aiplay.limit import Limit
from aiplay.players.base import Slices
from aiplay.serve.limits import Limits
from aiplay.serve.searches import Clock, Search

__all__ = ["SlicedSearches"]


class SlicedSearches:
    """Gives every slice of time to the search that is due first; the clock calls between two slices."""

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self._clock, self._limits = clock, limits
        self._running: dict[Search, Slices[Analysis | None]] = {}
        self._begun: set[Search] = set()
        self._numbers, self._order = itertools.count(), dict[Search, int]()
        self._is_awake = False

    @property
    def waiting(self) -> int:
        """How many searches have not begun."""
        return len(self._running) - len(self._begun)

    def start(self, search: Search) -> None:
        """Run a search when its turn comes."""
        self._running[search] = self._searched(search)
        self._order[search] = next(self._numbers)
        self._wake()

    def stop(self, search: Search) -> None:
        """End a search at the end of its slice; one that has not begun finds its move in no time."""
        search.is_stopped = True
        search.player.stop()

    def close(self) -> None:
        """End all searches; nothing is called back any more."""
        for slices in self._running.values():
            slices.close()
        self._running.clear()
        self._begun.clear()

    def _wake(self) -> None:
        if not self._is_awake:
            self._is_awake = True
            self._clock.post(self._step)

    def _step(self) -> None:
        """Run one slice of one search."""
        self._is_awake = False
        if not self._running:
            return
        search = min(self._running, key=lambda search: (search.due, self._order[search]))
        self._begun.add(search)
        try:
            next(self._running[search])
        except StopIteration as end:
            self._forget(search)
            search.end(end.value)
        if self._running:
            self._wake()

    def _forget(self, search: Search) -> None:
        del self._running[search], self._order[search]
        self._begun.discard(search)

    def _searched(self, search: Search) -> Slices[Analysis | None]:
        try:
            if search.before is not None and not search.is_stopped:
                search.found = search.before()
                yield
            limit = Limit(time=0.0) if search.is_stopped else self._limits.cap(search.limit)
            analysis = yield from search.player.analyse_in_slices(
                search.view, limit, progress=search.report, every=search.every
            )
            if search.after is not None and not search.is_stopped:
                yield
                search.found = {**search.found, **search.after(analysis)}
        except Exception as problem:  # a broken game or player must not end the host
            search.error = f"{type(problem).__name__}: {problem}"
            return None
        return analysis
