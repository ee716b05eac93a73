"""The moves of a game, as the referee or one seat perceived them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aiplay._core.game import Game, State, View
from aiplay._core.measure import perceptions

__all__ = ["Event", "positions", "story"]

WORLDS = 8  # worlds to sample for the moves that a hidden move may have been
HIDDEN = "something hidden"


@dataclass(frozen=True)
class Event:
    """One move of a game."""

    ply: int  # index in the record, from 0
    seat: int  # the seat that moved, or CHANCE
    text: str  # its notation, or the part of it that the observer perceived
    is_seen: bool  # True if the observer perceived all of it


def story(game: Game, moves: Sequence[int], seat: int | None = None, start: int = 0) -> Iterator[Event]:
    """Yield the moves of a game from ply `start` on, as `seat` perceived them (by default, as the referee did).

    The text of a hidden move depends only on the view of the seat and on the key that `perceive` gives it, so it cannot
    reveal the truth: "draw ?" means that every move with that key starts with "draw".

    >>> from aiplay import Table, load_game
    >>> table = Table(load_game("leduc_poker"), seed=7)
    >>> [event.text for event in story(table.game, table.moves, seat=0)]
    ['Kh', '?']
    """
    for ply, (state, move) in enumerate(zip(positions(game, moves), moves, strict=False)):
        if ply >= start:
            text, is_seen = _told(state, move, seat)
            yield Event(ply, state.to_move, text, is_seen)


def positions(game: Game, moves: Sequence[int]) -> Iterator[State]:
    """Yield the state before every move, and the last state: one object, changed in place."""
    state = game.new_state()
    yield state
    for move in moves:
        state.play(move)
        yield state


def _told(state: State, move: int, seat: int | None) -> tuple[str, bool]:
    """Return the text of a move for the observer, and True if it is complete."""
    if seat is None or not state.game.has_hidden:
        return state.move_text(move), True
    view, key = state.view(seat), state.perceive(move, seat)
    if state.to_move != seat:
        possible = _possible_moves(view, key)
        if key != move or any(other != key for other in possible):
            return _common_words(sorted({*possible.values()})), False
    return state.game.move_text(view, move), True


def _possible_moves(view: View, key: int) -> dict[int, str]:
    """Return the moves with the same key in some worlds that fit the view, with their notation."""
    found: dict[int, str] = {}
    for seed in range(WORLDS):
        world = view.sample_world(seed)
        for move, its_key in perceptions(world, view.seat):
            if its_key == key and move not in found:
                found[move] = view.game.move_text(world, move)
    return found


def _common_words(texts: Sequence[str]) -> str:
    """Return the first words that all texts share, then a question mark."""
    if len(texts) < 2:
        return HIDDEN
    words = []
    for column in zip(*(text.split() for text in texts), strict=False):
        if len({*column}) > 1:
            break
        words.append(column[0])
    return " ".join([*words, "?"])
