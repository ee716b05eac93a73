"""Texts that a person looks up during a game: the verbs of the moves, and the catalogue."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from aiplay.catalogue import find_entries
from aiplay.cli.show import fit

if TYPE_CHECKING:
    from aiplay._core.game import Game, View
    from aiplay.catalogue import Entry

__all__ = ["names_text", "paragraphs", "things_text", "verbs_text"]

NEAR = 5  # names suggested for one that does not exist
CUTOFF = 0.7  # how much of a name must be the same, from 0 to 1


def paragraphs(rows: Iterable[tuple[str, str]], width: int) -> str:
    """Return texts with their headings on the left, wrapped to the right of them."""
    rows = [*rows]
    margin = max((len(heading) for heading, _ in rows), default=0) + 4
    wrapped = [
        textwrap.fill(
            text,
            width,
            initial_indent=f"  {heading}".ljust(margin),
            subsequent_indent=" " * margin,
            break_on_hyphens=False,
        )
        for heading, text in rows
    ]
    return "\n".join(wrapped)


def verbs_text(view: View, width: int) -> str:
    """Return the verbs of the legal moves, each in a sentence; empty if the game does not explain them."""
    verbs = view.game.VERBS
    if not verbs:
        return ""
    used = dict.fromkeys(str(view.move_parts(move)["verb"]) for move in view.legal_moves())
    ordered = sorted(used, key=lambda name: verbs[name].ends)
    return paragraphs([(name, verbs[name].about) for name in ordered], width)


def things_text(game: Game, name: str, width: int) -> str:
    """Return what the things of a name do; names that are like it if there are none."""
    found = find_entries(game.catalogue, name) or _containing(game, name)
    if found:
        return "\n".join(_thing_text(kind, entry, width) for kind, entry in found)
    names = {entry.name.casefold(): entry.name for entries in game.catalogue.values() for entry in entries}
    words = {word: whole for whole in names for word in whole.split()}
    wanted = name.casefold()
    near = difflib.get_close_matches(wanted, names, NEAR, CUTOFF) + [
        words[word] for word in difflib.get_close_matches(wanted, words, NEAR, CUTOFF)
    ]
    if not near:
        return f"there is no {name!r}: type card for all names"
    meant = ", ".join(names[one] for one in dict.fromkeys(near))
    return fit(f"there is no {name!r}; near it: {meant}", width)


def names_text(game: Game, width: int) -> str:
    """Return the names of all things, by kind."""
    return paragraphs(
        [(kind, ", ".join(entry.name for entry in entries)) for kind, entries in game.catalogue.items()],
        width,
    )


def _containing(game: Game, part: str) -> list[tuple[str, Entry]]:
    """Return the things that have a text somewhere in their names."""
    wanted = part.casefold()
    return [
        (kind, entry)
        for kind, entries in game.catalogue.items()
        for entry in entries
        if wanted in entry.name.casefold()
    ]


def _thing_text(kind: str, entry: Entry, width: int) -> str:
    text = f"{entry.name} ({kind}): {entry.about}"
    facts = "; ".join(
        f"{name}: {_fact_text(fact)}"
        for name, fact in entry.facts.items()
        if name != "notation" and fact not in ([], ())
    )
    rows = [(text, "  "), (facts, "    ")] if facts else [(text, "  ")]
    return "\n".join(
        textwrap.fill(row, width, initial_indent=indent, subsequent_indent="    ", break_on_hyphens=False)
        for row, indent in rows
    )


def _fact_text(fact: Any, between: str = ", ") -> str:
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if isinstance(fact, dict):
        return between.join(f"{name} = {_fact_text(one, '/')}" for name, one in fact.items())
    if isinstance(fact, list | tuple):
        return between.join(_fact_text(one, "/") for one in fact)
    return str(fact)
