"""Reading the data files of games: the cards, boards and costs of a rulebook.

A game reads the `data.toml` in its folder; ``load_game(name, data=path)`` reads another file, for other editions.
"""

from __future__ import annotations

import os
import re
import tomllib
from typing import Any

from aiplay.errors import GameDataError
from aiplay.files import read_file
from aiplay.options import Option

__all__ = ["DATA_OPTION", "own_file", "read_data"]

DATA_OPTION = Option("data", None, "path of a TOML file to use instead of the game's own data", kind=str)


MAX_NESTING = 8  # tables and lists within each other
MAX_NUMBER = 2**63 - 1  # as in the TOML standard
LONG_NUMBER = re.compile(r"[0-9][0-9_]{99,}")


def own_file(game: str) -> str:
    """Return the path of the data file that a game comes with: `data.toml` in its folder."""
    return os.path.join(os.path.dirname(__file__), game, "data.toml")


def read_data(game: str, path: str | None) -> dict[str, Any]:
    """Return the content of a game's data file, or of the file at `path`; the game checks it."""
    name = "data.toml" if path is None else path
    try:
        text = _own_text(game) if path is None else read_file(path).decode("utf-8-sig")  # editors add a mark
    except GameDataError:  # refused
        raise
    except (OSError, ValueError) as problem:  # ValueError: not UTF-8, or no regular file
        raise GameDataError(f"cannot read the data file {name!r}: {_reason(problem)}") from None
    text = text.replace("\r\n", "\n")
    try:
        data: dict[str, Any] = _marked(name, "", _parse(text), 0)
    except tomllib.TOMLDecodeError as problem:
        raise GameDataError(f"{name} is not valid TOML: {problem}") from None
    except RecursionError:
        raise GameDataError(f"{name} is not valid TOML: tables or lists are nested too deeply") from None
    return data


def _own_text(game: str) -> str:
    with open(own_file(game), encoding="utf-8-sig") as file:
        return file.read()


def _reason(problem: OSError | ValueError) -> str:
    """Return why a file cannot be read, without anything that is in it."""
    if isinstance(problem, UnicodeError):
        return "not UTF-8"
    return (problem.strerror or "") if isinstance(problem, OSError) else str(problem)


class _LargeNumber:
    """A whole number beyond the 64 bits of TOML. No game accepts it; the error for its key shows this text."""

    def __repr__(self) -> str:
        return "a number of more than 64 bits"


def _parse(text: str) -> dict[str, Any]:
    """Parse TOML; numbers with more digits than Python reads are cut, but stay beyond 64 bits."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        return tomllib.loads(LONG_NUMBER.sub(str(1 << 64), text))


def _marked(name: str, where: str, value: Any, depth: int) -> Any:
    """Return parsed TOML with a marker in place of each number beyond 64 bits; refuse deep nesting."""
    if isinstance(value, int) and not -MAX_NUMBER <= value <= MAX_NUMBER:
        return _LargeNumber()
    if not isinstance(value, dict | list):
        return value
    if depth > MAX_NESTING:
        raise GameDataError(
            f"{name}: {where} is nested too deeply; allowed: {MAX_NESTING} levels of tables and lists"
        )
    if isinstance(value, list):
        return [_marked(name, f"{where}[{i}]", item, depth + 1) for i, item in enumerate(value)]
    dot = "." if where else ""
    return {key: _marked(name, f"{where}{dot}{key}", item, depth + 1) for key, item in value.items()}
