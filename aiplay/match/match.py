"""The base of all matches: plays the games that are missing, and keeps each as soon as it is finished.

A kind of match (duel, tournament) derives from `Match` and gives it a schedule and a description:

    for result in match.play_games(executor, store): ...
    match.results, match.seconds                   # finished games, time taken so far
    match.standings()                              # of the players, for each game that is played
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import Any

from aiplay.errors import PlayerSpecError, StoreError
from aiplay.match.adjust import Adjust, check_adjustment
from aiplay.match.runner import play_batches
from aiplay.match.scheduled import GameResult, ScheduledGame
from aiplay.match.standings import Standings
from aiplay.match.store import Store
from aiplay.players.human import HumanPlayer
from aiplay.registry import make_player, player_names

__all__ = ["Match"]


class Match(ABC):
    """Games that have to be played (`schedule`), and those that are finished (`results`)."""

    kind: str  # "duel" or "tournament"; also the first entry of a description
    specs: Sequence[str]  # the players; a seating refers to them by number
    seed: int

    def __init__(self, schedule: Sequence[ScheduledGame], adjust: Adjust = False) -> None:
        self.adjust = adjust  # scores are also given without the luck of chance
        if adjust:
            check_adjustment(list(dict.fromkeys(scheduled.game for scheduled in schedule)), adjust)
        self.schedule = [dataclasses.replace(scheduled, adjust=adjust) for scheduled in schedule]
        for spec in dict.fromkeys(spec for scheduled in self.schedule for spec in scheduled.specs):
            _check_player(spec)  # reports mistakes before the first game
        self.results: list[GameResult] = []
        self.seconds = 0.0  # taken so far, over all runs of the match
        self._deal_sizes = Counter(scheduled.deal for scheduled in self.schedule)
        self._deals: dict[int, list[GameResult]] = {}  # finished games by deal

    @abstractmethod
    def description(self) -> dict[str, Any]:
        """Return all that is needed to make this match again, as plain JSON."""

    @property
    def is_settled(self) -> bool:
        """True if the rest need not be played."""
        return False

    @property
    def is_finished(self) -> bool:
        """True if nothing is left to play."""
        return self.is_settled or len(self.results) == len(self.schedule)

    def count(self, result: GameResult) -> None:
        """Take a finished game into account."""
        self.results.append(result)
        self._deals.setdefault(result.scheduled.deal, []).append(result)

    def take_results(self, store: Store) -> None:
        """Count the finished games in the store of this match."""
        expected = self.description()
        if {key: store.description.get(key) for key in expected} != expected:
            raise StoreError(f"{store.path}: this is the file of another match")
        counted = {result.scheduled.number for result in self.results}
        for result in store.results(self.schedule):
            if result.scheduled.number not in counted:
                self.count(result)
        self.seconds = store.elapsed

    def play_games(
        self, executor: Executor | None = None, store: Store | None = None
    ) -> Iterator[GameResult]:
        """Play the missing games. Yield each result once the game is finished and kept in the store.

        Without an executor, games are played in this process, one after the other.
        """
        if store is not None:
            self.take_results(store)
        finished = {result.scheduled.number for result in self.results}
        missing = [scheduled for scheduled in self.schedule if scheduled.number not in finished]
        begun = time.perf_counter() - self.seconds
        if self.is_settled:
            return
        with contextlib.closing(play_batches(missing, executor)) as batches:
            for results in batches:
                self.seconds = time.perf_counter() - begun
                if store is not None:
                    store.add(results, self.seconds)
                for result in results:
                    self.count(result)
                yield from results
                if self.is_settled:
                    break

    def complete_deals(self) -> list[list[GameResult]]:
        """Return the deals that were played in every seating, in the order of the match. Only these count."""
        return [
            sorted(results, key=lambda result: result.scheduled.number)
            for deal, results in sorted(self._deals.items())
            if self._is_complete(deal)
        ]

    def standings(self) -> list[Standings]:
        """Return the standings in each game, computed from the complete deals."""
        # By deal: a game that was played in another process is another object.
        game_of = {scheduled.deal: scheduled.game for scheduled in self.schedule}
        deals: dict[int, list[list[GameResult]]] = {}
        for deal in self.complete_deals():
            deals.setdefault(id(game_of[deal[0].scheduled.deal]), []).append(deal)
        games = {id(game): game for game in game_of.values()}
        return [Standings.of(game, self.specs, deals.get(key, [])) for key, game in games.items()]

    def _is_complete(self, deal: int) -> bool:
        return deal in self._deals and len(self._deals[deal]) == self._deal_sizes[deal]


def _check_player(spec: str) -> None:
    if isinstance(make_player(spec), HumanPlayer):
        bots = ", ".join(name for name in player_names() if name != HumanPlayer.name)
        raise PlayerSpecError(
            f"player {spec!r} cannot play a match; allowed: {bots} (`aiplay play` is for humans)"
        )
