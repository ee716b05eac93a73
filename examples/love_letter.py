"""Love Letter for two seats, a game written in Python with hidden cards, chance, scenes and an evaluation.

The rules are in love_letter.md. One round is a game. docs/guides/game.md builds this file step by step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import aiplay
from aiplay.catalogue import Entry
from aiplay.errors import InvalidStateError
from aiplay.parts import Verb
from aiplay.scene import Scene

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
NAMES = ("?", "Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess")
COPIES = {GUARD: 5, PRIEST: 2, BARON: 2, HANDMAID: 2, PRINCE: 2, KING: 1, COUNTESS: 1, PRINCESS: 1}
EFFECTS = {
    GUARD: "Name a card other than the Guard; if the other seat holds it, that seat is out.",
    PRIEST: "Look at the other hand.",
    BARON: "Compare hands in secret; the lower card is out.",
    HANDMAID: "Until your next turn, cards of the other seat have no effect on you.",
    PRINCE: "A seat discards its hand and draws a new card.",
    KING: "Exchange hands.",
    COUNTESS: "No effect. Has to be played if the other card in hand is the King or a Prince.",
    PRINCESS: "Whoever plays or discards it is out.",
}
HIDDEN, NOBODY = 0, -1
N_SHOWN, N_DEALT, N_CARDS = (
    3,
    6,
    16,
)  # cards face up at the start; cards dealt before the first turn; all cards
SELF, OTHER = 1, 2  # targets of a Prince

Pair = tuple[tuple[int, ...], tuple[int, ...]]


class Letter(NamedTuple):
    dealt: int = 0  # cards that have left the deck
    aside: int = HIDDEN  # the card set aside face down
    shown: tuple[int, ...] = ()  # the cards set aside face up
    hands: Pair = ((), ())  # one card each; two for the seat whose turn it is; HIDDEN in a view
    played: Pair = ((), ())  # played and discarded cards of each seat, in order
    seat: int = 0  # whose turn it is
    drawer: int = 0  # the seat that draws a card now, or NOBODY
    is_safe: tuple[bool, bool] = (False, False)  # protected by a Handmaid
    out: int = NOBODY  # the seat that is out
    known: tuple[int, int] = (HIDDEN, HIDDEN)  # the card of each seat that the other one has seen
    ruled_out: Pair = ((), ())  # cards that each seat does not hold


def replaced(pair, seat, item):
    """Return a pair with the entry of one seat replaced."""
    return (item, pair[1]) if seat == 0 else (pair[0], item)


class LoveLetterScene(Scene):
    """The table by names; None is hidden."""

    deck: int
    face_up: list[str]
    hands: list[list[str | None]]
    played: list[list[str]]
    turn: int
    safe: list[bool]
    aside: str | None = None  # the card that was set aside face down
    seen: tuple[str | None, str | None] = (None, None)  # the card of each seat that the other one has seen
    ruled_out: tuple[tuple[str, ...], tuple[str, ...]] = (
        (),
        (),
    )  # cards that each seat does not hold, as everybody knows


class LoveLetter(aiplay.PythonGame):
    """Play one of two cards; be the last seat, or hold the highest card when the deck is empty."""

    name = "love_letter"
    seats, max_moves, max_depth = 2, 9, 30
    move_space, chance_space = 100 * PRINCESS + 1, PRINCESS + 1
    VERBS: ClassVar[Mapping[str, Verb]] = {
        "play": Verb("{card}", "Play a card without a choice."),
        "guess": Verb("Guard: {guess}", "Play a Guard and name a card."),
        "discard": Verb("Prince: {who}", "Play a Prince on a seat."),
        "draw": Verb("draw {card}", "A card is dealt or drawn."),
    }

    # ---- The rules -------------------------------------------------------------------------------------------

    def setup(self) -> Letter:
        return Letter()

    def to_move(self, state):
        if state.out != NOBODY:
            return self.TERMINAL
        if state.dealt < N_DEALT or state.drawer != NOBODY:
            return self.CHANCE
        return state.seat if len(state.hands[state.seat]) == 2 else self.TERMINAL

    def chance_outcomes(self, state):
        deck = unseen(state)
        return [(card, deck[card] / deck.total()) for card in sorted(deck)]

    def legal_moves(self, state):
        hand = state.hands[state.seat]
        if COUNTESS in hand and (KING in hand or PRINCE in hand):
            return [100 * COUNTESS]
        is_open = not state.is_safe[1 - state.seat]
        return sorted(100 * card + choice for card in set(hand) for choice in choices(card, is_open))

    def play(self, state, move):
        if state.dealt < N_DEALT:
            return deal(state, move)
        if state.drawer != NOBODY:
            return draw(state, move)
        card, choice = divmod(move, 100)
        return next_turn(act(lay_down(state, card), card, choice))

    def returns(self, state):
        if state.out != NOBODY:
            return [float(seat != state.out) for seat in (0, 1)]
        keys = [(hand[0], sum(played)) for hand, played in zip(state.hands, state.played, strict=True)]
        return [0.5, 0.5] if keys[0] == keys[1] else [float(keys[0] > keys[1]), float(keys[1] > keys[0])]

    # ---- Who knows what --------------------------------------------------------------------------------------

    def perceive(self, state, move, seat):
        if state.dealt < N_DEALT:
            is_seen = 1 <= state.dealt <= N_SHOWN or state.dealt == 1 + N_SHOWN + seat
            return move if is_seen else None
        if state.drawer != NOBODY:
            return move if state.drawer == seat else None
        return move + 1000 * revealed(state, move, seat)

    def conceal(self, state, seat):
        other = 1 - seat
        known = state.known[other]
        hand = tuple(known if i == 0 else HIDDEN for i in range(len(state.hands[other])))
        return state._replace(aside=HIDDEN, hands=replaced(state.hands, other, hand))

    def determinise(self, view, seat, stream):
        if view.dealt == 0:
            return view
        other = 1 - seat
        cards = sorted(unseen(view).elements())
        hand = list(view.hands[other])
        for i, card in enumerate(hand):
            if card == HIDDEN:  # the first card may be ruled out; a second one has just been drawn
                banned = view.ruled_out[other] if i == 0 else ()
                hand[i] = stream.choice([card for card in cards if card not in banned])
                cards.remove(hand[i])
        aside = stream.choice(cards) if has_aside(view) else HIDDEN
        return view._replace(aside=aside, hands=replaced(view.hands, other, tuple(hand)))

    # ---- For search ------------------------------------------------------------------------------------------

    playout_depth = (
        aiplay.PythonGame.PLAY_TO_THE_END
    )  # a round is short: its end tells more than the estimate

    def evaluate(self, state):
        best = [max(hand, default=0) for hand in state.hands]
        share = 0.5 + 0.04 * (best[0] - best[1])
        return [share, 1 - share]

    # ---- For people ------------------------------------------------------------------------------------------

    def move_parts(self, position, move):
        if position.to_move == self.CHANCE:
            return {"verb": "draw", "card": NAMES[move]}
        card, choice = divmod(move, 100)
        if card == GUARD and choice:
            return {"verb": "guess", "card": NAMES[card], "guess": NAMES[choice]}
        if card == PRINCE:
            return {"verb": "discard", "card": NAMES[card], "who": "self" if choice == SELF else "other"}
        return {"verb": "play", "card": NAMES[card]}

    def render(self, position):
        scene = self.scene_of(position)
        seats = [
            f"seat {seat}: {', '.join(card or '?' for card in hand) or '-'} | played: {', '.join(played) or '-'}"
            for seat, (hand, played) in enumerate(zip(scene.hands, scene.played, strict=True))
        ]
        return "\n".join([*seats, f"deck: {scene.deck}, face up: {', '.join(scene.face_up) or '-'}"])

    def scene_type(self):
        return LoveLetterScene

    def scene_of(self, position):
        state = position.fields
        return LoveLetterScene(
            deck=max(0, N_CARDS - state.dealt),
            face_up=named(state.shown),
            hands=[named(hand) for hand in state.hands],
            played=[named(cards) for cards in state.played],
            turn=state.seat,
            safe=list(state.is_safe),
            aside=named([state.aside])[0],
            seen=tuple(named(state.known)),
            ruled_out=tuple(tuple(named(cards)) for cards in state.ruled_out),
        )

    def fields_of_scene(self, scene, seat):
        state = Letter(
            dealt=N_CARDS - scene.deck,
            aside=numbered([scene.aside])[0],
            shown=numbered(scene.face_up),
            hands=tuple(numbered(hand) for hand in scene.hands),
            played=tuple(numbered(cards) for cards in scene.played),
            seat=scene.turn,
            drawer=NOBODY,
            is_safe=tuple(scene.safe),
            known=numbered(scene.seen),
            ruled_out=tuple(numbered(cards) for cards in scene.ruled_out),
        )
        for card, count in lying(state).items():
            if count > COPIES[card]:
                raise InvalidStateError(f"the scene: {count} times {NAMES[card]}; allowed: {COPIES[card]}")
        return state if seat is None else self.conceal(state, seat)

    def things(self):
        return {
            "card": [
                Entry(name=NAMES[card], about=EFFECTS[card], facts={"value": card, "copies": copies})
                for card, copies in COPIES.items()
            ]
        }


# ---- The effects of moves ------------------------------------------------------------------------------------


def named(cards):
    """Return the names of cards, None for hidden ones."""
    return [NAMES[card] if card else None for card in cards]


def numbered(names):
    """Return the cards with these names; None is hidden."""
    for name in names:
        if name is not None and name not in NAMES[1:]:
            raise InvalidStateError(f"the scene: no card is called {name!r}; allowed: {', '.join(NAMES[1:])}")
    return tuple(HIDDEN if name is None else NAMES.index(name) for name in names)


def lying(state):
    """Count the cards that lie somewhere in this state or view."""
    cards = Counter((state.aside, *state.shown, *sum(state.hands + state.played, ())))
    del cards[HIDDEN]
    return cards


def unseen(state):
    """Return the cards that lie nowhere in this state or view: for a state the deck, for a view all that is hidden."""
    return Counter(COPIES) - lying(state)


def has_aside(state):
    """True if the card that was set aside is still there: it is the last to go, to a Prince."""
    return state.dealt <= N_CARDS


def choices(card, is_open):
    """Return the numbers of a card's choices: guesses of a Guard, targets of a Prince, 0 for every other card."""
    if card == GUARD and is_open:
        return range(PRIEST, PRINCESS + 1)
    if card == PRINCE:
        return (SELF, OTHER) if is_open else (SELF,)
    return (0,)


def deal(state, card):
    """Set one card aside, show three, give one to each seat."""
    state = state._replace(dealt=state.dealt + 1)
    if state.dealt == 1:
        return state._replace(aside=card)
    if state.dealt <= 1 + N_SHOWN:
        return state._replace(shown=(*state.shown, card))
    return state._replace(hands=replaced(state.hands, state.dealt - 2 - N_SHOWN, (card,)))


def draw(state, card):
    """Let a seat draw; after a Prince, the turn then goes on."""
    hand = (*state.hands[state.drawer], card)
    state = state._replace(dealt=state.dealt + 1, hands=replaced(state.hands, state.drawer, hand))
    is_turn = len(hand) == 2
    return state._replace(drawer=NOBODY) if is_turn else next_turn(state._replace(drawer=NOBODY))


def lay_down(state, card):
    """Move a card from the hand of the seat to those that it has played."""
    seat = state.seat
    hand = list(state.hands[seat])
    hand.remove(card)
    known = HIDDEN if state.known[seat] == card else state.known[seat]
    return state._replace(
        hands=replaced(state.hands, seat, tuple(hand)),
        played=replaced(state.played, seat, (*state.played[seat], card)),
        known=replaced(state.known, seat, known),
        ruled_out=replaced(state.ruled_out, seat, (COUNTESS,) if card in (PRINCE, KING) else ()),
        is_safe=replaced(state.is_safe, seat, card == HANDMAID),
        out=seat if card == PRINCESS else NOBODY,
    )


def act(state, card, choice):
    """Carry out the effect of a card that has been laid down."""
    seat, other = state.seat, 1 - state.seat
    if card == PRINCE:
        return discard(state, seat if choice == SELF else other)
    if state.is_safe[other] or card not in (GUARD, PRIEST, BARON, KING):
        return state
    mine, theirs = state.hands[seat][0], state.hands[other][0]
    if card == GUARD:
        if theirs == choice:
            return state._replace(out=other)
        return state._replace(ruled_out=replaced(state.ruled_out, other, (*state.ruled_out[other], choice)))
    if card == PRIEST:
        return state._replace(known=replaced(state.known, other, theirs))
    if card == BARON:
        if mine == theirs:
            return state._replace(known=(mine, mine))
        return state._replace(out=seat if mine < theirs else other)
    hands = replaced(replaced(state.hands, seat, (theirs,)), other, (mine,))
    return state._replace(hands=hands, known=(hands[0][0], hands[1][0]), ruled_out=((), ()))


def discard(state, target):
    """Let a seat discard its hand and draw again: from the deck, or the card that was set aside."""
    card = state.hands[target][0]
    state = state._replace(
        hands=replaced(state.hands, target, ()),
        played=replaced(state.played, target, (*state.played[target], card)),
        known=replaced(state.known, target, HIDDEN),
        ruled_out=replaced(state.ruled_out, target, ()),
        out=target if card == PRINCESS else NOBODY,
    )
    if state.out != NOBODY or state.dealt < N_CARDS:
        return state._replace(drawer=target if state.out == NOBODY else NOBODY)
    hands = replaced(state.hands, target, (state.aside,))
    return state._replace(hands=hands, aside=HIDDEN, dealt=state.dealt + 1)


def next_turn(state):
    """Pass the turn, unless somebody still draws or the round is over."""
    if state.drawer != NOBODY or state.out != NOBODY:
        return state
    seat = 1 - state.seat
    drawer = seat if state.dealt < N_CARDS else NOBODY
    return state._replace(seat=seat, drawer=drawer, is_safe=replaced(state.is_safe, seat, False))


def revealed(state, move, seat):
    """Return the card that a move shows a seat, besides the move itself; 0 for none."""
    card, choice = divmod(move, 100)
    mine = kept(state.hands[state.seat], card)
    theirs = state.hands[1 - state.seat][0]
    if card == PRINCE:
        return mine if choice == SELF else theirs
    if state.is_safe[1 - state.seat]:
        return 0
    if card == GUARD:
        return choice if theirs == choice else 0
    if card == PRIEST:
        return theirs if seat == state.seat else 0
    if card in (BARON, KING):
        return theirs if seat == state.seat else mine
    return 0


def kept(hand, card):
    """Return the card of two that is not played."""
    return hand[1] if hand[0] == card else hand[0]


if __name__ == "__main__":
    table = aiplay.Table(LoveLetter(), seed=3)
    players = [aiplay.make_player("mcts:iterations=500", seed=1), aiplay.make_player("random", seed=1)]
    while not table.over:
        seat = table.to_move
        table.play(players[seat].choose(table.view(seat)))
        print(f"seat {seat} ({players[seat].name}) plays {table.events()[-1].text}")
    print(table)
    print("returns:", table.returns())
