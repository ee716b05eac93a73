"""The host of the page, or the engine, in a worker of a browser: messages in and out as text, one thread, no sleep.

JavaScript gives the functions `send(text)`, `later(milliseconds, number)` and `soon()`, and calls `fire(number)` when
the time is over, `run()` soon after `soon()`. Nothing here knows Pyodide: tests call it from plain Python.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from aiplay.engine import Engine
from aiplay.engine.answers import Answer
from aiplay.serve.host import Host
from aiplay.serve.limits import Limits
from aiplay.serve.slices import SlicedSearches
from aiplay.serve.store import Document

__all__ = ["EngineWorker", "HostWorker", "WorkerClock"]

Send = Callable[[str], object]
# One person, who cannot ask too much of anybody else.
LIMITS = Limits(searches=1, rooms_each=10**6, messages=1000.0, burst=10_000, idle=10**9, saved=50)


class WorkerClock:
    """The clock of a worker: calls wait here until JavaScript says that their time has come."""

    def __init__(self, later: Callable[[float, int], object], soon: Callable[[], object]) -> None:
        self._later, self._soon = later, soon
        self._timers: dict[int, Callable[[], object]] = {}
        self._posted: deque[Callable[[], object]] = deque()
        self._numbers = itertools.count(1)

    def now(self) -> float:
        """Return the time in seconds."""
        return time.monotonic()

    def call_later(self, seconds: float, call: Callable[[], object]) -> WorkerTimer:
        """Call back after some time."""
        number = next(self._numbers)
        self._timers[number] = call
        self._later(max(0.0, 1000 * seconds), number)
        return WorkerTimer(self, number)

    def post(self, call: Callable[[], object]) -> None:
        """Call back soon."""
        self._posted.append(call)
        if len(self._posted) == 1:
            self._soon()

    def forget(self, number: int) -> None:
        """Cancel a call."""
        self._timers.pop(number, None)

    def fire(self, number: int) -> None:
        """Make the call of a timer; JavaScript calls this."""
        call = self._timers.pop(number, None)
        if call is not None:
            call()

    def run(self) -> None:
        """Make the first of the calls that were posted; JavaScript calls this, and reads messages in between."""
        call = self._posted.popleft()
        if self._posted:
            self._soon()
        call()


class WorkerTimer:
    """A call that can be cancelled."""

    def __init__(self, clock: WorkerClock, number: int) -> None:
        self._clock, self._number = clock, number

    def cancel(self) -> None:
        """Forget the call."""
        self._clock.forget(self._number)


class PageStore:
    """Keeps rooms in the page, which outlives the worker: `keep` gets every change."""

    is_durable = True

    def __init__(self, kept: Mapping[str, str], keep: Callable[[str, str | None], object]) -> None:
        self._kept, self._keep = dict(kept), keep

    def put(self, name: str, document: Document) -> None:
        """Keep a room."""
        self._kept.pop(name, None)
        self._kept[name] = msgspec.json.encode(document).decode()
        self._keep(name, self._kept[name])

    def get(self, name: str) -> Document | None:
        """Return a room, if it is kept."""
        try:
            return msgspec.json.decode(self._kept[name], type=Document)
        except (KeyError, msgspec.DecodeError):
            return None

    def prune(self, age: float, most: int) -> None:
        """Drop the oldest rooms beyond `most`; the page does not know their age."""
        for name in list(self._kept)[: max(0, len(self._kept) - most)]:
            del self._kept[name]
            self._keep(name, None)


class HostWorker:
    """The host of one page."""

    def __init__(
        self,
        send: Send,
        later: Callable[[float, int], object],
        soon: Callable[[], object],
        keep: Callable[[str, str | None], object] = lambda name, text: None,
        kept: str = "{}",
    ) -> None:
        """Start the host. `kept`: the rooms that the page has kept, as JSON: texts by name."""
        self._clock = WorkerClock(later, soon)
        self.fire, self.run = self._clock.fire, self._clock.run
        searches = SlicedSearches(self._clock, LIMITS)
        store = PageStore(msgspec.json.decode(kept, type=dict[str, str]), keep)
        self.host = Host(self._clock, searches, LIMITS, store=store)
        self._connection = self.host.connect(lambda message: send(_text(message)))

    def receive(self, text: str) -> None:
        """Take a message of the page."""
        self.host.receive(self._connection, text)


class EngineWorker:
    """The engine of one page: the messages of `aiplay engine`."""

    def __init__(self, send: Send, later: Callable[[float, int], object], soon: Callable[[], object]) -> None:
        self._clock = WorkerClock(later, soon)
        self.fire, self.run = self._clock.fire, self._clock.run

        def answer(found: Answer) -> None:
            send(_text(found))

        self._engine = Engine(answer, workers=0)
        self._is_stepping = False

    def receive(self, text: str) -> None:
        """Take a query."""
        self._engine.receive(text.encode())
        if not self._is_stepping:
            self._is_stepping = True
            self._clock.post(self._step)

    def _step(self) -> None:
        self._is_stepping = self._engine.step()
        if self._is_stepping:
            self._clock.post(self._step)


def _text(message: Any) -> str:
    return msgspec.json.encode(message).decode()
