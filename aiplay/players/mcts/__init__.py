"""Monte Carlo tree search: the player and its options. The search itself is in ``run``, and in ``aiplay._core``."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from aiplay._core.search.common.control import now
from aiplay._core.search.common.rollout import PLAYOUT_GAME, PLAYOUT_GREEDY, PLAYOUT_RANDOM
from aiplay._core.search.mcts.core import TreeSearch, has_few_views, hides_moves
from aiplay._core.search.mcts.params import PRIOR_NONE, PRIOR_OWN, PRIOR_VALUES, PRIOR_WEIGHTS
from aiplay._core.stream import seed_below
from aiplay.errors import PlayerSpecError, TokenError
from aiplay.levels import FIRST, LAST, Level, level_of
from aiplay.limit import Limit
from aiplay.options import Option
from aiplay.players.base import Effort, Progress, Slices
from aiplay.players.mcts.run import Plan, Run
from aiplay.players.search import Report, SearchPlayer, advised_cutoff
from aiplay.value import VALUE_OPTION, ValueChoice

if TYPE_CHECKING:
    from aiplay._core.game import Game, View

__all__ = ["DEFAULTS", "MctsPlayer", "chosen_mode"]

BYTES_PER_MOVE = 64  # of a root: an edge for each move, and the node
COMMON_SHARE = 8  # trees that exchange statistics use this part of the memory for what they have in common
PRIORS = {"none": PRIOR_NONE, "game": PRIOR_WEIGHTS, "evaluate": PRIOR_VALUES, "own": PRIOR_OWN}
PLAYOUTS = {"random": PLAYOUT_RANDOM, "game": PLAYOUT_GAME, "greedy": PLAYOUT_GREEDY}
GUESSES = int.from_bytes(b"guess", "big")  # keeps the errors of judgement apart from other random numbers
LEVEL_SETS = ("time", "iterations", "nodes", "blur")  # options that a level stands for
# Of options on which the game may have advice.
DEFAULTS = {"exploration": 0.7, "root_exploration": 0.0, "prior_visits": 1}
PRIOR_WEIGHT = 2.0  # unless a value file says otherwise
NEEDS = {
    ("prior", "game"): "priors",
    ("prior", "evaluate"): "evaluate",
    ("prior", "own"): "evaluate",
    ("playout", "game"): "playout_move",
    ("playout", "greedy"): "evaluate",
    ("mode", "team"): "playout_move",
}


class MctsPlayer(SearchPlayer):
    """Monte Carlo tree search: UCT in open games, information-set MCTS if information is hidden."""

    name = "mcts"
    OPTIONS = (
        *SearchPlayer.limit_options("time", "iterations", "nodes"),
        Option(
            "level",
            None,
            "strength, from a first game (1) to all that a second allows (10), measured for each game: "
            "instead of a limit and `blur`",
            low=FIRST,
            high=LAST,
            kind=int,
        ),
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
            "trees that share the iterations, and exchange statistics of upper nodes; as many as threads by default",
            low=1,
            high=1024,
            kind=int,
        ),
        Option("threads", 1, "threads that search the trees", low=1, high=256),
        Option(
            "exploration",
            None,
            "weight of exploration (default: the game's advice, else 0.7)",
            low=0,
            high=100,
            kind=float,
        ),
        Option(
            "root_exploration",
            None,
            "least exploration at the root, as a multiple of the root of its visits (default: the game's advice, "
            "else 0)",
            low=0,
            high=100,
            kind=float,
        ),
        Option(
            "scale",
            True,
            "explore in proportion to the deviation of rewards, if playouts end with the game's evaluation",
        ),
        Option("fpu", 1.0, "value of a move before it is tried (first-play urgency)", low=0, high=100),
        Option(
            "prior",
            "auto",
            "priors of moves: the game's weights (game) or its evaluation after the move (evaluate); with a trained "
            "value that value after the move, or still the evaluation (own); auto: the advice of the game, or of the "
            "trained value, else game or evaluate if there are any",
            choices=("auto", *PRIORS),
        ),
        Option(
            "prior_weight",
            None,
            "weight of priors: of exploration by weights (PUCT), or visits that an evaluation counts for "
            "(default: what the value file says, else 2)",
            low=0,
            high=1_000_000,
            kind=float,
        ),
        Option(
            "prior_visits",
            None,
            "visits of a node before its priors are computed (default: the game's advice, else 1)",
            low=1,
            high=1_000_000,
            kind=int,
        ),
        Option(
            "widening",
            1.0,
            "different outcomes of chance after a move, as a multiple of the root of its visits; 0: no limit",
            low=0,
            high=1_000_000,
        ),
        Option("playout", "auto", "moves of playouts", choices=("auto", *PLAYOUTS)),
        Option(
            "epsilon",
            None,
            "share of random moves in game and greedy playouts; 0.1 by default, none in mode=team, and none if the "
            "game's playout moves are random themselves",
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
        VALUE_OPTION,
        Option(
            "blur",
            0.0,
            "error of judgement: the part of a position's value that is a guess, always the same for a position",
            low=0,
            high=1,
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
        for name in LEVEL_SETS:
            if self.options["level"] is not None and self.options[name] not in (None, 0.0):
                raise PlayerSpecError(
                    f"player 'mcts': level={self.options['level']} decides about {name}, too; give either of them"
                )
        if self.options["level"] not in (None, LAST) and self.options["value"] == "auto":
            self._values = ValueChoice("game")  # levels below the last are measured with it, to be weaker
        self._previous: list[TreeSearch] = []

    def forget(self) -> None:
        """Free the tree that is kept for the next move."""
        super().forget()
        self._previous = []

    @property
    def kept_bytes(self) -> int:
        """The memory of the tree that is kept for the next move."""
        return sum(search.bytes for search in self._previous)

    # ---- Levels ----------------------------------------------------------------------------------------------

    @property
    def limit(self) -> Limit:
        """The limit for a move unless the caller gives another; empty if the level decides, by the game."""
        return super().limit if self.options["level"] is None else Limit()

    def limit_for(self, game: Game, limit: Limit | None = None) -> Limit:
        """Return the limit for a move. At a level, the caller's limit can shorten the search, not prolong it."""
        level = self._level(game)
        if level is None:
            return super().limit_for(game, limit)
        return level.limit if limit is None else level.limit.within(limit)

    def _level(self, game: Game) -> Level | None:
        number = self.options["level"]
        return None if number is None else level_of(game.name, number)

    def _blur(self, game: Game) -> float:
        level = self._level(game)
        blur: float = self.options["blur"] if level is None else level.blur
        return blur

    def _reuses(self, game: Game, mode: str) -> bool:
        """True if the tree of the last move is used: not at a level that counts iterations, because it adds some."""
        level = self._level(game)
        is_counted = level is not None and level.limit.iterations is not None
        return bool(self.options["reuse"]) and mode != "pimc" and not is_counted

    # ---- Searching -------------------------------------------------------------------------------------------

    def _search(
        self, view: View, limit: Limit, progress: Progress | None, every: float, *, is_choosing: bool
    ) -> Slices[Run]:
        started = now()
        run = Run(
            self._plan(view, limit.iterations),
            limit,
            started=started,
            threads=self.options["threads"],
            stop=self._stop,
            is_choosing=is_choosing and self.options["early_stop"],
            report=None if progress is None else Report(progress, every),
        )
        return (yield from self._gone(run))

    def _repeat(self, view: View, effort: Effort, *, is_choosing: bool) -> Slices[Run]:
        plan = self._plan(view, max(1, len(effort.counts)), effort.seed)
        if plan.n_searches != len(effort.counts) or not any(effort.counts):
            raise TokenError(f"iterations of {len(effort.counts)} trees do not fit {self.repeatable_spec!r}")
        threads, stop = self.options["threads"], self._stop
        run = Run(plan, Limit(), started=now(), threads=threads, stop=stop, effort=effort)
        return (yield from self._gone(run))

    def _gone(self, run: Run) -> Slices[Run]:
        """Search, and keep the trees."""
        self._previous = []
        yield from run.slices()
        self._previous = run.kept if run.plan.is_reusable else []
        return run

    def use_threads(self, threads: int) -> None:
        """Search with another number of threads; the number of trees, which decides the result, stays."""
        option = next(option for option in self.OPTIONS if option.name == "threads")
        try:
            self.options["threads"] = option.parse(threads)
        except (TypeError, ValueError) as problem:
            raise PlayerSpecError(f"player 'mcts': {problem}") from None

    @property
    def repeatable_spec(self) -> str:
        """The specification with its number of trees, which decides the result, and without threads."""
        kept = {**self.options, "trees": self._trees, "threads": 1}
        return self._spec_of(kept)

    # ---- From options to a plan ------------------------------------------------------------------------------

    def _plan(self, view: View, most: int | None, guess_seed: int | None = None) -> Plan:
        """Return the plan for a position, with at most this number of searches."""
        options, game = self.options, view.game
        mode = chosen_mode(game, options["mode"])
        if mode == "auto":
            mode = "several" if has_few_views(view) else "single"
        is_pimc = mode == "pimc"
        count = options["worlds"] if is_pimc else self._trees
        if most is not None:
            count = min(count, most)
        # The trees of PIMC are freed one after the other, all but the first; no more threads than `trees` search them.
        alive = min(count, self._trees + 1) if is_pimc else count
        total = options["memory"] * 2**20
        needed = BYTES_PER_MOVE * game.max_moves * (game.seats + 1 if mode == "several" else 1)
        if total < needed * alive:
            raise PlayerSpecError(
                f"player 'mcts': memory={options['memory']} is too small for {alive} trees of {game.name}; "
                f"allowed: at least {math.ceil(needed * alive / 2**20)}"
            )
        has_common = count > 1 and not is_pimc
        common = min(total // COMMON_SHARE, total - needed * alive) if has_common else 0
        reuses = self._reuses(game, mode)
        return Plan(
            view=view,
            seed=self.stream.bits(),
            n_searches=count,
            memory=(total - common) // alive,
            common=common,
            trees=game.seats if mode == "several" else 1,
            has_worlds=is_pimc,
            is_reusable=reuses,
            previous=self._previous[:count] if reuses else [],
            value=self._values.of(game),
            params=self._params(game, mode, guess_seed),
        )

    def _params(self, game: Game, mode: str, guess_seed: int | None = None) -> dict[str, Any]:
        """Return the members of the struct MctsParams."""
        options = self.options
        playout, prior = options["playout"], options["prior"]
        exploration, root_exploration, prior_visits = (
            game.advice.get(name, default) if options[name] is None else options[name]
            for name, default in DEFAULTS.items()
        )
        if playout == "auto":
            playout = "game" if game.offers("playout_move") else "random"
        if prior == "auto" and self._values.of(game) is None:
            prior = game.advice.get("prior", "auto")
        elif prior == "auto":  # the game's advice is about its own evaluation
            prior = self._values.prior(game)
        if prior == "auto":
            prior = "game" if game.offers("priors") else "evaluate" if self._evaluates(game) else "none"
        for option, value in (("prior", prior), ("playout", playout), ("mode", mode)):
            function = NEEDS.get((option, value))
            is_judged = function == "evaluate" and value != "own"  # a trained value does as well
            is_offered = self._evaluates(game) if is_judged else function and game.offers(function)
            if function is not None and not is_offered:
                raise PlayerSpecError(f"player 'mcts': {option}={value}, but {game.name} has no {function}")
        cutoff, epsilon = options["cutoff"], options["epsilon"]
        if cutoff is None:
            cutoff = advised_cutoff(game, self._values)
        prior_weight = options["prior_weight"]
        if prior_weight is None:
            prior_weight = self._values.prior_weight(game)
        if epsilon is None:  # moves of a team carry a meaning, which random moves would not have
            epsilon = 0.0 if mode == "team" or game.offers("policy_playout") else 0.1
        return {
            "exploration": exploration,
            "root_exploration": root_exploration,
            # Returns are far apart, and may be equal for long: a search that explores less would settle too early.
            "is_scaled": options["scale"] and cutoff >= 0,
            "fpu": options["fpu"],
            "prior_weight": PRIOR_WEIGHT if prior_weight is None else prior_weight,
            "widening": options["widening"],
            "epsilon": epsilon,
            "prior": PRIORS[prior],
            "prior_visits": prior_visits,
            "playout": PLAYOUTS[playout],
            "playout_depth": cutoff,
            "is_open": mode in ("open", "pimc"),
            "follows_game": mode == "team",
            # A proof in one sampled world proves nothing: the solver would only cut its vote short.
            "has_solver": options["solver"] and mode == "open",
            "keeps_next": self._reuses(game, mode),
            **self._misjudgement(game, guess_seed),
        }

    def _misjudgement(self, game: Game, guess_seed: int | None) -> dict[str, Any]:
        """Return those members that make judgements worse; the seed is that of an earlier search, or the player's."""
        blur = self._blur(game)
        seed = seed_below(self.seed, GUESSES) if guess_seed is None else guess_seed
        return {"blur": blur, "guess_seed": seed if blur else 0}

    def _evaluates(self, game: Game) -> bool:
        """Return whether positions have a value without search: the game's, or a trained one."""
        return game.offers("evaluate") or self._values.of(game) is not None


@lru_cache(maxsize=256)
def chosen_mode(game: Game, mode: str) -> str:
    """Return the mode that fits the game: open, single, several, team or pimc; auto if the position decides."""
    if not game.has_hidden:
        return "open"
    if mode != "auto":
        return mode
    if not hides_moves(game):
        return "single" if game.is_cooperative or game.seats == 1 else "auto"
    return "team" if game.is_cooperative and game.offers("playout_move") else "several"
