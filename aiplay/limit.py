"""The limit of a search."""

from __future__ import annotations

from typing import NamedTuple

from aiplay.errors import OptionError
from aiplay.options import Option, resolve_options

__all__ = ["LIMIT_OPTIONS", "Limit"]

LIMIT_OPTIONS = (
    Option("time", None, "seconds per move", low=0, high=1_000_000, kind=float),
    Option("iterations", None, "search iterations per move", low=1, high=2**53, kind=int),
    Option("nodes", None, "nodes that a search may create or visit per move", low=1, high=2**53, kind=int),
    Option("depth", None, "moves to look ahead", low=1, high=10_000, kind=int),
)


class _Limits(NamedTuple):
    time: float | None = None
    iterations: int | None = None
    nodes: int | None = None
    depth: int | None = None


class Limit(_Limits):
    """Seconds, iterations, nodes or depth that a player may spend on one move; the first one reached ends the search.

    >>> Limit(time=0.5)
    Limit(time=0.5, iterations=None, nodes=None, depth=None)
    """

    __slots__ = ()

    def __new__(
        cls,
        time: float | None = None,
        iterations: int | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> Limit:
        """Check the limits."""
        given = {"time": time, "iterations": iterations, "nodes": nodes, "depth": depth}
        return super().__new__(cls, **resolve_options("a limit", LIMIT_OPTIONS, given, OptionError))

    def within(self, other: Limit) -> Limit:
        """Return the limit that ends a search as soon as either of the two does.

        >>> Limit(iterations=50).within(Limit(iterations=80, time=1.0))
        Limit(time=1.0, iterations=50, nodes=None, depth=None)
        """
        pairs = zip(self, other, strict=True)
        return Limit(*(min((one for one in pair if one is not None), default=None) for pair in pairs))  # type: ignore[arg-type]
