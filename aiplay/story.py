"""What happened in a game, as the referee or as one seat perceived it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aiplay._core.game import Game, State, View
from aiplay._core.measure import perceptions

__all__ = ["Event", "positions", "story"]

WORLDS = 8  # worlds that are asked what a hidden move may have been
HIDDEN = "something hidden"


@dataclass(frozen=True)
class Event:
    """One move of a game."""

    ply: int  # its place in the record, from 0
    seat: int  # who moved: a seat, or CHANCE
    text: str  # its notation, or as much of it as the observer perceived
    is_seen: bool  # whether that is all of it


def story(game: Game, moves: Sequence[int], seat: int | None = None, start: int = 0) -> Iterator[Event]:
    """The moves of a game from ply `start` on, as `seat` perceived them; as the referee did by default.

    What a seat is told of a move that it cannot see depends only on its view and on what `perceive` gives it, so
    nothing of the truth can slip in: "draw ?" says that all moves it may have been begin with "draw".

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
    """The state before every move, and the last one: always the same object, played on."""
    state = game.new_state()
    yield state
    for move in moves:
        state.play(move)
        yield state


def _told(state: State, move: int, seat: int | None) -> tuple[str, bool]:
    """What the observer can say of a move, and whether that is all."""
    if seat is None or not state.game.has_hidden:
        return state.move_text(move), True
    view, key = state.view(seat), state.perceive(move, seat)
    if state.to_move != seat:
        possible = _possible_moves(view, key)
        if key != move or any(other != key for other in possible):
            return _common_words(sorted({*possible.values()})), False
    return state.game.move_text(view, move), True


def _possible_moves(view: View, key: int) -> dict[int, str]:
    """The moves that would have given the seat the same key, in worlds that fit its view, as text."""
    found: dict[int, str] = {}
    for seed in range(WORLDS):
        world = view.sample_world(seed)
        for move, its_key in perceptions(world, view.seat):
            if its_key == key and move not in found:
                found[move] = view.game.move_text(world, move)
    return found


def _common_words(texts: Sequence[str]) -> str:
    """The words with which all of several texts begin, then a question mark."""
    if len(texts) < 2:
        return HIDDEN
    words = []
    for column in zip(*(text.split() for text in texts), strict=False):
        if len({*column}) > 1:
            break
        words.append(column[0])
    return " ".join([*words, "?"])
