"""The result of tuning as plain data, ready for JSON."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiplay.tune.result import Tuning

__all__ = ["document"]


def document(tuning: Tuning) -> dict[str, Any]:
    """Return the result of tuning as plain data; docs/profile.md lists the keys."""
    return {
        "game": tuning.game.name,
        "options": dict(tuning.game.options),
        "player": tuning.player,
        "seed": tuning.seed,
        "games": tuning.games,
        "variants": tuning.variants,
        "values": [dataclasses.asdict(one) for one in tuning.values],
        "best": tuning.best,
        "changes": tuning.changes,
        "final": {**dataclasses.asdict(tuning.final), "llr": tuning.sprt.llr, "verdict": tuning.sprt.verdict},
        "is_better": tuning.is_better,
        "spec": tuning.spec,
        "seconds": tuning.seconds,
    }
