"""The tutor: looks at a person's position while the person thinks, for odds, hints and warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiplay
from aiplay._core.game import View
from aiplay.analysis import Analysis
from aiplay.engine.answers import move_fields
from aiplay.limit import Limit
from aiplay.players.base import Player
from aiplay.serve.limits import LEAN
from aiplay.serve.searches import QUIET, Search

if TYPE_CHECKING:
    from aiplay.serve.play import PlayRoom

__all__ = ["Tutor", "advice", "adviser", "loss_of"]

ADVISER = f"mcts:{LEAN}"  # the player behind odds, hints and warnings
ODDS = Limit(time=0.1, iterations=1000)  # for a point of the chart
ADVICE = Limit(time=1.0, iterations=20_000)  # for warnings and hints


class Tutor:
    """Searches from the view of the person to move. With a `loss`, it warns of moves that lose more value."""

    def __init__(self, room: PlayRoom) -> None:
        self._room = room
        self.loss = 0.0  # 0: no warnings
        self._search: Search | None = None
        self._analysis: Analysis | None = None
        self._ply = -1  # of the search and the analysis
        self._judged: tuple[int, int] | None = None  # seat and move that wait for a verdict
        self._has_warned = False

    @property
    def is_waiting(self) -> bool:
        """True if bots have to wait: for a verdict, or for the person who was warned."""
        return self._judged is not None or self._has_warned

    def forget(self) -> None:
        """Drop verdict, warning and search."""
        self._judged, self._has_warned, self._analysis, self._ply = None, False, None, -1
        if self._search is not None:
            search, self._search = self._search, None
            self._room.services.searches.stop(search)

    def accompany(self, seat: int) -> None:
        """Look at the position of a person who is to move."""
        room, services = self._room, self._room.services
        is_busy = services.searches.waiting > 0 and not self.loss
        if self._ply == room.ply or is_busy:
            return
        self.forget()
        self._ply = room.ply
        view, limit = room.table.view(seat), ADVICE if self.loss else ODDS
        if len(view.legal_moves()) < 2:
            return
        due = services.clock.now() + (limit.time or 0.0) + services.limits.late if self.loss else QUIET
        self._search = Search(adviser(), view, limit, done=self._found, due=due)
        services.searches.start(self._search)

    def _found(self, search: Search) -> None:
        if search is not self._search:
            return
        self._search, self._analysis = None, search.analysis
        if search.analysis is not None:
            self._room.add_odds(search.view.seat, self._ply, search.analysis.odds)
        if self._judged is not None:
            self._decide(search.view)

    # ---- Warnings --------------------------------------------------------------------------------------------

    def judge(self, seat: int, ply: int, move: int) -> None:
        """Take note of a move that a person is about to make; a warning may follow."""
        self._has_warned = False
        if not self.loss or self._ply != ply or (self._search is None and self._analysis is None):
            return
        self._judged = seat, move
        if self._analysis is not None:
            view = self._room.table.view(seat)
            self._room.services.clock.post(lambda: self._decide(view))

    def _decide(self, view: View) -> None:
        """Warn, or let bots go on."""
        if self._judged is None:
            return
        (seat, move), analysis = self._judged, self._analysis
        self._judged = None
        loss = 0.0 if analysis is None else loss_of(analysis, move)
        if analysis is not None and loss > self.loss:
            self._has_warned = True
            self._warn(seat, view, analysis, loss)
        else:
            self._room.advance()
            self._room.tell()

    def _warn(self, seat: int, view: View, analysis: Analysis, loss: float) -> None:
        better = move_fields(view, analysis.best)
        for member in self._room.members:
            if member.seat == seat:
                member.push(
                    {
                        "push": "warning",
                        "room": self._room.name,
                        "seat": seat,
                        "loss": round(loss, 4),
                        "better": better,
                        "ply": self._ply,
                    }
                )


def loss_of(analysis: Analysis, move: int) -> float:
    """Return the value that a move certainly loses against the best one: without what may be chance."""
    best = analysis.moves[0]
    this = next(entry for entry in analysis.moves if entry.move == move)
    return best.value - this.value - best.error - this.error


def adviser() -> Player:
    """Return a player for odds, hints and warnings."""
    return aiplay.make_player(ADVISER)


def advice(view: View) -> Search:
    """Return a search for advice on a position."""
    return Search(adviser(), view, ADVICE)
