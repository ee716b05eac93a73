"""Moves of Magic Rabbit by names: verbs and parts. Piles are letters, A at the Magician's end."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from typing import Any

from aiplay._core.games.magic_rabbit.state import (
    DONE,
    FIRST_PILE,
    KIND,
    LIFT,
    MAX_PILES,
    MOVE_DOVE,
    STAY,
    SWITCH_HATS,
    SWITCH_PILES,
)
from aiplay.parts import Verb

__all__ = ["PILES", "VERBS", "deal_parts", "decision_move", "decision_parts"]

PILES = "ABCDEFGHI"[:MAX_PILES]  # names of the piles; hats and rabbits have numbers
VERBS = {
    "hat": Verb("hat {hat}", "Chance deals a hat, face up, to the next pile."),
    "rabbit": Verb("rabbit {rabbit}", "Chance deals a rabbit, face down, under the hat of the next pile."),
    "first": Verb("first seat {seat}", "Chance names the seat that takes the first turn."),
    "lift": Verb("lift {pile}", "Look at the rabbit of a pile; the others see only which pile it was."),
    "hats": Verb(
        "hats {pile} {with}",
        "Switch the hats of two piles; the rabbits stay where they are. A pile that you have lifted and give its hat "
        "shows your mates that its rabbit is home.",
    ),
    "piles": Verb(
        "piles {pile} {with}",
        "Switch two piles, hats and rabbits; doves keep their places. A pile that you have lifted and move shows your "
        "mates that its rabbit is home now.",
    ),
    "dove": Verb("dove {from} to {to}", "Move a dove to a pile without one; a pile with a dove is blocked."),
    "stay": Verb("stay", "Leave all doves where they are; the turn is over.", ends=True),
    "done": Verb(
        "done",
        "Say that all hats and rabbits are in order: the game ends, and the rabbits are shown.",
        ends=True,
    ),
}


def deal_parts(move: int, n_dealt: int, piles: int) -> dict[str, Any]:
    """Return the parts of an outcome of the deal."""
    if n_dealt == 2 * piles:
        return {"verb": "first", "seat": move}
    kind = "hat" if n_dealt < piles else "rabbit"
    return {"verb": kind, kind: move, "pile": PILES[n_dealt % piles]}


def decision_parts(move: int) -> dict[str, str]:
    """Return the parts of an action or of a decision about a dove."""
    if move == DONE:
        return {"verb": "done"}
    if move == STAY:
        return {"verb": "stay"}
    first, second = divmod(move % KIND, FIRST_PILE)
    there = PILES[second - 1]
    if move < SWITCH_HATS:
        return {"verb": "lift", "pile": there}
    here = PILES[first - 1]
    if move > STAY:
        return {"verb": "dove", "from": here, "to": there}
    return {"verb": "hats" if move < SWITCH_PILES else "piles", "pile": here, "with": there}


def decision_move(parts: Mapping[str, str]) -> int | None:
    """Return the decision with these parts, two switched piles in any order; None if there is none."""
    given = dict(parts)
    if given.get("with", "") < given.get("pile", "") and "with" in given:
        given |= {"pile": given["with"], "with": given["pile"]}
    return _decisions().get(frozenset(given.items()))


@functools.cache
def _decisions() -> dict[frozenset[tuple[str, str]], int]:
    """Return the number of every decision that a log can hold, by its parts."""
    piles = range(1, MAX_PILES + 1)
    moves = [LIFT + pile for pile in piles]
    for first, second in itertools.permutations(piles, 2):
        pair = FIRST_PILE * first + second
        moves += [SWITCH_HATS + pair, SWITCH_PILES + pair] if first < second else []
        moves.append(MOVE_DOVE + pair)
    return {frozenset(decision_parts(move).items()): move for move in (*moves, STAY)}
