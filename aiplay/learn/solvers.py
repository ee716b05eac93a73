"""Solvers: regret minimisation over a whole game, or over sampled games."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TypeAlias

from aiplay._core.game import Game, View
from aiplay._core.search.regret.gametree import GameTree
from aiplay._core.search.regret.sampled import SampledRegrets
from aiplay.exploit.exact import Gains, gains
from aiplay.strategy import key_of

__all__ = ["Solver", "made_solver", "measured", "shares_of"]

Solver: TypeAlias = GameTree | SampledRegrets


def made_solver(game: Game, tree: GameTree | None, *, is_sampled: bool, seed: int, memory: int) -> Solver:
    """Return the solver of a game: its tree, or walks from its start."""
    if tree is not None and not is_sampled:
        return tree
    return SampledRegrets(game.new_state(), seed=seed, memory=memory * 2**20, keeps_views=True)


def measured(tree: GameTree | None, solver: Solver) -> Gains | None:
    """Return what a best response wins against the strategy so far; None if the game is too large."""
    if tree is None:
        return None
    strategy = array("d")
    for place in range(tree.n_infosets):
        strategy.extend(_average(solver, tree.view(place)))
    return gains(tree, strategy)


def _average(solver: Solver, view: View) -> list[float]:
    place, n = solver.find(view), len(view.legal_moves())
    return solver.average(place) if place >= 0 else [1.0 / n] * n


def shares_of(solver: Solver) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the average strategy of every information set, by the key of its view."""
    for place in range(solver.n_infosets):
        yield key_of(solver.view(place)), tuple(solver.average(place))
