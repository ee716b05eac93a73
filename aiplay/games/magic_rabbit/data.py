"""The data file of Magic Rabbit: the piles with a dove at the start."""

from __future__ import annotations

from typing import Any

from aiplay._core.games.magic_rabbit.state import MAX_PILES, MAX_PLAYERS, MIN_PILES
from aiplay.errors import GameDataError
from aiplay.games.data_file import read_data

__all__ = ["read_dove_places"]

PILES = range(MIN_PILES, MAX_PILES + 1)
SEATS = range(1, MAX_PLAYERS + 1)
FREE_PILES = 2  # piles that have to stay without a dove, so that two can be switched


def read_dove_places(path: str | None) -> dict[tuple[int, int], list[int]]:
    """Return the piles with a dove, counted from 1, by (number of piles, number of seats)."""
    origin = path or "magic_rabbit/data.toml"
    document = read_data("magic_rabbit", path)
    _require_keys(origin, "the file", document, ["doves"])
    shapes = _entries(origin, "doves", document["doves"])
    _require_keys(origin, "doves", shapes, [str(piles) for piles in PILES])
    places = {}
    for piles in PILES:
        rows = _entries(origin, f"doves.{piles}", shapes[str(piles)])
        _require_keys(origin, f"doves.{piles}", rows, [str(seats) for seats in SEATS])
        for seats in SEATS:
            places[piles, seats] = _places(origin, f"doves.{piles}.{seats}", rows[str(seats)], piles)
    return places


def _entries(origin: str, entry: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise GameDataError(f"{origin}: {entry} is {value!r}; expected a table")
    return value


def _require_keys(origin: str, entry: str, found: dict[str, Any], wanted: list[str]) -> None:
    for key in wanted:
        if key not in found:
            raise GameDataError(f"{origin}: {entry} has no {key!r}; expected {', '.join(wanted)}")
    for key in found:
        if key not in wanted:
            raise GameDataError(f"{origin}: {entry} has an unknown {key!r}; expected {', '.join(wanted)}")


def _places(origin: str, entry: str, value: Any, piles: int) -> list[int]:
    """Return a list of different piles, ascending and not too long."""
    is_list = isinstance(value, list) and all(type(place) is int for place in value)
    if not is_list or any(not 1 <= place <= piles for place in value):
        raise GameDataError(f"{origin}: {entry} is {value!r}; expected a list of piles from 1 to {piles}")
    if value != sorted(set(value)):
        raise GameDataError(f"{origin}: {entry} is {value!r}; expected every pile once, in ascending order")
    most = piles - FREE_PILES
    if len(value) > most:
        raise GameDataError(
            f"{origin}: {entry} has {len(value)} doves; allowed: at most {most}, which leaves {FREE_PILES} hats free"
        )
    return [int(place) for place in value]
