"""Love Letter for aiplay: the Python face of the native game in `_core.pyx`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from aiplay.errors import InvalidStateError
from aiplay.fields import Field
from aiplay.parts import Verb
from love_letter_native._core import LoveLetterCore

__all__ = ["LoveLetter"]

NAMES = ("?", "Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess")
COPIES = (0, 5, 2, 2, 2, 2, 1, 1, 1)
GUARD, PRINCE, SELF = 1, 5, 1
N_SHOWN, N_DEALT, N_CARDS, NOBODY = 3, 6, 16, -1


class LoveLetter(LoveLetterCore):
    """Play one of two cards; be the last seat, or hold the highest card when the deck is empty."""

    name = "love_letter_native"
    FIELDS = {
        "dealt": Field(0, 17, "cards that have left the deck"),
        "aside": Field(0, 8, "the card set aside face down; 0 not dealt, drawn, or hidden"),
        "shown": Field(0, 8, "the cards set aside face up"),
        "hands": Field(0, 8, "two places for each seat: the older card, and the one just drawn"),
        "n_hand": Field(0, 2, "cards in each hand"),
        "played": Field(0, 8, "sixteen places for each seat: its played and discarded cards, in order"),
        "n_played": Field(0, 16, "played and discarded cards of each seat"),
        "seat": Field(0, 1, "whose turn it is"),
        "drawer": Field(-1, 1, "the seat that draws a card now; -1 nobody"),
        "is_safe": Field(0, 1, "1: protected by a Handmaid"),
        "out": Field(-1, 1, "the seat that is out; -1 nobody"),
        "known": Field(0, 8, "the card of each seat that the other one has seen; 0 none"),
        "ruled_out": Field(0, 1, "nine places for each seat: 1 if it does not hold the card"),
    }
    VERBS: ClassVar[Mapping[str, Verb]] = {
        "play": Verb("{card}", "Play a card without a choice."),
        "guess": Verb("Guard: {guess}", "Play a Guard and name a card."),
        "discard": Verb("Prince: {who}", "Play a Prince on a seat."),
        "draw": Verb("draw {card}", "A card is dealt or drawn."),
    }

    def check(self, fields: Any, seat: int | None) -> None:
        """Raise InvalidStateError for a position that the C functions could not play on."""
        for name, problem in _problems(fields, seat):
            raise InvalidStateError(f"field '{name}': {problem}")

    def move_parts(self, position: Any, move: int) -> dict[str, str]:
        """A move by names."""
        if position.to_move < 0:
            return {"verb": "draw", "card": NAMES[move]}
        card, choice = divmod(move, 100)
        if card == GUARD and choice:
            return {"verb": "guess", "card": NAMES[card], "guess": NAMES[choice]}
        if card == PRINCE:
            return {"verb": "discard", "card": NAMES[card], "who": "self" if choice == SELF else "other"}
        return {"verb": "play", "card": NAMES[card]}

    def render(self, position: Any) -> str:
        """Draw hands (? hidden) and played cards."""
        fields = position.to_fields()
        rows = []
        for seat in range(2):
            hand = fields["hands"][2 * seat : 2 * seat + fields["n_hand"][seat]]
            played = fields["played"][16 * seat : 16 * seat + fields["n_played"][seat]]
            rows.append(f"seat {seat}: {_names(hand)} | played: {_names(played)}")
        deck = max(0, N_CARDS - fields["dealt"])
        return "\n".join([*rows, f"deck: {deck}, face up: {_names(filter(None, fields['shown']))}"])


def _names(cards: Any) -> str:
    return ", ".join(NAMES[card] for card in cards) or "-"


def _problems(fields: Any, seat: int | None) -> Any:
    """Yield the name of a wrong field, and what is wrong with it."""
    dealt, hands, n_hand = fields["dealt"], fields["hands"], fields["n_hand"]
    n_shown = min(max(dealt - 1, 0), N_SHOWN)
    if [bool(card) for card in fields["shown"]] != [i < n_shown for i in range(N_SHOWN)]:
        yield "shown", f"{n_shown} cards are face up after {dealt} cards were dealt"
    if bool(fields["aside"]) != (seat is None and 0 < dealt <= N_CARDS):
        yield "aside", "a card there is not possible, or missing"
    yield from _wrong_turn(fields)
    for owner in range(2):
        yield from _wrong_seat(fields, owner, seat)
    total = (0 < dealt <= N_CARDS) + n_shown + sum(n_hand) + sum(fields["n_played"])
    if total != min(dealt, N_CARDS):
        yield "dealt", f"{total} cards lie somewhere, but {dealt} were dealt"
    counts = Counter([fields["aside"], *fields["shown"], *hands, *fields["played"]])
    if any(counts[card] > COPIES[card] for card in range(1, 9)):
        yield "hands", "more cards of a kind than there are"
    if seat is not None and n_hand[1 - seat] and not hands[2 - 2 * seat]:
        banned = fields["ruled_out"][9 * (1 - seat) : 9 * (2 - seat)]
        if not any(counts[card] < COPIES[card] and not banned[card] for card in range(1, 9)):
            yield "ruled_out", "no card is left for the other seat"


def _wrong_turn(fields: Any) -> Any:
    """Check whose turn it is, who draws, and how many cards the seats hold then."""
    dealt, seat, drawer, n_hand = fields["dealt"], fields["seat"], fields["drawer"], list(fields["n_hand"])
    if dealt < N_DEALT:
        wanted = [int(dealt > 4), 0]
        fresh = (seat, drawer, fields["out"], *fields["n_played"], *fields["known"], *fields["is_safe"])
        if n_hand != wanted or fresh != (0, 0, NOBODY, 0, 0, 0, 0, 0, 0) or any(fields["ruled_out"]):
            yield "n_hand", "not possible while the cards are dealt"
    elif fields["out"] != NOBODY:
        if drawer != NOBODY or max(n_hand) > 1:
            yield "out", "the round is over, but somebody still draws or plays"
    elif drawer != NOBODY:
        # The turn begins (one card each), or a Prince has made the drawer discard.
        if dealt >= N_CARDS or n_hand not in ([1, 1], [0, 1] if drawer == 0 else [1, 0]):
            yield "drawer", "nobody can draw there"
        elif n_hand == [1, 1] and drawer != seat:
            yield "drawer", "the seat whose turn it is has to draw"
    elif n_hand[1 - seat] != 1 or n_hand[seat] not in (1, 2) or (n_hand[seat] == 1 and dealt < N_CARDS):
        yield "n_hand", f"{n_hand} cards are not possible in a turn of seat {seat}"


def _wrong_seat(fields: Any, owner: int, seat: int | None) -> Any:
    """Check the cards of one seat, in the truth or as another seat sees them."""
    hand, n_hand = fields["hands"][2 * owner : 2 * owner + 2], fields["n_hand"][owner]
    known, banned = fields["known"][owner], fields["ruled_out"][9 * owner : 9 * owner + 9]
    is_shown = seat in (None, owner)
    wanted = [n_hand > 0 and (is_shown or known > 0), n_hand > 1 and is_shown]
    if [card > 0 for card in hand] != wanted:
        yield "hands", f"the cards of seat {owner} are {list(hand)}, which is impossible"
    if known and known != hand[0]:
        yield "known", f"seat {owner} does not hold {NAMES[known]}"
    if banned[0] or banned[hand[0]]:
        yield "ruled_out", f"seat {owner} holds a card that is ruled out"
    played, n_played = fields["played"][16 * owner : 16 * owner + 16], fields["n_played"][owner]
    if [card > 0 for card in played] != [i < n_played for i in range(16)]:
        yield "played", f"seat {owner} has played {n_played} cards"
