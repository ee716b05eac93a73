"""A room: who is in it, and what each of them is shown. What happens in it is in ``play`` and ``film``."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from aiplay._core.game import Game, State, View
from aiplay._core.typedefs import TERMINAL
from aiplay.analysis import Analysis
from aiplay.engine.answers import MoveFields, analyse_answer, move_fields
from aiplay.engine.positions import QueryError
from aiplay.rating import score_of
from aiplay.record import Record
from aiplay.serve.limits import Limits
from aiplay.serve.searches import Clock, Searches
from aiplay.story import Event, noticed, story

__all__ = ["Log", "Member", "Push", "Room", "Services", "analysis_fields", "digest", "fits", "new_secret"]

SECRET_BYTES = 16
ROOM_BYTES = 9
MOST_MOVES = 40  # of an analysis that are shown

Push = Callable[[dict[str, Any]], object]


class Services(NamedTuple):
    """The parts of a host that its rooms use."""

    clock: Clock
    searches: Searches
    limits: Limits
    keep: Callable[[Room], object]  # called after every change that another server would have to know


def new_secret(size: int = SECRET_BYTES) -> str:
    """Return a text that nobody can guess."""
    return secrets.token_urlsafe(size)


def digest(secret: str) -> str:
    """Return the digest of a secret: all that a room keeps of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def fits(secret: str, kept: str | None) -> bool:
    """True if a secret has this digest."""
    return kept is not None and hmac.compare_digest(digest(secret), kept)


@dataclass(eq=False)
class Member:
    """A connection in a room: at a seat, or watching."""

    push: Push
    seat: int | None
    connection: object
    told: int = 0  # events that it knows
    told_odds: set[int] = field(default_factory=set)  # plies of the chart that it knows


class Log:
    """The events of a game, as each observer noticed them; told when they happen, and kept."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._state = game.new_state()  # after the moves that were told
        self._moves: list[int] = []
        self._books: dict[int | None, list[Event]] = {}

    def of(self, observer: int | None) -> list[Event]:
        """Return the events as a seat noticed them (None: as the referee did)."""
        if observer not in self._books:
            self._books[observer] = list(story(self._game, self._moves, observer))
        return self._books[observer]

    def follow(self, moves: Sequence[int]) -> int:
        """Take over the moves of a table, which may have been taken back; return the first ply that is new."""
        same = _common_length(self._moves, moves)
        if same < len(self._moves):
            self._cut(same)
        for ply in range(same, len(moves)):
            for observer, book in self._books.items():
                book.append(noticed(self._state, moves[ply], observer, ply))
            self._state.play(moves[ply])
        self._moves = list(moves)
        return same

    def _cut(self, ply: int) -> None:
        """Forget the events from a ply on."""
        self._state = self._game.new_state()
        for move in self._moves[:ply]:
            self._state.play(move)
        for book in self._books.values():
            del book[ply:]


def _common_length(one: Sequence[int], other: Sequence[int]) -> int:
    if len(one) <= len(other) and list(one) == list(other[: len(one)]):
        return len(one)
    return next(
        (ply for ply, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


class Room(ABC):
    """A game that people look at. Everything a member gets is made from the view of its seat."""

    mode: str

    def __init__(self, services: Services, game: Game, name: str | None = None) -> None:
        self.services = services
        self.name = name or new_secret(ROOM_BYTES)
        self.game = game
        self.owner: str | None = None  # digest of the secret of who opened the room
        self.members: list[Member] = []
        self.log = Log(game)
        self._charts: dict[int | None, dict[int, list[float]]] = {}
        self.used = services.clock.now()
        self.is_closed = False
        self.is_saved = False

    # ---- The game --------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def state(self) -> State:
        """The truth, for the referee only."""

    @property
    @abstractmethod
    def ply(self) -> int:
        """The moves that were made, those of chance included."""

    @abstractmethod
    def seat_fields(self) -> list[dict[str, Any]]:
        """Return who sits at every seat."""

    @abstractmethod
    def thinking_view(self, member: Member) -> View:
        """Return the position that a member may have analysed; QueryError if there is none."""

    @abstractmethod
    def open_record(self) -> Record | None:
        """Return the record, if it tells its reader nothing hidden."""

    def place(self, secret: str) -> int | None:
        """Return the seat that a secret opens; None for the secret of the owner."""
        if fits(secret, self.owner):
            return None
        raise QueryError("this is not a secret of the room", "secret")

    def shows_all(self) -> bool:
        """True if everybody in the room may see everything: nothing is hidden, or nobody plays."""
        return not self.game.has_hidden or self.mode != "play" or self.state.to_move == TERMINAL

    # ---- Members ---------------------------------------------------------------------------------------------

    def enter(self, member: Member) -> None:
        """Let a connection in."""
        self.used = self.services.clock.now()
        self.members.append(member)

    def exit(self, member: Member) -> None:
        """Let a connection out."""
        self.used = self.services.clock.now()
        self.members.remove(member)

    def close(self, why: str) -> None:
        """End the room; its members are told."""
        self.is_closed = True
        for member in self.members:
            member.push({"push": "closed", "room": self.name, "why": why})
        self.members.clear()

    def tell(self, besides: Member | None = None) -> None:
        """Show every member the room as it is now, but for one who has just been shown it."""
        self.used = self.services.clock.now()
        for member in list(self.members):
            if member is not besides:
                member.push({"push": "room", **self.shown(member)})

    # ---- What a member is shown ------------------------------------------------------------------------------

    def observer(self, member: Member) -> int | None:
        """Return the seat whose view a member is shown; None: everything."""
        return member.seat

    def shown(self, member: Member) -> dict[str, Any]:
        """Return the room as a member may see it, with what is new since the last time."""
        state, observer = self.state, self.observer(member)
        over = state.to_move == TERMINAL
        returns = state.returns() if over else None
        message: dict[str, Any] = {
            "room": self.name,
            "mode": self.mode,
            "game": self.game.name,
            "options": dict(self.game.options),
            "seat": member.seat,
            "seats": self.seat_fields(),
            "to_move": state.to_move,
            "over": over,
            "returns": returns,
            "scores": None
            if returns is None
            else [score_of(self.game, returns, n) for n in range(len(returns))],
            "ply": self.ply,
        }
        if observer is None and not self.shows_all():
            return message | {
                "scene": None,
                "text": "",
                "legal": [],
                "events": [],
                "events_from": 0,
                "odds": [],
            }
        position = state if observer is None else state.view(observer)
        return message | {
            "scene": position.scene(),
            "text": str(position),
            "legal": self._legal(member),
            **self._news(member, observer),
        }

    def _legal(self, member: Member) -> list[MoveFields]:
        """Return the moves that a member may make."""
        if member.seat is None or self.mode != "play":
            return []
        view = self.state.view(member.seat)
        return [move_fields(view, move) for move in view.legal_moves()]

    def _news(self, member: Member, observer: int | None) -> dict[str, Any]:
        """Return events and odds that the member does not know yet."""
        events = self.log.of(observer)[: self.ply]
        start = min(member.told, len(events))
        member.told = len(events)
        return {"events": events[start:], "events_from": start, "odds": self._new_odds(member, observer)}

    # ---- Odds over the game ----------------------------------------------------------------------------------

    def chart(self, observer: int | None) -> dict[int, list[float]]:
        """Return the odds by ply, as an observer may know them: the same for all if they tell nothing hidden."""
        is_common = not self.game.has_hidden or self.mode != "play"
        return self._charts.setdefault(None if is_common else observer, {})

    def add_odds(
        self, observer: int | None, ply: int, odds: Sequence[float], *, is_told: bool = True
    ) -> None:
        """Add what a seat has found out to the charts of those who may know it, and tell them."""
        chart = self.chart(observer)
        chart.setdefault(ply, [round(value, 4) for value in odds])
        for member in self.members if is_told else ():
            if self.chart(self.observer(member)) is chart and (new := self._new_odds(member, member.seat)):
                member.push({"push": "odds", "room": self.name, "odds": new})

    def cut_odds(self, ply: int) -> None:
        """Forget the odds after a ply."""
        for chart in self._charts.values():
            for late in [other for other in chart if other > ply]:
                del chart[late]
        for member in self.members:
            member.told_odds = {other for other in member.told_odds if other <= ply}

    def _new_odds(self, member: Member, observer: int | None) -> list[dict[str, Any]]:
        chart = self.chart(observer)
        new = sorted(set(chart) - member.told_odds)
        member.told_odds.update(new)
        return [{"ply": ply, "odds": chart[ply]} for ply in new]


def analysis_fields(view: View, analysis: Analysis) -> dict[str, Any]:
    """Return what a player thinks of a position, for people."""
    answer = analyse_answer(view, analysis, is_partial=not analysis.is_final)
    return {
        "seat": analysis.seat,
        "moves": answer.moves[:MOST_MOVES],
        "of": len(answer.moves),
        "line": answer.line,
        "odds": answer.odds,
        "iterations": answer.iterations,
        "seconds": answer.seconds,
        "worlds": answer.worlds,
    }
