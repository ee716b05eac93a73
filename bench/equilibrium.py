"""Exact values where two seats hide something from each other: Leduc poker as a linear programme.

The game begins with the position: hands are dealt at random among those that fit what lies open, and the bets so far
tell nothing about them. From there on both seats play an equilibrium of this game, computed in sequence form (Koller,
Megiddo and von Stengel, 1996). The value of a move is what the seat gets with its own card if it makes the move, plays
on as well as it can, and the other seat plays its equilibrium strategy.

There may be many equilibria. So the value is bounded over all of them, and a position in which the bounds differ has
no exact value. Needs scipy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations, product

import numpy as np
from enumeration import NotExactError, after, normalised, plain_fields, state_of
from numpy.typing import NDArray
from scipy.optimize import linprog

import aiplay
from aiplay import CHANCE, TERMINAL

Seen = tuple[int, ...]  # everything that a seat has noticed: its own card, what lay open, the moves
Sequence = (
    tuple[Seen, int] | None
)  # the last decision of a seat, with all before it; None: it has not decided yet
SLACK = 1e-11  # how far from the value of the game an equilibrium may be, in linear programmes
DIGITS = 6  # of values that are certain
MOST_PLANS = 5000


@dataclass
class Leaf:
    """An end of the game."""

    chance: float
    value: float  # of the seat that is asked
    sequences: tuple[Sequence, Sequence]  # that lead there: of the seat that is asked, of the other


@dataclass
class SequenceForm:
    """All ends of the game, and the decisions of each side: the seat that is asked is side 0."""

    seat: int
    leaves: list[Leaf] = field(default_factory=list)
    # By what a side has seen: its decision before, and its moves.
    parents: tuple[dict[Seen, Sequence], dict[Seen, Sequence]] = field(default_factory=lambda: ({}, {}))
    moves: tuple[dict[Seen, list[int]], dict[Seen, list[int]]] = field(default_factory=lambda: ({}, {}))

    def walk(
        self, state: aiplay.State, chance: float, seen: tuple[Seen, Seen], last: tuple[Sequence, Sequence]
    ) -> None:
        """Add everything below a state."""
        if state.to_move == TERMINAL:
            self.leaves.append(Leaf(chance, normalised(state)[self.seat], last))
        elif state.to_move == CHANCE:
            for card, p in state.chance_outcomes():
                rank = card // 2  # suits mean nothing
                self.walk(after(state, card), chance * p, ((*seen[0], rank), (*seen[1], rank)), last)
        else:
            side = int(state.to_move != self.seat)
            mine = seen[side]
            self.parents[side][mine] = last[side]
            self.moves[side][mine] = state.legal_moves()
            for move in state.legal_moves():
                sequences = ((mine, move), last[1]) if side == 0 else (last[0], (mine, move))
                self.walk(after(state, move), chance, ((*seen[0], move), (*seen[1], move)), sequences)

    @cached_property
    def sequences(self) -> tuple[list[Sequence], list[Sequence]]:
        """All sequences of each side; None is the first."""
        first, second = (
            [None, *((seen, move) for seen in found for move in found[seen])] for found in self.moves
        )
        return first, second

    @cached_property
    def number(self) -> tuple[dict[Sequence, int], dict[Sequence, int]]:
        first, second = ({one: i for i, one in enumerate(found)} for found in self.sequences)
        return first, second

    @cached_property
    def payoffs(self) -> NDArray[np.float64]:
        """Payoffs of the seat: rows are its own sequences, columns those of the other."""
        matrix = np.zeros([len(found) for found in self.sequences])
        for leaf in self.leaves:
            row, column = (self.number[side][leaf.sequences[side]] for side in (0, 1))
            matrix[row, column] += leaf.chance * leaf.value
        return matrix

    def plan_rows(self, side: int) -> NDArray[np.float64]:
        """Rows that make numbers a strategy: the first is 1 for None, the others split the weight before a decision."""
        number, decisions = self.number[side], self.moves[side]
        rows = np.zeros((1 + len(decisions), len(number)))
        rows[0, 0] = 1
        for row, (seen, moves) in enumerate(decisions.items(), 1):
            rows[row, number[self.parents[side][seen]]] = -1
            for move in moves:
                rows[row, number[seen, move]] = 1
        return rows


class Equilibrium:
    """All strategies of the other side that hold the seat to the value of the game."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        mine, theirs = form.plan_rows(0), form.plan_rows(1)
        self.n_strategy, n_values = theirs.shape[1], mine.shape[0]
        # Variables: the other side's strategy, and what each decision of the seat is worth (the first one: the game).
        # No sequence of the seat is worth more than that: payoffs @ strategy <= mine.T @ values.
        self._at_most = np.hstack([form.payoffs, -mine.T])
        self._equal = np.hstack([theirs, np.zeros((theirs.shape[0], n_values))])
        self._bounds: list[tuple[float | None, float | None]] = [(0, 1)] * self.n_strategy
        self._bounds += [(None, None)] * n_values
        goal = np.zeros(n_values)
        goal[0] = 1
        self.value = self._minimum(np.concatenate([np.zeros(self.n_strategy), goal]))
        self._bounds[self.n_strategy] = (None, self.value + SLACK)

    def _minimum(self, goal: NDArray[np.float64]) -> float:
        right = np.eye(1, len(self._equal))[0]
        done = linprog(goal, self._at_most, np.zeros(len(self._at_most)), self._equal, right, self._bounds)
        if not done.success:
            raise NotExactError(f"the linear programme has no solution: {done.message}")
        return float(done.fun)

    def range_of(self, payoffs: NDArray[np.float64]) -> tuple[float, float]:
        """The least and the most that a plan of the seat is worth, by what each sequence of the other side pays."""
        goal = np.zeros(self._at_most.shape[1])
        goal[: self.n_strategy] = payoffs
        return self._minimum(goal), -self._minimum(-goal)

    def best_of(self, sequence: Sequence) -> tuple[float, float]:
        """Bounds of what the seat gets after a decision, times how likely it is, if it plays on as well as it can."""
        plans = list(self.plans(sequence))
        ranges = [self.range_of(plan) for plan in plans]
        return max(low for low, _ in ranges), max(high for _, high in ranges)

    def plans(self, sequence: Sequence) -> Iterator[NDArray[np.float64]]:
        """Payoffs of the sequences of the other side, for every way to play on after a decision."""
        form = self.form
        ends = form.payoffs[form.number[0][sequence]]
        following = [seen for seen, last in form.parents[0].items() if last == sequence]
        choices = [
            [plan for move in form.moves[0][seen] for plan in self.plans((seen, move))] for seen in following
        ]
        if math.prod(map(len, choices)) > MOST_PLANS:
            raise NotExactError(f"more than {MOST_PLANS} ways to play on")
        for chosen in product(*choices):
            yield ends + sum(chosen)


def equilibrium_values(state: aiplay.State) -> dict[int, float]:
    """The exact value of every legal move for the seat to move."""
    seat = state.to_move
    form = SequenceForm(seat)
    worlds = list(_deals(state))
    for world in worlds:
        seen = ((_rank(world, seat),), (_rank(world, 1 - seat),))
        form.walk(world, 1 / len(worlds), seen, (None, None))
    mine = (_rank(state, seat),)
    weight = sum(_rank(world, seat) == mine[0] for world in worlds) / len(worlds)
    equilibrium = Equilibrium(form)
    values = {}
    for move in state.legal_moves():
        low, high = (value / weight for value in equilibrium.best_of((mine, move)))
        if high - low > 10**-DIGITS:
            text = state.move_text(move)
            raise NotExactError(f"{text} is worth {low:.4f} to {high:.4f}: there are many equilibria")
        values[move] = round((low + high) / 2, DIGITS)
    return values


def _rank(state: aiplay.State, seat: int) -> int:
    return int(state.fields["hands"][seat]) // 2


def _deals(state: aiplay.State) -> Iterator[aiplay.State]:
    """The position with all hands that fit what lies open."""
    fields = plain_fields(state)
    cards = [card for card in range(6) if card != fields["board"]]
    for hands in permutations(cards, 2):
        yield state_of(state.game, {**fields, "hands": list(hands)})
