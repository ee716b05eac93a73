"""What every match does: play the games that are missing, and keep each as soon as it is finished.

A kind of match (duel, tournament) derives from `Match`, and gives it fixtures and a description:

    match.play(executor=None, store=None)          # to the end
    for result in match.play_games(executor, store): ...
    match.results, match.seconds                   # what is finished
    match.standings()                              # what that says, for each game that is played
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import Any

from aiplay.errors import PlayerSpecError, StoreError
from aiplay.match.contests import complete_deals
from aiplay.match.fixture import Fixture, GameResult
from aiplay.match.runner import play_all
from aiplay.match.standings import Standings
from aiplay.match.store import Store
from aiplay.players.human import HumanPlayer
from aiplay.registry import make_player, player_names

__all__ = ["Match"]


class Match(ABC):
    """Some games that have to be played; what is finished stands in `results`."""

    kind: str  # "duel", "tournament": the first word of a description
    specs: Sequence[str]  # the players; `sides` of fixtures are numbers of them
    seed: int

    def __init__(self, fixtures: Sequence[Fixture]) -> None:
        self.fixtures = list(fixtures)
        for spec in dict.fromkeys(spec for fixture in self.fixtures for spec in fixture.specs):
            _check_player(spec)  # a mistake shows before the first game
        self.results: list[GameResult] = []
        self.seconds = 0.0  # that the match has taken, over all its runs

    @abstractmethod
    def description(self) -> dict[str, Any]:
        """All that is needed to make this match again, as plain JSON."""

    @property
    def is_settled(self) -> bool:
        """Whether the rest need not be played."""
        return False

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to play."""
        return self.is_settled or len(self.results) == len(self.fixtures)

    def count(self, result: GameResult) -> None:
        """Take a finished game into account."""
        self.results.append(result)

    def take_results(self, store: Store) -> None:
        """Count what is finished according to the file of this match."""
        expected = self.description()
        if {key: store.description.get(key) for key in expected} != expected:
            raise StoreError(f"{store.path}: this is the file of another match")
        counted = {result.fixture.number for result in self.results}
        for result in store.results(self.fixtures):
            if result.fixture.number not in counted:
                self.count(result)
        self.seconds = store.elapsed

    def play_games(
        self, executor: Executor | None = None, store: Store | None = None
    ) -> Iterator[GameResult]:
        """Play the missing games; give each result when it is finished, and kept in the store.

        Without an executor, games are played in this process one after the other.
        """
        if store is not None:
            self.take_results(store)
        finished = {result.fixture.number for result in self.results}
        missing = [fixture for fixture in self.fixtures if fixture.number not in finished]
        begun = time.perf_counter() - self.seconds
        if self.is_settled:
            return
        for result in play_all(missing, executor):
            seconds = time.perf_counter() - begun
            if store is not None:
                store.add(result, seconds)
            self.count(result)
            self.seconds = seconds
            yield result
            if self.is_settled:
                break

    def complete_deals(self) -> list[list[GameResult]]:
        """What counts: deals that were played in every seating."""
        return complete_deals(self.fixtures, self.results)

    def standings(self) -> list[Standings]:
        """Where the players stand in each game, after the complete deals so far."""
        # By fixture: a game that was played in another process is another object.
        game_of = {fixture.pair: fixture.game for fixture in self.fixtures}
        deals: dict[int, list[list[GameResult]]] = {}
        for deal in self.complete_deals():
            deals.setdefault(id(game_of[deal[0].fixture.pair]), []).append(deal)
        games = {id(game): game for game in game_of.values()}
        return [Standings.of(game, self.specs, deals.get(key, [])) for key, game in games.items()]


def _check_player(spec: str) -> None:
    if isinstance(make_player(spec), HumanPlayer):
        bots = ", ".join(name for name in player_names() if name != HumanPlayer.name)
        raise PlayerSpecError(
            f"player {spec!r} cannot play a match; allowed: {bots} (`aiplay play` is for humans)"
        )
