"""Many players, everyone against everyone: how strong each of them is.

>>> from aiplay.match import Tournament
>>> best = Tournament(["connect_four"], ["random", "greedy"], games=20, seed=1).play()[0].players[0]
>>> best.spec, best.games, best.score > 0.9
('greedy', 20, True)

At two seats every two players meet, and play each deal in both orders of seats. At more seats, as many players as there
are seats sit together, in every combination and every rotation; if there are fewer players than seats, they fill the
seats in turn. Teams of cooperative games play the same deals one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from aiplay._core.stream import check_seed
from aiplay.errors import OptionError, PlayerSpecError, StoreError
from aiplay.match.adjust import Adjust, saved_adjustment
from aiplay.match.content import TournamentContent, checked_content, made_from
from aiplay.match.contests import contests
from aiplay.match.match import Match
from aiplay.match.schedule import MAX_GAMES, n_meetings, schedule_tournament
from aiplay.match.standings import Standings
from aiplay.registry import load_game, make_player

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.match.scheduled import GameResult
    from aiplay.match.store import Store

__all__ = ["Tournament"]


class Tournament(Match):
    """A round robin of players, in one game or several."""

    kind = "tournament"

    def __init__(
        self,
        games_played: Sequence[Game | str],
        specs: Sequence[str],
        games: int = 20,
        seed: int | None = None,
        adjust: Adjust = False,
    ) -> None:
        if games < 1:
            raise OptionError(f"a tournament of {games} games for each meeting; allowed: at least 1")
        self.games_played = [load_game(game) if isinstance(game, str) else game for game in games_played]
        self.specs = list(specs)
        self.games = games
        self._check()
        self.seed: int = check_seed(seed)
        super().__init__(list(schedule_tournament(self.games_played, self.specs, games, self.seed)), adjust)
        self._points = [0.0 for _ in specs]
        self._contests = [0 for _ in specs]

    def _check(self) -> None:
        """Report mistakes before the first game."""
        if not self.games_played:
            raise OptionError("a tournament without a game; allowed: at least one")
        if len(self.specs) < 2:
            raise PlayerSpecError(f"a tournament of {len(self.specs)} players; allowed: at least 2")
        known: dict[str, str] = {}
        for spec in self.specs:
            canonical = make_player(spec).spec
            if canonical in known:
                raise PlayerSpecError(
                    f"{known[canonical]!r} and {spec!r} are the same player; allowed: players that differ"
                )
            known[canonical] = spec
        size = self.games * sum(n_meetings(game, len(self.specs)) for game in self.games_played)
        if size > MAX_GAMES:
            raise OptionError(f"a tournament of {size} games; allowed: at most {MAX_GAMES}")

    # ---- Playing ---------------------------------------------------------------------------------------------

    def play(self, executor: Executor | None = None, store: Store | None = None) -> list[Standings]:
        """Play the missing games, on an executor or in this process; keep them in a store, if there is one."""
        for _ in self.play_games(executor, store):
            pass
        return self.standings()

    def description(self) -> dict[str, Any]:
        """Return all that is needed to make this tournament again."""
        return {
            "kind": self.kind,
            "games_played": [
                {"game": game.name, "options": dict(game.options)} for game in self.games_played
            ],
            "players": self.specs,
            "games": self.games,
            "seed": self.seed,
            **saved_adjustment(self.adjust),
        }

    @classmethod
    def of(cls, store: Store) -> Tournament:
        """Return the tournament in a store, with its finished games."""
        what = store.description
        if what.get("kind") != cls.kind:
            raise StoreError(f"{store.path}: this is a {what.get('kind')}, not a tournament")
        found = checked_content(store.path, TournamentContent, what)
        with made_from(store.path):
            games = [load_game(entry.game, **entry.options) for entry in found.games_played]
            tournament = cls(games, found.players, found.games, found.seed, found.adjust)
        tournament.take_results(store)
        return tournament

    def count(self, result: GameResult) -> None:
        """Take a finished game into account. A deal counts as soon as it is complete."""
        super().count(result)
        deal = result.scheduled.deal
        if self._is_complete(deal):
            for first, second, score in contests(self._deals[deal]):
                for player, points in ((first, score), (second, 1 - score)):
                    self._points[player] += points
                    self._contests[player] += 1

    # ---- The result ------------------------------------------------------------------------------------------

    def leaders(self) -> list[tuple[str, float]]:
        """Return the players with their scores so far, the best first. Quick: it computes no ratings."""
        scores = [
            (spec, points / n)
            for spec, points, n in zip(self.specs, self._points, self._contests, strict=True)
            if n
        ]
        return sorted(scores, key=lambda entry: -entry[1])
