"""Saved matches of any kind, read from their files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from aiplay.errors import StoreError
from aiplay.match.duel import Duel
from aiplay.match.store import Store
from aiplay.match.tournament import Tournament

if TYPE_CHECKING:
    from aiplay.match.match import Match

__all__ = ["load_match"]


def load_match(path: str | os.PathLike[str]) -> Match:
    """Return the duel or tournament in a file, with its finished games."""
    kinds: tuple[type[Duel] | type[Tournament], ...] = (Duel, Tournament)
    with Store.read(path) as store:
        found = store.description.get("kind")
        for kind in kinds:
            if found == kind.kind:
                return kind.of(store)
        allowed = " or ".join(kind.kind for kind in kinds)
        raise StoreError(f"{path}: this is a match of kind {found!r}; allowed: {allowed}")
