"""Reading the data files of games: the cards, boards and costs of a rulebook.

A game reads the `data.toml` in its folder; ``load_game(name, data=path)`` reads another file, for other editions.
"""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from aiplay.errors import GameDataError
from aiplay.options import Option

__all__ = ["DATA_OPTION", "own_file", "read_data"]

LONG_NUMBER = re.compile(
    r"[0-9][0-9_]{600,}"
)  # Python always reads 640 digits, longer numbers only by its settings
DATA_OPTION = Option("data", None, "path of a TOML file to use instead of the game's own data", kind=str)


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
    try:
        return _parse(text)
    except tomllib.TOMLDecodeError as problem:
        raise GameDataError(f"{name} is not valid TOML: {problem}") from None
    except RecursionError:
        raise GameDataError(f"{name} is not valid TOML: tables or lists are nested too deeply") from None


def _parse(text: str) -> dict[str, Any]:
    """Return the content of a TOML file. Numbers too long to read are cut: they stay too large for every key."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # more digits than Python reads
        return tomllib.loads(LONG_NUMBER.sub(lambda number: number[0][:600].rstrip("_"), text))
