"""Tuning: better options for a player, in a game and at a limit.

>>> import aiplay
>>> from aiplay import tune
>>> game = aiplay.load_game("pig", target=20)
>>> found = tune.tune_player(game, "mcts:iterations=20", games=20, final=20, vary={"cutoff": ["-1"]}, seed=1)
>>> found.best, found.spec  # playouts to the end of the game are worse
('mcts:iterations=20,cutoff=-1', 'mcts:iterations=20')

`text` and `document` show it. docs/profile.md says how it works.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from aiplay._core.stream import check_seed
from aiplay.errors import OptionError
from aiplay.tune.documents import document
from aiplay.tune.grids import text
from aiplay.tune.result import Tuning, ValueScore
from aiplay.tune.saved import MAX_GAMES, Plan, read_plan, write_plan
from aiplay.tune.search import Progress, Tuner
from aiplay.tune.space import Dimension, space_of

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = [
    "Dimension",
    "Plan",
    "Tuner",
    "Tuning",
    "ValueScore",
    "document",
    "plan_tuning",
    "read_plan",
    "space_of",
    "text",
    "tune_player",
]


def plan_tuning(
    game: Game,
    player: str,
    *,
    games: int = 400,
    final: int = 400,
    vary: Mapping[str, Sequence[str]] | None = None,
    seed: int | None = None,
) -> Plan:
    """Return what to tune; OptionError or PlayerSpecError for a mistake."""
    for name, number in (("games", games), ("final", final)):
        if not 1 <= number <= MAX_GAMES:
            raise OptionError(f"{name} is {number}; allowed: 1 to {MAX_GAMES}")
    space = space_of(game, player, vary)
    return Plan(player=player, space=space, seed=check_seed(seed), games=games, final=final)


def tune_player(
    game: Game,
    player: str,
    *,
    games: int = 400,
    final: int = 400,
    vary: Mapping[str, Sequence[str]] | None = None,
    seed: int | None = None,
    save: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Return better options for a player, if there are any: its specification should have a limit.

    Variants play `games` against the player as given. Then the best one plays at most `final` games on fresh deals
    (SPRT of 0 and 30 Elo). `vary`: options to vary with their values, or without any for the usual ones; by default
    all that matter in the game. `save`: a file that is written after every round, for `read_plan`. `progress` is called
    with what is going on, the games done and all games.
    """
    plan = plan_tuning(game, player, games=games, final=final, vary=vary, seed=seed)
    if save is not None:
        write_plan(save, game, plan, [])
    return Tuner(game, plan, save=save, executor=executor, progress=progress).run()
