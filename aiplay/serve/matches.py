"""Files of records and matches that the server may show: those that were named when it was started, and no others."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from aiplay._core.game import Game
from aiplay.engine.answers import shorten
from aiplay.engine.positions import QueryError
from aiplay.record import Record
from aiplay.table import replay

__all__ = ["Library"]


class Library:
    """Games to replay, by the name of their file and their number."""

    def __init__(self, paths: Iterable[str | os.PathLike[str]] = ()) -> None:
        self._games: dict[str, dict[int, tuple[Record, Game]]] = {}
        for path in map(Path, paths):
            self._games[self._free_name(path.name)] = _games_of(path)

    def _free_name(self, name: str) -> str:
        names = [name, *(f"{name} ({number})" for number in range(2, len(self._games) + 2))]
        return next(each for each in names if each not in self._games)

    def fields(self) -> list[dict[str, Any]]:
        """Return what there is, for the page."""
        return [
            {
                "name": name,
                "games": len(games),
                "numbers": [*games][:1] + [*games][-1:],
                "game": next(iter(games.values()))[0].game if games else None,
            }
            for name, games in self._games.items()
        ]

    def find(self, name: str, number: int | None) -> tuple[Record, Game]:
        """Return one game; the first by default."""
        games = self._games.get(name)
        if games is None:
            known = ", ".join(shorten(each) for each in self._games) or "none"
            raise QueryError(f"match is {shorten(name)}; there are: {known}", "match")
        if number is None:
            number = next(iter(games), 0)
        if number not in games:
            known = f"{min(games)} to {max(games)}" if games else "none"
            raise QueryError(f"number is {number}; {shorten(name)} has {known}", "number")
        return games[number]


def _games_of(path: Path) -> dict[int, tuple[Record, Game]]:
    """Return the games of a file: of a saved match, or a record."""
    from aiplay.match import load_match  # here, not above: a browser has no SQLite
    from aiplay.match.store import SQLITE

    with path.open("rb") as file:
        is_match = file.read(len(SQLITE)) == SQLITE
    if not is_match:
        record = Record.from_json(path.read_bytes())
        return {0: (record, replay(record).game)}
    results = load_match(path).results
    return {result.scheduled.number: (result.to_record(), result.scheduled.game) for result in results}
