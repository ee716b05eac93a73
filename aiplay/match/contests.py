"""What finished games say about the players who met: contests, and tables of contests for ratings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from aiplay.match.fixture import Fixture, GameResult
from aiplay.match.schedule import compares_teams

__all__ = ["Contest", "complete_deals", "contests", "deal_table", "returns_by_player", "spent"]

Contest = tuple[int, int, float]  # two players of a match, and what the first got: 1, 0.5 or 0


def complete_deals(fixtures: Iterable[Fixture], results: Iterable[GameResult]) -> list[list[GameResult]]:
    """The results deal by deal, without deals that were not played in every seating; in the order of the match."""
    sizes = Counter(fixture.pair for fixture in fixtures)
    found: dict[int, list[GameResult]] = {}
    for result in sorted(results, key=lambda result: result.fixture.number):
        found.setdefault(result.fixture.pair, []).append(result)
    return [deal for pair, deal in sorted(found.items()) if len(deal) == sizes[pair]]


def contests(deal: Sequence[GameResult]) -> list[Contest]:
    """Every contest on a deal. Players meet in each game; teams that never meet have one contest on the whole deal."""
    meetings = [returns_by_player(result) for result in deal]
    if compares_teams(deal[0].fixture.game):
        meetings = [{player: got for meeting in meetings for player, got in meeting.items()}]
    return [
        (first, second, _compare(got[first], got[second]))
        for got in meetings
        for first, second in combinations(sorted(got), 2)
    ]


def deal_table(deals: Sequence[Sequence[GameResult]], n_players: int) -> NDArray[np.float64]:
    """What everybody got against everybody on each deal, as `ratings.rate` takes it.

    Two players who met several times on a deal have the mean of it; every player's contests on a deal count 1 together.
    """
    table = np.zeros((len(deals), n_players, n_players))
    for number, deal in enumerate(deals):
        met = contests(deal)
        for first, second, got in met:
            table[number, first, second] += got
            table[number, second, first] += 1 - got
        n_met = len({player for contest in met for player in contest[:2]})
        if met:
            times = len(met) / math.comb(n_met, 2)  # all at a table meet equally often
            table[number] /= times * (n_met - 1)
    return table


def spent(deals: Iterable[Sequence[GameResult]], player: int) -> tuple[int, float, float | None]:
    """The moves of a player; seconds and search iterations for each of them (None: it does not search)."""
    seats = [
        (result.moves[seat], result.seconds[seat], result.iterations[seat])
        for deal in deals
        for result in deal
        for seat, sitting in enumerate(result.fixture.sides)
        if sitting == player
    ]
    moves = sum(entry[0] for entry in seats)
    iterations = [entry[2] for entry in seats if entry[2] is not None]
    seconds = math.fsum(entry[1] for entry in seats)
    return moves, seconds / max(moves, 1), sum(iterations) / max(moves, 1) if iterations else None


def returns_by_player(result: GameResult) -> dict[int, float]:
    """What each player got, on average over its seats."""
    got: dict[int, list[float]] = {}
    for player, value in zip(result.fixture.sides, result.returns, strict=True):
        got.setdefault(player, []).append(value)
    # fsum is exact: equal results in another order compare equal.
    return {player: math.fsum(values) / len(values) for player, values in got.items()}


def _compare(a: float, b: float) -> float:
    return 0.5 * ((a > b) - (a < b)) + 0.5
