"""Two players, many games, one answer: who is better, and how surely.

>>> from aiplay.match import Duel
>>> summary = Duel("connect_four", "greedy", "random", games=40, seed=1).play()
>>> summary.games, summary.pairs, summary.a_score_low > 0.5
(40, 20, True)

On two processes, kept in a file that `Duel.resume` goes on with:

    with ProcessPool(2) as pool, Store.create("duel.db", duel.description()) as store:
        summary = duel.play(pool, store)
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiplay._core.stream import check_seed
from aiplay.errors import OptionError, StoreError
from aiplay.match.contests import contests, spent
from aiplay.match.match import Match
from aiplay.match.schedule import A, B, arrangements, compares_teams, duel_fixtures
from aiplay.match.statistics import Sprt, elo, score_interval
from aiplay.registry import load_game

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.match.fixture import GameResult
    from aiplay.match.store import Store

__all__ = ["Duel", "SideSummary", "Summary"]


@dataclass(frozen=True)
class SideSummary:
    """One side of a duel."""

    spec: str
    moves: int
    seconds_per_move: float
    iterations_per_move: float | None  # None: this player does not search


@dataclass(frozen=True)
class Summary:
    """A duel so far; only complete pairs of games count."""

    seed: int
    games: int
    pairs: int
    a: SideSummary
    b: SideSummary
    a_wins: int  # games; deals in cooperative games
    b_wins: int
    draws: int
    a_score: float  # wins and half of the draws, as a share
    a_score_low: float  # 95 % interval, over pairs
    a_score_high: float
    elo: float  # the same as a difference in Elo; infinite for 0 and 100 %
    elo_low: float
    elo_high: float
    seconds: float
    sprt: Sprt | None  # only if one was asked for


class Duel(Match):
    """A match of two players in pairs of games: the same deal and dice, with seats exchanged.

    `sprt=(elo0, elo1)` stops as soon as the pairs, looked at in their order, tell which of the two A is nearer to.
    """

    kind = "duel"

    def __init__(
        self,
        game: Game | str,
        a: str,
        b: str,
        games: int = 100,
        seed: int | None = None,
        sprt: tuple[float, float] | None = None,
    ) -> None:
        if games < 1:
            raise OptionError(f"a duel of {games} games; allowed: at least 1")
        self.game = load_game(game) if isinstance(game, str) else game
        self.specs = (a, b)
        self.games = games
        self.seed: int = check_seed(seed)
        super().__init__(list(duel_fixtures(self.game, self.specs, games, self.seed)))
        self._pair_size = len(arrangements(self.game))
        n_contests = 1 if compares_teams(self.game) else self._pair_size
        self.sprt = None if sprt is None else Sprt(*sprt, n_contests)
        self._pairs: dict[int, list[GameResult]] = {}

    # ---- Playing ---------------------------------------------------------------------------------------------

    def play(self, executor: Executor | None = None, store: Store | None = None) -> Summary:
        """Play the games that are missing, on any executor or in this process; keep them in a store."""
        for _ in self.play_games(executor, store):
            pass
        return self.summary()

    def description(self) -> dict[str, Any]:
        """All that is needed to make this duel again."""
        return {
            "kind": self.kind,
            "game": self.game.name,
            "options": dict(self.game.options),
            "a": self.specs[A],
            "b": self.specs[B],
            "games": self.games,
            "seed": self.seed,
            "sprt": None if self.sprt is None else [self.sprt.elo0, self.sprt.elo1],
        }

    def count(self, result: GameResult) -> None:
        """Take a finished game into account; the SPRT looks at complete pairs in their order."""
        super().count(result)
        self._pairs.setdefault(result.fixture.pair, []).append(result)
        while self.sprt is not None and self._is_complete(self.sprt.n) and not self.is_settled:
            self.sprt.add(self._score(self._pairs[self.sprt.n]))

    @property
    def is_settled(self) -> bool:
        """Whether the SPRT has its verdict."""
        return self.sprt is not None and self.sprt.verdict is not None

    @classmethod
    def of(cls, store: Store, game: Game | None = None) -> Duel:
        """The duel that a file is of, with its finished games. `game`: if `load_game` does not know its name."""
        what = store.description
        if what.get("kind") != cls.kind:
            raise StoreError(f"{store.path}: this is a {what.get('kind')}, not a duel")
        game = load_game(what["game"], **what["options"]) if game is None else game
        sprt = None if what["sprt"] is None else tuple(what["sprt"])
        duel = cls(game, what["a"], what["b"], what["games"], what["seed"], sprt)
        duel.take_results(store)
        return duel

    # ---- The result ------------------------------------------------------------------------------------------

    def complete_deals(self) -> list[list[GameResult]]:
        """The complete pairs so far; those behind the verdict, if an SPRT has reached one."""
        complete = [number for number in sorted(self._pairs) if self._is_complete(number)]
        if self.sprt is not None and self.is_settled:
            complete = complete[: self.sprt.n]  # whatever else was under way and has finished
        return [self._pairs[number] for number in complete]

    def summary(self) -> Summary:
        """The result of the pairs that count."""
        pairs = self.complete_deals()
        all_contests = [got for pair in pairs for _, _, got in contests(pair)]
        scores = [self._score(pair) for pair in pairs]
        score = sum(scores) / len(scores) if scores else 0.5
        low, high = score_interval(scores)
        return Summary(
            seed=self.seed,
            games=len(pairs) * self._pair_size,
            pairs=len(pairs),
            a=self._side(A, pairs),
            b=self._side(B, pairs),
            a_wins=all_contests.count(1.0),
            b_wins=all_contests.count(0.0),
            draws=all_contests.count(0.5),
            a_score=score,
            a_score_low=low,
            a_score_high=high,
            elo=elo(score),
            elo_low=elo(low),
            elo_high=elo(high),
            seconds=self.seconds,
            sprt=self.sprt,
        )

    def _is_complete(self, pair: int) -> bool:
        return len(self._pairs.get(pair, ())) == self._pair_size

    def _score(self, pair: list[GameResult]) -> float:
        """What A got of a pair, as a share."""
        scores = [got for _, _, got in contests(pair)]
        return sum(scores) / len(scores)

    def _side(self, side: int, pairs: list[list[GameResult]]) -> SideSummary:
        return SideSummary(self.specs[side], *spent(pairs, side))
