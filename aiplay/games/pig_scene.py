"""Scenes of Pig."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType

from aiplay._core.typedefs import MAX_SEATS
from aiplay.errors import InvalidStateError
from aiplay.scene import Scene

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["PigScene", "PigSeat", "fields_of", "scene_of"]


class PigSeat(Struct, kw_only=True, forbid_unknown_fields=True):
    """A seat of Pig."""

    score: int  # points banked


class PigScene(Scene):
    """Pig: the scores, and the turn."""

    seats: list[PigSeat]
    turn: int  # the seat whose turn it is
    at_risk: int  # points of this turn, not banked yet
    decisions: int  # rolls and holds so far; the game ends at the option `horizon`
    is_rolling: bool = False  # True: the die is rolling
    to_move: int | UnsetType | None = UNSET  # None: the die is rolling, or the game is over
    winner: int | UnsetType | None = UNSET


def scene_of(position: Position) -> PigScene:
    """Return the scene of a position."""
    fields, to_move = position.to_fields(), position.to_move
    winner = fields["winner"]
    scores = fields["scores"][: position.game.seats]
    return PigScene(
        seats=[PigSeat(score=score) for score in scores],
        turn=int(fields["seat"]),
        at_risk=int(fields["turn_total"]),
        decisions=int(fields["n_decisions"]),
        is_rolling=bool(fields["is_rolling"]),
        to_move=to_move if to_move >= 0 else None,
        winner=winner - 1 if winner else None,
    )


def fields_of(scene: PigScene, seats: int, target: int) -> dict[str, Any]:
    """Return the fields of the position with a scene."""
    if len(scene.seats) != seats:
        raise InvalidStateError(f"the scene: seats has {len(scene.seats)} entries; allowed: {seats}")
    if scene.turn not in range(seats):
        raise InvalidStateError(f"the scene: turn is {scene.turn}; allowed: 0 to {seats - 1}")
    scores = [seat.score for seat in scene.seats]
    for place, score in enumerate(scores):
        if score < 0:
            raise InvalidStateError(f"the scene: seats[{place}].score is {score}; allowed: 0 or more")
    winners = [owner + 1 for owner, score in enumerate(scores) if score >= target]
    return {
        "scores": scores + [0] * (MAX_SEATS - seats),
        "turn_total": scene.at_risk,
        "n_decisions": scene.decisions,
        "seat": scene.turn,
        "is_rolling": int(scene.is_rolling),
        "winner": winners[0] if winners else 0,
    }
