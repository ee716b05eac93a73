"""Which player to take: simple rules, in this order. docs/profile.md compares them with duels of everyone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aiplay._core.contract import PLAY_TO_THE_END
from aiplay.players.mcts import chosen_mode
from aiplay.players.mixed import LONG
from aiplay.profile.result import Advice

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.profile.result import Effort, Facts, Score

__all__ = ["DEEP", "advise"]

DEEP = 8  # decisions ahead from which on expectimax is expected to be as good as mcts


def advise(game: Game, facts: Facts, effort: Effort, growth: Sequence[Score] = ()) -> Advice:
    """Return the player for a game by its figures, how far searches get, and how strength grows."""
    player, runner_up, reason = _players(game, facts, effort)
    return Advice(player, runner_up, chosen_mode(game, "auto"), reason, _enough(growth))


def _players(game: Game, facts: Facts, effort: Effort) -> tuple[str, str, str]:
    """Return the recommended player, the runner-up, and the reason."""
    if game.seats == 1 or game.is_cooperative:
        return "mcts", "greedy", "all seats win or lose together: nobody has to be misled"
    if facts.is_hidden and facts.decisions.middle <= LONG:
        reason = "something is hidden and games are short: mixed moves cannot be read"
        return "mixed", "mcts", reason
    if facts.is_hidden:
        other = "single" if chosen_mode(game, "auto") == "several" else "several"
        reason = "something is hidden, and games are too long for mixed moves"
        return "mcts", f"mcts:mode={other}", reason
    if not game.offers("evaluate"):
        return "mcts", "expectimax", "the game has no evaluation, which expectimax needs"
    if game.playout_depth == PLAY_TO_THE_END and game.offers("playout_move"):
        return "mcts", "expectimax", "the game has a policy for playouts to the end, which only mcts uses"
    if effort.depth >= DEEP:
        reason = f"nothing is hidden, and expectimax looks {effort.depth:.0f} decisions ahead"
        return "expectimax", "mcts", reason
    reason = f"nothing is hidden, but expectimax looks only {effort.depth:.0f} decisions ahead"
    return "mcts", "expectimax", reason


def _enough(growth: Sequence[Score]) -> int | None:
    """Return the iterations after the last step that was certainly a gain; None if that was the last of all steps."""
    gains = [number for number, step in enumerate(growth, 1) if step.is_better]
    last = gains[-1] if gains else 0
    return iterations_of(growth[last].b) if last < len(growth) else None


def iterations_of(spec: str) -> int:
    """Return the iterations of a specification."""
    return int(spec.partition("iterations=")[2].partition(",")[0])
