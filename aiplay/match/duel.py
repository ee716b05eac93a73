"""Two players, many games: who is better, and how certain that is.

>>> from aiplay.match import Duel
>>> summary = Duel("connect_four", "greedy", "random", games=40, seed=1).play()
>>> summary.games, summary.deals, summary.a_score_low > 0.5
(40, 20, True)

On two processes, kept in a file; `Duel.of(Store.resume("duel.db"))` makes the same duel again, with its finished games:

    with ProcessPool(2) as pool, Store.create("duel.db", duel.description()) as store:
        summary = duel.play(pool, store)
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiplay._core.stream import check_seed
from aiplay.errors import OptionError, StoreError
from aiplay.match.adjust import Adjust, Adjusted, AdjustedSprt, adjusted, deal_luck, saved_adjustment
from aiplay.match.content import DuelContent, checked_content, made_from
from aiplay.match.contests import contests, spent
from aiplay.match.match import Match
from aiplay.match.schedule import MAX_GAMES, MAX_OPENING, A, B, compares_teams, schedule_duel, seatings
from aiplay.match.statistics import Sprt, elo, score_interval
from aiplay.registry import load_game

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.match.scheduled import GameResult
    from aiplay.match.store import Store

__all__ = ["Duel", "SideSummary", "Summary"]


@dataclass(frozen=True)
class SideSummary:
    """One side of a duel."""

    spec: str
    moves: int
    seconds_per_move: float
    iterations_per_move: float | None  # None: the player does not search


@dataclass(frozen=True)
class Summary:
    """The result of a duel so far. Only complete deals count."""

    seed: int
    games: int
    deals: int
    a: SideSummary
    b: SideSummary
    a_wins: int  # games; deals in cooperative games
    b_wins: int
    draws: int
    a_score: float  # wins plus half the draws, as a share
    a_score_low: float  # 95 % interval, computed over deals
    a_score_high: float
    elo: float  # a's score as a difference in Elo; infinite for 0 and 100 %
    elo_low: float
    elo_high: float
    seconds: float
    sprt: Sprt | None  # None: not asked for
    adjusted: Adjusted | None  # the score of a without luck; None: not asked for


class Duel(Match):
    """A match of two players. Every deal is played with the seats exchanged.

    `sprt=(elo0, elo1)` stops it as soon as the deals, taken in order, show whether A is better by elo0 or by elo1.
    `opening` random moves begin every deal: in a game without chance, two players might play the same game again and
    again.
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
        adjust: Adjust = False,
        opening: int = 0,
    ) -> None:
        if not 0 <= opening <= MAX_OPENING:
            raise OptionError(f"an opening of {opening} moves; allowed: 0 to {MAX_OPENING}")
        if not 1 <= games <= MAX_GAMES:
            raise OptionError(f"a duel of {games} games; allowed: 1 to {MAX_GAMES}")
        self.game = load_game(game) if isinstance(game, str) else game
        self.specs = (a, b)
        self.games = games
        self.seed: int = check_seed(seed)
        self.opening = opening
        super().__init__(list(schedule_duel(self.game, self.specs, games, self.seed, opening)), adjust)
        n_contests = 1 if compares_teams(self.game) else len(seatings(self.game))
        self.sprt: Sprt | None = None
        if sprt is not None:
            self.sprt = AdjustedSprt(*sprt) if adjust else Sprt(*sprt, n_contests)

    # ---- Playing ---------------------------------------------------------------------------------------------

    def play(self, executor: Executor | None = None, store: Store | None = None) -> Summary:
        """Play the missing games, on an executor or in this process; keep them in a store, if there is one."""
        for _ in self.play_games(executor, store):
            pass
        return self.summary()

    def description(self) -> dict[str, Any]:
        """Return all that is needed to make this duel again."""
        return {
            "kind": self.kind,
            "game": self.game.name,
            "options": dict(self.game.options),
            "a": self.specs[A],
            "b": self.specs[B],
            "games": self.games,
            "seed": self.seed,
            "sprt": None if self.sprt is None else [self.sprt.elo0, self.sprt.elo1],
            **saved_adjustment(self.adjust),
            **({"opening": self.opening} if self.opening else {}),
        }

    def count(self, result: GameResult) -> None:
        """Take a finished game into account. The SPRT takes complete deals in their order."""
        super().count(result)
        while self.sprt is not None and self._is_complete(self.sprt.n) and not self.is_settled:
            deal = self._deals[self.sprt.n]
            if isinstance(self.sprt, AdjustedSprt):
                self.sprt.add_adjusted(_score(deal), deal_luck(deal, A))
            else:
                self.sprt.add(_score(deal))

    @property
    def is_settled(self) -> bool:
        """True if the SPRT has reached a verdict."""
        return self.sprt is not None and self.sprt.verdict is not None

    @classmethod
    def of(cls, store: Store, game: Game | None = None) -> Duel:
        """Return the duel in a store, with its finished games. `game`: for games that `load_game` does not know."""
        what = store.description
        if what.get("kind") != cls.kind:
            raise StoreError(f"{store.path}: this is a {what.get('kind')}, not a duel")
        found = checked_content(store.path, DuelContent, what)
        with made_from(store.path):
            game = load_game(found.game, **found.options) if game is None else game
            duel = cls(
                game, found.a, found.b, found.games, found.seed, found.sprt, found.adjust, found.opening
            )
        duel.take_results(store)
        return duel

    # ---- The result ------------------------------------------------------------------------------------------

    def complete_deals(self) -> list[list[GameResult]]:
        """Return the complete deals; if the SPRT has reached a verdict, those that led to it."""
        deals = super().complete_deals()
        if self.sprt is not None and self.is_settled:
            return deals[: self.sprt.n]  # games that were under way then may have finished
        return deals

    def summary(self) -> Summary:
        """Return the result of the deals that count."""
        deals = self.complete_deals()
        all_contests = [score for deal in deals for _, _, score in contests(deal)]
        scores = [_score(deal) for deal in deals]
        score = sum(scores) / len(scores) if scores else 0.5
        low, high = score_interval(scores)
        without_luck = adjusted(scores, [deal_luck(deal, A) for deal in deals]) if self.adjust else None
        return Summary(
            seed=self.seed,
            games=sum(map(len, deals)),
            deals=len(deals),
            a=self._side(A, deals),
            b=self._side(B, deals),
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
            adjusted=without_luck,
        )

    def _side(self, side: int, deals: list[list[GameResult]]) -> SideSummary:
        return SideSummary(self.specs[side], *spent(deals, side))


def _score(deal: list[GameResult]) -> float:
    """Return A's share of the points of a deal."""
    scores = [score for _, _, score in contests(deal)]
    return sum(scores) / len(scores)
