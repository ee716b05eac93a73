"""The limits of a server: one home for every bound, and the named strengths of its bots."""

from __future__ import annotations

from typing import NamedTuple

from aiplay.levels import FIRST, LAST
from aiplay.limit import Limit

__all__ = ["LEVELS", "STRENGTHS", "Limits", "Strength"]

# Bots of a server forget their tree after every move: a table keeps no tree, and a search is bounded by `memory`.
LEAN = "reuse=no,memory=64"


class Strength(NamedTuple):
    """A bot by name: how it is explained to people, and the specification of its player."""

    name: str
    about: str
    player: str


ABOUT = {
    1: "makes mistakes: a first game",
    3: "sees simple threats",
    5: "plays soundly",
    7: "hard to beat",
    LAST: "as strong as possible in a second",
}
# The bots that a server offers, and older names, which are still understood.
LEVELS = tuple(
    Strength(f"level {number}", ABOUT.get(number, ""), f"mcts:level={number},{LEAN}")
    for number in range(FIRST, LAST + 1)
)
STRENGTHS = (
    *LEVELS,
    Strength("gentle", "", f"mcts:iterations=10,{LEAN}"),
    Strength("casual", "", f"mcts:iterations=80,{LEAN}"),
    Strength("club", "", f"mcts:iterations=800,{LEAN}"),
    Strength("strong", "", f"mcts:iterations=8000,{LEAN}"),
    Strength("best", "", f"mcts:time=2,{LEAN}"),
)


class Limits(NamedTuple):
    """The bounds of a server. Times are in seconds."""

    rooms: int = 1000  # rooms in memory at once
    rooms_each: int = 50  # rooms that one connection may open
    connections: int = 1000
    message: int = 2**20  # bytes of a message from a client
    messages: float = 50.0  # a second from one connection, on average ...
    burst: int = 200  # ... and at once
    waiting: int = 1000  # messages to a client that does not read them
    searches: int = 2  # at once
    queue: int = 1000  # searches that wait
    time: float = 10.0  # per search
    late: float = 0.02  # a move may be this late after its limit before searches are shortened
    cost: float = 0.001  # of a move besides its search
    shortest: float = 0.001  # no search is shortened further
    idle: float = 1800.0  # a room that nobody uses is closed after this time
    away: float = 20.0  # a bot takes over the seat of a person who is disconnected this long
    moves: int = 20_000  # of a record
    saved: int = 10_000  # rooms that are kept
    kept: float = 30 * 86400.0  # a saved room is dropped after this time

    def cap(self, limit: Limit) -> Limit:
        """Return a limit that ends after the time per search at the latest."""
        seconds = self.time if limit.time is None else min(limit.time, self.time)
        return limit._replace(time=seconds)
