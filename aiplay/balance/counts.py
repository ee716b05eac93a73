"""Figures over many games: shares, the course of games, usage of choices and things."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from aiplay.balance.result import Course, Share, Usage, share_of
from aiplay.lazy import numpy as np

if TYPE_CHECKING:
    from aiplay.balance.played import Key, Played

__all__ = ["course_of", "shares", "usages"]

EVEN = 1e-9  # two seats whose values differ by less share the lead


def shares(
    played: Sequence[Played], names: Sequence[str], seat_of: Callable[[Played, int], int | None]
) -> tuple[Share, ...]:
    """Return the share of a win of the seat that `seat_of` finds in each game, for every name."""
    found = []
    for number, name in enumerate(names):
        by_deal: dict[int, list[float]] = {}
        for one in played:
            if (seat := seat_of(one, number)) is not None:
                by_deal.setdefault(one.deal, []).append(one.scores[seat])
        if (share := share_of(name, by_deal.values())) is not None:
            found.append(share)
    return tuple(found)


def course_of(played: Sequence[Played]) -> Course:
    """Return how the games went."""
    luck, skill = _luck_and_skill(played)
    leads = [_leaders(one) for one in played]
    contested = [(one, lead) for one, lead in zip(played, leads, strict=True) if _winner(one) is not None]
    return Course(
        luck=luck,
        skill=skill,
        lead_changes=_mean([_changes(lead) for lead in leads]),
        decided=_mean([_decided(lead, _winner(one)) for one, lead in contested]),
        halfway=_mean([float(lead[len(lead) // 2] == _winner(one)) for one, lead in contested]),
        decisions=_quantiles([one.decisions for one in played]),
        moves=_quantiles([one.moves for one in played]),
    )


def _luck_and_skill(played: Sequence[Played]) -> tuple[float, float]:
    """Return the shares of luck and of decisions in the variance of results: Cov(part, result) / Var(result)."""
    accounts = [account for one in played for account in one.accounts]
    results = np.array([one.final - one.initial for one in accounts])
    luck = np.array([one.luck for one in accounts])
    variance = float(np.var(results))
    if variance == 0:
        return 0.0, 1.0
    share = float(np.mean((luck - luck.mean()) * (results - results.mean()))) / variance
    return share, 1 - share


def _leaders(one: Played) -> list[int | None]:
    """Return who led in each position: None if several seats did."""
    found: list[int | None] = []
    for values in one.odds:
        best = max(values)
        leading = [seat for seat, value in enumerate(values) if value >= best - EVEN]
        found.append(leading[0] if len(leading) == 1 else None)
    return found


def _winner(one: Played) -> int | None:
    """Return the only winner, if there are several seats and one of them won alone."""
    return one.scores.index(1.0) if len(one.scores) > 1 and list(one.scores).count(1.0) == 1 else None


def _changes(lead: Sequence[int | None]) -> int:
    """Return how often another seat took the lead."""
    leaders = [seat for seat in lead if seat is not None]
    return sum(a != b for a, b in itertools.pairwise(leaders))


def _decided(lead: Sequence[int | None], winner: int | None) -> float:
    """Return the share of the game after which the winner led until the end."""
    others = [ply for ply, seat in enumerate(lead) if seat != winner]
    return (others[-1] + 1) / (len(lead) - 1) if others else 0.0


def usages(played: Sequence[Played]) -> tuple[Usage, ...]:
    """Return how often everything was offered and chosen, and how the seats did that chose it."""
    offered: Counter[Key] = Counter()
    chosen: Counter[Key] = Counter()
    scores: dict[Key, dict[int, list[float]]] = {}
    for one in played:
        offered.update(one.offered)
        chosen.update(one.chosen)
        for key, owners in one.owners.items():
            by_deal = scores.setdefault(key, {})
            by_deal.setdefault(one.deal, []).extend(one.scores[seat] for seat in sorted(owners))
    return tuple(_usage(key, offered, chosen, scores) for key in sorted({*offered, *chosen}))


def _usage(
    key: Key, offered: Counter[Key], chosen: Counter[Key], scores: dict[Key, dict[int, list[float]]]
) -> Usage:
    verb, kind, name, is_dealt = key
    share = share_of(f"{verb} {name}".rstrip(), scores.get(key, {}).values())
    return Usage(verb, kind, name, is_dealt, offered[key], chosen[key], share)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _quantiles(values: Sequence[int]) -> tuple[float, float, float]:
    low, middle, high = np.quantile(values, [0.1, 0.5, 0.9]).tolist()
    return low, middle, high
