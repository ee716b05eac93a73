"""Leduc poker."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from aiplay._core.games.leduc_poker import LeducPokerCore
from aiplay.errors import InvalidStateError
from aiplay.fields import Field

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["LeducPoker"]

CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
MOVES = ("fold", "call", "raise")
UNKNOWN = -1


class LeducPoker(LeducPokerCore):
    """Leduc poker: one hidden card each, one public card, two rounds of betting."""

    name = "leduc_poker"
    returns_sum = 0.0
    FIELDS = {
        "hands": Field(-1, 5, "the card of each seat, rank = card // 2; -1 not dealt, or hidden"),
        "board": Field(-1, 5, "the public card; -1 not dealt"),
        "betting": Field(0, 2, "0 before the public card, 1 after it, 2 showdown"),
        "seat": Field(0, 1, "who bets"),
        "n_raises": Field(0, 2, "raises in this round of betting"),
        "n_actions": Field(0, 4, "decisions in this round of betting"),
        "folded": Field(0, 2, "1 + the seat that folded, 0 for nobody"),
        "n_dealt": Field(0, 2, "hands dealt"),
        "chips": Field(1, 13, "what each seat has put into the pot"),
    }

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Names of the cards."""
        return {"card": CARDS}

    def check(self, fields: Any, seat: int | None) -> None:
        """Every card once and where it belongs, and bets that a game can come to."""
        hands, board = fields["hands"].tolist(), int(fields["board"])
        for owner, card in enumerate(hands):
            is_known = owner < fields["n_dealt"] and seat in (None, owner)
            if (card != UNKNOWN) != is_known:
                raise InvalidStateError(
                    f"field 'hands': the card of seat {owner} is {card}, which does not fit"
                )
        seen = [card for card in (*hands, board) if card != UNKNOWN]
        if len(set(seen)) != len(seen):
            raise InvalidStateError("field 'hands': a card is in two places")
        if _bets(fields) not in self._possible_bets:
            raise InvalidStateError("field 'chips': no sequence of bets leads to this position")

    @functools.cached_property
    def _possible_bets(self) -> frozenset[tuple[Any, ...]]:
        """What `_bets` can be: found by playing every sequence of bets (cards do not matter to them)."""
        found, waiting = set(), [self.new_state()]
        while waiting:
            state = waiting.pop()
            found.add(_bets(state.fields))
            moves = state.legal_moves()
            for move in moves[:1] if state.to_move < 0 else moves:
                waiting.append(state.copy())
                waiting[-1].play(move)
        return frozenset(found)

    def move_text(self, position: Position, move: int) -> str:
        """fold, call or raise; a card is its rank and suit."""
        return CARDS[move] if position.to_move < 0 else MOVES[move]

    def render(self, position: Position) -> str:
        """Cards (?? is hidden, -- not dealt) and chips."""
        fields = position.fields
        cards = [
            CARDS[card] if card >= 0 else "??" if owner < fields["n_dealt"] else "--"
            for owner, card in enumerate(fields["hands"])
        ]
        board = CARDS[fields["board"]] if fields["board"] >= 0 else "--"
        hands = "  ".join(
            f"seat {seat}: {card} {fields['chips'][seat]} chips" for seat, card in enumerate(cards)
        )
        return f"{hands}  board: {board}"


def _bets(fields: Any) -> tuple[Any, ...]:
    """All of a state but the cards themselves."""
    public = ("betting", "seat", "n_raises", "n_actions", "folded", "n_dealt")
    return (*(int(fields[name]) for name in public), *fields["chips"].tolist(), bool(fields["board"] >= 0))
