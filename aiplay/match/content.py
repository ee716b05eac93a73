"""The content of the file of a match as types: whatever the file holds, it is checked before it is used."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from aiplay.errors import AiplayError, StoreError

__all__ = [
    "DuelContent",
    "PlayedContent",
    "TournamentContent",
    "checked_content",
    "made_from",
    "parsed_content",
]

T = TypeVar("T")
Count = Annotated[int, Meta(ge=0, le=2**53)]
Seconds = Annotated[float, Meta(ge=0, le=1e12)]
Path = str | os.PathLike[str]


class GameContent(Struct, kw_only=True):
    """A game and its options."""

    game: str
    options: dict[str, Any]


class DuelContent(GameContent, kw_only=True):
    """The description of a duel."""

    a: str
    b: str
    games: int
    seed: int
    sprt: tuple[float, float] | None
    adjust: bool | str = False
    opening: int = 0


class TournamentContent(Struct, kw_only=True):
    """The description of a tournament."""

    games_played: list[GameContent]
    players: list[str]
    games: int
    seed: int
    adjust: bool | str = False


class PlayedContent(Struct, kw_only=True):
    """A finished game: an entry for each seat, and the record."""

    specs: tuple[str, ...]
    seating: tuple[int, ...]
    returns: tuple[float, ...]
    moves: tuple[Count, ...]
    seconds: tuple[Seconds, ...]
    iterations: tuple[Count | None, ...]
    record: tuple[Count, ...]


def parsed_content(path: Path, text: object) -> Any:
    """Return JSON from a file of a match; StoreError if it is none."""
    try:
        return msgspec.json.decode(text)  # type: ignore[call-overload]  # a column can hold anything
    except (msgspec.MsgspecError, TypeError, UnicodeError, RecursionError):
        raise StoreError(f"{path}: not the file of a match, or damaged") from None


def checked_content(path: Path, kind: type[T], given: Any) -> T:
    """Return plain data from a file of a match as this type; StoreError names what is wrong."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as problem:
        raise StoreError(f"{path}: not the file of a match, or damaged: {problem}") from None


@contextlib.contextmanager
def made_from(path: Path) -> Iterator[None]:
    """Turn the errors of a match that cannot be made (no such game, a wrong option) into a `StoreError`."""
    try:
        yield
    except StoreError:
        raise
    except (AiplayError, ValueError, TypeError) as problem:  # TypeError: an option name that is not allowed
        raise StoreError(f"{path}: the match in this file cannot be made: {problem}") from problem
