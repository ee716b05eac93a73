"""A room that shows a game of the past: any record, move by move."""

from __future__ import annotations

from typing import Any

from aiplay._core.game import Game, State, View
from aiplay._core.typedefs import TERMINAL
from aiplay.engine.positions import QueryError
from aiplay.record import Record
from aiplay.serve.room import Member, Room, Services
from aiplay.serve.searches import Timer
from aiplay.story import noticed
from aiplay.table import replay

__all__ = ["FilmRoom"]


class FilmRoom(Room):
    """A record at some ply, as everybody or one seat saw it; whoever has the record may see all of it."""

    mode = "replay"

    def __init__(self, services: Services, record: Record, game: Game | None = None) -> None:
        table = replay(record, game=game)
        super().__init__(services, table.game)
        self.record = record
        self.seat: int | None = None  # whose view is shown; None: everything
        self.speed: float | None = None  # seconds from move to move; None: paused
        self._at = 0
        self._state = self.game.new_state()
        self._timer: Timer | None = None
        self.log.follow(record.moves)

    @property
    def state(self) -> State:
        """The truth at this ply."""
        return self._state.copy()

    @property
    def ply(self) -> int:
        """The moves that are shown."""
        return self._at

    def observer(self, member: Member) -> int | None:
        """Return the seat whose view is shown."""
        return self.seat

    def seat_fields(self) -> list[dict[str, Any]]:
        """Return who sat at every seat, if the record knows."""
        players = self.record.players
        names = [players[n] if n < len(players) else f"seat {n}" for n in range(self.game.seats)]
        fixed = {"kind": "bot", "strength": None, "present": True, "stand_in": False, "thinking": False}
        return [{"seat": number, "name": name, **fixed} for number, name in enumerate(names)]

    def shown(self, member: Member) -> dict[str, Any]:
        """Return the position, the move that comes next, and how many there are."""
        moves, played = self.record.moves, None
        if self._at < len(moves):
            played = noticed(self._state, moves[self._at], self.seat, self._at)
        more = {
            "can_undo": False,
            "speed": self.speed,
            "length": len(moves),
            "next": played,
            "as_seat": self.seat,
        }
        return super().shown(member) | more

    def thinking_view(self, member: Member) -> View:
        """Return the position of the seat to move."""
        seat = self._state.to_move
        if seat < 0:
            turn = "the game is over" if seat == TERMINAL else "chance is to move"
            raise QueryError(f"there is nothing to think about: {turn}", "room")
        return self._state.view(seat)

    def open_record(self) -> Record:
        """Return the record that is shown."""
        return self.record

    # ---- Back and forth --------------------------------------------------------------------------------------

    def seek(self, ply: int | None, seat: int | None) -> None:
        """Show another ply (None: the same), as a seat saw it (None: everything)."""
        ply, last = self._at if ply is None else ply, len(self.record.moves)
        if ply > last:
            raise QueryError(f"ply is {ply}; the record has 0 to {last}", "ply")
        if seat is not None and not 0 <= seat < self.game.seats:
            raise QueryError(f"seat is {seat}; allowed: 0 to {self.game.seats - 1}", "seat")
        if seat != self.seat:
            self.seat = seat
            for member in self.members:
                member.told = 0
        self._go(ply)
        self.tell()

    def _go(self, ply: int) -> None:
        if ply < self._at:
            self._state, self._at = self.game.new_state(), 0
        for move in self.record.moves[self._at : ply]:
            self._state.play(move)
        self._at = ply

    def step(self, count: int) -> None:
        """Go some moves on, or back."""
        self._go(max(0, min(self._at + count, len(self.record.moves))))
        self.tell()

    def set_speed(self, seconds: float | None) -> None:
        """Go on by itself; None pauses."""
        self.speed = seconds
        self._stop_timer()
        self._run()
        self.tell()

    def _run(self) -> None:
        if self.speed is not None and self.members and self._at < len(self.record.moves):
            pause = max(self.speed, 0.02)
            self._timer = self.services.clock.call_later(pause, self._turn)

    def _turn(self) -> None:
        self._timer = None
        if self.speed is not None and not self.is_closed:
            self.step(1)
            self._run()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def exit(self, member: Member) -> None:
        """Let a connection out; without anybody the film stops."""
        super().exit(member)
        if not self.members:
            self.speed = None
            self._stop_timer()

    def close(self, why: str) -> None:
        """End the room."""
        super().close(why)
        self._stop_timer()
