"""Closeness: the truth is no closer to a sampled world than another sampled world is, in games of any size.

After a deal, the truth and two sampled worlds are three draws from the same distribution: to the first world, the truth
is as often closer than the second world as the other way round. A sampler that leans to the truth is caught by that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aiplay._core.game import Game, State
from aiplay._core.stream import RandomStream, seed_below
from aiplay.audit.power import binomial_tail, most_hits, share_of_hits
from aiplay.audit.result import Breach, Part
from aiplay.table import Table

__all__ = ["check_closeness"]

ERROR_RATE = 1e-6  # of the part
DEALS = 20  # for each game of the audit


def check_closeness(game: Game, games: int, seed: int) -> Part:
    """Deal again and again, and compare the truth with sampled worlds."""
    name = "worlds near the truth"
    if not game.has_hidden:
        return Part(name, "not tried: nothing is hidden in this game")
    signs = [_sign(game, seed_below(seed, number)) for number in range(DEALS * games)]
    closer, count = signs.count(1), len(signs) - signs.count(0)
    if not count:
        return Part(name, "not tried: nothing is hidden after the deal")
    most = most_hits(count, 0.5, ERROR_RATE / 2)
    tried = (
        f"{len(signs):,} deals with two worlds each: of {count:,} in which the truth or the second world was closer to "
        f"the first one, it was the truth in {closer:,}"
    )
    noticed = (
        f"a sampler that deals the truth in {100 * share_of_hits(count, 0.5, most):.2g} % more of the worlds"
    )
    breaches: tuple[Breach, ...] = ()
    if not count - most <= closer <= most:
        tail = 2 * binomial_tail(count, 0.5, max(closer, count - closer))
        evidence = (
            f"after the deal the truth is closer to a world {closer} times of {count}: probability {tail:.1e}"
        )
        breaches = (Breach("worlds", evidence),)
    return Part(name, tried, count, noticed, ERROR_RATE, breaches)


def _sign(game: Game, seed: int) -> int:
    """Return 1 if the truth is closer to the first world than the second one is, -1 if less close, else 0."""
    stream, table = RandomStream(seed_below(seed, 1)), Table(game, seed=seed)
    view = table.view(stream.below(game.seats))
    first, second = (view.sample_world(stream.bits()) for _ in range(2))
    ours, theirs = _alike(table.state, first), _alike(second, first)
    return (ours > theirs) - (ours < theirs)


def _alike(one: State, other: State) -> int:
    """Return the number of values that two states have in common."""
    return sum(a == b for a, b in zip(_values(one.to_fields()), _values(other.to_fields()), strict=False))


def _values(fields: Any) -> Iterator[Any]:
    if isinstance(fields, dict):
        fields = list(fields.values())
    if not isinstance(fields, list | tuple):
        yield fields
        return
    for field in fields:
        yield from _values(field)
