"""Moves with parts, and the catalogue of a game: names and words for people and front ends.

The parts of a move say what it does, with what, to what. The catalogue lists everything that a scene or a part can
name, with its effect in words.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiplay.errors import IllegalMoveError

__all__ = ["Catalogue", "Entry", "Parts", "Verb", "find_entries", "find_moves", "noted"]

Parts = Mapping[
    str, str | int | None
]  # of a move: "verb", and what the verb is about; None for what is hidden


@dataclass(frozen=True)
class Verb:
    """A kind of move: its notation, with the names of parts in braces, and its meaning in one sentence."""

    notation: str
    about: str

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parts that the notation shows."""
        return tuple(name for _, name, _, _ in string.Formatter().parse(self.notation) if name)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One thing that a game has: a card, a city, a space, a die, a verb."""

    name: str
    about: str  # what it does, in words
    facts: Mapping[str, Any] = field(
        default_factory=dict
    )  # its attributes: cost, points, how many there are ...


Catalogue = Mapping[str, Sequence[Entry]]  # kind of thing ("card", "city", "verb") -> its entries


# ---- Moves -------------------------------------------------------------------------------------------------


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


# ---- The catalogue -----------------------------------------------------------------------------------------


def find_entries(catalogue: Catalogue, name: str) -> list[tuple[str, Entry]]:
    """Return the entries with a name, and their kinds; those whose name begins with it if there are none.

    >>> find_entries({"card": [Entry(name="Dove", about="A bird.")]}, "do")[0][0]
    'card'
    """
    wanted = " ".join(name.split()).casefold()
    everything = [(kind, entry) for kind, entries in catalogue.items() for entry in entries]
    same = [(kind, entry) for kind, entry in everything if entry.name.casefold() == wanted]
    return same or [(kind, entry) for kind, entry in everything if entry.name.casefold().startswith(wanted)]
