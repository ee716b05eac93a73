"""Expectimax: looking ahead through every move and every roll."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from aiplay._core.search.common.control import now
from aiplay._core.search.expectimax.search import Expectimax
from aiplay.analysis import Analysis, MoveAnalysis
from aiplay.errors import PlayerSpecError
from aiplay.limit import Limit
from aiplay.options import Option
from aiplay.players.base import Progress
from aiplay.players.search import PLAY_TO_THE_END, SearchPlayer, advised_cutoff

if TYPE_CHECKING:
    from aiplay._core.game import Game, View

__all__ = ["ExpectimaxPlayer"]

PRUNING = {"none": 0, "alphabeta": 1, "star1": 2, "star2": 3}
NO_LIMIT = 2**62


class ExpectimaxPlayer(SearchPlayer):
    """Looks ahead through every move and every outcome of chance, ever deeper, until the limit.

    Depth counts decisions: chance and forced moves are free. Where the search ends the game guesses (``evaluate``);
    where information is hidden it plays on for a few moves first, if it can (``playout_move``).
    """

    name = "expectimax"
    OPTIONS = (
        *SearchPlayer.limit_options("time", "nodes", "depth"),
        Option("worlds", 64, "worlds to average over where information is hidden", low=1, high=10_000),
        Option(
            "opponents",
            "auto",
            "maxn: every seat for itself; paranoid: all against this one; auto: what fits (two seats: zero-sum)",
            choices=("auto", "maxn", "paranoid"),
        ),
        Option(
            "width",
            16,
            "outcomes to sample where chance has more of them; 0: try all of them",
            low=0,
            high=1024,
        ),
        Option(
            "cutoff",
            None,
            "moves that the game's playout_move makes where the search ends, before its evaluation decides; "
            "-1: to the end (default: what the game advises where information is hidden, else 0)",
            low=-1,
            high=1_000_000,
            kind=int,
        ),
        Option("pruning", "star2", "what is not searched because it cannot matter", choices=tuple(PRUNING)),
        Option("ordering", True, "try promising moves first"),
        Option(
            "table",
            None,
            "megabytes that the transposition table may grow to, 0: none (default: 16, games in Python: 0)",
            low=0,
            high=2**20,
            kind=int,
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
    ) -> Analysis:
        started = now()
        search = self._prepare(view)
        search.run(
            self._stop,
            math.inf if limit.time is None else started + limit.time,
            limit.nodes or NO_LIMIT,
            limit.depth or view.game.max_depth,
            is_choosing,
            None if progress is None else lambda at: progress(_analysis(at, started, is_final=False)),
            every,
        )
        return _analysis(search, started, is_final=True)

    def _prepare(self, view: View) -> Expectimax:
        options, game = self.options, view.game
        is_vector, is_paranoid = self._attitude(game)
        return Expectimax(
            view,
            seed=self.stream.bits(),
            worlds=options["worlds"] if game.has_hidden else 1,
            table=self._table_bytes(game),
            is_vector=is_vector,
            is_paranoid=is_paranoid,
            pruning=PRUNING[options["pruning"]],
            is_ordered=options["ordering"],
            width=options["width"],
            playout_depth=self._playout_depth(game),
        )

    def _playout_depth(self, game: Game) -> int:
        """Moves of the game's own before it guesses, as many as there can be for a cutoff of -1."""
        cutoff: int | None = self.options["cutoff"]
        if cutoff and not game.offers("playout_move"):
            raise PlayerSpecError(
                f"player 'expectimax': cutoff={cutoff}, but {game.name} has no playout_move; allowed: cutoff=0"
            )
        if cutoff is None:
            cutoff = advised_cutoff(game) if game.has_hidden and game.offers("playout_move") else 0
        return game.max_depth if cutoff == PLAY_TO_THE_END else cutoff

    def _attitude(self, game: Game) -> tuple[bool, bool]:
        """Whether to search by max^n, and whether all other seats are thought to be against this one."""
        opponents = self.options["opponents"]
        if opponents == "paranoid" and game.is_cooperative:
            raise PlayerSpecError(
                f"player 'expectimax': opponents=paranoid, but in {game.name} all seats win or lose together; "
                "allowed: opponents=auto or maxn"
            )
        if opponents == "auto":
            return game.seats > 2 and not game.is_cooperative, False
        return opponents == "maxn", opponents == "paranoid"

    def _table_bytes(self, game: Game) -> int:
        """The size that the table may grow to.

        States written in Python are told apart by their hash alone, and Python gives some different states the
        same hash, -1 and -2 for example: they get a table only when it is asked for.
        """
        megabytes: int | None = self.options["table"]
        if megabytes is None:
            megabytes = 16 if game.dtype is not None else 0
        return megabytes * 2**20


def _analysis(search: Expectimax, started: float, *, is_final: bool) -> Analysis:
    """What a search has found so far."""
    view = search.view
    ranking = search.ranking()
    moves = []
    for i in ranking:
        move, value, error, is_certain = search.root_move(i)
        moves.append(MoveAnalysis(move, view.move_text(move), 0, value, error, is_certain))
    return Analysis(
        seat=view.seat,
        moves=tuple(moves),
        line=_line(search, ranking[0]) if is_final else (),
        odds=tuple(search.odds(ranking[0])),
        iterations=search.leaves,
        seconds=now() - started,
        nodes=search.nodes,
        worlds=search.n_searched,
        depth=search.depth,
        is_final=is_final,
    )


def _line(search: Expectimax, best: int) -> tuple[str, ...]:
    """The best line of the first world in its notation."""
    world = search.first_world()
    texts = []
    for move in search.line(best):
        texts.append(world.move_text(move))
        world.play(move)
    return tuple(texts)
