"""Expectimax: looking ahead through every move and every outcome of chance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from aiplay._core.contract import PLAY_TO_THE_END
from aiplay._core.search.common.control import now
from aiplay._core.search.expectimax.core import Expectimax
from aiplay._core.search.expectimax.params import PRUNE_ALPHABETA, PRUNE_NONE, PRUNE_STAR1, PRUNE_STAR2
from aiplay.errors import PlayerSpecError, TokenError
from aiplay.limit import Limit
from aiplay.options import Option
from aiplay.players.base import Effort, Progress, Slices
from aiplay.players.search import NO_LIMIT, SLICE, Report, SearchPlayer, advised_cutoff, analysed
from aiplay.value import VALUE_OPTION

if TYPE_CHECKING:
    from aiplay._core.game import Game, View
    from aiplay.analysis import Analysis

__all__ = ["ExpectimaxPlayer"]

PRUNING = {"none": PRUNE_NONE, "alphabeta": PRUNE_ALPHABETA, "star1": PRUNE_STAR1, "star2": PRUNE_STAR2}
CACHE = 16  # megabytes of the cache by default
NO_PASSES = 2**31 - 1  # more than any search makes


class ExpectimaxPlayer(SearchPlayer):
    """Looks ahead through every move and every outcome of chance, ever deeper, until the limit.

    Depth counts decisions: chance and forced moves are free. Where the search ends, the game's evaluation decides
    (``evaluate``); if information is hidden, its policy (``playout_move``) plays a few moves first.
    """

    name = "expectimax"
    OPTIONS = (
        *SearchPlayer.limit_options("time", "nodes", "depth"),
        Option("worlds", 64, "worlds to average over if information is hidden", low=1, high=10_000),
        Option(
            "opponents",
            "auto",
            "maxn: every seat for itself; paranoid: all against this one; "
            "auto: zero-sum with two seats, together in a cooperative game, else maxn",
            choices=("auto", "maxn", "paranoid"),
        ),
        Option(
            "width",
            16,
            "outcomes of chance to try between two decisions, sampled if there are more; 0: all of them",
            low=0,
            high=1024,
        ),
        Option(
            "cutoff",
            None,
            "moves of the game's playout_move where the search ends, before its evaluation decides; "
            "-1: to the end (default: the game's advice if information is hidden, else 0)",
            low=-1,
            high=1_000_000,
            kind=int,
        ),
        VALUE_OPTION,
        Option("pruning", "star2", "method to skip moves that cannot matter", choices=tuple(PRUNING)),
        Option("ordering", True, "try promising moves first"),
        Option(
            "cache",
            None,
            f"megabytes for positions already searched; 0: none (default: {CACHE}, games in Python: 0)",
            low=0,
            high=2**20,
            kind=int,
            formerly="table",
        ),
        Option(
            "threads",
            1,
            "threads that share the moves, each with its part of cache and nodes",
            low=1,
            high=256,
        ),
    )

    def __init__(self, *, seed: int | None = None, **options: object) -> None:
        super().__init__(seed=seed, **options)
        if self.options["opponents"] == "maxn" and "pruning" in options and self.options["pruning"] != "none":
            raise PlayerSpecError(
                f"player 'expectimax': pruning={self.options['pruning']} does not go with opponents=maxn, "
                "which cannot be pruned; allowed: pruning=none"
            )

    def _search(
        self, view: View, limit: Limit, progress: Progress | None, every: float, *, is_choosing: bool
    ) -> Slices[_Findings]:
        started = now()
        found = _Findings(self._prepare(view), started)
        found.search.start(
            self._stop,
            math.inf if limit.time is None else started + limit.time,
            limit.nodes or NO_LIMIT,
            limit.depth or view.game.max_depth,
            is_choosing,
        )
        yield from found.slices(None if progress is None else Report(progress, every))
        return found

    def _repeat(self, view: View, effort: Effort, *, is_choosing: bool) -> Slices[_Findings]:
        found = _Findings(self._prepare(view), now())
        moves, places = len(view.legal_moves()), effort.tried
        if len(effort.counts) != 1 or len(set(places)) >= moves or any(place >= moves for place in places):
            raise TokenError(f"passes {effort.counts} and moves {places} do not fit the position")
        count = effort.counts[0]
        if count < 1 and not effort.is_cut:
            raise TokenError(f"the depth is {count}; allowed: at least 1")
        most = view.game.max_depth
        depth, passes = (most, min(count, NO_PASSES)) if effort.is_cut else (min(count, most), -1)
        found.search.start(
            self._stop, math.inf, NO_LIMIT, depth, is_choosing, most_passes=passes, places=places
        )
        yield from found.slices(None)
        return found

    def _prepare(self, view: View) -> Expectimax:
        options, game = self.options, view.game
        is_vector, is_paranoid = self._attitude(game)
        return Expectimax(
            view,
            seed=self.stream.bits(),
            worlds=options["worlds"] if game.has_hidden else 1,
            cache=self._cache_bytes(game),
            is_vector=is_vector,
            is_paranoid=is_paranoid,
            threads=options["threads"],
            value=self._values.of(game),
            pruning=PRUNING[options["pruning"]],
            is_ordered=options["ordering"],
            width=options["width"],
            playout_depth=self._playout_depth(game),
        )

    def _playout_depth(self, game: Game) -> int:
        """Return the number of moves that the game's policy plays before the evaluation."""
        cutoff: int | None = self.options["cutoff"]
        if cutoff and not game.offers("playout_move"):
            raise PlayerSpecError(
                f"player 'expectimax': cutoff={cutoff}, but {game.name} has no playout_move; allowed: cutoff=0"
            )
        if cutoff is None:
            cutoff = (
                advised_cutoff(game, self._values) if game.has_hidden and game.offers("playout_move") else 0
            )
        return game.max_depth if cutoff == PLAY_TO_THE_END else cutoff

    def _attitude(self, game: Game) -> tuple[bool, bool]:
        """Return two flags: search by max^n; all other seats are against this one."""
        opponents = self.options["opponents"]
        if opponents == "paranoid" and game.is_cooperative:
            raise PlayerSpecError(
                f"player 'expectimax': opponents=paranoid, but in {game.name} all seats win or lose together; "
                "allowed: opponents=auto or maxn"
            )
        if opponents == "auto":
            return game.seats > 2 and not game.is_cooperative, False
        return opponents == "maxn", opponents == "paranoid"

    def _cache_bytes(self, game: Game) -> int:
        """Return the size that the cache may grow to.

        States written in Python are told apart only by their hash, and Python gives some different states the same
        hash, -1 and -2 for example: they get a cache only on request.
        """
        megabytes: int | None = self.options["cache"]
        if megabytes is None:
            megabytes = CACHE if game.layout is not None else 0
        return megabytes * 2**20


class _Findings:
    """The results of a search, so far or in the end."""

    def __init__(self, search: Expectimax, started: float) -> None:
        self.search, self.started = search, started

    def slices(self, report: Report | None) -> Slices[None]:
        """Search until a limit; pause after every slice."""
        try:
            while self.search.work(now() + SLICE):
                if report is not None and self.search.n_searched:
                    report.look(self)
                yield
        finally:
            self.search.close()

    @property
    def iterations(self) -> int:
        return self.search.leaves

    @property
    def effort(self) -> Effort:
        """The depth; if the search was cut short, its passes, and the moves that the last one had finished."""
        search = self.search
        if search.tried is None:
            return Effort((search.depth,))
        return Effort((search.n_passes,), is_cut=True, tried=search.tried)

    goes_on = False

    def best(self) -> int:
        return self.search.best()

    def analysis(self, *, is_final: bool = True) -> Analysis:
        from aiplay.analysis import Analysis

        search = self.search
        moves = analysed(search.view, search.ranked())
        return Analysis(
            seat=search.view.seat,
            moves=moves,
            line=tuple(search.line(moves[0].move)) if is_final else (),
            odds=search.odds(moves[0].move),
            iterations=search.leaves,
            seconds=now() - self.started,
            nodes=search.nodes,
            worlds=search.n_searched,
            depth=search.depth,
            is_final=is_final,
        )
