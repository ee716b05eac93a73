"""Solvers: regret minimisation over a whole game, or over sampled games."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TypeAlias

from aiplay._core.game import Game, View
from aiplay._core.search.common.control import StopFlag
from aiplay._core.search.regret.gametree import GameTree, estimated_size
from aiplay._core.search.regret.sampled import SampledRegrets
from aiplay.errors import OptionError
from aiplay.exploit.exact import Gains, gains
from aiplay.strategy import key_of

__all__ = ["Solver", "made_solver", "measured", "shares_of", "unrolled"]

Solver: TypeAlias = GameTree | SampledRegrets

PROBES = 32  # random games that tell how large a game is
SURELY = 20  # times too large by the estimate: no attempt is made to hold the game


def unrolled(game: Game, positions: int) -> GameTree | None:
    """Return the tree of a game, or None if it has more than so many positions."""
    if estimated_size(game, PROBES) > SURELY * positions:
        return None
    try:
        tree = GameTree(game, max_nodes=positions, stop=StopFlag())
    except OverflowError:
        return None
    if tree.n_infosets == 0:
        raise OptionError(f"no seat ever has a choice in {game.name}: there is nothing to learn")
    return tree


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
