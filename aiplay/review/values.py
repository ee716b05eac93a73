"""The referee's value of true positions: the scale on which luck and skill are measured.

    V(end of the game)    the returns, mapped to 0 .. 1
    V(choice)             any function of the state: `Leaf`
    V(chance or forced)   the mean of V at the ends of the run: the next choices of a seat, or ends of the game

A run is a series of chance outcomes and forced moves. A single outcome of chance is averaged over all possible ones;
so are runs with few ends. Of other runs, some ends are sampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from aiplay._core.search.prospects import playout_values
from aiplay._core.stream import RandomStream, seed_below
from aiplay._core.typedefs import CHANCE
from aiplay.players.search import advised_cutoff

if TYPE_CHECKING:
    from aiplay._core.game import Game, State

__all__ = ["Leaf", "Referee", "Values", "by_evaluation", "by_playouts"]

Values: TypeAlias = tuple[float, ...]  # of every seat, 0 (worst return) .. 1 (best return)
Leaf: TypeAlias = "Callable[[State], Sequence[float]]"

MOST_ENDS = 64  # ends of a run that are all valued; of more, as many are sampled
LONGEST = 64  # moves of a run; a longer one ends at its next forced move
STREAM = int.from_bytes(
    b"referee", "big"
)  # keeps the sampled outcomes apart from those of tables and players


def by_evaluation(state: State) -> Sequence[float]:
    """Return the game's evaluation of a state."""
    return state.evaluate()


def by_playouts(game: Game, n: int, seed: int) -> Leaf:
    """Return a value by n playouts of the game's policy, in which every seat goes on by what it knows."""
    cutoff = advised_cutoff(game)
    has_no_noise = cutoff == 0  # the evaluation decides at once

    def leaf(state: State) -> Sequence[float]:
        return playout_values(state, 1 if has_no_noise else n, cutoff, seed)

    return leaf


class Referee:
    """Values true positions, each only once."""

    def __init__(self, game: Game, leaf: Leaf, seed: int = 0) -> None:
        self.game = game
        self._leaf = leaf
        self._seed = seed_below(seed, STREAM)
        self._known: dict[State, Values] = {}

    def value(self, state: State) -> Values:
        """Return the value of a position for every seat."""
        if (found := self._known.get(state)) is None:
            found = self._known[state.copy()] = self._find(state)
        return found

    def after(self, state: State, move: int) -> Values:
        """Return the value of the position after a move."""
        return self.value(_played(state, move))

    def _find(self, state: State) -> Values:
        return self._end(state) if _is_choice(state) or state.is_over else self._expected(state)

    def _end(self, state: State) -> Values:
        if not state.is_over:
            return tuple(self._leaf(state))
        low, high = self.game.min_return, self.game.max_return
        return tuple((got - low) / (high - low) for got in state.returns())

    def _expected(self, state: State) -> Values:
        """Return the mean value after a run: exact for a single outcome of chance, and for runs with few ends."""
        ends = _all_ends(state)
        if ends is None:
            stream = RandomStream(self._seed)  # the same numbers in every position
            ends = [(1 / MOST_ENDS, _sampled_end(state, stream)) for _ in range(MOST_ENDS)]
        found = [(weight, self._valued(end)) for weight, end in ends]
        return tuple(
            math.fsum(weight * values[seat] for weight, values in found) for seat in range(self.game.seats)
        )

    def _valued(self, end: State) -> Values:
        if (found := self._known.get(end)) is None:
            found = self._end(end)
            if _is_choice(end):
                self._known[end] = found
        return found


def _is_choice(state: State) -> bool:
    """True if a seat has at least two moves."""
    return state.to_move >= 0 and len(state.legal_moves()) > 1


def _all_ends(state: State) -> list[tuple[float, State]] | None:
    """Return the ends of a run with their probabilities; None if there are too many, or the run is too long."""
    states = [(1.0, state)]
    for _ in range(LONGEST):
        is_single = len(states) == 1
        states = [branch for entry in states for branch in _branches(*entry)]
        if all(end.is_over or _is_choice(end) for _, end in states):
            return states if is_single or len(states) <= MOST_ENDS else None
        if len(states) > MOST_ENDS:
            return None
    return None


def _branches(weight: float, state: State) -> list[tuple[float, State]]:
    """Return what may follow a position within its run."""
    if state.is_over or _is_choice(state):
        return [(weight, state)]
    if state.to_move != CHANCE:
        return [(weight, _played(state, state.legal_moves()[0]))]
    return [(weight * p, _played(state, outcome)) for outcome, p in state.chance_outcomes()]


def _sampled_end(state: State, stream: RandomStream) -> State:
    """Return an end of a run; a long run ends at a forced move."""
    after, n = state.copy(), 0
    while after.to_move == CHANCE or not (after.is_over or _is_choice(after) or n >= LONGEST):
        if after.to_move == CHANCE:
            after.play_chance(stream)
        else:
            after.play(after.legal_moves()[0])
        n += 1
    return after


def _played(state: State, move: int) -> State:
    after = state.copy()
    after.play(move)
    return after
