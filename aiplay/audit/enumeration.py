"""All worlds that fit what a seat has noticed, with their exact probabilities, for positions with few of them."""

from __future__ import annotations

from collections.abc import Sequence

from aiplay._core.game import Game, State
from aiplay._core.measure import perceptions
from aiplay._core.typedefs import CHANCE

__all__ = ["Belief", "TooManyWorldsError", "belief_after"]

Belief = dict[bytes, tuple[State, float]]  # by the bytes of the world: the world, and its probability


class TooManyWorldsError(Exception):
    """There are more worlds than can be enumerated, or their probabilities depend on how a seat plays."""


def belief_after(game: Game, moves: Sequence[int], seat: int, most: int) -> Belief:
    """Return the worlds that are possible for `seat` after the moves of a game, at most `most`, by every history.

    A history counts by the probability of its chance outcomes. A move of another seat must not tell anything about what
    is hidden: the seat has to see it, and it has to be one of the same legal moves in every world. How likely it was
    otherwise depends on who made it.
    """
    truth = game.new_state()
    belief: Belief = {truth.to_bytes(): (truth.copy(), 1.0)}
    for move in moves:
        belief = _after(belief, truth.to_move, truth.perceive(move, seat), seat, most)
        truth.play(move)
    total = sum(p for _, p in belief.values())
    return {key: (world, p / total) for key, (world, p) in belief.items()}


def _after(belief: Belief, mover: int, key: int, seat: int, most: int) -> Belief:
    """Return the worlds after a move of which the seat notices `key`."""
    found: Belief = {}
    known: list[int] | None = None  # the legal moves of another seat
    for world, p in belief.values():
        moves = perceptions(world, seat)
        alike = [move for move, its_key in moves if its_key == key]
        if mover not in (CHANCE, seat):
            legal = [move for move, _ in moves]
            known = legal if known is None else known
            if len(alike) != 1 or legal != known:
                raise TooManyWorldsError("how likely a move of another seat was depends on how it plays")
        chances = dict(world.chance_outcomes()) if mover == CHANCE else {}
        for move in alike:
            after = world.copy()
            after.play(move)
            name = after.to_bytes()
            weight = p * chances.get(move, 1.0)
            found[name] = (after, weight + found[name][1] if name in found else weight)
            if len(found) > most:
                raise TooManyWorldsError(f"more than {most} worlds")
    return found
