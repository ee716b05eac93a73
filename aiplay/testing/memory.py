"""A hint for games whose views forget: the same view after different histories."""

from __future__ import annotations

import warnings

from aiplay._core.game import Game
from aiplay._core.search.common.control import StopFlag
from aiplay._core.search.regret.gametree import GameTree
from aiplay._core.search.regret.probes import estimated_size

__all__ = ["ForgetfulViewsWarning", "forgetful_views", "warn_of_forgetful_views"]

POSITIONS = 20_000  # of the largest game that is looked through
PROBES = 16


class ForgetfulViewsWarning(UserWarning):
    """Views do not hold all that their seats have noticed."""


def forgetful_views(game: Game, positions: int = POSITIONS) -> tuple[int, int] | None:
    """Return how many decisions have views that do not tell by which moves they came about, and how many there are.

    The seat has noticed moves (of any seat, such as bets) that its view does not hold, and a player that gets the view
    cannot know them. None if nothing is hidden, or the game has too many positions.
    """
    if not game.has_hidden or estimated_size(game, PROBES) > 10 * positions:
        return None
    try:
        tree = GameTree(game, max_nodes=positions, stop=StopFlag())
    except OverflowError:
        return None
    return tree.n_merged, tree.n_infosets


def warn_of_forgetful_views(game: Game) -> None:
    """Warn if a small game has views that forget."""
    found = forgetful_views(game)
    if found is not None and found[0]:
        warnings.warn(
            f"{game.name}: {found[0]} of {found[1]} decisions have views that do not tell how they came about; players "
            "cannot conclude from earlier moves (such as bets) what others hold, unless the views show these moves",
            ForgetfulViewsWarning,
            stacklevel=3,
        )
