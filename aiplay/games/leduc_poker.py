"""Leduc poker."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from aiplay._core.games.leduc_poker import (
    ANTE,
    CALL,
    FOLD,
    MAX_ACTIONS,
    MAX_CHIPS,
    MAX_RAISES,
    N_CARDS,
    RAISE,
    SEATS,
    SHOWDOWN,
    UNKNOWN,
    LeducPokerCore,
)
from aiplay._core.typedefs import CHANCE
from aiplay.errors import InvalidStateError
from aiplay.fields import Field

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["LeducPoker"]

CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
MOVES = {FOLD: "fold", CALL: "call", RAISE: "raise"}


class LeducPoker(LeducPokerCore):
    """Leduc poker: one hidden card each, one public card, two rounds of betting."""

    name = "leduc_poker"
    returns_sum = 0.0
    FIELDS = {
        "hands": Field(
            UNKNOWN, N_CARDS - 1, "the card of each seat, rank = card // 2; -1 not dealt, or hidden"
        ),
        "board": Field(UNKNOWN, N_CARDS - 1, "the public card; -1 not dealt"),
        "betting": Field(0, SHOWDOWN, "0 before the public card, 1 after it, 2 showdown"),
        "seat": Field(0, SEATS - 1, "who bets"),
        "n_raises": Field(0, MAX_RAISES, "raises in this round of betting"),
        "n_actions": Field(0, MAX_ACTIONS, "decisions in this round of betting"),
        "folded": Field(0, SEATS, "1 + the seat that folded, 0 for nobody"),
        "n_dealt": Field(0, SEATS, "hands dealt"),
        "chips": Field(ANTE, MAX_CHIPS, "what each seat has put into the pot"),
    }

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Names of the cards."""
        return {"card": CARDS}

    def check(self, fields: Any, seat: int | None) -> None:
        """Every card is in one place, known cards are those the seat sees, and the bets can happen."""
        hands, board = fields["hands"].tolist(), int(fields["board"])
        for owner, card in enumerate(hands):
            is_known = owner < fields["n_dealt"] and seat in (None, owner)
            if (card != UNKNOWN) != is_known:
                wanted = "a card" if is_known else f"{UNKNOWN} (not dealt, or hidden)"
                raise InvalidStateError(
                    f"field 'hands': the card of seat {owner} is {card}; it has to be {wanted}"
                )
        seen = [card for card in (*hands, board) if card != UNKNOWN]
        if len(set(seen)) != len(seen):
            raise InvalidStateError("field 'hands': a card is in two places")
        if _bets(fields) not in self._possible_bets:
            raise InvalidStateError("field 'chips': no sequence of bets leads to this position")

    @functools.cached_property
    def _possible_bets(self) -> frozenset[tuple[Any, ...]]:
        """All results of `_bets`, found by playing every sequence of bets; the cards make no difference."""
        found, waiting = set(), [self.new_state()]
        while waiting:
            state = waiting.pop()
            found.add(_bets(state.fields))
            moves = state.legal_moves()
            for move in moves[:1] if state.to_move == CHANCE else moves:
                waiting.append(state.copy())
                waiting[-1].play(move)
        return frozenset(found)

    def move_text(self, position: Position, move: int) -> str:
        """``fold``, ``call`` or ``raise``; a card by its rank and suit."""
        return CARDS[move] if position.to_move == CHANCE else MOVES[move]

    def render(self, position: Position) -> str:
        """Cards (?? hidden, -- not dealt) and chips."""
        fields = position.fields
        cards = [
            CARDS[card] if card != UNKNOWN else "??" if owner < fields["n_dealt"] else "--"
            for owner, card in enumerate(fields["hands"])
        ]
        board = CARDS[fields["board"]] if fields["board"] != UNKNOWN else "--"
        hands = "  ".join(
            f"seat {seat}: {card} {fields['chips'][seat]} chips" for seat, card in enumerate(cards)
        )
        return f"{hands}  board: {board}"


def _bets(fields: Any) -> tuple[Any, ...]:
    """The fields of a state other than its cards, and whether the public card is dealt."""
    public = ("betting", "seat", "n_raises", "n_actions", "folded", "n_dealt")
    return (
        *(int(fields[name]) for name in public),
        *fields["chips"].tolist(),
        bool(fields["board"] != UNKNOWN),
    )
