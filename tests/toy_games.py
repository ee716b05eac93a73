"""Two small correct games in Python, for tests to play and to break."""

from typing import NamedTuple

import aiplay
from aiplay.options import Option

CARDS = 4
HIDDEN = -1


class Hands(NamedTuple):
    cards: tuple[int, ...]  # dealt so far; HIDDEN in a view
    bids: tuple[int, ...]  # made so far


class Bidding(aiplay.PythonGame):
    """Each seat gets one of four cards, hidden, and bids once; the higher card wins the smaller of the two bids."""

    name = "bidding"
    max_moves, max_depth = 4, 4
    OPTIONS = (Option("most", 2, "the highest bid", low=1, high=3),)

    def setup(self) -> Hands:
        return Hands((), ())

    def to_move(self, state):
        if len(state.cards) < 2:
            return self.CHANCE
        return len(state.bids) if len(state.bids) < 2 else self.TERMINAL

    def legal_moves(self, state):
        return range(self.options["most"] + 1)

    def chance_outcomes(self, state):
        left = [card for card in range(CARDS) if card not in state.cards]
        return [(card, 1 / len(left)) for card in left]

    def play(self, state, move):
        if len(state.cards) < 2:
            return state._replace(cards=(*state.cards, move))
        return state._replace(bids=(*state.bids, move))

    def returns(self, state):
        stake = min(state.bids) / self.options["most"]
        return [stake, 0.0] if state.cards[0] > state.cards[1] else [0.0, stake]

    def perceive(self, state, move, seat):
        return move if len(state.cards) in (seat, 2) else None

    def conceal(self, state, seat):
        return state._replace(cards=tuple(c if s == seat else HIDDEN for s, c in enumerate(state.cards)))

    def determinise(self, view, seat, stream):
        left = stream.shuffled(card for card in range(CARDS) if card not in view.cards)
        return view._replace(cards=tuple(left.pop() if card == HIDDEN else card for card in view.cards))

    def evaluate(self, state):
        return [0.4, 0.6]


class Matches(aiplay.PythonGame):
    """Take one or two of five matches; nothing is hidden, nothing is random."""

    name = "matches"
    max_moves, max_depth = 2, 5

    def setup(self) -> tuple[int, int]:
        return (5, 0)

    def to_move(self, state):
        return state[1] if state[0] else self.TERMINAL

    def legal_moves(self, state):
        return range(1, min(state[0], 2) + 1)

    def play(self, state, move):
        return (state[0] - move, 1 - state[1])

    def returns(self, state):
        return [state[1], 1 - state[1]]
