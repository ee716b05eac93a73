"""Profiles: what kind of game a game is for players that search, and which of them to take.

>>> import aiplay
>>> from aiplay import profile
>>> found = profile.profile_game(aiplay.load_game("leduc_poker"), games=10, budgets=(), seed=1, time=0.001)
>>> found.facts.outcomes.most, found.player
(6.0, 'mixed')

`text` and `document` show it. docs/profile.md says what the figures mean.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from aiplay._core.stream import check_seed, seed_below
from aiplay.match import Duel
from aiplay.profile.advice import advise
from aiplay.profile.documents import document
from aiplay.profile.grids import text
from aiplay.profile.result import Advice, Effort, Facts, Profile, Score, Spread
from aiplay.profile.sampling import effort_of, estimated_worlds, facts_of
from aiplay.registry import limited_spec

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = [
    "Advice",
    "Effort",
    "Facts",
    "Profile",
    "Score",
    "Spread",
    "advise",
    "document",
    "estimated_worlds",
    "profile_game",
    "text",
]

PLAYER = "mcts:iterations=50"  # of the sampled games
BUDGETS = (30, 120, 480)  # iterations, each against four times as many
TIMES = 4
SAMPLE, WORLDS, SEARCH, GROWTH, CHECK = range(5)  # seeds below that of a profile

Progress = Callable[[str, int, int], object]  # what is going on, done, and all of it


def profile_game(
    game: Game,
    *,
    games: int = 60,
    time: float = 0.05,
    budgets: Sequence[int] = BUDGETS,
    check: bool = False,
    seed: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Profile:
    """Return the profile of a game: its figures, how strength grows with iterations, and a player to take.

    `games`: how many to sample, and of every duel. `time`: seconds for a move of the player to recommend. `budgets`:
    iterations of mcts, each of which meets four times as many. `check`: also play a duel of the recommended player
    against the runner-up, at equal time. `progress` is called with what is going on, what is done and all of it. The
    same seed gives the same figures, except for what depends on the time.
    """
    started = clock.perf_counter()
    show: Progress = progress or (lambda *_: None)
    seed = check_seed(seed)
    sample = Duel(game, PLAYER, PLAYER, games, seed_below(seed, SAMPLE))
    _play(sample, "sampling games", executor, show)
    facts = facts_of(sample, seed_below(seed, WORLDS))
    effort = effort_of(sample, time, seed_below(seed, SEARCH))
    growth = []
    for number, budget in enumerate(budgets):
        a, b = f"mcts:iterations={TIMES * budget}", f"mcts:iterations={budget}"
        duel = Duel(game, a, b, games, seed_below(seed_below(seed, GROWTH), number))
        growth.append(_play(duel, f"{TIMES * budget} iterations against {budget}", executor, show))
    advice = advise(game, facts, effort, growth)
    score = _check(game, advice, games, time, seed_below(seed, CHECK), executor, show) if check else None
    seconds = clock.perf_counter() - started
    return Profile(game, seed, facts, effort, tuple(growth), advice, score, seconds)


def _check(
    game: Game,
    advice: Advice,
    games: int,
    time: float,
    seed: int,
    executor: Executor | None,
    show: Progress,
) -> Score:
    a, b = (limited_spec(spec, f"time={time}") for spec in (advice.player, advice.runner_up))
    return _play(Duel(game, a, b, games, seed), f"{a} against {b}", executor, show)


def _play(duel: Duel, what: str, executor: Executor | None, show: Progress) -> Score:
    """Play a duel, and tell how far it is."""
    show(what, 0, len(duel.schedule))
    for _ in duel.play_games(executor):
        show(what, len(duel.results), len(duel.schedule))
    return Score.of(duel.summary())
