"""Many random moves at C speed, with the promises of the contract checked at every one of them."""

from __future__ import annotations

from aiplay._core.game import Game
from aiplay._core.soak import soak
from aiplay._core.stream import check_seed
from aiplay.testing.trial import Trial

__all__ = ["soak_game"]


def soak_game(game: Game, moves: int = 1_000_000, seed: int = 0, **bounds: float) -> tuple[int, int, int]:
    """Play random games of a native game until so many moves are made, and check every position.

    ======  ==================================================================================================
    moves   are ascending and in range, chance included; probabilities add up to 1; samples are listed outcomes
    states  only ``play`` changes them; equal ones have equal hashes
    bounds  games end within ``max_depth``; returns, evaluations and priors are in their ranges
    views   concealing again changes nothing; turn and legal moves are those of the truth
    worlds  fit their view, have its moves, and go on like the truth as long as ``perceive`` sees no difference
    ======  ==================================================================================================

    Use it with a debug build (AIPLAY_BUILD=debug), which also checks every array access. `check_game` looks at fewer
    positions, and more closely. `bounds` are tighter ones than those of the game (max_depth, max_moves, max_return).
    Returns the numbers of games, moves and worlds; raises :class:`GameCheckError`.
    """
    seed = check_seed(seed)
    done = soak(game, moves, seed, **bounds)
    if done["problem"] is not None:
        trial = Trial(game, seed, f"game {done['games'] - 1} of soak_game")
        trial.moves, trial.at = done["played"], len(done["played"])
        trial.fail(done["problem"])
    return done["games"], done["moves"], done["worlds"]
