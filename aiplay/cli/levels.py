"""The option `--level` of `aiplay play`: bots by level, or by the rating of the person, which is kept in a file."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from aiplay.levels import FIRST, LAST

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.rating import PersonRating
    from aiplay.table import Table

__all__ = ["ADAPT", "Rated", "bot_of", "ratings_file"]

ADAPT = "adapt"
MAX_BYTES = 2**20  # of the file


def ratings_file() -> Path:
    """Return the file in which ratings are kept unless the user names another."""
    if sys.platform == "win32":
        folder = os.environ.get("APPDATA") or Path.home()
    else:
        folder = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(folder) / "aiplay" / "ratings.json"


def bot_of(level: str) -> str:
    """Return the specification of the bots of a level."""
    if not level.isdecimal() or not FIRST <= int(level) <= LAST:
        raise typer.BadParameter(f"{level!r}; allowed: {FIRST} to {LAST}, or {ADAPT}", param_hint="--level")
    return f"mcts:level={int(level)}"


class Rated:
    """A game that counts for the rating of the person at `seat`: the file has the results of every game by name."""

    def __init__(self, game: Game, seat: int, file: Path) -> None:
        from aiplay.rating import PersonRating

        self.game, self.seat, self.file = game, seat, file
        self._all = _read(file)
        self.rating: PersonRating = PersonRating(game, self._all.get(game.name, []))
        self.level = self.rating.next_level

    def count(self, table: Table) -> str:
        """Add the result of a finished game to the file; return what is to say about it."""
        from aiplay.files import write_file

        self.rating.add(self.level, self.rating.score(table.returns(), self.seat))
        self._all[self.game.name] = self.rating.results
        self.file.parent.mkdir(parents=True, exist_ok=True)
        write_file(self.file, json.dumps(self._all) + "\n")
        return (
            f"your rating: {self.rating.rating:.0f} +- {self.rating.error:.0f} Elo, where level 1 has 0; "
            f"the next game is at level {self.rating.next_level} (kept in {self.file})"
        )


def _read(file: Path) -> dict[str, Any]:
    try:
        text = file.read_text(encoding="utf-8") if file.stat().st_size <= MAX_BYTES else ""
    except FileNotFoundError:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise typer.BadParameter(f"{file} is no file of ratings; move it away", param_hint="--ratings")
    return found
