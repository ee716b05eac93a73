"""A client of the host: where its messages go, what it may do, and where it is a member."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aiplay.engine.positions import QueryError
from aiplay.serve.limits import Limits
from aiplay.serve.room import Member, Room
from aiplay.serve.searches import Search

__all__ = ["Connection"]


class Connection:
    """A client."""

    def __init__(
        self, send: Callable[[dict[str, Any]], object], limits: Limits, now: float, *, is_trusted: bool
    ) -> None:
        self.send = send
        self.is_trusted = is_trusted  # may open rooms
        self.members: list[tuple[Room, Member]] = []
        self.opened = 0  # rooms
        self.thinking: dict[Room, Search] = {}  # that it asked for
        self._limits, self._allowance, self._checked = limits, float(limits.burst), now

    def may_ask(self, now: float) -> bool:
        """True if it keeps to the number of messages that are allowed."""
        earned = (now - self._checked) * self._limits.messages
        self._allowance = min(self._limits.burst, self._allowance + earned)
        self._checked = now
        if self._allowance < 1:
            return False
        self._allowance -= 1
        return True

    def member(self, room: Room, seat: int | None = None) -> Member:
        """Return its membership of a room, at this seat if one is given."""
        for where, member in self.members:
            if where is room and seat in (None, member.seat):
                return member
        place = "room" if seat is None else "seat"
        raise QueryError(f"you are not at this {place}: join with its secret first", place)

    def drop(self, member: Member) -> None:
        """Forget a membership."""
        self.members = [(room, other) for room, other in self.members if other is not member]
