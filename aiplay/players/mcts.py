"""Monte Carlo tree search."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from aiplay._core.search.common.control import StopFlag, now
from aiplay._core.search.mcts.search import TreeSearch, hides_moves
from aiplay._core.stream import seed_below
from aiplay.analysis import Analysis, MoveAnalysis
from aiplay.errors import PlayerSpecError
from aiplay.limit import Limit
from aiplay.options import Option
from aiplay.players.base import Progress
from aiplay.players.search import SearchPlayer, advised_cutoff

if TYPE_CHECKING:
    from aiplay._core.game import Game, View

__all__ = ["MctsPlayer"]

SLICE = 0.05  # seconds between two looks at signals and progress
LINE_LENGTH = 12  # moves of the best line
NO_LIMIT = 2**62  # iterations, or nodes
MAX_ITERATIONS = 2**31  # of one search: visits are counted in 32 bits
BYTES_PER_MOVE = 64  # of a root: an edge for each move, and the node
PRIORS = {"none": 0, "game": 1, "evaluate": 2}
PLAYOUTS = {"random": 0, "game": 1, "greedy": 2}
NEEDS = {
    ("prior", "game"): "priors",
    ("prior", "evaluate"): "evaluate",
    ("playout", "game"): "playout_move",
    ("playout", "greedy"): "evaluate",
    ("mode", "team"): "playout_move",
}


class MctsPlayer(SearchPlayer):
    """Monte Carlo tree search: UCT in open games, information-set MCTS where something is hidden."""

    name = "mcts"
    OPTIONS = (
        *SearchPlayer.limit_options("time", "iterations", "nodes"),
        Option(
            "mode",
            "auto",
            "auto; single: one tree; several: a tree for each seat; team: one tree, team mates move as in playouts; "
            "pimc: a tree for each sampled world",
            choices=("auto", "single", "several", "team", "pimc"),
        ),
        Option("worlds", 32, "worlds of mode=pimc", low=1, high=10_000),
        Option(
            "trees",
            None,
            "independent trees, merged at the root; as many as threads by default",
            low=1,
            high=1024,
            kind=int,
        ),
        Option("threads", 1, "threads that search the trees", low=1, high=256),
        Option("exploration", 0.7, "weight of exploration", low=0, high=100),
        Option(
            "scale",
            True,
            "explore in proportion to how much rewards vary, where playouts end with the game's evaluation",
        ),
        Option("fpu", 1.0, "value that a move is thought to have before it is tried", low=0, high=100),
        Option(
            "prior",
            "auto",
            "opinion of the game on untried moves: its weights (game) or the value after the move (evaluate)",
            choices=("auto", *PRIORS),
        ),
        Option(
            "prior_weight",
            2.0,
            "how much the opinion counts: exploration by weights (PUCT), visits of values",
            low=0,
            high=1_000_000,
        ),
        Option("prior_visits", 1, "visits of a node before the game is asked", low=1, high=1_000_000),
        Option("playout", "auto", "moves of playouts", choices=("auto", *PLAYOUTS)),
        Option(
            "epsilon",
            None,
            "share of random moves in game and greedy playouts; 0.1 by default, none in mode=team",
            low=0,
            high=1,
            kind=float,
        ),
        Option(
            "cutoff",
            None,
            "moves of a playout before the game's evaluation decides; -1 never",
            low=-1,
            high=1_000_000,
            kind=int,
        ),
        Option("solver", True, "prove results (open games)"),
        Option("reuse", True, "go on with the tree of the last move"),
        Option("early_stop", True, "stop when no other move can catch up (choose only)"),
        Option(
            "memory",
            256,
            "megabytes for the trees; when used up, the search goes on without growing",
            low=1,
            high=2**20,
        ),
    )

    def __init__(self, *, seed: int | None = None, **options: object) -> None:
        super().__init__(seed=seed, **options)
        self._trees: int = self.options["trees"] or self.options["threads"]
        if self._trees < self.options["threads"] and self.options["mode"] != "pimc":
            raise PlayerSpecError(
                f"player 'mcts': trees={self._trees} cannot be shared by threads={self.options['threads']}; "
                f"allowed: at least as many trees as threads"
            )
        self._previous: list[TreeSearch] = []

    def forget(self) -> None:
        """Give back the tree that is kept for the next move."""
        self._previous = []

    # ---- One search ----------------------------------------------------------------------------------------

    def _search(
        self, view: View, limit: Limit, progress: Progress | None, every: float, *, is_choosing: bool
    ) -> Analysis:
        started = now()
        plan = self._plan(view, limit)
        run = _Run(
            plan,
            limit,
            started=started,
            threads=self.options["threads"],
            stop=self._stop,
            is_choosing=is_choosing and self.options["early_stop"],
            report=None if progress is None else _Report(progress, every),
        )
        self._previous = []
        run.go()
        self._previous = run.kept if plan.is_reusable else []
        return run.analysis(is_final=True)

    def _plan(self, view: View, limit: Limit) -> _Plan:
        options, game = self.options, view.game
        mode = _mode(game, options["mode"])
        is_pimc = mode == "pimc"
        count = options["worlds"] if is_pimc else self._trees
        if limit.iterations is not None:
            count = min(count, limit.iterations)
        # The trees of PIMC are given back one after the other, all but the first.
        alive = min(count, options["threads"] + 1) if is_pimc else count
        memory = options["memory"] * 2**20 // alive
        needed = BYTES_PER_MOVE * game.max_moves * (game.seats if mode == "several" else 1)
        if memory < needed:
            raise PlayerSpecError(
                f"player 'mcts': memory={options['memory']} is too small for {alive} trees of {game.name}; "
                f"allowed: at least {math.ceil(needed * alive / 2**20)}"
            )
        return _Plan(
            view=view,
            seed=self.stream.bits(),
            count=count,
            memory=memory,
            trees=game.seats if mode == "several" else 1,
            has_worlds=is_pimc,
            is_reusable=options["reuse"] and mode in ("open", "single", "team"),
            previous=self._previous,
            params=self._params(game, mode),
        )

    def _params(self, game: Game, mode: str) -> dict[str, Any]:
        """The options as the struct MctsParams takes them."""
        options = self.options
        playout, prior = options["playout"], options["prior"]
        if playout == "auto":
            playout = "game" if game.offers("playout_move") else "random"
        if prior == "auto":
            prior = "game" if game.offers("priors") else "evaluate" if game.offers("evaluate") else "none"
        for option, value in (("prior", prior), ("playout", playout), ("mode", mode)):
            function = NEEDS.get((option, value))
            if function is not None and not game.offers(function):
                raise PlayerSpecError(f"player 'mcts': {option}={value}, but {game.name} has no {function}")
        cutoff, epsilon = options["cutoff"], options["epsilon"]
        if cutoff is None:
            cutoff = advised_cutoff(game)
        if epsilon is None:  # what a team does has a meaning, which random moves would not have
            epsilon = 0.0 if mode == "team" else 0.1
        return {
            "exploration": options["exploration"],
            # Returns are far apart, and may be all alike for long: a search that explores less would settle too early.
            "is_scaled": options["scale"] and cutoff >= 0,
            "fpu": options["fpu"],
            "prior_weight": options["prior_weight"],
            "epsilon": epsilon,
            "prior": PRIORS[prior],
            "prior_visits": options["prior_visits"],
            "playout": PLAYOUTS[playout],
            "playout_depth": cutoff,
            "is_open": mode in ("open", "pimc"),
            "follows_game": mode == "team",
            # What is proven in one sampled world proves nothing: the solver would only cut its vote short.
            "has_solver": options["solver"] and mode == "open",
            "keeps_next": options["reuse"] and mode in ("open", "single", "team"),
        }


@dataclass(frozen=True)
class _Plan:
    """The independent searches of a position, each with a seed of its own."""

    view: View
    seed: int
    count: int  # how many
    memory: int  # bytes for each
    trees: int  # trees in each: one, or one for each seat
    has_worlds: bool  # whether each searches one sampled world (PIMC)
    is_reusable: bool
    previous: list[TreeSearch]  # of the last position
    params: dict[str, Any]

    def make(self, index: int) -> TreeSearch:
        """One of the searches."""
        seed = seed_below(self.seed, index)
        search = TreeSearch(
            self.view,
            is_one_world=self.has_worlds,
            seed=seed,
            trees=self.trees,
            memory=self.memory,
            **self.params,
        )
        if self.is_reusable and index < len(self.previous):
            search.adopt(self.previous[index])
        return search


class _Report:
    """Calls back now and then during a search."""

    def __init__(self, progress: Progress, every: float) -> None:
        self.progress, self.every = progress, every
        self.due = now() + every

    def look(self, run: _Run) -> None:
        if now() >= self.due:
            self.progress(run.analysis(is_final=False))
            self.due = now() + self.every


@dataclass(frozen=True)
class _Found:
    """What one search has found."""

    iterations: int
    nodes: int
    moves: list[tuple[int, int, float, list[float] | None, int, list[float], float]]


@dataclass
class _Row:
    """One move in all trees."""

    totals: list[float]  # rewards of every seat in this search alone,
    squares: float = 0.0  # squares of the searching seat's rewards,
    count: int = 0  # and how many
    visits: int = 0  # with what was adopted, as the sum of rewards below
    value: float = 0.0
    proof: list[float] | None = None  # values of every seat


class _Run:
    """A search under way: some trees, a limit, and the threads that work on them."""

    def __init__(
        self,
        plan: _Plan,
        limit: Limit,
        *,
        started: float,
        threads: int,
        stop: StopFlag,
        is_choosing: bool,
        report: _Report | None,
    ) -> None:
        self.plan, self.limit, self.started, self.stop, self.report = plan, limit, started, stop, report
        self.threads = min(threads, plan.count)
        self.settles = is_choosing and plan.count == 1
        self.deadline = math.inf if limit.time is None else started + limit.time
        self.found: list[_Found | None] = [None] * plan.count
        self.searches: list[TreeSearch | None] = [None] * plan.count
        self.failure: BaseException | None = None

    @property
    def kept(self) -> list[TreeSearch]:
        """The searches whose trees are still there."""
        return [search for search in self.searches if search is not None]

    def go(self) -> None:
        """Search until the limit; this thread works too, and looks after signals and progress."""
        helpers = [
            threading.Thread(target=self._help, args=(thread,), name=f"mcts-{thread}", daemon=True)
            for thread in range(1, self.threads)
        ]
        try:
            for helper in helpers:
                helper.start()
            self._work(0, self.report)
            for helper in helpers:
                while helper.is_alive():
                    helper.join(SLICE)
                    if self.report is not None:
                        self.report.look(self)
        except BaseException:
            self.stop.set()
            raise
        finally:
            for helper in helpers:
                if helper.ident is not None:
                    helper.join()
        if self.failure is not None:
            raise self.failure

    def _help(self, thread: int) -> None:
        try:
            self._work(thread, None)
        except BaseException as failure:
            self.failure = failure
            self.stop.set()

    def _work(self, thread: int, report: _Report | None) -> None:
        """Search my trees one after the other, each for its share of the time or the iterations."""
        mine = range(thread, self.plan.count, self.threads)
        for place, index in enumerate(mine):
            if place and (self.stop or now() >= self.deadline):
                break
            share = (place + 1) / len(mine)
            search = self.plan.make(index)
            if index == 0 or self.plan.is_reusable:
                self.searches[index] = search
            self._search(search, index, self.started + share * (self.deadline - self.started), report)

    def _search(self, search: TreeSearch, index: int, deadline: float, report: _Report | None) -> None:
        iterations = min(_share(self.limit.iterations, index, self.plan.count), MAX_ITERATIONS)
        nodes = _share(self.limit.nodes, index, self.plan.count)
        has_more = True
        while has_more:
            pause = now() + SLICE if report is None else min(now() + SLICE, report.due)
            # An iteration visits at least one node: a tree that does not grow any more comes to an end, too.
            has_more = search.run(self.stop, deadline, pause, min(iterations, nodes), nodes, self.settles)
            if has_more and self.settles and self._is_settled(search):
                has_more = False
            if not has_more or self.report is not None:
                self.found[index] = _Found(search.iterations, search.nodes, search.root_moves())
            if report is not None:
                report.look(self)

    def _is_settled(self, search: TreeSearch) -> bool:
        """Whether the time that is left is too short for another move to catch up."""
        if not math.isfinite(self.deadline):
            return False
        spent = now() - self.started
        left = search.iterations * (self.deadline - now()) / max(spent, 1e-9)
        return search.lead > 1.1 * left

    # ---- What was found --------------------------------------------------------------------------------------

    def analysis(self, *, is_final: bool) -> Analysis:
        """The merged result of all trees."""
        view = self.plan.view
        found = [one for one in self.found if one is not None]
        iterations = sum(one.iterations for one in found)
        rows = self._rows(found)
        moves = _ranked([_analysed(view, move, row) for move, row in rows.items()])
        return Analysis(
            seat=view.seat,
            moves=tuple(moves),
            line=self._line(moves[0]) if is_final else (),
            odds=_odds(rows[moves[0].move]),
            iterations=iterations,
            seconds=now() - self.started,
            nodes=sum(one.nodes for one in found),
            worlds=1 if not view.game.has_hidden else len(found) if self.plan.has_worlds else iterations,
            is_final=is_final,
        )

    def _rows(self, found: list[_Found]) -> dict[int, _Row]:
        view = self.plan.view
        rows = {move: _Row([0.0] * view.game.seats) for move in view.legal_moves()}
        for one in found:
            for move, visits, value, proof, count, totals, squares in one.moves:
                row = rows[move]
                row.totals = [a + b for a, b in zip(row.totals, totals, strict=True)]
                row.squares += squares
                row.count += count
                row.visits += visits
                row.value += value
                row.proof = row.proof or proof
        return rows

    def _line(self, best: MoveAnalysis) -> tuple[str, ...]:
        search = self.searches[0]
        return (best.text,) if search is None else tuple(search.line(best.move, LINE_LENGTH))


def _odds(row: _Row) -> tuple[float, ...]:
    """What every seat can expect after a move: what is proven, or the mean of what it led to."""
    if row.proof is not None:
        return tuple(row.proof)
    return tuple(total / row.count if row.count else 0.5 for total in row.totals)


def _analysed(view: View, move: int, row: _Row) -> MoveAnalysis:
    text = view.move_text(move)
    if row.proof is not None:
        return MoveAnalysis(move, text, row.visits, row.proof[view.seat], 0.0, True)
    mean = row.value / row.visits if row.visits else 0.5
    error = 0.0
    if row.count > 1:
        variance = max(row.squares / row.count - (row.totals[view.seat] / row.count) ** 2, 0.0)
        error = math.sqrt(variance / (row.count - 1))
    return MoveAnalysis(move, text, row.visits, mean, error)


def _ranked(moves: list[MoveAnalysis]) -> list[MoveAnalysis]:
    """Best first: by visits, unless proofs say otherwise.

    The best proven move comes first if the most visited of the others does not promise more. Proven moves that
    are worse than another proven one, or cannot be worse, come last.
    """
    proven = max((move.value for move in moves if move.proven), default=-1.0)
    most = max((move for move in moves if not move.proven), key=lambda move: move.visits, default=None)

    def place(move: MoveAnalysis) -> int:
        if not move.proven:
            return 1
        if move.value < proven or (move.value <= 0 and most is not None):
            return 2
        return 0 if most is None or move.value >= most.value else 1

    return sorted(moves, key=lambda move: (place(move), -move.visits, -move.value, move.move))


def _share(limit: int | None, index: int, count: int) -> int:
    """The share of one tree in a number that is divided over all of them, at least 1."""
    if limit is None:
        return NO_LIMIT
    return max(1, limit // count + (index < limit % count))


@lru_cache(maxsize=256)
def _mode(game: Game, mode: str) -> str:
    """The mode that fits the game: open, single, several, team or pimc."""
    if not game.has_hidden:
        return "open"
    if mode == "auto":
        if not hides_moves(game):
            return "single"
        return "team" if game.is_cooperative and game.offers("playout_move") else "several"
    return mode
