"""The player that mixes its moves, so that they do not tell what it holds."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from aiplay._core.search.common.control import now
from aiplay._core.search.regret.gametree import GameTree
from aiplay._core.search.regret.probes import decisions_of, estimated_size
from aiplay._core.search.regret.sampled import SampledRegrets
from aiplay.errors import TokenError
from aiplay.options import Option
from aiplay.players.base import Effort, Progress, Slices
from aiplay.players.mixture import MixingPlayer, Mixture, Solver
from aiplay.players.search import NO_LIMIT, SLICE, Findings

if TYPE_CHECKING:
    from aiplay._core.game import Game, Position, View
    from aiplay._core.search.common.control import StopFlag
    from aiplay._core.stream import RandomStream
    from aiplay.limit import Limit
    from aiplay.players.mcts import MctsPlayer
    from aiplay.players.mcts.run import Run

__all__ = ["MixedPlayer"]

PROBES = 16  # random games that tell how long and how large a game is
SURELY = 20  # times too large by the estimate: no attempt is made to hold the whole game
REACHED = 10  # visits per move from which on walks from the start are believed
LONG = 40  # choices of a random game from which on walks to the end are no longer worth it
MAX_ITERATIONS = 2**31 - 1


class MixedPlayer(MixingPlayer):
    """Draws its move from a strategy that approaches an equilibrium, by counterfactual regret minimisation.

    A game of at most `positions` positions is solved as a whole (``method=whole``). A larger one is sampled from its
    start (``start``), and from the present position if these walks hardly ever come here (``here``). In long games,
    among partners, or if nothing is hidden, ``mcts`` plays.
    """

    name = "mixed"
    OPTIONS = (
        *MixingPlayer.limit_options("time", "iterations"),
        Option(
            "method",
            "auto",
            "whole: solve the whole game; start: sample it from its start; here: sample the rest of it; mcts; "
            "auto: the first that fits",
            choices=("auto", "whole", "start", "here", "mcts"),
        ),
        Option(
            "positions",
            300_000,
            "positions of the largest game that is solved as a whole",
            low=1,
            high=20_000_000,
        ),
        Option("reuse", True, "go on with the solution of the last move"),
        Option("memory", 256, "megabytes for sampled games, or for the trees of mcts", low=1, high=2**20),
    )

    def __init__(self, *, seed: int | None = None, **options: object) -> None:
        super().__init__(seed=seed, **options)
        self._tree: GameTree | None = None
        self._too_large: Game | None = None  # the last game that was not solved as a whole
        self._walks: SampledRegrets | None = None  # from the start of a larger game
        self._walk_seed = 0  # of these walks
        self._mcts: MctsPlayer | None = None

    def forget(self) -> None:
        """Free the memory of the last search."""
        super().forget()
        self._tree = self._walks = self._mcts = None

    @property
    def kept_bytes(self) -> int:
        """The memory of the last search."""
        mcts = 0 if self._mcts is None else self._mcts.kept_bytes
        return mcts + sum(kept.bytes for kept in (self._tree, self._walks) if kept is not None)

    def _search(
        self, view: View, limit: Limit, progress: Progress | None, every: float, *, is_choosing: bool
    ) -> Slices[Findings]:
        started = now()
        deadline = math.inf if limit.time is None else started + limit.time
        method = self.options["method"]
        if method == "auto" and (not view.game.has_hidden or view.game.is_cooperative):
            method = "mcts"
        middle = started + (deadline - started) / 2
        tree = self._whole(view.game, middle) if method in ("auto", "whole") else None
        mixture: Mixture | None = None
        if tree is not None and (place := tree.find(view)) >= 0:
            mixture = _Whole(view, tree, place, started, self.stream)
        elif method == "here":
            mixture = _Here(view, self._sampled(view), started, self.stream)
        elif method != "mcts" and (method != "auto" or _is_short(view.game)):
            walks = self._from_start(view.game)
            mixture = _Start(view, walks, self._walk_seed, self._sampled(view), started, self.stream)
        if mixture is None:
            return (yield from self._ask_mcts(view, limit, progress, every, is_choosing=is_choosing))
        yield from self._improve(mixture, deadline, limit.iterations or NO_LIMIT, progress, every)
        return mixture

    def _whole(self, game: Game, deadline: float) -> GameTree | None:
        """Return the tree of the whole game, or None if the game is too large."""
        if self._tree is not None and self._tree.game == game and self.options["reuse"]:
            return self._tree
        if self._too_large == game or _size(game) > SURELY * self.options["positions"]:
            return None
        try:
            self._tree = GameTree(
                game, max_nodes=self.options["positions"], stop=self._stop, deadline=deadline
            )
        except (OverflowError, TimeoutError):
            self._tree, self._too_large = None, game
        return self._tree

    def _sampled(self, root: Position, seed: int | None = None) -> SampledRegrets:
        seed = self.stream.bits() if seed is None else seed
        return SampledRegrets(root, seed=seed, memory=self.options["memory"] * 2**20)

    def _from_start(self, game: Game) -> SampledRegrets:
        """Return the walks from the start of a game, those for earlier moves included."""
        if self._walks is None or self._walks.game != game or not self.options["reuse"]:
            self._walk_seed = self.stream.bits()
            self._walks = self._sampled(game.new_state(), self._walk_seed)
        return self._walks

    def _improve(
        self, mixture: Mixture, deadline: float, iterations: int, progress: Progress | None, every: float
    ) -> Slices[None]:
        due = now() + every
        end = min(mixture.iterations + iterations, MAX_ITERATIONS)
        while mixture.improve(self._stop, deadline, now() + SLICE, end):
            if progress is not None and now() >= due:
                progress(mixture.analysis(is_final=False))
                due = now() + every
            yield

    def _ask_mcts(
        self, view: View, limit: Limit, progress: Progress | None, every: float, *, is_choosing: bool
    ) -> Slices[Findings]:
        player = self._mcts_player()
        seed = player.stream.state
        found = yield from player._search(view, limit, progress, every, is_choosing=is_choosing)
        return _Asked(found, seed)

    def _mcts_player(self) -> MctsPlayer:
        from aiplay.players.mcts import MctsPlayer

        if self._mcts is None:
            kept = {name: self.options[name] for name in ("reuse", "memory")}
            self._mcts = MctsPlayer(seed=self.stream.bits(), **kept)
            self._mcts._stop = self._stop
        return self._mcts

    # ---- Again -----------------------------------------------------------------------------------------------

    def _repeat(self, view: View, effort: Effort, *, is_choosing: bool) -> Slices[Findings]:
        if effort.method == "mcts":
            player = self._mcts_player()
            player.stream.state = effort.seed
            found = yield from player._repeat(view, effort, is_choosing=is_choosing)
            return _Asked(found, effort.seed)
        mixture = self._mixture_again(view, effort)
        for solver, count in zip(mixture.solvers, effort.counts, strict=True):
            while solver.solve(self._stop, math.inf, now() + SLICE, min(count, MAX_ITERATIONS)):
                yield
        mixture.look()
        return mixture

    def _mixture_again(self, view: View, effort: Effort) -> Mixture:
        """Return the mixture of an earlier search, before its iterations."""
        started, kind = now(), (effort.method, len(effort.counts))
        tree = self._whole(view.game, math.inf) if kind == ("whole", 1) else None
        if tree is not None and (place := tree.find(view)) >= 0:
            return _Whole(view, tree, place, started, self.stream)
        if kind == ("here", 1):
            return _Here(view, self._sampled(view), started, self.stream)
        if kind != ("start", 2):
            raise TokenError(
                f"method {effort.method!r} with {len(effort.counts)} counts does not fit the game"
            )
        walks = self._sampled(view.game.new_state(), effort.seed)
        before = self.stream.state
        if self.stream.bits() != effort.seed:  # the walks began at an earlier move
            self.stream.state = before
        found = _Start(view, walks, effort.seed, self._sampled(view), started, self.stream)
        found.walked = sum(effort.tried)
        return found


@lru_cache(maxsize=64)
def _size(game: Game) -> float:
    """Return about how many positions a game has."""
    return estimated_size(game, PROBES)


@lru_cache(maxsize=64)
def _is_short(game: Game) -> bool:
    """Return True if random games end after a few choices."""
    return decisions_of(game, PROBES, LONG) <= LONG


class _Asked:
    """The findings of mcts, which plays instead."""

    def __init__(self, found: Run, seed: int) -> None:
        self.found, self.seed = found, seed
        self.best, self.analysis = found.best, found.analysis

    @property
    def iterations(self) -> int:
        return self.found.iterations

    @property
    def effort(self) -> Effort:
        return self.found.effort._replace(method="mcts", seed=self.seed)

    @property
    def goes_on(self) -> bool:
        return self.found.goes_on


class _Whole(Mixture):
    """The strategy of a game that is solved as a whole."""

    method = "whole"

    def __init__(self, view: View, tree: GameTree, place: int, started: float, stream: RandomStream) -> None:
        super().__init__(view, started, stream)
        self.tree, self.place, self.size = tree, place, tree.size

    @property
    def solvers(self) -> tuple[Solver, ...]:
        return (self.tree,)

    @property
    def iterations(self) -> int:
        return self.tree.iterations

    def improve(self, stop: StopFlag, deadline: float, pause: float, iterations: int) -> bool:
        return self.tree.solve(stop, deadline, pause, iterations)

    def shares(self) -> list[float]:
        return self.tree.average(self.place)

    def values(self) -> tuple[list[float], tuple[float, ...]]:
        vectors, seat = self.tree.move_values(self.place), self.view.seat
        shares = self.shares()
        odds = tuple(
            sum(share * vector[other] for share, vector in zip(shares, vectors, strict=True))
            for other in range(self.view.game.seats)
        )
        return [vector[seat] for vector in vectors], odds


class _Here(Mixture):
    """The strategy of a position, by walks to the end of the game."""

    method = "here"

    def __init__(self, view: View, search: SampledRegrets, started: float, stream: RandomStream) -> None:
        super().__init__(view, started, stream)
        self.search = search

    @property
    def solvers(self) -> tuple[Solver, ...]:
        return (self.search,)

    @property
    def iterations(self) -> int:
        return self.search.iterations

    def improve(self, stop: StopFlag, deadline: float, pause: float, iterations: int) -> bool:
        has_more = self.search.solve(stop, deadline, pause, iterations)
        self.look()
        return has_more

    def look(self) -> None:
        self.size, self.worlds = self.search.n_infosets, self.search.iterations

    def shares(self) -> list[float]:
        return _average(self.search, self.view)

    def values(self) -> tuple[list[float], tuple[float, ...]]:
        return self.search.move_values(), self.search.odds()


class _Start(_Here):
    """The strategy by walks from the start of the game, which know what earlier moves tell.

    Half of the time goes to them. The other half goes to walks from the view: they value the moves, and choose the
    move if walks from the start hardly ever come here.
    """

    method = "start"

    def __init__(
        self,
        view: View,
        walks: SampledRegrets,
        seed: int,
        search: SampledRegrets,
        started: float,
        stream: RandomStream,
    ) -> None:
        super().__init__(view, search, started, stream)
        self.walks, self.walk_seed, self.walked = walks, seed, walks.iterations

    @property
    def solvers(self) -> tuple[Solver, ...]:
        return self.walks, self.search

    @property
    def effort(self) -> Effort:
        return super().effort._replace(tried=(self.walked,), seed=self.walk_seed)

    @property
    def iterations(self) -> int:
        return self.walks.iterations - self.walked + self.search.iterations

    def improve(self, stop: StopFlag, deadline: float, pause: float, iterations: int) -> bool:
        half = iterations // 2
        middle = min(deadline, self.started + (deadline - self.started) / 2)
        if self.walks.solve(stop, middle, pause, self.walked + half):
            return True
        return super().improve(stop, deadline, pause, iterations - half)

    def shares(self) -> list[float]:
        place, n = self.walks.find(self.view), len(self.view.legal_moves())
        if place >= 0 and self.walks.visits(place) >= REACHED * n:
            return self.walks.average(place)
        return super().shares()


def _average(search: SampledRegrets, view: View) -> list[float]:
    """Return how often each legal move is made, all the same if the search has not been at the view."""
    place, n = search.find(view), len(view.legal_moves())
    return search.average(place) if place >= 0 else [1.0 / n] * n
