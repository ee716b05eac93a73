"""The catalogue of a game: everything that a scene or a part of a move can name, with its effect in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Catalogue", "Entry", "find_entries"]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One thing that a game has: a card, a city, a space, a die, a verb."""

    name: str
    about: str  # what it does, in words
    # Its attributes: cost, points, how many there are ...
    facts: Mapping[str, Any] = field(default_factory=dict)


Catalogue = Mapping[str, Sequence[Entry]]  # kind of thing ("card", "city", "verb") -> its entries


def find_entries(catalogue: Catalogue, name: str) -> list[tuple[str, Entry]]:
    """Return the entries with a name, and their kinds; those whose name begins with it if there are none.

    >>> find_entries({"card": [Entry(name="Dove", about="A bird.")]}, "do")[0][0]
    'card'
    """
    wanted = " ".join(name.split()).casefold()
    everything = [(kind, entry) for kind, entries in catalogue.items() for entry in entries]
    same = [(kind, entry) for kind, entry in everything if entry.name.casefold() == wanted]
    return same or [(kind, entry) for kind, entry in everything if entry.name.casefold().startswith(wanted)]
