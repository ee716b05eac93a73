"""The limit of a search."""

from __future__ import annotations

from dataclasses import dataclass

from aiplay.errors import OptionError
from aiplay.options import Option, resolve_options

__all__ = ["LIMIT_OPTIONS", "Limit"]

LIMIT_OPTIONS = (
    Option("time", None, "seconds per move", low=0, high=1_000_000, kind=float),
    Option("iterations", None, "search iterations per move", low=1, high=2**53, kind=int),
    Option("nodes", None, "nodes that a search may create or visit per move", low=1, high=2**53, kind=int),
    Option("depth", None, "moves to look ahead", low=1, high=10_000, kind=int),
)


@dataclass(frozen=True)
class Limit:
    """Seconds, iterations, nodes or depth that a player may spend on one move; the first one reached ends the search.

    >>> Limit(time=0.5)
    Limit(time=0.5, iterations=None, nodes=None, depth=None)
    """

    time: float | None = None
    iterations: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        values = resolve_options("a limit", LIMIT_OPTIONS, vars(self), OptionError)
        for name, value in values.items():
            object.__setattr__(self, name, value)
