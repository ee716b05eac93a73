"""Standings: scores, cross table, ratings and cost of the players of a match."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aiplay.lazy import numpy as np
from aiplay.match.adjust import Adjusted, adjusted, adjusted_points, deal_luck
from aiplay.match.contests import contests, points_by_deal, returns_by_player, spent
from aiplay.match.ratings import Rating, rate
from aiplay.match.scheduled import GameResult
from aiplay.match.statistics import score_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aiplay._core.game import Game

__all__ = ["Cell", "Overall", "OverallStanding", "Standing", "Standings"]


@dataclass(frozen=True)
class Cell:
    """The contests of one player with another, as counted for the first."""

    wins: int
    draws: int
    losses: int

    @property
    def contests(self) -> int:
        """Number of contests."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Wins plus half the draws, as a share; not a number if the two never met."""
        return (self.wins + self.draws / 2) / self.contests if self.contests else math.nan

    @classmethod
    def of(cls, scores: Sequence[float]) -> Cell:
        """Count wins, draws and losses."""
        return cls(scores.count(1.0), scores.count(0.5), scores.count(0.0))


@dataclass(frozen=True)
class Standing:
    """One player of a match."""

    number: int  # of the player in the match
    spec: str
    games: int
    total: Cell  # all contests
    score: float  # mean over deals
    score_low: float  # 95 % interval
    score_high: float
    rating: Rating
    moves: int
    seconds_per_move: float
    iterations_per_move: float | None  # None: the player does not search
    mean_return: float  # mean of the player's returns over its games
    adjusted: Adjusted | None = None  # its score without luck; None: not asked for


@dataclass(frozen=True)
class Standings:
    """All players of a match in one game, the strongest first."""

    game: Game
    games: int
    deals: int
    players: tuple[Standing, ...]
    cross: tuple[tuple[Cell, ...], ...]  # cross[i][j]: contests of player i with player j, by number
    # Of `points_by_deal`, without luck if the match asks for that; ratings are made from them.
    points: NDArray[np.float64] = field(repr=False, compare=False)

    @classmethod
    def of(cls, game: Game, specs: Sequence[str], deals: Sequence[Sequence[GameResult]]) -> Standings:
        """Return the standings after these complete deals."""
        points = points_by_deal(deals, len(specs))
        is_adjusted = bool(deals) and bool(deals[0][0].scheduled.adjust)
        rated = adjusted_points(points, deals) if is_adjusted else points
        ratings = rate(rated)
        cross = _cross_table(deals, len(specs))
        players = [
            _standing(number, spec, deals, points, cross[number], ratings[number])
            for number, spec in enumerate(specs)
        ]
        players.sort(key=lambda player: (-player.rating.rating, player.number))
        return cls(game, sum(map(len, deals)), len(deals), tuple(players), cross, rated)

    def cell(self, player: Standing, opponent: Standing) -> Cell:
        """Return the contests of a player with another."""
        return self.cross[player.number][opponent.number]


@dataclass(frozen=True)
class OverallStanding:
    """One player of a tournament in several games."""

    number: int  # of the player in the tournament
    spec: str
    scores: tuple[float, ...]  # in each game
    mean_score: float
    rating: Rating  # from all games


@dataclass(frozen=True)
class Overall:
    """All players of a tournament in several games, the strongest first. Every game counts the same."""

    games: tuple[str, ...]  # names
    players: tuple[OverallStanding, ...]

    @classmethod
    def of(cls, standings: Sequence[Standings]) -> Overall | None:
        """Combine the standings of the same players. None unless at least two games have a complete deal."""
        standings = [game for game in standings if game.deals]
        if len(standings) < 2:
            return None
        n_deals = np.mean([game.deals for game in standings])
        ratings = rate(np.concatenate([game.points * n_deals / game.deals for game in standings]))
        found = [
            sorted(players, key=lambda player: player.number)
            for players in (game.players for game in standings)
        ]
        players = [
            OverallStanding(
                number=number,
                spec=rows[0].spec,
                scores=tuple(row.score for row in rows),
                mean_score=math.fsum(row.score for row in rows) / len(rows),
                rating=ratings[number],
            )
            for number, rows in enumerate(zip(*found, strict=True))
        ]
        players.sort(key=lambda player: (-player.rating.rating, player.number))
        return cls(tuple(game.game.name for game in standings), tuple(players))


def _cross_table(deals: Iterable[Sequence[GameResult]], n: int) -> tuple[tuple[Cell, ...], ...]:
    scores: list[list[list[float]]] = [[[] for _ in range(n)] for _ in range(n)]
    for deal in deals:
        for first, second, score in contests(deal):
            scores[first][second].append(score)
            scores[second][first].append(1 - score)
    return tuple(tuple(Cell.of(cell) for cell in row) for row in scores)


def _standing(
    number: int,
    spec: str,
    deals: Sequence[Sequence[GameResult]],
    points: NDArray[np.float64],
    row: Sequence[Cell],
    rating: Rating,
) -> Standing:
    # All contests of a player on a deal count 1 together, so its points of a deal are its score there.
    got = points[:, number].sum(axis=1)
    scores = got[(points[:, number] + points[:, :, number]).any(axis=1)].tolist()
    low, high = score_interval(scores)
    moves, seconds_per_move, iterations_per_move = spent(deals, number)
    games = [result for deal in deals for result in deal if number in result.scheduled.seating]
    returns = [returns_by_player(result)[number] for result in games]
    return Standing(
        number=number,
        spec=spec,
        games=len(games),
        total=Cell(*(sum(getattr(cell, name) for cell in row) for name in ("wins", "draws", "losses"))),
        score=math.fsum(scores) / len(scores) if scores else 0.5,
        score_low=low,
        score_high=high,
        rating=rating,
        moves=moves,
        seconds_per_move=seconds_per_move,
        iterations_per_move=iterations_per_move,
        mean_return=math.fsum(returns) / max(len(returns), 1),
        adjusted=_without_luck(number, deals, scores),
    )


def _without_luck(
    number: int, deals: Sequence[Sequence[GameResult]], scores: Sequence[float]
) -> Adjusted | None:
    """Return the adjusted score of a player, if the match asks for it."""
    played = [deal for deal in deals if any(number in result.scheduled.seating for result in deal)]
    if not played or not played[0][0].scheduled.adjust or len(played) != len(scores):
        return None
    return adjusted(scores, [deal_luck(deal, number) for deal in played])
