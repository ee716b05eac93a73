"""Monte Carlo tree search."""

from __future__ import annotations

import math
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from aiplay._core.search.control import StopFlag, now
from aiplay._core.search.mcts import TreeSearch, hides_moves
from aiplay._core.stream import seed_below
from aiplay.analysis import Analysis, MoveAnalysis
from aiplay.errors import PlayerSpecError
from aiplay.limit import Limit
from aiplay.options import Option
from aiplay.players.base import Progress
from aiplay.players.search import SearchPlayer

if TYPE_CHECKING:
    from aiplay._core.game import Game, View

__all__ = ["MctsPlayer"]

SLICE = 0.05  # seconds between two looks at signals and progress
LINE_LENGTH = 12  # moves of the best line
NO_LIMIT = 2**62  # iterations
PRIORS = {"none": 0, "game": 1, "evaluate": 2}
PLAYOUTS = {"random": 0, "game": 1, "greedy": 2}


class MctsPlayer(SearchPlayer):
    """Monte Carlo tree search: UCT in open games, information-set MCTS where something is hidden."""

    name = "mcts"
    OPTIONS = (
        *SearchPlayer.limit_options("time", "iterations", "nodes"),
        Option(
            "mode",
            "auto",
            "auto; single: one tree; several: a tree for each seat; pimc: a tree for each sampled world",
            choices=("auto", "single", "several", "pimc"),
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
            "how much the opinion counts: bonus of weights, visits of values",
            low=0,
            high=1e6,
        ),
        Option("prior_visits", 1, "visits of a node before the game is asked", low=1, high=1_000_000),
        Option("playout", "auto", "moves of playouts", choices=("auto", *PLAYOUTS)),
        Option("epsilon", 0.1, "share of random moves in game and greedy playouts", low=0, high=1),
        Option(
            "cutoff",
            None,
            "moves of a playout before the game's evaluation decides; -1 never",
            low=-1,
            high=1e6,
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
        self._stop = StopFlag()
        self._previous: list[TreeSearch] = []

    def stop(self) -> None:
        """End the search that is going on, from any thread; it answers with the best move so far."""
        self._stop.set()

    def forget(self) -> None:
        """Give back the tree that is kept for the next move."""
        self._previous = []

    # ---- One search ----------------------------------------------------------------------------------------

    def _search(
        self, view: View, limit: Limit, progress: Progress | None, every: float, *, is_choosing: bool
    ) -> Analysis:
        started = now()
        self._stop.clear()
        searches = self._prepare(view, self.stream.bits())
        run = _Run(self, searches, view, limit, started, is_choosing and self.options["early_stop"])
        run.go(progress, every)
        analysis = run.analysis(is_final=True)
        self._previous = searches if self.options["reuse"] else []
        return analysis

    def _prepare(self, view: View, seed: int) -> list[TreeSearch]:
        """The independent searches of a position, each with its own seed."""
        options, game = self.options, view.game
        mode = _mode(game, options["mode"])
        count = options["worlds"] if mode == "pimc" else self._trees
        params = self._params(game, is_open=mode in ("open", "pimc"))
        memory = options["memory"] * 2**20 // count
        needed = 64 * game.max_moves * (game.seats if mode == "several" else 1)
        if memory < needed:
            raise PlayerSpecError(
                f"player 'mcts': memory={options['memory']} is too small for {count} trees; "
                f"allowed: at least {math.ceil(needed * count / 2**20)} here"
            )
        searches = []
        for index in range(count):
            search_seed = seed_below(seed, index)
            world = view.sample_world(search_seed) if mode == "pimc" else None
            search = TreeSearch(
                view,
                world=world,
                seed=search_seed,
                trees=game.seats if mode == "several" else 1,
                memory=memory,
                **params,
            )
            if params["keeps_next"] and index < len(self._previous):
                search.adopt(self._previous[index])
            searches.append(search)
        self._previous = []
        return searches

    def _params(self, game: Game, is_open: bool) -> dict[str, Any]:
        """The options as the struct MctsParams takes them."""
        options = self.options
        playout, prior = options["playout"], options["prior"]
        if playout == "auto":
            playout = "game" if game.offers("playout_move") else "random"
        if prior == "auto":
            prior = "game" if game.offers("priors") else "evaluate" if game.offers("evaluate") else "none"
        needs = (("prior", prior, "priors"), ("playout", playout, "playout_move"))
        for option, value, function in needs:
            if value == "game" and not game.offers(function):
                raise PlayerSpecError(f"player 'mcts': {option}=game, but {game.name} has no {function}")
        cutoff = options["cutoff"]
        if cutoff is None:
            cutoff = game.playout_depth or -1
        return {
            "exploration": options["exploration"],
            "fpu": options["fpu"],
            "prior_weight": options["prior_weight"],
            "epsilon": options["epsilon"],
            "prior": PRIORS[prior],
            "prior_visits": options["prior_visits"],
            "playout": PLAYOUTS[playout],
            "playout_depth": cutoff,
            "is_open": is_open,
            "has_solver": is_open and options["solver"],
            "keeps_next": options["reuse"] and options["mode"] != "pimc",
        }


class _Run:
    """A search under way: some trees, a limit, and the threads that work on them."""

    def __init__(
        self,
        player: MctsPlayer,
        searches: list[TreeSearch],
        view: View,
        limit: Limit,
        started: float,
        is_choosing: bool,
    ) -> None:
        self.searches, self.view, self.limit, self.started = searches, view, limit, started
        self.stop = player._stop
        self.threads = min(player.options["threads"], len(searches))
        self.is_choosing = is_choosing
        self.deadline = math.inf if limit.time is None else started + limit.time
        self.goals = _shares(limit.iterations, len(searches))
        self.failure: BaseException | None = None

    def go(self, progress: Progress | None, every: float) -> None:
        """Search until the limit; this thread works too, and looks after signals and progress."""
        helpers = range(1, self.threads)
        workers = [
            threading.Thread(target=self._work, args=(index, None, 0.0), daemon=True) for index in helpers
        ]
        for worker in workers:
            worker.start()
        try:
            self._work(0, progress, every)
        except BaseException:
            self.stop.set()
            raise
        finally:
            for worker in workers:
                worker.join()
        if self.failure is not None:
            raise self.failure

    def _work(self, thread: int, progress: Progress | None, every: float) -> None:
        try:
            self._work_through(range(thread, len(self.searches), self.threads), progress, every)
        except BaseException as failure:
            if thread == 0:
                raise
            self.failure = failure
            self.stop.set()

    def _work_through(self, mine: range, progress: Progress | None, every: float) -> None:
        """Search my trees one after the other, each for its share of the time or the iterations."""
        report = now() + every
        alone = len(self.searches) == 1
        for place, index in enumerate(mine):
            share = (place + 1) / len(mine)
            deadline = self.started + share * (self.deadline - self.started)
            search, goal = self.searches[index], self.goals[index]
            more = True
            while more:
                more = search.run(self.stop, deadline, now() + SLICE, goal, self.is_choosing and alone)
                if self.limit.nodes is not None and search.nodes * len(self.searches) >= self.limit.nodes:
                    more = False
                if more and alone and self.is_choosing and self._is_settled(search):
                    more = False
                if progress is not None and now() >= report:
                    progress(self.analysis(is_final=False))
                    report = now() + every

    def _is_settled(self, search: TreeSearch) -> bool:
        """Whether the time that is left is too short for another move to catch up."""
        if not math.isfinite(self.deadline):
            return False
        spent = now() - self.started
        left = search.iterations * (self.deadline - now()) / max(spent, 1e-9)
        visits = sorted((visits for _, visits, *_ in search.root_moves()), reverse=True)
        return len(visits) > 1 and visits[0] - visits[1] > 1.1 * left

    # ---- What was found --------------------------------------------------------------------------------------

    def analysis(self, *, is_final: bool) -> Analysis:
        """The merged result of all trees."""
        merged: dict[int, list[float]] = {}
        totals = [0.0] * self.view.game.seats
        iterations = nodes = 0
        for search in self.searches:
            with search.lock:
                for move, *numbers in search.root_moves():
                    row = merged.setdefault(move, [0.0, 0.0, 2.0, 0.0, 0.0, 0.0])
                    row[2] = min(row[2], numbers[2])  # proven only if every tree has proven it
                    for i in (0, 1, 3, 4, 5):
                        row[i] += numbers[i]
                totals = [a + b for a, b in zip(totals, search.totals(), strict=True)]
                iterations += search.iterations
                nodes += search.nodes
        if len(self.searches) > 1:
            for row in merged.values():
                row[2] = row[2] if row[2] >= 0 else -1.0
        moves = sorted((self._move(move, row) for move, row in merged.items()), key=_rank)
        if not moves:  # stopped before the first iteration
            moves = [self._move(move, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]) for move in self.view.legal_moves()]
        seconds = now() - self.started
        return Analysis(
            seat=self.view.seat,
            moves=tuple(moves),
            line=self._line(moves[0].move) if is_final else (),
            odds=tuple(total / iterations if iterations else 0.5 for total in totals),
            iterations=iterations,
            seconds=seconds,
            nodes=nodes,
            worlds=self._worlds(iterations),
            is_final=is_final,
        )

    def _worlds(self, iterations: int) -> int:
        if not self.view.game.has_hidden:
            return 1
        return len(self.searches) if self.searches[0].has_one_world else iterations

    def _move(self, move: int, row: list[float]) -> MoveAnalysis:
        visits, value, proof, count, total, squares = row
        text = self.view.move_text(move)
        if proof >= 0:
            return MoveAnalysis(move, text, int(visits), proof, 0.0, True)
        mean = value / visits if visits else 0.5
        error = 0.0
        if count > 1:
            variance = max(squares / count - (total / count) ** 2, 0.0)
            error = math.sqrt(variance / (count - 1))
        return MoveAnalysis(move, text, int(visits), mean, error)

    def _line(self, best: int) -> tuple[str, ...]:
        search = self.searches[0]
        with search.lock:
            return tuple(search.line(search.some_world(), best, LINE_LENGTH))


def _rank(move: MoveAnalysis) -> tuple[float, ...]:
    """Proven wins first, then by visits, proven losses last; equal ones by value, then by number."""
    certainty = 0 if not move.proven else -1 if move.value >= 1 else 1 if move.value <= 0 else 0
    return (certainty, -move.visits, -move.value, move.move)


def _shares(iterations: int | None, count: int) -> list[int]:
    """A number of iterations divided over trees, as equal as possible, at least one each."""
    if iterations is None:
        return [NO_LIMIT] * count
    return [max(1, iterations // count + (index < iterations % count)) for index in range(count)]


@lru_cache(maxsize=256)
def _mode(game: Game, mode: str) -> str:
    """The mode that fits the game: open, single, several or pimc."""
    if not game.has_hidden:
        return "open"
    if mode == "auto":
        return "several" if hides_moves(game) else "single"
    return mode
