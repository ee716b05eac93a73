"""Reading the data files of games: the cards, boards and costs of a rulebook.

A game reads the `data.toml` in its folder; ``load_game(name, data=path)`` reads another file, for other editions.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from aiplay.errors import GameDataError
from aiplay.options import Option

__all__ = ["DATA_OPTION", "own_file", "read_data"]

DATA_OPTION = Option("data", None, "path of a TOML file to use instead of the game's own data", kind=str)


MAX_NESTING = 8  # tables and lists within each other
MAX_NUMBER = 2**63 - 1  # as in the TOML standard
LONG_NUMBER = re.compile(r"[0-9][0-9_]{99,}")


def own_file(game: str) -> Traversable:
    """Return the data file that a game comes with: `data.toml` in its folder."""
    return resources.files(f"aiplay.games.{game}") / "data.toml"


def read_data(game: str, path: str | None) -> dict[str, Any]:
    """Return the content of a game's data file, or of the file at `path`; the game checks it."""
    name = own_file(game).name if path is None else path
    try:
        if path is None:
            text = own_file(game).read_text(encoding="utf-8")
        else:
            with open(path, encoding="utf-8-sig") as file:  # some editors write a byte order mark
                text = file.read()
    except (OSError, ValueError) as problem:  # ValueError: not UTF-8, or an invalid path
        raise GameDataError(f"cannot read the data file {name!r}: {problem}") from None
    data = _parse(name, text)
    _check_values(name, "", data, 0)
    return data


def _parse(name: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise GameDataError(f"{name} is not valid TOML: {problem}") from None
    except RecursionError:
        raise GameDataError(f"{name} is not valid TOML: tables or lists are nested too deeply") from None
    except ValueError:  # a number with thousands of digits: make it short enough to be found by _check_values
        return _parse(name, LONG_NUMBER.sub(str(MAX_NUMBER + 1), text))


def _check_values(name: str, where: str, value: object, depth: int) -> None:
    """Refuse what no game can use, and what could not even be shown in a message: huge numbers, deep nesting."""
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        raise GameDataError(f"{name}: {where} is too large; allowed: whole numbers below 2**63")
    if not isinstance(value, dict | list):
        return
    if depth > MAX_NESTING:
        raise GameDataError(
            f"{name}: {where} is nested too deeply; allowed: {MAX_NESTING} levels of tables and lists"
        )
    entries: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    for key, entry in entries:
        place = f"{where}[{key}]" if isinstance(value, list) else f"{where}.{key}" if where else key
        _check_values(name, place, entry, depth + 1)
