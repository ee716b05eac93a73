"""Leduc poker."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from aiplay._core.games.leduc_poker import (
    ANTE,
    CALL,
    FIRST_RAISE,
    FOLD,
    MAX_ACTIONS,
    MAX_CHIPS,
    MAX_RAISES,
    N_CARDS,
    RAISE,
    SEATS,
    SECOND_RAISE,
    SHOWDOWN,
    UNKNOWN,
    LeducPokerCore,
)
from aiplay._core.typedefs import CHANCE
from aiplay.errors import InvalidStateError
from aiplay.fields import Field
from aiplay.parts import Verb

if TYPE_CHECKING:
    from aiplay._core.game import Position
    from aiplay.catalogue import Entry
    from aiplay.games.leduc_poker_scene import LeducPokerScene

__all__ = ["LeducPoker"]

CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
RANKS = {"J": "jack", "Q": "queen", "K": "king"}
SUITS = {"s": "spades", "h": "hearts"}
MOVES = {FOLD: "fold", CALL: "call", RAISE: "raise"}


class LeducPoker(LeducPokerCore):
    """Leduc poker: one hidden card each, one public card, two rounds of betting."""

    name = "leduc_poker"
    returns_sum = 0.0
    VERBS = {
        "fold": Verb("fold", "Give up: the other seat wins the chips that you have put in.", ends=True),
        "call": Verb("call", "Put in as many chips as the other seat; nothing if both have put in the same."),
        "raise": Verb(
            "raise",
            f"Call, and put in more: {FIRST_RAISE} chips before the public card, {SECOND_RAISE} after it.",
        ),
        "deal": Verb("{card}", "A seat gets its card, which the other seat does not see."),
        "reveal": Verb("{card}", "The public card is turned up on the board."),
    }
    FIELDS = {
        "hands": Field(
            UNKNOWN,
            N_CARDS - 1,
            "the card of each seat, rank = card // 2; -1 not dealt, or hidden",
            seat_axis=0,
        ),
        "board": Field(UNKNOWN, N_CARDS - 1, "the public card; -1 not dealt"),
        "betting": Field(0, SHOWDOWN, "0 before the public card, 1 after it, 2 showdown"),
        "seat": Field(0, SEATS - 1, "who bets", seats_at=(0,)),
        "n_raises": Field(0, MAX_RAISES, "raises in this round of betting"),
        "n_actions": Field(0, MAX_ACTIONS, "decisions in this round of betting"),
        "folded": Field(0, SEATS, "1 + the seat that folded, 0 for nobody", seats_at=(1,)),
        "n_dealt": Field(0, SEATS, "hands dealt"),
        "chips": Field(ANTE, MAX_CHIPS, "what each seat has put into the pot", seat_axis=0),
        "opener": Field(
            0, SEATS, "1 + the seat that raised first before the public card, 0 for nobody", seats_at=(1,)
        ),
    }

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Names of the cards."""
        return {"card": CARDS}

    def check(self, fields: Any, seat: int | None) -> None:
        """Every card is in one place, known cards are those the seat sees, and the bets can happen."""
        hands, board = fields["hands"], int(fields["board"])
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
            found.add(_bets(state.to_fields()))
            moves = state.legal_moves()
            for move in moves[:1] if state.to_move == CHANCE else moves:
                waiting.append(state.copy())
                waiting[-1].play(move)
        return frozenset(found)

    def move_parts(self, position: Position, move: int) -> dict[str, Any]:
        """The verb; of a card, also the seat that gets it."""
        if position.to_move != CHANCE:
            return {"verb": MOVES[move]}
        n_dealt = int(position.to_fields()["n_dealt"])
        if n_dealt < SEATS:
            return {"verb": "deal", "card": CARDS[move], "to": n_dealt}
        return {"verb": "reveal", "card": CARDS[move]}

    def scene_type(self) -> type[LeducPokerScene]:
        """The cards, the chips and the round of betting."""
        from aiplay.games.leduc_poker_scene import LeducPokerScene

        return LeducPokerScene

    def scene_of(self, position: Position) -> LeducPokerScene:
        """The cards, the chips and the round of betting."""
        from aiplay.games.leduc_poker_scene import scene_of

        return scene_of(position, CARDS)

    def fields_of_scene(self, scene: LeducPokerScene, seat: int | None) -> dict[str, Any]:
        """The cards as numbers."""
        from aiplay.games.leduc_poker_scene import fields_of

        return fields_of(scene, CARDS)

    def things(self) -> dict[str, list[Entry]]:
        """The six cards."""
        return {"card": [_card(name) for name in CARDS]}

    def render(self, position: Position) -> str:
        """Cards (?? hidden, -- not dealt) and chips."""
        fields = position.to_fields()
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
    public = ("betting", "seat", "n_raises", "n_actions", "folded", "n_dealt", "opener")
    return (
        *(int(fields[name]) for name in public),
        *fields["chips"],
        bool(fields["board"] != UNKNOWN),
    )


def _card(name: str) -> Entry:
    """The entry of a card in the catalogue."""
    from aiplay.catalogue import Entry

    rank, suit = RANKS[name[0]], SUITS[name[1]]
    about = f"A {rank} of {suit}. A pair with the board wins, then the higher rank; suits do not matter."
    return Entry(name=name, about=about, facts={"rank": rank, "suit": suit})
