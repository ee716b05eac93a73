"""The plan of a tuning and the scores so far: all that a killed run needs to go on, in a JSON file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from aiplay import __version__
from aiplay._core.stream import check_seed
from aiplay.errors import AiplayError, StoreError
from aiplay.files import read_file, write_file
from aiplay.registry import load_game, make_player
from aiplay.tune.space import Dimension, Value, with_options

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["Plan", "read_plan", "write_plan"]

FORMAT = 1
MAX_BYTES = 2**24
MAX_GAMES = 1_000_000
Path = str | os.PathLike[str]


class Plan(Struct, frozen=True, kw_only=True):
    """The plan of a tuning: what to tune, and how long."""

    player: str  # with its limit
    space: tuple[Dimension, ...]
    seed: Annotated[int, Meta(ge=0)]
    games: Annotated[int, Meta(ge=1, le=MAX_GAMES)] = 400  # of the search
    final: Annotated[int, Meta(ge=1, le=MAX_GAMES)] = 400  # at most, of the final duel


class _File(Struct, kw_only=True):
    format: int
    aiplay: str
    game: str
    options: dict[str, Any]
    plan: Plan
    scores: list[Annotated[float, Meta(ge=0, le=1)]]


def write_plan(path: Path, game: Game, plan: Plan, scores: list[float]) -> None:
    """Write the file as a whole, or not at all."""
    content = _File(
        format=FORMAT,
        aiplay=__version__,
        game=game.name,
        options=dict(game.options),
        plan=plan,
        scores=scores,
    )
    write_file(path, msgspec.json.encode(content))


def read_plan(path: Path) -> tuple[Game, Plan, list[float]]:
    """Return the game, the plan and the scores so far; StoreError if it is no such file."""
    try:
        found = msgspec.json.decode(read_file(os.fspath(path), MAX_BYTES), type=_File)
    except OSError as problem:
        raise StoreError(f"{path}: {problem.strerror}") from None
    except (ValueError, RecursionError) as problem:  # msgspec's errors are ValueErrors
        raise StoreError(f"{path}: not a file of `aiplay tune`, or damaged: {problem}") from None
    if found.format != FORMAT:
        raise StoreError(f"{path}: its format is {found.format}; allowed: {FORMAT}")
    try:
        game = load_game(found.game, **found.options)
        _check_space(found.plan)
    except (AiplayError, ValueError, TypeError) as problem:
        raise StoreError(f"{path}: this tuning cannot go on: {problem}") from None
    return game, found.plan, found.scores


def _check_space(plan: Plan) -> None:
    """Make a player with every value once; each dimension begins with None."""
    check_seed(plan.seed)
    make_player(plan.player)
    if not plan.space or len({name for name, _ in plan.space}) < len(plan.space):
        raise ValueError("its options are missing, or not different")
    for name, values in plan.space:
        others: list[Value] = [value for value in values if value is not None]
        if not others or values != (None, *others):
            raise ValueError(f"the values of {name!r} are {values}; allowed: null, then at least one other")
        for value in others:
            make_player(with_options(plan.player, {name: value}))
