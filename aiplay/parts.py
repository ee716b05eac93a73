"""Moves with parts, for people and front ends: the parts of a move say what it does, with what, to what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from aiplay.errors import IllegalMoveError

__all__ = ["Parts", "Verb", "find_moves", "noted"]

# The parts of a move: "verb", and what the verb is about; None for what is hidden.
Parts = Mapping[str, str | int | None]


class Verb(NamedTuple):
    """A kind of move: its notation, with the names of parts in braces, and its meaning in one sentence."""

    notation: str
    about: str
    ends: bool = False  # True if it ends or declines something; lists for people put it last

    @property
    def words(self) -> str:
        """Words of the notation before its first part: "give up" of "give up {objective}"."""
        return self.notation.partition("{")[0].strip()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parts that the notation shows."""
        import string

        return tuple(name for _, name, _, _ in string.Formatter().parse(self.notation) if name)


def noted(verbs: Mapping[str, Verb], parts: Parts) -> str:
    """Return the notation of a move from its parts; a part that is hidden is a question mark.

    >>> verbs = {"place": Verb("place {card} on {on}", "Put a card on a trick.")}
    >>> noted(verbs, {"verb": "place", "card": "dove", "on": None})
    'place dove on ?'
    """
    shown = {name: "?" if part is None else part for name, part in parts.items()}
    return verbs[str(parts["verb"])].notation.format_map(shown)


def find_moves(moves: Mapping[int, Parts], wanted: Mapping[str, Any]) -> list[int]:
    """Return the moves that have all wanted parts.

    >>> find_moves({3: {"verb": "drop", "column": 1}, 4: {"verb": "drop", "column": 2}}, {"column": 2})
    [4]
    """
    if not isinstance(wanted, Mapping):
        raise IllegalMoveError(f"the parts of a move are a dictionary, not {wanted!r}")
    missing = object()
    return [
        move
        for move, parts in moves.items()
        if all(parts.get(name, missing) == part for name, part in wanted.items())
    ]
