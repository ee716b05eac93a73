"""Positions from outside: damaged ones are refused, or are as good to play as any other."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from aiplay._core.game import Game, State, View
from aiplay._core.stream import RandomStream, seed_below
from aiplay.errors import InvalidStateError
from aiplay.testing.conformance import check_evaluate, check_options
from aiplay.testing.line import GameCheckError, Line

__all__ = ["check_damaged"]

# What a damaged document holds in place of a number, a list or an object.
STRANGE: list[Any] = [-2, -1, 0, 1, 2, 3, 7, 13, 255, 2**40, 2**64, -(2**63), 0.0, 1.5, math.nan, math.inf]
STRANGE += [True, False, None, "", "1", [], [0], [0, 0], [1, 2, 3, 4, 5, 6], {}, {"state": 1}]


def check_damaged(game: Game, tries: int = 1000, seed: int = 0) -> int:
    """Damage the JSON and the bytes of positions: each is refused, or as good to play as any other.

    For native games, whose functions trust what ``check`` let through: a gap there is a crash, not an
    exception. Returns how many of the damaged positions were sound.
    """
    if game.dtype is None:
        raise ValueError(f"{game.name} is written in Python: there is nothing to protect")
    accepted = 0
    for number in range(tries):
        stream = RandomStream(seed_below(seed, number))
        line = Line(game, seed, f"try {number} of check_damaged")
        line.moves = _random_moves(game, stream)
        line.at = stream.below(len(line.moves) + 1)
        try:
            accepted += _check_damage(line, stream)
        except InvalidStateError:
            continue
        except GameCheckError:
            raise
        except Exception as problem:
            raise line.error(f"{type(problem).__name__}: {problem}") from problem
    return accepted


def _random_moves(game: Game, stream: RandomStream) -> list[int]:
    state, moves = game.new_state(), list[int]()
    while not state.is_over and len(moves) < game.max_depth:
        moves.append(state.play(stream.choice(state.legal_moves())))
    return moves


def _check_damage(line: Line, stream: RandomStream) -> bool:
    """One damaged position; InvalidStateError if it is refused, true if it is accepted and sound."""
    game, state = line.game, line.game.new_state()
    for move in line.moves[: line.at]:
        state.play(move)
    seat = stream.below(game.seats)
    kind = stream.below(3)
    if kind == 0:
        world = game.state_from_json(_damaged_json(line, state, stream))
    elif kind == 1:
        world = game.state_from_bytes(_damaged_bytes(line, state, stream))
    else:
        view = game.view_from_json(_damaged_json(line, state.view(seat), stream))
        world = view.sample_world(stream.bits())
        line.require(world.view(view.seat) == view, "a world of a damaged view does not fit it")
    _play_damaged(line, world, stream)
    return True


def _play_damaged(line: Line, state: State, stream: RandomStream) -> None:
    """Whatever was accepted comes to its end, and every seat has views and worlds on the way."""
    line.aside = f"{state.to_json()}, damaged and accepted"
    for _ in range(line.game.max_depth):
        if state.is_over:
            break
        options = check_options(line, state)
        check_evaluate(line, state)
        for seat in range(line.game.seats):
            view = state.view(seat)
            line.require(
                view.sample_world(1).view(seat) == view, f"a world of seat {seat} does not fit its view"
            )
        state.play(stream.choice(options))
    line.require(state.is_over, "the game does not end within max_depth")
    low, high = line.game.min_return, line.game.max_return
    line.require(all(low <= value <= high for value in state.returns()), "returns out of range")


def _damaged_bytes(line: Line, state: State, stream: RandomStream) -> bytes:
    data = bytearray(state.to_bytes())
    for _ in range(1 + stream.below(3)):
        data[stream.below(len(data))] = stream.below(stream.choice([8, 256]))
    line.aside = f"state_from_bytes({bytes(data)!r})"
    return bytes(data)


def _damaged_json(line: Line, position: State | View, stream: RandomStream) -> str:
    document = json.loads(position.to_json())
    for _ in range(1 + stream.below(3)):
        path = stream.choice(list(_places(document)))
        known = line.game.FIELDS.get(path[1]) if len(path) > 1 else None
        value = stream.choice(STRANGE)
        if known is not None and stream.below(2):  # half of the time a number that the field can hold
            value = known.low + stream.bits() % (known.high - known.low + 1)
        document = _put(document, path, value)
    line.aside = f"from_json of {json.dumps(document)}"
    return json.dumps(document)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document, as the keys that lead there."""
    yield path
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, child in children:
        yield from _places(child, (*path, key))


def _put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The document with another value in one place."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _put(value[path[0]], path[1:], new)
    return copy
