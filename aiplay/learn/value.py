"""A value function from games of a player against itself.

A round plays games with the best player so far, trains the network on them and on those of the rounds before, and lets
the result play a duel against the best player so far (SPRT); the better one stays. After every round a checkpoint is
written beside the file, so that a killed run goes on where it was.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiplay import __version__
from aiplay._core.search.common.value import MAX_HIDDEN, active_of, write_inputs
from aiplay._core.stream import check_seed, seed_below
from aiplay.errors import OptionError, PlayerSpecError
from aiplay.features import choose_features, choose_paths
from aiplay.lazy import numpy as np
from aiplay.learn.ahead import targets_ahead
from aiplay.learn.network import Trainer, quantised
from aiplay.learn.rounds import Checkpoint, checkpoint_of
from aiplay.learn.samples import Samples, SampleWriter
from aiplay.learn.selfplay import RESULTS, SEARCHES, SOURCES, PlayedGame, SelfPlay, played_games, positions
from aiplay.match import Duel
from aiplay.registry import make_player
from aiplay.value import MAX_BYTES, Value, bound_features, kept_inputs, kept_text

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["MINUTES", "Round", "Settings", "learn_value"]

MINUTES = 10.0
MOST_INPUTS = 1_000_000_000  # numbers to learn from: fewer positions if each has many inputs
LOOKED_AT = 500  # games of the first round that tell which inputs vary
CHECK_EVERY = 10  # a tenth of the new positions is not learned from, but for the error
ELO = (0.0, 30.0)  # hypotheses of the SPRT between two values
TRUST = 0.97  # weight of what comes later than the next position, for each one, in targets that look ahead
ROOM = 12_000  # bytes of a file for everything but the first layer
OPENING = 2  # random moves at the start of a duel, in games without chance
CUTOFFS = (0, 8, 20, -1)  # moves of playouts that are tried if the game has a policy; -1: to the end
GAIN_GAMES = 200  # of the last duel, against the game's own evaluation
PLAY, TRAIN, DUEL, GAIN, TRIAL = range(5)  # streams of a round


@dataclass(frozen=True)
class Settings:
    """How to learn; a run that goes on has to have the same."""

    seed: int = 0
    games: int = 500  # of a round
    duel: int = 200  # most games of the duel of a round
    # Of the search for a move; with a time, a run cannot be repeated. Other options of mcts may follow; the file keeps
    # `prior=own`, and players that use it follow it.
    limit: str = "iterations=200"
    source: str = SEARCHES  # what to learn from: SOURCES of aiplay.learn.selfplay
    window: int = 500_000  # positions to learn from, the latest ones
    passes: int = 8  # through these positions, in a round
    sweeps: int = 0  # times that training is repeated with targets that look ahead; from results only
    hidden: int = 32  # units of the network; fewer if the game has many inputs
    # Moves of a playout before the value decides. None: 0, or, if the game has a policy for playouts, those of CUTOFFS
    # that do best, until a value is kept.
    cutoff: int | None = None
    prior_weight: float | None = (
        None  # visits that the value counts for as a prior; None: as mcts does by default
    )

    @classmethod
    def of(cls, game: Game, **given: Any) -> Settings:
        """Return the usual settings for a game and a source, but for those given.

        Games written in Python have shorter rounds; to learn from results takes far longer ones.
        """
        usual: dict[str, Any] = {}
        if game.layout is None:
            usual = {"games": 100, "duel": 100, "limit": "iterations=50"}
        if given.get("source") == RESULTS:
            usual |= {"window": 10_000_000, "passes": 1, "sweeps": 3}
            if game.layout is not None:
                usual |= {"games": 20_000, "limit": "iterations=100"}
        return cls(**usual | given)

    def checked(self) -> Settings:
        """Return the settings; OptionError if one is not allowed."""
        check_seed(self.seed)
        if self.source not in SOURCES:
            raise OptionError(f"source is {self.source!r}; allowed: {' or '.join(SOURCES)}")
        for name in ("games", "duel", "window", "passes"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}; allowed: at least 1")
        if self.sweeps < 0 or (self.sweeps and self.source != RESULTS):
            raise OptionError(
                f"sweeps is {self.sweeps}; allowed: at least 0, and 0 unless source is {RESULTS!r}"
            )
        if self.hidden % 8 or not 8 <= self.hidden <= MAX_HIDDEN:
            raise OptionError(f"hidden is {self.hidden}; allowed: 8 to {MAX_HIDDEN}, a multiple of 8")
        try:
            make_player(f"mcts:cutoff={self.cutoff or 0},prior_weight={self.prior_weight or 0}")
        except PlayerSpecError as problem:
            raise OptionError(str(problem)) from None
        try:
            make_player(f"mcts:{self.limit}")
        except PlayerSpecError as problem:
            raise OptionError(
                f"limit is {self.limit!r}; allowed: options of mcts, such as iterations=200 ({problem})"
            ) from None
        return self


@dataclass(frozen=True)
class Round:
    """A finished round: a point of the learning curve."""

    number: int
    positions: int  # learned from
    error: float  # root of the mean squared error on positions that were not learned from
    score: float  # of the new value against the best one before
    games: int  # of that duel
    is_better: bool
    seconds: float  # of all rounds so far


def learn_value(
    game: Game,
    out: str | Path,
    *,
    minutes: float | None = MINUTES,
    rounds: int | None = None,
    settings: Settings | None = None,
    resume: bool = False,
    executor: Executor | None = None,
    progress: Callable[[Round], object] | None = None,
    stage: Callable[[str], object] | None = None,
) -> Value | None:
    """Learn until the minutes are over or the rounds are done; return the best value, which is in the file `out`.

    None if no value was better than the game's own evaluation (or than playouts, if it has none). `progress` gets every
    round, `stage` a text for what is going on. The same settings and rounds give the same value again.
    """
    settings = (settings or Settings.of(game)).checked()
    if "," in str(out) or str(out) != str(out).strip():
        raise OptionError(f"the file is {str(out)!r}; allowed: a path without commas, and spaces at its ends")
    run = _Run(game, Path(out), settings, executor, stage or (lambda _: None))
    run.begin(resume)
    limit = math.inf if minutes is None else 60 * minutes
    while run.seconds < limit and (rounds is None or len(run.curve) < rounds):
        finished = run.next_round()
        if progress is not None:
            progress(finished)
    return run.finish()


class _Run:
    """A run under way."""

    def __init__(
        self,
        game: Game,
        out: Path,
        settings: Settings,
        executor: Executor | None,
        stage: Callable[[str], object],
    ) -> None:
        self.game, self.out, self.settings = game, out, settings
        self.executor, self.stage = executor, stage
        self.curve: list[Round] = []
        self.features: dict[str, Any] = {}
        self.trainer: Trainer | None = None
        self.samples: Samples | None = None
        self.best: Value | None = None
        self.cutoff = settings.cutoff or 0
        self.before = 0.0  # seconds of earlier processes
        self.started = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds of this run, those before it was killed included."""
        return self.before + time.monotonic() - self.started

    # ---- Rounds ----------------------------------------------------------------------------------------------

    def next_round(self) -> Round:
        """Play, train, compare, and write the checkpoint."""
        number = len(self.curve)
        seeds = [seed_below(seed_below(self.settings.seed, number), stream) for stream in range(5)]
        self.stage(f"round {number + 1}: playing {self.settings.games} games")
        plan = SelfPlay(self.game, self._best_spec, seeds[PLAY], self.settings.source)
        played = list(played_games(plan, self.settings.games, self.executor))
        if not self.features:
            self._look(played[:LOOKED_AT])
        fresh, check = self._samples(played).split(CHECK_EVERY)
        most = min(self.settings.window, MOST_INPUTS // fresh.n_inputs)
        self.samples = fresh if self.samples is None else self.samples.joined(fresh, most)
        self.stage(f"round {number + 1}: training on {len(self.samples)} positions")
        trainer = self._train(self.samples, seeds[TRAIN])
        self.cutoff = self._chosen_cutoff(number, seeds[TRIAL])
        score, games, is_better = self._compare(number, seeds[DUEL])
        finished = Round(
            number + 1,
            len(self.samples),
            trainer.error(check) ** 0.5,
            score,
            games,
            is_better,
            self.seconds,
        )
        self.curve.append(finished)
        self._keep(is_better)
        return finished

    def _train(self, samples: Samples, seed: int) -> Trainer:
        """Train on the targets; then, if settings say so, again on targets that look ahead with the value so far."""
        trainer = self._trainer(samples, seed)
        trainer.train(samples, self.settings.passes, seed)
        for sweep in range(self.settings.sweeps):
            self.stage(f"round {len(self.curve) + 1}: training on targets that look ahead, {sweep + 1}.")
            targets = targets_ahead(samples, trainer.values_of(samples), TRUST)
            trainer.train(samples.with_targets(targets), self.settings.passes, seed_below(seed, sweep))
        return trainer

    def _spec(self, value: str | Path) -> str:
        return f"mcts:{self.settings.limit},value={value}"

    @property
    def _best_spec(self) -> str:
        return self._spec("game" if self.best is None else self.out)

    @property
    def _opening(self) -> int:
        """Random moves at the start of a deal: without chance, two players would play the same game over and over."""
        return 0 if self.game.has_chance else OPENING

    def _trainer(self, samples: Samples, seed: int) -> Trainer:
        """Return the network under training, a new one in the first round."""
        if self.trainer is None:
            outputs = samples.targets.shape[1]
            hidden = self._hidden(samples.n_inputs)
            self.trainer = Trainer.new(samples.n_inputs, hidden, outputs, samples.active, seed)
        return self.trainer

    def _hidden(self, n_inputs: int) -> int:
        """Return the number of hidden units: as many as wanted, if the weights of all inputs fit into the file."""
        fitting = _most_weights() // n_inputs // 8 * 8
        return max(8, min(self.settings.hidden, fitting))

    def _candidate(self) -> Value:
        assert self.trainer is not None
        hidden = len(self.trainer.weights["first_bias"])
        options = make_player(f"mcts:{self.settings.limit}").options
        return Value.of_game(
            self.game,
            self.features,
            hidden,
            quantised(self.trainer.weights),
            self._made(None),
            self.cutoff,
            self.settings.prior_weight,
            prior="own" if options["prior"] == "own" else "auto",
        )

    def _chosen_cutoff(self, number: int, seed: int) -> int:
        """Return the moves of playouts before the value decides: of several, those with the best score."""
        is_given = make_player(f"mcts:{self.settings.limit}").options["cutoff"] is not None
        if is_given or self.settings.cutoff is not None or not self.game.offers("playout_move"):
            return self.settings.cutoff or 0
        if self.best is not None:
            return self.best.cutoff
        self.stage(f"round {number + 1}: playouts before the value decides")
        draft = Path(f"{self.out}.candidate")
        self._candidate().write(draft)
        games, best = max(2, self.settings.duel // 2), self._best_spec
        duels = {
            cutoff: Duel(
                self.game, f"{self._spec(draft)},cutoff={cutoff}", best, games, seed, opening=self._opening
            )
            for cutoff in CUTOFFS
        }
        scores = {cutoff: duel.play(self.executor).a_score for cutoff, duel in duels.items()}
        draft.unlink()
        return max(CUTOFFS, key=lambda cutoff: scores[cutoff])

    def _compare(self, number: int, seed: int) -> tuple[float, int, bool]:
        """Let the new value play against the best one; return its score, the games, and True if it is better."""
        draft = Path(f"{self.out}.candidate")
        self._candidate().write(draft)
        self.stage(f"round {number + 1}: duel against the best so far")
        duel = Duel(
            self.game,
            self._spec(draft),
            self._best_spec,
            self.settings.duel,
            seed,
            sprt=ELO,
            opening=self._opening,
        )
        summary = duel.play(self.executor)
        assert duel.sprt is not None
        draft.unlink()
        is_better = duel.sprt.llr > 0 and (duel.is_settled or summary.a_score_low > 0.5)
        return summary.a_score, summary.games, is_better

    # ---- What the network sees -------------------------------------------------------------------------------

    def _look(self, played: Iterable[PlayedGame]) -> None:
        """Decide what the network sees, from what varies in the games of the first round."""
        games = list(played)
        game = self.game
        if game.n_features:
            self.features = {"kind": "function", "count": game.n_features}
        elif game.layout is not None:
            features = choose_features(game.layout, game.FIELDS, self._ranges(games))
            self.features = {"kind": "fields", "fields": [list(feature) for feature in features]}
        elif hasattr(game, "features"):
            count = len(game.features(game.new_state().fields, 0))
            self.features = {"kind": "function", "count": count}
        else:
            plain = (state.to_fields() for one in games for state, _ in positions(game, one))
            self.features = {"kind": "plain", "paths": choose_paths(plain)}
        size = bound_features(game, self.features).size
        self.features["kept"] = kept_text(size, self._busiest(games, size))

    def _ranges(self, games: list[PlayedGame]) -> dict[str, tuple[int, int]]:
        """Return the lowest and the highest value of every field."""
        layout = self.game.layout
        assert layout is not None
        first = np.array(layout.numbers(self.game.new_state().to_bytes()))
        low, high = first.copy(), first.copy()
        for one in games:
            for state, _ in positions(self.game, one):
                numbers = np.array(layout.numbers(state.to_bytes()))
                np.minimum(low, numbers, out=low)
                np.maximum(high, numbers, out=high)
        return {
            name: (int(low[column.span].min()), int(high[column.span].max()))
            for name, column in layout.columns.items()
        }

    def _busiest(self, games: list[PlayedGame], size: int) -> list[int]:
        """Return the inputs that vary most, as many as fit into the file with the fewest hidden units."""
        features = bound_features(self.game, self.features)
        sums, squares, n = np.zeros(size), np.zeros(size), 0
        for one in games:
            for state, _ in positions(self.game, one):
                pairs, _ = active_of(features, state)
                numbers, amounts = np.array(pairs).T
                sums[numbers] += amounts
                squares[numbers] += amounts.astype(float) ** 2
                n += 1
        variances = squares / n - (sums / n) ** 2
        order = np.argsort(-variances, kind="stable")[: _most_weights() // min(16, self.settings.hidden)]
        return sorted(int(number) for number in order if variances[number] > 0)

    def _samples(self, played: Iterable[PlayedGame]) -> Samples:
        """Return the positions of games as inputs of the network, the seat that decides first."""
        features = bound_features(self.game, self.features)
        kept = kept_inputs(features.size, self.features)
        seats, row = self.game.seats, np.empty(features.size, np.int16)
        writer = SampleWriter(len(kept), 1 if self.game.is_cooperative else seats)
        for one in played:
            for state, odds in positions(self.game, one):
                first = write_inputs(features, state, row)
                turned = [odds[(first + k) % seats] for k in range(seats)]
                writer.add(row[kept], turned[:1] if self.game.is_cooperative else turned, first)
            writer.end_game()
        return writer.samples()

    # ---- Files -----------------------------------------------------------------------------------------------

    def begin(self, resume: bool) -> None:
        """Take up a killed run, if asked to."""
        file = checkpoint_of(self.out)
        if not resume:
            return
        found = Checkpoint.read(file, self._origin())
        self.curve = [Round(**row) for row in found.about["curve"]]
        self.before, self.features = found.about["seconds"], found.about["features"]
        self.trainer, self.samples = found.trainer, found.samples
        if found.about["has_best"]:
            self.best = Value.read(self.out)

    def _keep(self, is_better: bool) -> None:
        """Write the value if it is better, then the checkpoint."""
        if is_better:
            self.best = self._candidate()
            self.best.write(self.out)
        assert self.trainer is not None
        assert self.samples is not None
        about = {
            **self._origin(),
            "curve": [asdict(row) for row in self.curve],
            "seconds": self.seconds,
            "features": self.features,
            "has_best": self.best is not None,
        }
        Checkpoint(about, self.trainer, self.samples).write(checkpoint_of(self.out))

    def _origin(self) -> dict[str, Any]:
        """Return what identifies the run."""
        return {"game": self.game.name, "options": dict(self.game.options), "settings": asdict(self.settings)}

    def _made(self, gain: dict[str, Any] | None) -> dict[str, Any]:
        """Return how the value was made, for its file."""
        return {
            "aiplay": __version__,
            "method": "value",
            **asdict(self.settings),
            "rounds": len(self.curve),
            "curve": [
                [row.number, row.positions, round(row.error, 4), round(row.score, 4), row.is_better]
                for row in self.curve[-100:]
            ],
            "gain": gain,
        }

    def finish(self) -> Value | None:
        """Measure the gain over the game's own evaluation, and write it into the file."""
        if self.best is None:
            return None
        self.stage("measuring the gain over the game's own evaluation")
        seed = seed_below(seed_below(self.settings.seed, len(self.curve)), GAIN)
        duel = Duel(
            self.game, self._spec(self.out), self._spec("game"), GAIN_GAMES, seed, opening=self._opening
        )
        found = duel.play(self.executor)
        gain = {
            "against": "value=game",
            "limit": self.settings.limit,
            "games": found.games,
            "score": round(found.a_score, 4),
            "low": round(found.a_score_low, 4),
            "high": round(found.a_score_high, 4),
        }
        self.best.description["made"] = self._made(gain)
        self.best.write(self.out)
        return self.best


def _most_weights() -> int:
    """Return how many weights of 2 bytes fit into a file, as text of 4 characters for 3 bytes."""
    return (MAX_BYTES - ROOM) * 3 // 4 // 2
