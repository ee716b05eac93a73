"""The balance of a game as plain data, ready for JSON."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiplay.balance.result import Balance, Usage

__all__ = ["document"]


def document(balance: Balance) -> dict[str, Any]:
    """Return the balance of a game as plain data; docs/review.md lists the keys."""
    return {
        "game": balance.game.name,
        "options": dict(balance.game.options),
        "players": list(balance.players),
        "games": balance.games,
        "deals": balance.deals,
        "value": balance.value,
        "seconds": balance.seconds,
        "equal": balance.equal,
        "seats": [dataclasses.asdict(one) for one in balance.seats],
        "order": [dataclasses.asdict(one) for one in balance.order],
        "course": dataclasses.asdict(balance.course),
        "usage": [_usage(one) for one in balance.usages],
        "unused": [one.title for one in balance.unused()],
    }


def _usage(one: Usage) -> dict[str, Any]:
    share = None if one.share is None else dataclasses.asdict(one.share)
    return {**dataclasses.asdict(one), "share": share}
