"""One search of mcts: several trees on threads, which exchange statistics, or sampled worlds merged at the root."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from aiplay._core.search.common.control import HAS_THREADS, StopFlag, now
from aiplay._core.search.mcts.core import TreeSearch
from aiplay._core.search.mcts.crew import Crew
from aiplay._core.search.mcts.root import RootMoves
from aiplay._core.stream import seed_below
from aiplay.players.base import Effort, finish
from aiplay.players.search import NO_LIMIT, SLICE, Report, analysed

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay._core.search.common.value import Network
    from aiplay.analysis import Analysis
    from aiplay.limit import Limit
    from aiplay.players.base import Slices

__all__ = ["Plan", "Run"]

LINE_LENGTH = 12  # longest line
MANY_NODES = 50_000  # to adopt: worth threads
MAX_ITERATIONS = 2**31  # of one tree: visits are counted in 32 bits


class Plan(NamedTuple):
    """The searches of a position, each with its own seed."""

    view: View
    seed: int
    n_searches: int
    memory: int  # bytes for each
    common: int  # bytes for what they have in common
    trees: int  # trees in each: one, or one for each seat
    has_worlds: bool  # each searches one sampled world (PIMC)
    is_reusable: bool
    previous: list[TreeSearch]  # of the last position
    value: Network | None  # values positions instead of the game
    params: dict[str, Any]

    @property
    def is_shared(self) -> bool:
        """True if the searches exchange statistics: there are several, and not of different worlds."""
        return self.n_searches > 1 and not self.has_worlds

    def make(self, index: int) -> TreeSearch:
        """Return one of the searches."""
        search = TreeSearch(
            self.view,
            is_one_world=self.has_worlds,
            seed=seed_below(self.seed, index),
            trees=self.trees,
            memory=self.memory,
            value=self.value,
            **self.params,
        )
        if self.is_reusable and index < len(self.previous):
            search.adopt(self.previous[index])
        return search


class Run:
    """A search under way: some trees, a limit, and the threads that work on them."""

    def __init__(
        self,
        plan: Plan,
        limit: Limit,
        *,
        started: float,
        threads: int,
        stop: StopFlag,
        is_choosing: bool = False,
        report: Report | None = None,
        effort: Effort | None = None,
    ) -> None:
        """Prepare a search; `effort`: that of an earlier one, to repeat it."""
        self.plan, self.limit, self.started, self.stop, self.report = plan, limit, started, stop, report
        self.threads = min(threads, plan.n_searches) if HAS_THREADS else 1
        self.is_choosing = is_choosing
        self.past = effort
        self.settles = is_choosing and plan.n_searches == 1
        self.deadline = math.inf if limit.time is None else started + limit.time
        self.found: list[RootMoves | None] = [None] * plan.n_searches
        self.searches: list[TreeSearch | None] = [None] * plan.n_searches
        self.failure: BaseException | None = None
        self.crew: Crew | None = None

    @property
    def kept(self) -> list[TreeSearch]:
        """The searches whose trees are kept."""
        return [search for search in self.searches if search is not None]

    # ---- Searching -------------------------------------------------------------------------------------------

    def slices(self) -> Slices[None]:
        """Search until the limit; this thread works too, takes care of signals and progress, and pauses."""
        if self.plan.is_shared:
            self._muster()
        helpers = [
            threading.Thread(target=self._help, args=(thread,), name=f"mcts-{thread}", daemon=True)
            for thread in range(1, self.threads)
        ]
        try:
            for helper in helpers:
                helper.start()
            yield from self._work(0, self.report)
            for helper in helpers:
                while helper.is_alive():
                    helper.join(SLICE)
                    if self.report is not None:
                        self.report.look(self)
        except BaseException:
            self._give_up()
            raise
        finally:
            for helper in helpers:
                if helper.ident is not None:
                    helper.join()
        if self.failure is not None:
            raise self.failure

    def _help(self, thread: int) -> None:
        try:
            finish(self._work(thread, None))
        except BaseException as failure:
            self.failure = failure
            self._give_up()

    def _give_up(self) -> None:
        """End the work of all threads."""
        self.stop.set()
        if self.crew is not None:
            self.crew.end()

    def _muster(self) -> None:
        """Make all searches, for threads that work on them together."""
        indices = range(self.plan.n_searches)
        searches = self._make_all()
        nodes = [_share(self.limit.nodes, index, self.plan.n_searches) for index in indices]
        iterations = [min(self._most(index), MAX_ITERATIONS // self.plan.n_searches) for index in indices]
        self.searches[:] = searches
        self.crew = Crew(
            searches,
            iterations,
            nodes,
            workers=self.threads,
            memory=self.plan.common,
            started=self.started,
            deadline=self.deadline,
            is_choosing=self.is_choosing,
            ends_cut=self.past is not None and self.past.is_cut,
        )

    def _most(self, index: int) -> int:
        """Return the most iterations of a search."""
        if self.past is not None:
            return self.past.counts[index]
        shares = [
            _share(each, index, self.plan.n_searches) for each in (self.limit.iterations, self.limit.nodes)
        ]
        return min(
            shares
        )  # an iteration visits at least one node: so a tree that has stopped growing ends, too

    def _make_all(self) -> list[TreeSearch]:
        """Return the searches; large trees of the last move are copied side by side."""
        indices = range(self.plan.n_searches)
        if self.threads == 1 or sum(search.nodes for search in self.plan.previous) < MANY_NODES:
            return [self.plan.make(index) for index in indices]
        from concurrent.futures import ThreadPoolExecutor  # slow to import, rarely needed

        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(self.plan.make, indices))

    def _work_together(self, crew: Crew, thread: int, report: Report | None) -> Slices[None]:
        """Work on the rounds of the crew until they are over."""
        has_more = True
        while has_more:
            pause = now() + SLICE if report is None else min(now() + SLICE, report.due)
            has_more = crew.work(thread, self.stop, pause)
            if report is not None and has_more:
                report.look(self)
            yield

    def _work(self, thread: int, report: Report | None) -> Slices[None]:
        """Search the trees of a thread one after the other, each for its share of the time or the iterations."""
        if self.crew is not None:
            yield from self._work_together(self.crew, thread, report)
            return
        mine = range(thread, self.plan.n_searches, self.threads)
        for place, index in enumerate(mine):
            if place and (self.stop or now() >= self.deadline):
                break
            if self.past is not None and self.past.counts[index] == 0:  # it did not come to this one
                continue
            share = (place + 1) / len(mine)
            search = self.plan.make(index)
            if index == 0 or self.plan.is_reusable:
                self.searches[index] = search
            deadline = self.started + share * (self.deadline - self.started)
            yield from self._search(search, index, deadline, report)

    def _search(self, search: TreeSearch, index: int, deadline: float, report: Report | None) -> Slices[None]:
        iterations = min(self._most(index), MAX_ITERATIONS)
        nodes = _share(self.limit.nodes, index, self.plan.n_searches)
        has_more = True
        while has_more:
            pause = now() + SLICE if report is None else min(now() + SLICE, report.due)
            has_more = search.run(self.stop, deadline, pause, iterations, nodes, self.settles)
            if has_more and self.settles and self._is_settled(search):
                has_more = False
            if not has_more or self.report is not None:
                self.found[index] = search.root_moves()
            if report is not None:
                report.look(self)
            yield

    def _is_settled(self, search: TreeSearch) -> bool:
        """Return True if the time that is left is too short for another move to catch up."""
        if not math.isfinite(self.deadline):
            return False
        spent = now() - self.started
        left = search.iterations * (self.deadline - now()) / max(spent, 1e-9)
        return search.lead > 1.1 * left

    # ---- Results ---------------------------------------------------------------------------------------------

    @property
    def iterations(self) -> int:
        """Iterations of all trees."""
        if self.crew is not None:
            return sum(search.iterations for search in self.kept)
        return sum(found.iterations for found in self.found if found is not None)

    @property
    def effort(self) -> Effort:
        """The iterations of every tree, and the seed of guesses: all that the result depends on, besides the seed."""
        seed = self.plan.params["guess_seed"]
        if self.crew is not None:
            return Effort(tuple(search.iterations for search in self.kept), self.crew.is_cut, seed=seed)
        return Effort(tuple(0 if found is None else found.iterations for found in self.found), seed=seed)

    @property
    def goes_on(self) -> bool:
        """True if a tree of the last move was adopted."""
        return any(search.is_adopted for search in self.kept)

    def best(self) -> int:
        """Return the best move of all trees together."""
        return self._merged().best()

    def analysis(self, *, is_final: bool = True) -> Analysis:
        """Return the results of all trees together; without a line while the search goes on."""
        from aiplay.analysis import Analysis

        view, merged = self.plan.view, self._merged()
        moves = analysed(view, merged.ranked())
        n_found = sum(found is not None for found in self.found)
        n_worlds = n_found if self.plan.has_worlds else merged.iterations
        return Analysis(
            seat=view.seat,
            moves=moves,
            line=self._line(moves[0].move) if is_final else (),
            odds=merged.odds(moves[0].move),
            iterations=merged.iterations,
            seconds=now() - self.started,
            nodes=merged.nodes,
            worlds=n_worlds if view.game.has_hidden else 1,
            is_final=is_final,
        )

    def _merged(self) -> RootMoves:
        if self.crew is not None:
            self.crew.hold()
            try:
                return self.crew.root_moves()
            finally:
                self.crew.go_on()
        merged = RootMoves(self.plan.view)
        for found in self.found:
            if found is not None:
                merged.add(found)
        return merged

    def _line(self, best: int) -> tuple[str, ...]:
        search = self.searches[0]
        assert search is not None  # the first tree is always kept
        return tuple(search.line(best, LINE_LENGTH))


def _share(limit: int | None, index: int, count: int) -> int:
    """Return the share of one tree in a number that is divided over all of them, at least 1."""
    if limit is None:
        return NO_LIMIT
    return max(1, limit // count + (index < limit % count))
