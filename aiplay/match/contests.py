"""Contests: two players compared on one deal. Ratings and scores are computed from them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from aiplay.lazy import numpy as np
from aiplay.match.schedule import compares_teams
from aiplay.match.scheduled import GameResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Contest", "contests", "points_by_deal", "returns_by_player", "spent"]

Contest = tuple[int, int, float]  # two players of a match, and the score of the first: 1, 0.5 or 0


def contests(deal: Sequence[GameResult]) -> list[Contest]:
    """Return every contest of a deal: any two players in each game; any two teams once, on the deal as a whole."""
    meetings = [returns_by_player(result) for result in deal]
    if compares_teams(deal[0].scheduled.game):
        meetings = [{player: got for meeting in meetings for player, got in meeting.items()}]
    return [
        (first, second, _compare(got[first], got[second]))
        for got in meetings
        for first, second in combinations(sorted(got), 2)
    ]


def points_by_deal(deals: Sequence[Sequence[GameResult]], n_players: int) -> NDArray[np.float64]:
    """Return ``points[deal, i, j]``, the points of player i against player j, as `ratings.rate` takes them.

    Several contests of two players on a deal are averaged. All contests of a player on a deal count 1 together.
    """
    points = np.zeros((len(deals), n_players, n_players))
    for number, deal in enumerate(deals):
        met = contests(deal)
        for first, second, score in met:
            points[number, first, second] += score
            points[number, second, first] += 1 - score
        n_met = len({player for contest in met for player in contest[:2]})
        if met:
            times = len(met) / math.comb(n_met, 2)  # all players of a deal meet equally often
            points[number] /= times * (n_met - 1)
    return points


def spent(deals: Iterable[Sequence[GameResult]], player: int) -> tuple[int, float, float | None]:
    """Return the moves of a player, and its seconds and search iterations per move (None: it does not search)."""
    seats = [
        (result.moves[seat], result.seconds[seat], result.iterations[seat])
        for deal in deals
        for result in deal
        for seat, sitting in enumerate(result.scheduled.seating)
        if sitting == player
    ]
    moves = sum(entry[0] for entry in seats)
    iterations = [entry[2] for entry in seats if entry[2] is not None]
    seconds = math.fsum(entry[1] for entry in seats)
    return moves, seconds / max(moves, 1), sum(iterations) / max(moves, 1) if iterations else None


def returns_by_player(result: GameResult) -> dict[int, float]:
    """Return the mean of each player's returns over its seats."""
    got: dict[int, list[float]] = {}
    for player, value in zip(result.scheduled.seating, result.returns, strict=True):
        got.setdefault(player, []).append(value)
    # fsum is exact, so equal returns in another order compare equal.
    return {player: math.fsum(values) / len(values) for player, values in got.items()}


def _compare(a: float, b: float) -> float:
    return 0.5 * ((a > b) - (a < b)) + 0.5
