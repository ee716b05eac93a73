"""The profile of a game as plain data, ready for JSON."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiplay.profile.result import Profile

__all__ = ["document"]


def document(profile: Profile) -> dict[str, Any]:
    """Return a profile as plain data; docs/profile.md lists the keys."""
    game = profile.game
    return {
        "game": game.name,
        "options": dict(game.options),
        "seats": game.seats,
        "cooperative": game.is_cooperative,
        "seed": profile.seed,
        "facts": dataclasses.asdict(profile.facts),
        "effort": dataclasses.asdict(profile.effort),
        "growth": [dataclasses.asdict(one) for one in profile.growth],
        "advice": {**dataclasses.asdict(profile.advice), "options": dict(game.advice)},
        "check": None if profile.check is None else dataclasses.asdict(profile.check),
        "player": profile.player,
        "seconds": profile.seconds,
    }
