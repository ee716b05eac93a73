"""Caps of the engine: the most that a query may ask for, and all running searches together."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from aiplay.engine.positions import QueryError
from aiplay.errors import OptionError
from aiplay.limit import Limit
from aiplay.players.base import Player

__all__ = ["MEGABYTE", "Budget", "Caps", "Cost", "cost_of"]

MEGABYTE = 2**20
POSITION_BYTES = 512  # of a game that `mixed` solves as a whole, for each position


class Caps(NamedTuple):
    """The most that one query may ask for, and all that are running together."""

    worlds: int = 10_000
    samples: int = 10_000
    memory: int = 1024  # megabytes
    threads: int = 16
    time: float = 600.0  # seconds; a search is stopped then, whatever its limit
    total_memory: int = 4096  # of all running searches
    total_threads: int = 64
    kept_memory: int = 2048  # of the trees of players that are kept; beyond it the oldest are forgotten

    def checked(self) -> Caps:
        """Return the caps; OptionError if one query may take more than all together."""
        for name in ("memory", "threads"):
            one, all_together = getattr(self, name), getattr(self, f"total_{name}")
            if one > all_together:
                raise OptionError(
                    f"a query may take {name}={one}, all together only {all_together}; allowed: at least {one}"
                )
        return self

    def check_player(self, player: Player) -> None:
        """Raise QueryError for a player that may take more than is allowed."""
        for name in ("worlds", "samples"):
            self._check(f"{name} of the player", player.options.get(name), getattr(self, name), "player")
        cost = cost_of(player)
        self._check("the memory of the player", cost.memory, self.memory, "player", " megabytes")
        self._check("threads of the player", cost.threads, self.threads, "player")
        self._check("time of the player", player.options.get("time"), self.time, "player", " s")

    def check_limit(self, limit: Limit) -> None:
        """Raise QueryError for a limit beyond the time of a query."""
        self._check("time", limit.time, self.time, "limit", " s")

    @staticmethod
    def _check(what: str, value: Any, most: float, field: str, unit: str = "") -> None:
        if isinstance(value, int | float) and value > most:
            raise QueryError(f"{what}: {value:g}{unit}; allowed here: at most {most:g}{unit}", field)


class Cost(NamedTuple):
    """Threads and megabytes of a search."""

    threads: int
    memory: int


def cost_of(player: Player) -> Cost:
    """Return the most that a search of this player takes at once."""
    options = player.options
    memory = sum(options.get(name) or 0 for name in ("memory", "cache"))
    positions = options.get("positions") or 0
    return Cost(options.get("threads") or 1, memory + positions * POSITION_BYTES // MEGABYTE)


class Budget:
    """Threads and memory of all searches together: one that finds too little left waits until others end."""

    def __init__(self, caps: Caps) -> None:
        self._threads, self._memory = caps.total_threads, caps.total_memory  # what is left
        self._changed = threading.Condition()

    @contextmanager
    def taken(self, cost: Cost) -> Iterator[None]:
        """Hold a part of the budget."""
        with self._changed:
            self._changed.wait_for(lambda: cost.threads <= self._threads and cost.memory <= self._memory)
            self._add(-cost.threads, -cost.memory)
        try:
            yield
        finally:
            with self._changed:
                self._add(cost.threads, cost.memory)
                self._changed.notify_all()

    def _add(self, threads: int, memory: int) -> None:
        self._threads += threads
        self._memory += memory
