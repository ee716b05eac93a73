"""One finished game, taken apart: who got which share, how the lead changed, which choices were made."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from aiplay._core.typedefs import CHANCE
from aiplay.review.accounts import Account, accounts_of, changes
from aiplay.review.values import Referee
from aiplay.story import positions

if TYPE_CHECKING:
    from aiplay._core.game import Game, State
    from aiplay.parts import Parts
    from aiplay.review.values import Leaf, Values

__all__ = ["Key", "Played", "take_apart", "wins"]

Key: TypeAlias = tuple[str, str, str, bool]  # verb, kind and name of the thing, True if chance gave it
OWNERS = ("seat", "to")  # parts of an outcome that name the seat which gets something


@dataclass
class Played:
    """A finished game."""

    deal: int
    scores: tuple[float, ...]  # the share of a win of every seat
    accounts: tuple[Account, ...]
    odds: list[Values]  # before every move, and at the end
    moves: int
    decisions: int = 0  # choices of at least two moves
    order: list[int] = field(default_factory=list)  # seats by their first decision
    offered: Counter[Key] = field(default_factory=Counter)
    chosen: Counter[Key] = field(default_factory=Counter)
    owners: dict[Key, set[int]] = field(default_factory=dict)  # the seats that chose it, or got it


def wins(game: Game, returns: Sequence[float]) -> tuple[float, ...]:
    """Return the share of a win of every seat; in cooperative games, the result from 0 to 1."""
    if game.is_cooperative:
        span = game.max_return - game.min_return
        return tuple((got - game.min_return) / span for got in returns)
    best = max(returns)
    winners = [got == best for got in returns]
    return tuple(won / sum(winners) for won in winners)


def take_apart(game: Game, moves: Sequence[int], returns: Sequence[float], deal: int, value: Leaf) -> Played:
    """Return a finished game, taken apart."""
    referee = Referee(game, value)
    found = list(changes(game, moves, referee))
    start = referee.value(game.new_state())
    played = Played(
        deal=deal,
        scores=wins(game, returns),
        accounts=accounts_of(game, found, start),
        odds=[start, *(change.after for change in found)],
        moves=len(moves),
    )
    for state, move in zip(positions(game, moves), moves, strict=False):
        _count(played, state, move)
    return played


def _count(played: Played, state: State, move: int) -> None:
    """Count what was offered, and what was chosen or dealt."""
    seat = state.to_move
    if seat == CHANCE:
        parts = state.move_parts(move)
        owner = next((parts[name] for name in OWNERS if isinstance(parts.get(name), int)), None)
        keys, is_dealt = ({*_keys(state.game, parts)} if owner is not None else set()), True
    else:
        owner, is_dealt = seat, False
        legal = state.legal_moves()
        if seat not in played.order:
            played.order.append(seat)
        if len(legal) > 1:
            played.decisions += 1
            offered = {key for one in legal for key in _keys(state.game, state.move_parts(one))}
            played.offered.update((*key, False) for key in offered)
        keys = {*_keys(state.game, state.move_parts(move))} if len(legal) > 1 else set()
    for key in keys:
        played.chosen[*key, is_dealt] += 1
        played.owners.setdefault((*key, is_dealt), set()).add(int(owner or 0))


def _keys(game: Game, parts: Parts) -> Iterator[tuple[str, str, str]]:
    """Yield verb, kind and name of every thing of the catalogue that a move names; the verb alone if it names none."""
    verb, has_thing = str(parts["verb"]), False
    kinds = _kinds(game)
    for name, thing in parts.items():
        if name != "verb" and isinstance(thing, str) and thing in kinds:
            has_thing = True
            yield verb, name if name in kinds[thing] else kinds[thing][0], thing
    if not has_thing:
        yield verb, "", ""


@functools.lru_cache(maxsize=8)
def _kinds(game: Game) -> dict[str, list[str]]:
    """Return the kinds of every name in the catalogue, except verbs."""
    found: dict[str, list[str]] = {}
    for kind, entries in game.catalogue.items():
        for entry in entries if kind != "verb" else ():
            found.setdefault(entry.name, []).append(kind)
    return found
