"""Where the players of a match stand: cross table, scores, ratings, and what they spent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from aiplay.match.contests import contests, deal_table
from aiplay.match.fixture import GameResult
from aiplay.match.ratings import Rating, rate
from aiplay.match.schedule import compares_teams
from aiplay.match.statistics import score_interval

__all__ = ["Cell", "Overall", "OverallStanding", "Standing", "Standings"]


@dataclass(frozen=True)
class Cell:
    """What one player got of the contests with another."""

    wins: int
    draws: int
    losses: int

    @property
    def contests(self) -> int:
        """How many there were."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Wins and half of the draws, as a share; not a number if the two never met."""
        return (self.wins + self.draws / 2) / self.contests if self.contests else math.nan

    @classmethod
    def of(cls, scores: Sequence[float]) -> Cell:
        """Wins, draws and losses of these scores."""
        return cls(scores.count(1.0), scores.count(0.5), scores.count(0.0))


@dataclass(frozen=True)
class Standing:
    """One player of a match."""

    number: int  # of the player in the match
    spec: str
    games: int
    total: Cell  # of all contests
    score: float  # mean over deals
    score_low: float  # 95 % interval
    score_high: float
    rating: Rating
    moves: int
    seconds_per_move: float
    iterations_per_move: float | None  # None: it does not search
    mean_return: float  # what a seat of it got on average


@dataclass(frozen=True)
class Standings:
    """All players of a match, the strongest first."""

    title: str
    games: int
    deals: int
    players: tuple[Standing, ...]
    cross: tuple[tuple[Cell, ...], ...]  # by numbers of players: what the first got of the contests with the second
    table: NDArray[np.float64] = field(repr=False, compare=False)  # of contests, deal by deal: see `deal_table`
    compares_teams: bool  # cooperative and solo games: what teams get matters more than who got more

    @classmethod
    def of(cls, title: str, specs: Sequence[str], deals: Sequence[Sequence[GameResult]]) -> Standings:
        """The standings after these complete deals."""
        table = deal_table(deals, len(specs))
        ratings = rate(table)
        cross = _cross_table(deals, len(specs))
        players = [
            _standing(number, spec, deals, table, cross[number], ratings[number])
            for number, spec in enumerate(specs)
        ]
        players.sort(key=lambda player: (-player.rating.rating, player.number))
        is_team = bool(deals) and compares_teams(deals[0][0].fixture.game)
        return cls(title, sum(map(len, deals)), len(deals), tuple(players), cross, table, is_team)

    def cell(self, player: Standing, opponent: Standing) -> Cell:
        """What a player got of the contests with another."""
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
    """All players of a tournament in several games, every game counting the same; the strongest first."""

    titles: tuple[str, ...]  # of the games
    players: tuple[OverallStanding, ...]

    @classmethod
    def of(cls, standings: Sequence[Standings]) -> Overall:
        """The sum of these standings, which have the same players."""
        n_deals = np.mean([game.deals for game in standings])
        ratings = rate(np.concatenate([game.table * n_deals / max(game.deals, 1) for game in standings]))
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
        return cls(tuple(game.title for game in standings), tuple(players))


def _cross_table(deals: Iterable[Sequence[GameResult]], n: int) -> tuple[tuple[Cell, ...], ...]:
    scores: list[list[list[float]]] = [[[] for _ in range(n)] for _ in range(n)]
    for deal in deals:
        for first, second, got in contests(deal):
            scores[first][second].append(got)
            scores[second][first].append(1 - got)
    return tuple(tuple(Cell.of(cell) for cell in row) for row in scores)


def _standing(
    number: int,
    spec: str,
    deals: Sequence[Sequence[GameResult]],
    table: NDArray[np.float64],
    row: Sequence[Cell],
    rating: Rating,
) -> Standing:
    # A player's contests on a deal count 1 together, so what it got of them is its score there.
    got = table[:, number].sum(axis=1)
    scores = got[(table[:, number] + table[:, :, number]).any(axis=1)].tolist()
    low, high = score_interval(scores)
    seats = [
        (result, seat)
        for deal in deals
        for result in deal
        for seat, player in enumerate(result.fixture.sides)
        if player == number
    ]
    moves = sum(result.moves[seat] for result, seat in seats)
    spent = [result.iterations[seat] for result, seat in seats]
    searches = [count for count in spent if count is not None]
    return Standing(
        number=number,
        spec=spec,
        games=len({result.fixture.number for result, _ in seats}),
        total=Cell(*(sum(getattr(cell, name) for cell in row) for name in ("wins", "draws", "losses"))),
        score=math.fsum(scores) / len(scores) if scores else 0.5,
        score_low=low,
        score_high=high,
        rating=rating,
        moves=moves,
        seconds_per_move=math.fsum(result.seconds[seat] for result, seat in seats) / max(moves, 1),
        iterations_per_move=sum(searches) / max(moves, 1) if searches else None,
        mean_return=math.fsum(result.returns[seat] for result, seat in seats) / max(len(seats), 1),
    )
