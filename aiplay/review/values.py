"""The referee's value of true positions: the scale on which luck and skill are measured.

    V(end of the game)    the returns, mapped to 0 .. 1
    V(choice)             any function of the state: `Leaf`
    V(chance or forced)   the mean of V at the ends of the run: the next choices of a seat, or ends of the game

A run is a series of chance outcomes and forced moves. A single outcome of chance is averaged over all possible ones;
so are runs with few ends. Of other runs, some ends are sampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from aiplay._core.search.prospects import play_run, playout_values
from aiplay._core.stream import RandomStream, seed_below
from aiplay._core.typedefs import CHANCE
from aiplay.players.search import advised_cutoff

if TYPE_CHECKING:
    from aiplay._core.game import Game, State

__all__ = ["Leaf", "Referee", "Values", "by_evaluation", "by_playouts"]

Values: TypeAlias = tuple[float, ...]  # of every seat, 0 (worst return) .. 1 (best return)
Leaf: TypeAlias = "Callable[[State], Sequence[float]]"
Branches: TypeAlias = "list[tuple[float, State]]"  # what may follow, with probabilities

ENDS = 64  # of a run
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
    """Values true positions, each only once. `ends`: of a run, as many are all valued; of more, so many are sampled."""

    def __init__(self, game: Game, leaf: Leaf, seed: int = 0, ends: int = ENDS) -> None:
        self.game = game
        self._leaf = leaf
        self._ends = ends
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
        return self._end(state) if _is_end(state) else self._expected(state)

    def _end(self, state: State) -> Values:
        if not state.is_over:
            return tuple(self._leaf(state))
        low, high = self.game.min_return, self.game.max_return
        return tuple((got - low) / (high - low) for got in state.returns())

    def _expected(self, state: State) -> Values:
        """Return the mean value after a run: exact for a single outcome of chance, and for runs with few ends."""
        ends = _all_ends(state, self._ends)
        if ends is None:
            stream = RandomStream(self._seed)  # the same numbers in every position
            ends = [(1 / self._ends, _sampled_end(state, stream)) for _ in range(self._ends)]
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


def _all_ends(state: State, most: int) -> Branches | None:
    """Return the ends of a run with their probabilities; None if there are too many, or the run is too long."""
    states = [(1.0, state)]
    for _ in range(LONGEST):
        following = _following(states, most)
        if following is None:
            return None
        states, is_done = following
        if is_done:
            return states
    return None


def _following(states: Branches, most: int) -> tuple[Branches, bool] | None:
    """Return what may follow one move later, and True if all of it ends the run; None if that is too much.

    The outcomes of a single position may be many, if all of them end the run.
    """
    found: Branches = []
    is_done, is_single = True, len(states) == 1
    for entry in states:
        for weight, after in _branches(*entry):
            found.append((weight, after))
            is_done = is_done and _is_end(after)
            if len(found) > most and not (is_single and is_done):
                return None
    return found, is_done


def _branches(weight: float, state: State) -> Iterator[tuple[float, State]]:
    """Yield what may follow a position within its run."""
    if _is_end(state):
        yield weight, state
    elif state.to_move != CHANCE:
        yield weight, _played(state, state.legal_moves()[0])
    else:
        for outcome, p in state.chance_outcomes():
            yield weight * p, _played(state, outcome)


def _is_end(state: State) -> bool:
    """True if no run goes on from here."""
    return state.is_over or _is_choice(state)


def _sampled_end(state: State, stream: RandomStream) -> State:
    """Return an end of a run; a long run ends at a forced move."""
    after = state.copy()
    play_run(after, stream, LONGEST)
    return after


def _played(state: State, move: int) -> State:
    after = state.copy()
    after.play(move)
    return after
