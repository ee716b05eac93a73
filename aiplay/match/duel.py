"""Two players, many games, one answer: who is better, and how surely.

>>> from aiplay import load_game
>>> duel = Duel(load_game("connect_four"), "random", "random", games=10, seed=1)
>>> for result in duel.play():
...     pass
>>> duel.summary().games
10
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiplay._core.stream import check_seed, seed_below
from aiplay.errors import OptionError
from aiplay.match.schedule import A, B, Fixture, arrangements, compares_teams, duel_fixtures
from aiplay.match.statistics import score_interval
from aiplay.registry import make_player
from aiplay.table import Table

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["Duel", "GameResult", "SideSummary", "Summary", "play_fixture"]

PLAYER_SEEDS = 1_000_000  # the first of the seeds below a table's seed that players get


@dataclass(frozen=True)
class GameResult:
    """One finished game."""

    fixture: Fixture
    returns: tuple[float, ...]  # of every seat
    moves: tuple[int, int]  # how many each side made
    seconds: tuple[float, float]  # how long each side thought


@dataclass(frozen=True)
class SideSummary:
    """One side of a duel."""

    spec: str
    moves: int
    seconds_per_move: float


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
    seconds: float


def play_fixture(game: Game, specs: tuple[str, str], fixture: Fixture) -> GameResult:
    """Play one game. It depends on nothing but the arguments: any process can do it, in any order."""
    table = Table(game, seed=fixture.seed)
    first_seed = PLAYER_SEEDS + fixture.number * game.seats
    players = [
        make_player(specs[side], seed=seed_below(fixture.seed, first_seed + seat))
        for seat, side in enumerate(fixture.sides)
    ]
    moves, seconds = [0, 0], [0.0, 0.0]
    while not table.over:
        seat = table.to_move
        view = table.view(seat)
        started = time.perf_counter()
        move = players[seat].choose(view)
        seconds[fixture.sides[seat]] += time.perf_counter() - started
        moves[fixture.sides[seat]] += 1
        table.play(move)
    return GameResult(fixture, tuple(table.returns()), (moves[A], moves[B]), (seconds[A], seconds[B]))


class Duel:
    """A match of two players in pairs of games: the same deal and dice, with seats exchanged."""

    def __init__(self, game: Game, a: str, b: str, games: int = 100, seed: int | None = None) -> None:
        if games < 1:
            raise OptionError(f"a duel of {games} games; allowed: at least 1")
        self.game = game
        self.specs = (a, b)
        for spec in self.specs:
            make_player(spec)  # a mistake shows before the first game
        self.seed: int = check_seed(seed)
        self.fixtures = list(duel_fixtures(game, games, self.seed))
        self.results: list[GameResult] = []
        self.seconds = 0.0
        self._pair_size = len(arrangements(game))

    def play(self) -> Iterator[GameResult]:
        """Play all games, giving each result when it is there."""
        started = time.perf_counter()
        for fixture in self.fixtures:
            result = play_fixture(self.game, self.specs, fixture)
            self.results.append(result)
            self.seconds = time.perf_counter() - started
            yield result

    def summary(self) -> Summary:
        """The result of the complete pairs so far."""
        pairs = self._complete_pairs()
        contests = [score for pair in pairs for score in self._contests(pair)]
        scores = [sum(self._contests(pair)) / len(self._contests(pair)) for pair in pairs]
        low, high = score_interval(scores)
        return Summary(
            seed=self.seed,
            games=len(pairs) * self._pair_size,
            pairs=len(pairs),
            a=self._side(A, pairs),
            b=self._side(B, pairs),
            a_wins=contests.count(1.0),
            b_wins=contests.count(0.0),
            draws=contests.count(0.5),
            a_score=sum(scores) / len(scores) if scores else 0.5,
            a_score_low=low,
            a_score_high=high,
            seconds=self.seconds,
        )

    def _complete_pairs(self) -> list[list[GameResult]]:
        found: dict[int, list[GameResult]] = {}
        for result in self.results:
            found.setdefault(result.fixture.pair, []).append(result)
        return [pair for _, pair in sorted(found.items()) if len(pair) == self._pair_size]

    def _contests(self, pair: list[GameResult]) -> list[float]:
        """What A got of each contest in a pair: 1, 0.5 or 0. Teams that never meet have one contest on each deal."""
        if not compares_teams(self.game):
            return [_compare(_mean(result, A), _mean(result, B)) for result in pair]
        team_a, team_b = sorted(pair, key=lambda result: result.fixture.sides)
        return [_compare(_mean(team_a, A), _mean(team_b, B))]

    def _side(self, side: int, pairs: list[list[GameResult]]) -> SideSummary:
        moves = sum(result.moves[side] for pair in pairs for result in pair)
        seconds = sum(result.seconds[side] for pair in pairs for result in pair)
        return SideSummary(self.specs[side], moves, seconds / moves if moves else 0.0)


def _mean(result: GameResult, side: int) -> float:
    """What the seats of a side got on average."""
    mine = [got for got, sitting in zip(result.returns, result.fixture.sides, strict=True) if sitting == side]
    return math.fsum(mine) / len(mine)  # exact: equal results in another order compare equal


def _compare(a: float, b: float) -> float:
    return 0.5 * ((a > b) - (a < b)) + 0.5
