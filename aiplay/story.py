"""The moves of a game, as the referee or one seat perceived them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aiplay._core.contract import PERCEIVE_HIDDEN
from aiplay._core.game import Game, State, View
from aiplay._core.measure import perceptions
from aiplay.parts import Parts, Verb, noted

__all__ = ["Event", "noticed", "positions", "story"]

WORLDS = 64  # worlds to sample for the moves that a hidden move may have been
FEW_WORLDS = 8  # to make sure that a key which is a move stands for no other move
HIDDEN = "something hidden"


@dataclass(frozen=True)
class Event:
    """One move of a game, or one outcome of chance."""

    ply: int  # index in the record, from 0
    seat: int  # the seat that moved, or CHANCE
    text: str  # its notation, or the part of it that the observer perceived
    is_seen: bool  # True if the observer knows all of it
    parts: Parts = field(hash=False)  # of the move; None for a part that the observer does not know
    learned: Parts = field(default_factory=dict, hash=False)  # facts that it showed the observer, by names


def story(game: Game, moves: Sequence[int], seat: int | None = None, start: int = 0) -> Iterator[Event]:
    """Yield the moves of a game from ply `start` on, as `seat` perceived them (by default, as the referee did).

    The event of a hidden move depends only on the view of the seat and on the key that `perceive` gives it, so it
    cannot reveal the truth: "draw ?" means that every move with that key is a draw.

    >>> from aiplay import Table, load_game
    >>> table = Table(load_game("leduc_poker"), seed=7)
    >>> [event.text for event in story(table.game, table.moves, seat=0)]
    ['Kh', '?']
    """
    for ply, (state, move) in enumerate(zip(positions(game, moves), moves, strict=False)):
        if ply >= start:
            yield noticed(state, move, seat, ply)


def positions(game: Game, moves: Sequence[int]) -> Iterator[State]:
    """Yield the state before every move, and the last state: one object, changed in place."""
    state = game.new_state()
    yield state
    for move in moves:
        state.play(move)
        yield state


def noticed(state: State, move: int, seat: int | None = None, ply: int = 0) -> Event:
    """Return a move that is made in `state`, as `seat` perceives it (by default, as the referee does)."""
    told = _told(state, move, seat)
    return Event(ply, state.to_move, *told, _learned(state, move, seat))


def _told(state: State, move: int, seat: int | None) -> tuple[str, bool, Parts]:
    """Return text, True if it is complete, and parts of a move, as the observer perceives it."""
    game = state.game
    if seat is None or not game.has_hidden:
        return state.move_text(move), True, state.move_parts(move)
    view, key = state.view(seat), state.perceive(move, seat)
    if state.to_move != seat:
        possible = _possible_moves(view, key)
        if key != move or any(other != key for other in possible):
            return _common(game, key, possible)
    return game.move_text(view, move), True, game.move_parts(view, move)


def _learned(state: State, move: int, seat: int | None) -> Parts:
    """Return the facts that a move shows the observer, who compares the positions before and after it."""
    if type(state.game).learned is Game.learned:
        return {}
    after = state.copy()
    after.play(move)
    if seat is None:
        return state.game.learned(state, move, after)
    return state.game.learned(state.view(seat), move, after.view(seat))


Possible = dict[int, tuple[str, Parts]]  # moves with their notation and parts


def _possible_moves(view: View, key: int) -> Possible:
    """Return the moves with this key in some worlds that fit the view."""
    found: Possible = {}
    for seed in range(WORLDS):
        if seed >= FEW_WORLDS and [*found] == [key]:
            break
        world = view.sample_world(seed)
        for move, its_key in perceptions(world, view.seat):
            if its_key == key and move not in found:
                found[move] = view.game.move_text(world, move), view.game.move_parts(world, move)
    return found


def _common(game: Game, key: int, possible: Possible) -> tuple[str, bool, Parts]:
    """Return what all possible moves have in common: text, True if that is everything, and parts."""
    texts = sorted({text for text, _ in possible.values()})
    parts = _common_parts([parts for _, parts in possible.values()])
    if len(texts) == 1:
        if key != PERCEIVE_HIDDEN:  # the key also tells an outcome, or the seat knows which move it was
            return texts[0], True, parts
        parts = {name: part if name == "verb" and game.VERBS else None for name, part in parts.items()}
    return _common_text(game.VERBS, parts, texts), False, parts


def _common_parts(different: Sequence[Parts]) -> Parts:
    """Return the parts that all of these have; None for those that are not the same in all of them."""
    if not different:
        return {"verb": None}
    first, *others = different
    shared = [name for name in first if all(name in parts for parts in others)]
    return {
        name: first[name] if all(parts[name] == first[name] for parts in others) else None for name in shared
    }


def _common_text(verbs: Mapping[str, Verb], parts: Parts, texts: Sequence[str]) -> str:
    """Return a notation with question marks for what is hidden; without verbs, the first words of all texts."""
    if parts.get("verb") is not None and verbs:
        return noted(verbs, parts)
    if len(texts) < 2:
        return HIDDEN
    words = []
    for column in zip(*(text.split() for text in texts), strict=False):
        if len({*column}) > 1:
            break
        words.append(column[0])
    return " ".join([*words, "?"])
