"""Other truths: games that one seat cannot tell from the one that was played."""

from __future__ import annotations

from collections.abc import Sequence

from aiplay._core.game import Game
from aiplay._core.measure import perceptions
from aiplay._core.stream import RandomStream

__all__ = ["other_truths"]

ATTEMPTS = 20  # for each truth that is wanted


def other_truths(
    game: Game, moves: Sequence[int], seat: int, count: int, stream: RandomStream
) -> list[tuple[int, ...]]:
    """Return up to `count` other games, as moves, that look the same to `seat` from the first move to the last.

    They differ from a random ply on. The later that is, the fewer moves can turn out to be impossible: attempts that
    fail are followed by later ones.
    """
    found: dict[tuple[int, ...], None] = {}
    earliest = 0
    for attempt in range(ATTEMPTS * count if game.has_hidden and moves else 0):
        start = earliest + stream.below(len(moves) - earliest)
        other = _attempt(game, moves, seat, start, stream, is_eager=attempt % 2 == 0)
        if len(other) < len(moves):
            earliest += (len(moves) - earliest) // 8
        elif other != tuple(moves):
            found[other] = None
            if len(found) == count:
                break
    return list(found)


def _attempt(
    game: Game, moves: Sequence[int], seat: int, start: int, stream: RandomStream, is_eager: bool
) -> tuple[int, ...]:
    """Replace one hidden move after `start`, or all of them, and what has to change then; ends where nothing fits."""
    state, twin, found = game.new_state(), game.new_state(), list[int]()
    has_changed = False
    for ply, move in enumerate(moves):
        chosen = move
        if ply >= start:
            key = state.perceive(move, seat)
            alike = [other for other, its_key in perceptions(twin, seat) if its_key == key]
            if not alike:
                break
            others = [other for other in alike if other != move]
            if move not in alike or (others and (is_eager or not has_changed)):
                chosen, has_changed = stream.choice(others), True
        state.play(move)
        twin.play(chosen)
        found.append(chosen)
    return tuple(found) if state.view(seat) == twin.view(seat) else ()
