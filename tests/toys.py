"""Small games with known values: each one asks a search a single question."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import aiplay
from aiplay.options import Option

HIDDEN = -1


class Guess(NamedTuple):
    card: int  # 0 or 1, HIDDEN in a view
    moves: tuple[int, ...]  # of the seats, so far


class HiddenCard(aiplay.PythonGame):
    """Base of the games around one hidden card: chance lays it face down, nobody sees it."""

    name = "hidden_card"
    seats, max_moves, max_depth = 1, 3, 4

    def setup(self) -> Guess:
        return Guess(2, ())

    def chance_outcomes(self, state):
        return [(0, 0.5), (1, 0.5)]

    def play(self, state, move):
        return Guess(move, ()) if state.card == 2 else Guess(state.card, (*state.moves, move))

    def perceive(self, state, move, seat):
        return None if state.card == 2 else move

    def conceal(self, state, seat):
        return state if state.card == 2 else Guess(HIDDEN, state.moves)

    def determinise(self, view, seat, stream):
        return Guess(stream.below(2), view.moves) if view.card == HIDDEN else view


class LookOrGuess(HiddenCard):
    """Guess the card (moves 0, 1) for 1, or pay 0.1 to look at it (move 2) first: worth 0.9 with a look, else 0.5."""

    name = "look_or_guess"
    LOOK = 2

    def to_move(self, state):
        if state.card == 2:
            return self.CHANCE
        return self.TERMINAL if state.moves and state.moves[-1] != self.LOOK else 0

    def legal_moves(self, state):
        return [0, 1] if state.moves else [0, 1, self.LOOK]

    def returns(self, state):
        return [(1.0 if len(state.moves) == 1 else 0.9) * (state.moves[-1] == state.card)]

    def perceive(self, state, move, seat):
        if state.card != 2 and move == self.LOOK:
            return 10 + state.card
        return super().perceive(state, move, seat)

    def conceal(self, state, seat):
        return state if self.LOOK in state.moves else super().conceal(state, seat)


class SafeOrGuess(HiddenCard):
    """Take 0.7 (move 0), or go on (move 1) and guess the card: each world on its own would win, half of them do."""

    name = "safe_or_guess"

    def to_move(self, state):
        if state.card == 2:
            return self.CHANCE
        return self.TERMINAL if len(state.moves) == 2 or state.moves == (0,) else 0

    def legal_moves(self, state):
        return [0, 1]

    def returns(self, state):
        return [0.7 if state.moves == (0,) else float(state.moves[1] == state.card)]


class OthersGuess(SafeOrGuess):
    """The same for the second of two seats; the first one, which never moves, gets the rest."""

    name = "others_guess"
    seats = 2

    def to_move(self, state):
        seat = super().to_move(state)
        return 1 if seat == 0 else seat

    def returns(self, state):
        (value,) = super().returns(state)
        return [1 - value, value]


class LookElsewhere(aiplay.PythonGame):
    """Take 0.7 (move 0), or look at one card (move 1) and guess another, independent one."""

    name = "look_elsewhere"
    seats, max_moves, max_depth = 1, 4, 3
    FACE_DOWN = 4  # before the deal; after it 2 * (card to look at) + (card to guess)

    def setup(self) -> Guess:
        return Guess(self.FACE_DOWN, ())

    def to_move(self, state):
        if state.card == self.FACE_DOWN:
            return self.CHANCE
        return self.TERMINAL if len(state.moves) == 2 or state.moves == (0,) else 0

    def legal_moves(self, state):
        return [0, 1]

    def chance_outcomes(self, state):
        return [(card, 0.25) for card in range(4)]

    def play(self, state, move):
        if state.card == self.FACE_DOWN:
            return Guess(move, ())
        return Guess(state.card, (*state.moves, move))

    def returns(self, state):
        return [0.7 if state.moves == (0,) else float(state.moves[1] == state.card % 2)]

    def perceive(self, state, move, seat):
        if state.card == self.FACE_DOWN:
            return None
        return 10 + state.card // 2 if state.moves == () and move == 1 else move

    def conceal(self, state, seat):
        if state.card < 0 or state.card == self.FACE_DOWN:
            return state
        return Guess(HIDDEN if state.moves[:1] != (1,) else HIDDEN - 1 - state.card // 2, state.moves)

    def determinise(self, view, seat, stream):
        if view.card >= 0:
            return view
        seen = stream.below(2) if view.card == HIDDEN else HIDDEN - 1 - view.card
        return Guess(2 * seen + stream.below(2), view.moves)


class Pennies(aiplay.PythonGame):
    """Matching pennies: seat 0 hides a coin, seat 1 wins if it guesses the side. Worth 0.5 to both."""

    name = "pennies"
    max_moves, max_depth = 2, 2

    def setup(self) -> tuple[int, ...]:  # the moves so far
        return ()

    def to_move(self, state):
        return len(state) if len(state) < 2 else self.TERMINAL

    def legal_moves(self, state):
        return [0, 1]

    def play(self, state, move):
        return (*state, move)

    def returns(self, state):
        return [float(state[0] != state[1]), float(state[0] == state[1])]

    def perceive(self, state, move, seat):
        return move if seat == len(state) or len(state) == 1 else None

    def conceal(self, state, seat):
        return (HIDDEN,) if seat == 1 and len(state) == 1 else state

    def determinise(self, view, seat, stream):
        return (stream.below(2),) if view == (HIDDEN,) else view


class Kuhn(aiplay.PythonGame):
    """Kuhn poker: jack, queen, king, ante 1, one bet of 1. Moves: 0 pass, 1 bet. Worth -1/18 to seat 0."""

    name = "kuhn"
    max_moves, max_depth, min_return, max_return = 3, 5, -2.0, 2.0
    ENDS = ((0, 0), (1, 0), (1, 1), (0, 1, 0), (0, 1, 1))

    class State(NamedTuple):
        cards: tuple[int, ...]  # of the seats, HIDDEN in a view
        bets: tuple[int, ...]

    def setup(self) -> Kuhn.State:
        return self.State((), ())

    def to_move(self, state):
        if len(state.cards) < 2:
            return self.CHANCE
        return self.TERMINAL if state.bets in self.ENDS else len(state.bets) % 2

    def legal_moves(self, state):
        return [0, 1]

    def chance_outcomes(self, state):
        left = [card for card in range(3) if card not in state.cards]
        return [(card, 1 / len(left)) for card in left]

    def play(self, state, move):
        if len(state.cards) < 2:
            return state._replace(cards=(*state.cards, move))
        return state._replace(bets=(*state.bets, move))

    def returns(self, state):
        bets = state.bets
        if bets[-2:] == (1, 0):  # a bet that is answered by a pass wins the ante
            won = 1.0 if len(bets) == 2 else -1.0
        else:
            won = (1.0 if state.cards[0] > state.cards[1] else -1.0) * (1 + bets[-1])
        return [won, -won]

    def perceive(self, state, move, seat):
        return move if len(state.cards) in (seat, 2) else None

    def conceal(self, state, seat):
        return state._replace(cards=tuple(c if s == seat else HIDDEN for s, c in enumerate(state.cards)))

    def determinise(self, view, seat, stream):
        left = stream.shuffled(card for card in range(3) if card not in view.cards)
        return view._replace(cards=tuple(left.pop() if card == HIDDEN else card for card in view.cards))


class BestOfThree(aiplay.PythonGame):
    """One seat rolls a die up to three times and keeps the last roll: worth 14/3 with best play.

    A single roll is worth 7/2. With one more roll to come, 4 and more are kept: (4 + 5 + 6 + 3 * 7/2) / 6 = 17/4;
    with two, 5 and more: (5 + 6 + 4 * 17/4) / 6 = 14/3.
    """

    name = "best_of_three"
    seats, max_moves, max_depth, max_return = 1, 6, 6, 6.0
    KEEP, ROLL = 0, 1

    def setup(self) -> tuple[int, int, bool]:  # the last roll, rolls left, True before a roll
        return (0, 2, True)

    def to_move(self, state):
        return self.CHANCE if state[2] else self.TERMINAL if state[1] < 0 else 0

    def legal_moves(self, state):
        return [self.KEEP, self.ROLL] if state[1] else [self.KEEP]

    def chance_outcomes(self, state):
        return [(face, 1 / 6) for face in range(6)]

    def play(self, state, move):
        if state[2]:
            return (move + 1, state[1], False)
        return (state[0], state[1] - 1, True) if move == self.ROLL else (state[0], -1, False)

    def returns(self, state):
        return [float(state[0])]


class TreeGame(aiplay.PythonGame):
    """A game given as a tree: a leaf is a list of returns, a decision is (seat, [tree, ...]), chance is
    (-1, [tree, ...], [probability, ...]). A move is the number of a branch.
    """

    name = "tree"
    max_moves, max_depth = 8, 20
    TREE: Any = (0, [[0.0, 1.0], [1.0, 0.0]])

    def setup(self) -> tuple[int, ...]:  # branches taken so far
        return ()

    def at(self, state):
        tree = self.TREE
        for branch in state:
            tree = tree[1][branch]
        return tree

    def to_move(self, state):
        tree = self.at(state)
        return self.TERMINAL if isinstance(tree, list) else tree[0]

    def legal_moves(self, state):
        return range(len(self.at(state)[1]))

    def chance_outcomes(self, state):
        return list(enumerate(self.at(state)[2]))

    def play(self, state, move):
        return (*state, move)

    def returns(self, state):
        return self.at(state)


def exact_values(tree: Any) -> list[float]:
    """The values of a tree for every seat under best play (max^n; unique without ties)."""
    if isinstance(tree, list):
        return tree
    below = [exact_values(branch) for branch in tree[1]]
    if tree[0] >= 0:
        return max(below, key=lambda values: values[tree[0]])
    return [sum(p * v for p, v in zip(tree[2], seat, strict=True)) for seat in zip(*below, strict=True)]


class ThreeSeats(TreeGame):
    """max^n by hand: seat 2 takes the leaf that is better for it, seat 1 knows that, seat 0 knows both."""

    name = "three_seats"
    seats, max_depth = 3, 3
    TREE = (
        0,
        [
            (1, [(2, [[0.9, 0.1, 0.2], [0.1, 0.3, 0.6]]), (2, [[0.3, 0.5, 0.2], [0.8, 0.4, 0.1]])]),
            (1, [(2, [[0.4, 0.6, 0.5], [0.9, 0.9, 0.4]]), (2, [[1.0, 0.2, 0.3], [0.7, 0.1, 0.0]])]),
        ],
    )
    VALUES = (0.4, 0.6, 0.5)  # branches 1, 0, 0; branch 0 gives (0.3, 0.5, 0.2)


class Kingmaker(TreeGame):
    """Seat 2 has lost and decides between the others, so nothing is proven for them; branch 1 is a sure 0.4."""

    name = "kingmaker"
    seats, max_depth = 3, 2
    TREE = (0, [(2, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), [0.4, 0.4, 0.4]])


class Together(TreeGame):
    """Two seats win together: moves 2 and 3 are worth 1; move 0, which looks good at first, only 0.6."""

    name = "together"
    cooperative, max_depth = True, 2
    PAY = ((0.6, 0.6, 0.6, 0.6), (0.5, 0.1, 0.5, 0.1), (0.0, 0.0, 0.0, 1.0), (0.2, 0.7, 0.2, 0.2))
    TREE = (0, [(1, [[pay, pay] for pay in row]) for row in PAY])


class RandomTree(TreeGame):
    """A random tree with decisions of two seats and chance; zero-sum, so its value is unique."""

    name = "random_tree"
    OPTIONS = (
        Option("seed", 0, "seed of the tree", low=0, high=1_000_000),
        Option("chance", True, "with chance nodes"),
    )

    def configure(self):
        source = random.Random(self.options["seed"])
        self.TREE = (0, [self.grow(source, 4) for _ in range(3)])

    def grow(self, source, depth):
        if depth == 0 or source.random() < 0.1:
            value = source.random()
            return [value, 1.0 - value]
        branches = [self.grow(source, depth - 1) for _ in range(source.randint(2, 3))]
        if not self.options["chance"] or source.random() < 0.7:
            return (source.randint(0, 1), branches)
        weights = [source.random() + 0.1 for _ in branches]
        return (-1, branches, [weight / sum(weights) for weight in weights])
