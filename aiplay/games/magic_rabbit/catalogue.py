"""Everything that scenes and moves of Magic Rabbit name, with its effect in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiplay._core.games.magic_rabbit.state import MAX_TURNS
from aiplay.catalogue import Entry
from aiplay.games.magic_rabbit.moves import PILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiplay._core.game import Game

__all__ = ["things"]


def things(game: Game, dove_places: Sequence[int]) -> dict[str, list[Entry]]:
    """Return the entries of the catalogue; `dove_places` are the piles with a dove at the start, counted from 1."""
    numbers = range(1, game.options["piles"] + 1)
    found = {
        "pile": [_pile(number, number in dove_places) for number in numbers],
        "hat": [_hat(number) for number in numbers],
        "rabbit": [_rabbit(number) for number in numbers],
        "hourglass": [_hourglass(game.options["turns"])],
    }
    return {**found, "dove": [_dove(dove_places)]} if dove_places else found


def _pile(number: int, has_dove: bool) -> Entry:
    end = ", at the Magician's end" if number == 1 else ""
    dove = " A dove stands here at the start." if has_dove else ""
    return Entry(
        name=PILES[number - 1],
        about=f"Place {number} of the row{end}: hat {number} and rabbit {number} belong here.{dove}",
        facts={"place": number, "dove at the start": has_dove},
    )


def _hat(number: int) -> Entry:
    home = PILES[number - 1]
    return Entry(
        name=f"hat {number}",
        about=f"Lies face up on a pile; belongs on pile {home}, with rabbit {number} under it.",
        facts={"number": number, "home": home},
    )


def _rabbit(number: int) -> Entry:
    home = PILES[number - 1]
    return Entry(
        name=f"rabbit {number}",
        about=f"Lies face down under a hat, known to the seats that have lifted it; belongs under hat {number} on "
        f"pile {home}.",
        facts={"number": number, "home": home},
    )


def _dove(places: Sequence[int]) -> Entry:
    start = [PILES[place - 1] for place in places]
    piles = f"piles {', '.join(start[:-1])} and {start[-1]}" if len(start) > 1 else f"pile {start[0]}"
    return Entry(
        name="dove",
        about="Stands on a hat: its pile cannot be lifted or switched. A turn ends with one dove moved to a pile "
        f"without one, or none. At the start: {piles}.",
        facts={"count": len(start), "start": start},
    )


def _hourglass(turns: int) -> Entry:
    if turns:
        about = f"The game is over after {turns} turns of all seats together, and not before."
    else:
        about = (
            f"There is none: the game is over when a seat says that it is done, or after {MAX_TURNS} turns."
        )
    return Entry(name="hourglass", about=about, facts={"turns": turns or None})
