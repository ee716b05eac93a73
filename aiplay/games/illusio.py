"""Illusio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiplay._core.games.illusio import IllusioCore
from aiplay.data import DATA_OPTION
from aiplay.fields import Field
from aiplay.games.illusio_data import load_cards
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position
    from aiplay.games.illusio_data import IllusioData

__all__ = ["Illusio"]


class Illusio(IllusioCore):
    """Illusio: collect components, claim tricks, put them on display; the first to 12 prestige wins at once."""

    name = "illusio"
    OPTIONS = (
        Option("players", 2, "seats", low=2, high=6),
        Option("goal", 12, "prestige that wins", low=1, high=100),
        Option("turn_cap", 60, "turns of each seat after which the most prestige wins", low=1, high=1000),
        DATA_OPTION,
    )
    FIELDS = {
        "turn": Field(0, 6000, "turns completed"),
        "phase": Field(0, 15, "what is decided now"),
        "seat": Field(0, 5, "whose turn it is, or who gets the next magician or card of the deal"),
        "actions": Field(0, 2, "actions left in step 2"),
        "talent_used": Field(0, 1, "1 when the talent of the seat has been used this turn"),
        "pending": Field(0, 14, "cards to deal, to draw or to discard, or thrown so far"),
        "focus": Field(0, 63, "the component, objective or seat that is being dealt with"),
        "mark": Field(0, 20, "the smallest kind or requirement that may be chosen now"),
        "n_deck": Field(0, 90, "cards in the deck"),
        "scores": Field(0, 255, "prestige of each seat"),
        "magicians": Field(0, 10, "the magician of each seat; 10 none"),
        "n_hand": Field(0, 14, "cards in each hand"),
        "hands": Field(0, 22, "kinds in each hand, ascending; 21 unknown to the seat of the view, 22 nothing"),
        "known": Field(0, 63, "which other seats know of each of those cards, one bit each"),
        "deck": Field(0, 15, "cards of each kind in the deck; in a view also those in hands that the seat does not know"),
        "discards": Field(0, 15, "cards of each kind in the discards"),
        "place": Field(0, 135, "where each component is: 0 off the table, 1 + seat Backstage, 8 + 4 * objective + need"),
        "now": Field(0, 254, "present kind of each component + 16 * Transforms on it"),
        "objectives": Field(0, 20, "0 deck, 1 discards, 2 Contest, 3 / 9 / 15 + seat kept / under realisation / displayed"),
        "encores": Field(0, 31, "Encores on each displayed trick, + 16 while the last one is unspent"),
        "marks": Field(0, 255, "Deja vus + 16 * Grands on each displayed trick"),
        "filled": Field(0, 255, "needs of each objective with a component + 16 * those with the exact one, one bit each"),
    }

    cards: IllusioData

    def _tables(self) -> dict[str, Any]:
        self.cards = load_cards(self.options["data"])
        return self.cards.tables()
