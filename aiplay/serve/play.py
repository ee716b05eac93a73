"""A room in which a game goes on: people and bots play, or bots only."""

from __future__ import annotations

from typing import Any

from aiplay._core.game import State, View
from aiplay._core.typedefs import TERMINAL
from aiplay.analysis import Analysis
from aiplay.engine.messages import Move
from aiplay.engine.positions import QueryError, find_move
from aiplay.limit import Limit
from aiplay.players.base import Player
from aiplay.record import Record
from aiplay.serve.insight import beliefs, final_odds, outcomes
from aiplay.serve.room import Member, Room, Services, analysis_fields, fits
from aiplay.serve.searches import Search, Timer
from aiplay.serve.seats import Seat, limit_of
from aiplay.serve.tutor import ODDS, Tutor, adviser
from aiplay.table import Table, replay

__all__ = ["PlayRoom"]

LEAST_ITERATIONS = 500  # of a search whose odds the chart shows: those of weak bots are noise
OUTCOME_SECONDS = 0.03  # to find the values of outcomes after the move of a bot


class PlayRoom(Room):
    """A table with people and bots (mode "play"), or with bots only (mode "watch")."""

    def __init__(
        self, services: Services, table: Table, seats: list[Seat], *, name: str | None = None
    ) -> None:
        super().__init__(services, table.game, name)
        self.table, self.seats = table, seats
        self.mode = "play" if any(seat.kind == "human" for seat in seats) else "watch"
        self.tutor = Tutor(self)
        self.speed: float | None = 0.0  # seconds from move to move of bots; None: paused
        self.steps = 0  # moves to make although the room is paused
        self.search: Search | None = None  # of the bot that is to move
        self._timer: Timer | None = None
        self._ready = 0.0  # when the next bot may move
        self.log.follow(table.moves)

    # ---- The game --------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The truth, for the referee only."""
        return self.table.state

    @property
    def ply(self) -> int:
        """The moves that were made, those of chance included."""
        return len(self.table.moves)

    def seat_fields(self) -> list[dict[str, Any]]:
        """Return who sits at every seat."""
        thinking = self.search.view.seat if self.search is not None else None
        return [
            {
                "seat": seat.number,
                "kind": seat.kind,
                "name": seat.name,
                "strength": seat.strength,
                "present": seat.kind == "bot" or self.is_present(seat.number),
                "stand_in": seat.is_away,
                "thinking": seat.number == thinking,
            }
            for seat in self.seats
        ]

    def shown(self, member: Member) -> dict[str, Any]:
        """Return the room as a member may see it."""
        can_undo = member.seat is not None and self._undo_ply(member.seat) is not None
        more = {"can_undo": can_undo, "tutor": self.tutor.loss, "speed": self.speed}
        return super().shown(member) | more

    def is_present(self, seat: int) -> bool:
        """True if somebody is connected to a seat."""
        return any(member.seat == seat for member in self.members)

    def thinking_view(self, member: Member) -> View:
        """Return the position that a member may have analysed: its own turn, or everything in an open room."""
        seat = self.table.to_move
        if seat == TERMINAL:
            raise QueryError("the game is over", "room")
        if self.mode == "play" and member.seat != seat:
            raise QueryError(f"it is the turn of seat {seat}, not yours", "seat")
        return self.table.view(seat)

    def place(self, secret: str) -> int | None:
        """Return the seat that a secret opens; None for the secret of the owner."""
        for seat in self.seats:
            if fits(secret, seat.secret):
                return seat.number
        return super().place(secret)

    def open_record(self) -> Record | None:
        """Return the record, if it gives nothing away: its seed tells cards and dice to come."""
        is_open = self._is_open or self.table.over or self.mode == "watch"
        return self.table.record if is_open else None

    @property
    def _is_open(self) -> bool:
        """True if a position tells everything that can matter later: no cards, no dice."""
        return not (self.game.has_hidden or self.game.has_chance)

    # ---- Moves -----------------------------------------------------------------------------------------------

    def play(self, seat: int, move: Move, ply: int | None = None) -> int:
        """Make a move of a person; return the ply after it."""
        if self.table.over:
            raise QueryError("the game is over", "move")
        if ply is not None and ply != self.ply:
            raise QueryError(f"the move was meant for ply {ply}; the room is at ply {self.ply}", "ply")
        if self.table.to_move != seat:
            raise QueryError(
                f"it is not the turn of seat {seat}: seat {self.table.to_move} is to move", "seat"
            )
        found = find_move(self.table.view(seat), move, is_own=True)
        self.tutor.judge(seat, self.ply, found)
        self._make(found)
        return self.ply

    def _make(self, move: int) -> None:
        """Make a move of the seat to move, and let bots go on."""
        self.table.play(move)
        self.changed()

    def changed(self) -> None:
        """Tell everybody about another position, and let bots go on."""
        self.log.follow(self.table.moves)
        self.services.keep(self)
        if self.table.over:
            for observer in (None, *range(self.game.seats)):
                self.add_odds(observer, self.ply, final_odds(self.state), is_told=False)  # `tell` does
        self.advance()
        self.tell()

    def undo(self, seat: int) -> int:
        """Take back the last decision of a person, and what bots and chance did after it; return the ply."""
        ply = self._undo_ply(seat)
        if ply is None:
            raise QueryError(
                f"seat {seat} has nothing to take back, or another person has moved since "
                "(with cards or dice: or another person plays)",
                "seat",
            )
        self._drop_search()
        self.tutor.forget()
        self.table = replay(self.table.record, ply, self.game)
        self.cut_odds(ply)
        for member in self.members:
            member.told = min(member.told, ply)
        self.changed()
        return ply

    def _undo_ply(self, seat: int) -> int | None:
        """Return the ply before the last decision of a seat, if only bots and chance moved after it.

        Among people who play with cards or dice there is none: what was seen since, at the end everything, stays known.
        """
        people = {other.number for other in self.seats if other.kind == "human"}
        if len(people) > 1 and not self._is_open:
            return None
        for event in reversed(self.log.of(seat)):
            if event.seat == seat:
                return event.ply
            if event.seat in people:
                return None
        return None

    # ---- Bots ------------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Let the bot whose turn it is begin to think, if somebody is there to see it."""
        if self.search is not None or self._timer is not None or self.is_closed or not self.members:
            return
        to_move = self.table.to_move
        if to_move == TERMINAL or self.tutor.is_waiting:
            return
        if not self.seats[to_move].has_bot:
            if self.is_present(to_move):
                self.tutor.accompany(to_move)
        elif self.speed is not None or self.steps > 0:
            self._think_soon(self.seats[to_move])

    def _think_soon(self, seat: Seat) -> None:
        """Start the search of a bot, after a pause if the room has one."""
        pause = self._ready - self.services.clock.now()
        if pause > 0 and not self.steps:
            self._timer = self.services.clock.call_later(pause, self._wake)
        else:
            self._think(seat)

    def _wake(self) -> None:
        self._timer = None
        self.advance()

    def _think(self, seat: Seat) -> None:
        player, clock, limits = seat.bot(), self.services.clock, self.services.limits
        limit, view, ply = limit_of(player, self.game, limits), self.table.view(seat.number), self.ply
        if len(view.legal_moves()) == 1:
            limit = Limit(time=0.0)  # nothing to think about
        self.search = Search(
            player,
            view,
            limit,
            done=lambda search: self._thought(search, ply),
            due=clock.now() + (limit.time or 0.0) + limits.late,
            progress=self._progress,
            before=(lambda: {"beliefs": beliefs(view)}) if self.mode == "watch" else None,
            after=lambda analysis: self._more(view, analysis, player),
        )
        self.services.searches.start(self.search)

    def _more(self, view: View, analysis: Analysis, player: Player) -> dict[str, Any]:
        """Return what else may be shown about the move of a bot, if nobody waits for the thread.

        That is what chance may do after it, and, among bots only, sound odds if those of the bot are not.
        """
        if not self.shows_all() or self.services.searches.waiting:
            return {}
        found: dict[str, Any] = {
            "outcomes": outcomes(view, analysis.best, player, OUTCOME_SECONDS),
        }
        if self.mode == "watch" and len(analysis.moves) > 1 and analysis.iterations < LEAST_ITERATIONS:
            found["odds"] = adviser().analyse(view, ODDS).odds
        return found

    def _progress(self, search: Search) -> None:
        if search is self.search and search.analysis is not None:
            fields = {**analysis_fields(search.view, search.analysis), **search.found}
            self._tell_thinking(search.view.seat, fields)

    def _tell_thinking(self, seat: int, fields: dict[str, Any]) -> None:
        """Tell what a bot thinks: all of it only to those who may see what it sees."""
        shown = fields if self.shows_all() else {name: fields[name] for name in ("iterations", "seconds")}
        for member in self.members:
            member.push({**shown, "push": "thinking", "room": self.name, "seat": seat})

    def _thought(self, search: Search, ply: int) -> None:
        """Make the move that a bot has found."""
        if search is not self.search:
            return  # taken back, or the person has come back
        self._progress(search)
        self.search, analysis = None, search.analysis
        if (
            analysis is not None
            and len(analysis.moves) > 1
            and (self.mode != "play" or not self.game.has_hidden)
        ):
            odds = search.found.get("odds") or (
                analysis.odds if analysis.iterations >= LEAST_ITERATIONS else None
            )
            if odds is not None:
                self.add_odds(search.view.seat, ply, odds, is_told=False)  # with the move
        self.steps = max(0, self.steps - 1)
        self._ready = self.services.clock.now() + (self.speed or 0.0)
        # If a player fails, the game goes on.
        self._make(search.view.legal_moves()[0] if analysis is None else analysis.best)

    def _drop_search(self) -> None:
        """Forget the search and the pause of a bot."""
        if self.search is not None:
            search, self.search = self.search, None
            self.services.searches.stop(search)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def now(self) -> None:
        """Let the bot that thinks move at once; after a warning of the tutor, go on."""
        if self.tutor.is_waiting:
            self.tutor.forget()
            self.advance()
            self.tell()
        elif self.search is not None:
            self.services.searches.stop(self.search)
        elif self._timer is not None:
            self._timer.cancel()
            self._ready = 0.0
            self._wake()

    def set_speed(self, seconds: float | None) -> None:
        """Set the seconds from move to move; None pauses."""
        self.speed = seconds
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._ready = min(self._ready, self.services.clock.now() + (seconds or 0.0))
        self.advance()
        self.tell()

    def step(self, count: int) -> None:
        """Let bots make some moves although the room is paused."""
        if count < 1:
            raise QueryError("a game that goes on has no steps back", "count")
        self.steps += count
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.advance()

    # ---- Members ---------------------------------------------------------------------------------------------

    def enter(self, member: Member) -> None:
        """Let a connection in; a person gets back the seat that a bot has taken over."""
        super().enter(member)
        if member.seat is not None and self.seats[member.seat].is_away:
            self.seats[member.seat].is_away = False
            if self.table.to_move == member.seat:
                self._drop_search()
        self.advance()

    def exit(self, member: Member) -> None:
        """Let a connection out; after a while a bot takes over its seat, and without anybody bots wait."""
        super().exit(member)
        if not self.members:
            self._drop_search()
            self.tutor.forget()
        elif member.seat is not None and not self.is_present(member.seat):
            seat = member.seat
            self.services.clock.call_later(self.services.limits.away, lambda: self._take_over(seat))
            self.tell()

    def leave(self, seat: int) -> None:
        """Give the seat of a person to a bot at once."""
        self.seats[seat].is_away = True
        self.tutor.forget()
        self.advance()
        self.tell()

    def _take_over(self, seat: int) -> None:
        """Let a bot play for a person who is still not back."""
        if not (self.is_closed or self.is_present(seat) or self.seats[seat].is_away) and self.members:
            self.leave(seat)

    def close(self, why: str) -> None:
        """End the room."""
        super().close(why)
        self._drop_search()
        self.tutor.forget()
