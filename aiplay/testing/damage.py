"""Damaged positions from outside: each one is refused, or can be played like any other."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from aiplay._core.game import Game, State, View
from aiplay._core.stream import RandomStream, seed_below
from aiplay.errors import InvalidStateError
from aiplay.testing.course import check_evaluate, check_features, check_options
from aiplay.testing.trial import GameCheckError, Trial

__all__ = ["STRANGE", "check_damaged", "damaged_document"]

Path: TypeAlias = tuple[Any, ...]  # the keys that lead to a place in a document

# Values that replace a number, a list or an object in a damaged document.
STRANGE: list[Any] = [-2, -1, 0, 1, 2, 3, 7, 13, 255, 2**40, 2**64, -(2**63), 0.0, 1.5, math.nan, math.inf]
STRANGE += [True, False, None, "", "1", [], [0], [0, 0], [1, 2, 3, 4, 5, 6], {}, {"state": 1}]


def check_damaged(game: Game, tries: int = 1000, seed: int = 0) -> int:
    """Damage the JSON and the bytes of positions: each one has to be refused, or playable like any other.

    For native games: their functions trust every position that passes ``check``, so a gap there is a crash, not an
    exception. Returns how many of the damaged positions were accepted.
    """
    if game.layout is None:
        raise ValueError(f"{game.name} is written in Python: there is nothing to protect")
    accepted = 0
    for number in range(tries):
        stream = RandomStream(seed_below(seed, number))
        trial = Trial(game, seed, f"try {number} of check_damaged")
        trial.moves = _random_moves(game, stream)
        trial.at = stream.below(len(trial.moves) + 1)
        try:
            accepted += _check_damage(trial, stream)
        except InvalidStateError:
            continue
        except GameCheckError:
            raise
        except Exception as problem:
            raise trial.error(f"{type(problem).__name__}: {problem}") from problem
    return accepted


def _random_moves(game: Game, stream: RandomStream) -> list[int]:
    state, moves = game.new_state(), list[int]()
    while not state.is_over and len(moves) < game.max_depth:
        moves.append(state.play(stream.choice(state.legal_moves())))
    return moves


def _check_damage(trial: Trial, stream: RandomStream) -> bool:
    """Damage one position: InvalidStateError if it is refused, True if it is accepted and can be played."""
    game, state = trial.game, trial.game.new_state()
    for move in trial.moves[: trial.at]:
        state.play(move)
    seat = stream.below(game.seats)
    kind = stream.below(3)
    if kind == 0:
        world = game.state_from_json(_damaged_json(trial, state, stream))
    elif kind == 1:
        world = game.state_from_bytes(_damaged_bytes(trial, state, stream))
    else:
        view = game.view_from_json(_damaged_json(trial, state.view(seat), stream))
        world = view.sample_world(stream.bits())
        trial.require(world.view(view.seat) == view, "a world of a damaged view does not fit it")
    _play_damaged(trial, world, stream)
    return True


def _play_damaged(trial: Trial, state: State, stream: RandomStream) -> None:
    """Play an accepted position to its end, with views and worlds of every seat on the way."""
    trial.aside = f"{state.to_json()}, damaged and accepted"
    for _ in range(trial.game.max_depth):
        if state.is_over:
            break
        options = check_options(trial, state)
        check_evaluate(trial, state)
        check_features(trial, state)
        for seat in range(trial.game.seats):
            view = state.view(seat)
            trial.require(
                view.sample_world(1).view(seat) == view, f"a world of seat {seat} does not fit its view"
            )
        state.play(stream.choice(options))
    trial.require(state.is_over, "the game does not end within max_depth")
    low, high = trial.game.min_return, trial.game.max_return
    trial.require(all(low <= value <= high for value in state.returns()), "returns out of range")


def _damaged_bytes(trial: Trial, state: State, stream: RandomStream) -> bytes:
    data = bytearray(state.to_bytes())
    for _ in range(1 + stream.below(3)):
        data[stream.below(len(data))] = stream.below(stream.choice([8, 256]))
    trial.aside = f"state_from_bytes({bytes(data)!r})"
    return bytes(data)


def _damaged_json(trial: Trial, position: State | View, stream: RandomStream) -> str:
    def possible(path: Path) -> Any:
        known = trial.game.FIELDS.get(path[1]) if len(path) > 1 else None
        if known is None or stream.below(2) == 0:
            return stream.choice(STRANGE)
        return known.low + stream.bits() % (known.high - known.low + 1)  # a number that the field can hold

    text = json.dumps(damaged_document(json.loads(position.to_json()), stream, possible))
    trial.aside = f"from_json of {text}"
    return text


def damaged_document(document: Any, stream: RandomStream, value: Callable[[Path], Any] | None = None) -> Any:
    """Return plain data with one to three of its values replaced, by strange ones or by those of `value`."""
    for _ in range(1 + stream.below(3)):
        path = stream.choice(list(_places(document)))
        document = _put(document, path, stream.choice(STRANGE) if value is None else value(path))
    return document


def _places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield every place in a document, as the keys that lead there."""
    yield path
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, child in children:
        yield from _places(child, (*path, key))


def _put(value: Any, path: Path, new: Any) -> Any:
    """Return the document with another value in one place."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _put(value[path[0]], path[1:], new)
    return copy
