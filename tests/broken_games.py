"""Games that break a promise of their contract, each in one way, for tests of the errors that follow."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import aiplay

HIDDEN = -1


class Deal(NamedTuple):
    card: int  # 0 .. 9, HIDDEN in a view, 10 before the deal
    moves: tuple[int, ...]


class Card(aiplay.PythonGame):
    """Chance lays a card face down; two seats, who cannot see it, choose a number each. Keeps its contract."""

    name = "card"
    seats, max_moves, max_depth = 2, 10, 8
    cooperative = False
    LENGTH = 4

    def setup(self) -> Deal:
        return Deal(10, ())

    def to_move(self, state):
        if state.card == 10:
            return self.CHANCE
        return self.TERMINAL if len(state.moves) == self.LENGTH else len(state.moves) % 2

    def chance_outcomes(self, state):
        return [(card, 0.1) for card in range(10)]

    def legal_moves(self, state) -> Any:
        return [0, 1, 2]

    def play(self, state, move):
        if state.card == 10:
            return Deal(move, ())
        return Deal(state.card, (*state.moves, move))

    def returns(self, state):
        own = sum(state.moves[0::2]) % 3 / 2
        return [own, 1 - own]

    def perceive(self, state, move, seat):
        return None if state.card == 10 else move

    def conceal(self, state, seat):
        return state if state.card == 10 else Deal(HIDDEN, state.moves)

    def determinise(self, view, seat, stream):
        return Deal(stream.below(10), view.moves) if view.card == HIDDEN else view


class MovesOfTheCard(Card):
    """The legal moves depend on the card: a view has the moves of none."""

    name = "moves_of_the_card"

    def legal_moves(self, state):
        return range(10 * state.card + 10, 10 * state.card + 20)


class OneMoveMore(Card):
    """Only one card of ten adds a move."""

    name = "one_move_more"

    def legal_moves(self, state):
        return [0, 1, 2, 3] if state.card == 7 else [0, 1, 2]


class TurnOfTheCard(Card):
    """Who is to move depends on the card."""

    name = "turn_of_the_card"

    def to_move(self, state):
        usual = super().to_move(state)
        return 1 - usual if usual >= 0 and state.card == 7 else usual


class OverByTheCard(Card):
    """The end of the game depends on the card."""

    name = "over_by_the_card"

    def to_move(self, state):
        return self.TERMINAL if state.card == 7 else super().to_move(state)


class LuckyPlay(aiplay.PythonGame):
    """`play` rolls a die itself: the same move leads to different positions."""

    name = "lucky_play"
    seats, max_moves, max_depth = 2, 6, 10

    def setup(self) -> tuple[int, ...]:
        return (3,)

    def to_move(self, state):
        return self.TERMINAL if len(state) == 6 else len(state) % 2

    def legal_moves(self, state):
        return range(state[-1], state[-1] + 3)

    def play(self, state, move):
        results = {move: (*state, random.randrange(1000)) for move in self.legal_moves(state)}
        return results[move]

    def returns(self, state):
        return [state[-1] % 2, 1 - state[-1] % 2]
