"""Levels of strength: how long `mcts` thinks, and how well it judges, at the levels 1 to 10 of each game.

The numbers are data: `levels.toml` has them for every game, with the Elo scale that bench/levels.py measured.
docs/levels.md explains them.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from aiplay.limit import Limit

__all__ = ["FIRST", "LAST", "Level", "counts_returns", "is_measured", "level_of", "scale_of"]

FIRST, LAST = 1, 10
FILE = Path(__file__).with_name("levels.toml")
TOP = Limit(time=1.0)  # of the last level
USUAL = "usual"  # the levels of a game that the file does not name


class Level(NamedTuple):
    """A level: how much the player thinks about a move, and how badly it judges."""

    limit: Limit
    blur: float


def level_of(game: str, number: int) -> Level:
    """Return a level of a game, by its name."""
    found = _of(game)
    if number == LAST:
        return Level(TOP, 0.0)
    return Level(Limit(iterations=found["iterations"][number - FIRST]), found["blur"][number - FIRST])


def scale_of(game: str) -> tuple[float, ...]:
    """Return the Elo of every level of a game; the first level has 0."""
    return tuple(_of(game).get("elo") or _read()[USUAL]["elo"])


def counts_returns(game: str) -> bool:
    """True if the return of a game is its score, and not only who has the highest."""
    return _of(game).get("score") == "returns"


def is_measured(game: str) -> bool:
    """True if the levels of a game were measured; those of other games are assumed to be 100 Elo apart."""
    return "elo" in _of(game) and game in _read()


def _of(game: str) -> dict[str, Any]:
    levels = _read()
    return levels.get(game) or levels[USUAL]


@lru_cache(maxsize=1)
def _read() -> dict[str, dict[str, Any]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))
