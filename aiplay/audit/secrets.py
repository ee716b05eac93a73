"""Secrets of a game: nothing in its functions tells a seat what it cannot see."""

from __future__ import annotations

from aiplay._core.game import Game
from aiplay._core.stream import RandomStream, seed_below
from aiplay.audit.power import least_share
from aiplay.audit.result import PROMISES, Breach, Part
from aiplay.testing.course import play_trial
from aiplay.testing.hidden import check_hidden
from aiplay.testing.trial import GameCheckError, Trial

__all__ = ["check_secrets"]


def check_secrets(game: Game, games: int, seed: int) -> Part:
    """Play random games, and compare positions that look the same to a seat."""
    name = "secrets of the game"
    if not game.has_hidden:
        return Part(name, "not tried: nothing is hidden in this game")
    pairs = worlds = 0
    for number in range(games):
        trial = Trial(game, seed_below(seed, number), f"game {number} of the audit")
        breach = _breach(trial)
        pairs, worlds = pairs + trial.n_pairs, worlds + trial.n_worlds
        if breach is not None:
            return Part(name, _tried(number + 1, pairs, worlds), pairs + worlds, breaches=(breach,))
    noticed = f"a leak in {100 * least_share(pairs + worlds):.2g} % of the positions"
    return Part(name, _tried(games, pairs, worlds), pairs + worlds, noticed)


def _tried(games: int, pairs: int, worlds: int) -> str:
    return (
        f"{pairs:,} pairs of positions that differ in what a seat cannot see, and {worlds:,} sampled worlds, in "
        f"{games} random games: views, legal moves, priors, playout moves, worlds"
    )


def _breach(trial: Trial) -> Breach | None:
    """Play and check one game; return the promise that it breaks."""
    try:
        play_trial(trial)
        check_hidden(trial, RandomStream(seed_below(trial.seed, 1)))
    except GameCheckError as problem:
        return Breach(problem.promise if problem.promise in PROMISES else "contract", str(problem))
    except Exception as problem:  # any error of the game
        return Breach("contract", str(trial.error(f"{type(problem).__name__}: {problem}")))
    return None
