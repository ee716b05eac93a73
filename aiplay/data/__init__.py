"""The data files of the games: cards, boards and everything else that a rulebook prints as a table.

A game reads its own file by default; ``load_game(name, data=path)`` takes another one, for owners of another
edition.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from aiplay.errors import GameDataError
from aiplay.options import Option

__all__ = ["DATA_OPTION", "read_data"]

DATA_OPTION = Option("data", None, "path of a TOML file to use instead of the game's own data", kind=str)


def read_data(game: str, path: str | None) -> dict[str, Any]:
    """The content of a game's data file, or of the file at `path`; the game checks what it says."""
    try:
        if path is None:
            text = resources.files(__name__).joinpath(f"{game}.toml").read_text(encoding="utf-8")
        else:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        return tomllib.loads(text)
    except (OSError, UnicodeError) as problem:
        raise GameDataError(f"cannot read the data file {path or game + '.toml'}: {problem}") from None
    except tomllib.TOMLDecodeError as problem:
        raise GameDataError(f"{path or game + '.toml'} is not valid TOML: {problem}") from None
