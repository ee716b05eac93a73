"""Players of the engine: those that are kept by name, and the queries that they have to answer."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import aiplay
from aiplay._core.game import View
from aiplay.analysis import Analysis
from aiplay.engine import answers, messages
from aiplay.engine.answers import Answer, shorten
from aiplay.engine.caps import MEGABYTE, Budget, Caps, cost_of
from aiplay.engine.positions import QueryError, blaming
from aiplay.files import files_from
from aiplay.limit import Limit
from aiplay.players.base import Player, Slices
from aiplay.players.human import HumanPlayer

__all__ = ["Job", "KeptPlayers", "SeatedPlayer", "made_player"]

DEFAULT = "mcts"  # the specification of a player if a query has none


@dataclass
class SeatedPlayer:
    """A player with the specification it was made from; its lock lets one query at a time use it."""

    spec: str
    player: Player
    lock: threading.Lock = field(default_factory=threading.Lock)


def made_player(spec: str, seed: int | None, folder: str | None = None) -> SeatedPlayer:
    """Make a player for a query; its options may name files in `folder`, without one, none."""
    with blaming("player"), files_from(folder):
        player = aiplay.make_player(spec, seed=seed)
    if isinstance(player, HumanPlayer):
        raise QueryError("player 'human' needs a terminal, and the engine has none", "player")
    return SeatedPlayer(spec, player)


class KeptPlayers:
    """The players that queries keep by name, the one that was asked last at the end."""

    def __init__(self, most: int, caps: Caps, folder: str | None) -> None:
        self._most, self._caps, self._folder = most, caps, folder
        self._kept: dict[str, SeatedPlayer] = {}

    def find(self, query: messages.PlayerQuery) -> SeatedPlayer:
        """Return the player of a query: a new one, or the one that it keeps."""
        spec = query.player if isinstance(query.player, str) else None
        if query.keep is None:
            return self._made(spec or DEFAULT, query.seed)
        kept = self._kept.pop(query.keep, None)
        if kept is None:
            return self._keep(query.keep, spec or DEFAULT, query.seed)
        self._kept[query.keep] = kept
        if spec not in (None, kept.spec) or query.seed not in (None, kept.player.seed):
            known = f"{shorten(kept.spec)} with seed {kept.player.seed}"
            raise QueryError(f"the player kept as {shorten(query.keep)} is {known}: forget it first", "keep")
        return kept

    def _keep(self, name: str, spec: str, seed: int | None) -> SeatedPlayer:
        if len(self._kept) >= self._most:
            raise QueryError(f"{self._most} players are kept already: forget one first", "keep")
        self._kept[name] = self._made(spec, seed)
        return self._kept[name]

    def _made(self, spec: str, seed: int | None) -> SeatedPlayer:
        made = made_player(spec, seed, self._folder)
        self._caps.check_player(made.player)
        return made

    def trim(self) -> None:
        """Let players forget their trees, those first that were not asked for longest, until the rest is allowed."""
        total = sum(seated.player.kept_bytes for seated in self._kept.values())
        for seated in self._kept.values():
            if total <= self._caps.kept_memory * MEGABYTE:
                break
            if seated.lock.acquire(blocking=False):  # else it is searching
                total -= seated.player.kept_bytes
                seated.player.forget()
                seated.lock.release()

    def forget(self, name: str) -> None:
        """Forget a player; a search that is going on ends as usual."""
        if name not in self._kept:
            shown = ", ".join(shorten(known) for known in [*self._kept][:10]) or "none"
            raise QueryError(f"no player is kept as {shorten(name)}; kept are: {shown}", "keep")
        del self._kept[name]


@dataclass(eq=False)
class Job:
    """A query that a player has to answer, waiting or running; `view` is the position when the query came in."""

    query: messages.PlayerQuery
    view: View
    seated: SeatedPlayer
    limit: Limit | None  # from the query
    move: int = 0  # the move to explain
    is_terminated: bool = False
    is_running: bool = False
    started: float = math.inf  # when it began to search
    guard: threading.Lock = field(default_factory=threading.Lock)  # of `is_running`

    def slices(self, send: Callable[[Answer], None], budget: Budget) -> Slices[Answer]:
        """Search, and return the answer; `send` gets partial ones. A generator that pauses after every slice."""
        with self.seated.lock, budget.taken(cost_of(self.seated.player)):
            with self.guard:
                self.is_running, self.started = True, time.perf_counter()
            try:
                return (yield from self._result(send))
            finally:
                with self.guard:
                    self.is_running = False

    def stop_after(self, seconds: float) -> None:
        """End the search if it was terminated, or has taken longer than this."""
        if self.is_terminated or time.perf_counter() - self.started > seconds:
            self.stop()

    def stop(self) -> None:
        """End the search of this query, if it is running: the player may have others to answer."""
        with self.guard:
            if self.is_running:
                self.seated.player.stop()

    def _result(self, send: Callable[[Answer], None]) -> Slices[Answer]:
        query, view, player = self.query, self.view, self.seated.player
        limit = Limit(time=0) if self.is_terminated else self.limit  # terminated before it started
        started = time.perf_counter()
        if isinstance(query, messages.Choose):
            move = yield from player.choose_in_slices(view, limit)
            seconds = time.perf_counter() - started
            return answers.ChooseAnswer(
                move=move,
                text=view.move_text(move),
                parts=view.move_parts(move),
                seconds=seconds,
                token=player.token,
            )
        if isinstance(query, messages.Explain):
            analysis = yield from player.analyse_in_slices(view, limit)
            return answers.explain_answer(view, analysis, self.move)
        if isinstance(query, messages.Hint):
            analysis = yield from player.analyse_in_slices(view, limit)
            return answers.hint_answer(view, analysis, query.count)
        every = query.every if isinstance(query, messages.Analyse) else None
        if every is None:
            analysis = yield from player.analyse_in_slices(view, limit)
            return answers.analyse_answer(view, analysis, is_partial=False)

        def progress(now: Analysis) -> None:
            send(answers.analyse_answer(view, now, is_partial=True))

        analysis = yield from player.analyse_in_slices(view, limit, progress=progress, every=every)
        return answers.analyse_answer(view, analysis, is_partial=False)
