"""Where the result came from: every change of value along a game, as luck, skill, or what the other seats did.

With V the referee's value (`values`), a game x_0, x_1 .. x_n changes the value of a seat by V(x_n) - V(x_0), which is
the sum of V(x_t+1) - V(x_t). Every term is booked, as a whole or in two parts:

    chance, a forced move         all of it is luck
    a decision, nothing hidden    all of it is the mover's: skill for itself, what others gave or took for the rest
    a decision, something hidden  V(x_t+1) - V(after b) is the mover's, where b is the best move by what it knew;
                                  V(after b) - V(x_t) is luck: what it could not know

So final value - initial value = luck + skill + others for every seat, whatever V and b are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from aiplay._core.typedefs import CHANCE
from aiplay.story import positions

if TYPE_CHECKING:
    from aiplay._core.game import Game, State
    from aiplay.review.values import Referee, Values

__all__ = ["Account", "Best", "Change", "accounts_of", "changes"]

# The best move by what the seat to move knows; also takes the move made.
Best: TypeAlias = "Callable[[State, int], int]"


@dataclass(frozen=True)
class Change:
    """One move or outcome: how it changed the value of every seat."""

    ply: int
    seat: int  # that moved, or CHANCE
    move: int
    before: Values
    after: Values
    luck: Values  # the part of the change that is luck

    @property
    def decided(self) -> Values:
        """The part of the change that is the mover's: skill for itself, `others` for the other seats."""
        return tuple(b - a - luck for a, b, luck in zip(self.before, self.after, self.luck, strict=True))


@dataclass(frozen=True)
class Account:
    """One seat of a game: final - initial = luck + skill + others."""

    seat: int
    initial: float
    final: float
    luck: float
    skill: float
    others: float

    @property
    def adjusted(self) -> float:
        """The result without luck."""
        return self.final - self.luck


def changes(game: Game, moves: Sequence[int], referee: Referee, best: Best | None = None) -> Iterator[Change]:
    """Yield the change by every move of a game; `best` is asked only if the game hides something.

    Without `best`, all that a decision changes is the mover's.
    """
    before: Values = ()
    for ply, (state, move) in enumerate(zip(positions(game, moves), moves, strict=False)):
        seat = state.to_move
        before = before or referee.value(state)
        after = referee.after(state, move)
        yield Change(ply, seat, move, before, after, _luck(state, move, before, after, referee, best))
        before = after


def _luck(
    state: State, move: int, before: Values, after: Values, referee: Referee, best: Best | None
) -> Values:
    """Return the part of a change that is luck."""
    right = before
    if state.to_move == CHANCE or len(state.legal_moves()) == 1:
        right = after
    elif best is not None and state.game.has_hidden:
        right = after if (known := best(state, move)) == move else referee.after(state, known)
    return tuple(b - a for a, b in zip(before, right, strict=True))


def accounts_of(game: Game, found: Iterable[Change], start: Values) -> tuple[Account, ...]:
    """Return the account of every seat; `start`: the value of the first position."""
    all_changes = list(found)
    final = all_changes[-1].after if all_changes else start
    return tuple(_account(seat, all_changes, start[seat], final[seat]) for seat in range(game.seats))


def _account(seat: int, found: Sequence[Change], initial: float, final: float) -> Account:
    return Account(
        seat=seat,
        initial=initial,
        final=final,
        luck=math.fsum(change.luck[seat] for change in found),
        skill=math.fsum(change.decided[seat] for change in found if change.seat == seat),
        others=math.fsum(change.decided[seat] for change in found if change.seat not in (seat, CHANCE)),
    )
