"""Where the doves of Magic Rabbit stand at the start: the game's data file, read and checked."""

from __future__ import annotations

from typing import Any

from aiplay.errors import GameDataError
from aiplay.games.data_file import read_data

__all__ = ["FREE_PILES", "PILES", "SEATS", "read_dove_places"]

PILES = range(6, 10)
SEATS = range(1, 5)
FREE_PILES = 4  # so many piles stay without a dove, or nothing could be switched


def read_dove_places(path: str | None) -> dict[tuple[int, int], list[int]]:
    """The piles with a dove, from 1, for every number of (piles, seats)."""
    origin = path or "magic_rabbit.toml"
    document = read_data("magic_rabbit", path)
    _require_keys(origin, "the file", document, ["doves"])
    tables = _table(origin, "doves", document["doves"])
    _require_keys(origin, "doves", tables, [str(piles) for piles in PILES])
    places = {}
    for piles in PILES:
        rows = _table(origin, f"doves.{piles}", tables[str(piles)])
        _require_keys(origin, f"doves.{piles}", rows, [str(seats) for seats in SEATS])
        for seats in SEATS:
            places[piles, seats] = _places(origin, f"doves.{piles}.{seats}", rows[str(seats)], piles)
    return places


def _table(origin: str, entry: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise GameDataError(f"{origin}: {entry} is {value!r}; expected a table")
    return value


def _require_keys(origin: str, entry: str, table: dict[str, Any], wanted: list[str]) -> None:
    for key in wanted:
        if key not in table:
            raise GameDataError(f"{origin}: {entry} has no {key!r}; expected {', '.join(wanted)}")
    for key in table:
        if key not in wanted:
            raise GameDataError(f"{origin}: {entry} has an unknown {key!r}; expected {', '.join(wanted)}")


def _places(origin: str, entry: str, value: Any, piles: int) -> list[int]:
    """A list of different piles, ascending, not too many."""
    is_list = isinstance(value, list) and all(type(place) is int for place in value)
    if not is_list or any(not 1 <= place <= piles for place in value):
        raise GameDataError(f"{origin}: {entry} is {value!r}; expected a list of piles from 1 to {piles}")
    if value != sorted(set(value)):
        raise GameDataError(f"{origin}: {entry} is {value!r}; expected every pile once, in ascending order")
    most = piles - FREE_PILES
    if len(value) > most:
        raise GameDataError(f"{origin}: {entry} has {len(value)} doves; allowed: at most {most}")
    return [int(place) for place in value]
