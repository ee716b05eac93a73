"""Kuhn poker for aiplay: the Python face of the native game in `_core.pyx`."""

from __future__ import annotations

from typing import Any

from aiplay.errors import InvalidStateError
from aiplay.fields import Field
from aiplay.options import Option
from kuhn_poker._core import KuhnPokerCore

__all__ = ["KuhnPoker"]

MOVES = ("pass", "bet")
BETS = {  # n_actions and the chips of both seats: all possible combinations
    *((0, 1, 1), (1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 1, 2), (2, 2, 1), (2, 2, 2)),
    *((3, 1, 2), (3, 2, 2)),
}


class KuhnPoker(KuhnPokerCore):
    """Kuhn poker: one hidden card each, pass or bet; the higher card wins."""

    name = "kuhn_poker"
    OPTIONS = (Option("cards", 3, "cards in the deck, all different", low=3, high=13),)
    FIELDS = {
        "cards": Field(0, 13, "the card of each seat; 0 not dealt, or hidden"),
        "chips": Field(1, 2, "chips that each seat has put in"),
        "n_dealt": Field(0, 2, "cards dealt"),
        "n_actions": Field(0, 3, "passes and bets so far"),
    }

    def check(self, fields: Any, seat: int | None) -> None:
        """Raise InvalidStateError for a wrong, missing or repeated card, and for impossible bets."""
        cards, n_dealt = fields["cards"], int(fields["n_dealt"])
        for owner, card in enumerate(cards):
            is_known = owner < n_dealt and seat in (None, owner)
            if (card != 0) != is_known or card > self.options["cards"]:
                raise InvalidStateError(
                    f"field 'cards': the card of seat {owner} is {card}, which is impossible"
                )
        if cards[0] == cards[1] != 0:
            raise InvalidStateError("field 'cards': both seats have the same card")
        bets = (int(fields["n_actions"]), *fields["chips"])
        if bets not in BETS or (n_dealt < 2 and bets != (0, 1, 1)):
            raise InvalidStateError(f"field 'chips' is {list(bets[1:])}; no bets lead there")

    def move_text(self, position: Any, move: int) -> str:
        """The notation of a move: pass or bet, or the number of a card."""
        return str(move) if position.to_move < 0 else MOVES[move]

    def render(self, position: Any) -> str:
        """Draw cards (? hidden, - not dealt) and chips."""
        fields = position.to_fields()
        cards = [
            str(card) if card else "?" if seat < fields["n_dealt"] else "-"
            for seat, card in enumerate(fields["cards"])
        ]
        return "  ".join(
            f"seat {seat}: card {card}, {fields['chips'][seat]} chips" for seat, card in enumerate(cards)
        )
