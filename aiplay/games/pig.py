"""Pig."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiplay._core.games.pig import PigCore
from aiplay.errors import InvalidStateError
from aiplay.fields import Field
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["Pig"]


class Pig(PigCore):
    """Pig: roll a die as often as you dare; a 1 loses the points of the turn, holding banks them."""

    name = "pig"
    returns_sum = 0.0
    OPTIONS = (
        Option("players", 2, "seats", low=2, high=6),
        Option("target", 100, "points that win", low=2, high=10_000),
        Option("horizon", 1000, "decisions after which nobody wins", low=1, high=30_000),
    )
    FIELDS = {
        "scores": Field(0, 20_000, "points that each seat has banked; unused seats have 0"),
        "turn_total": Field(0, 20_000, "points of this turn, not yet banked"),
        "n_decisions": Field(0, 30_000, "rolls and holds so far"),
        "seat": Field(0, 5, "whose turn it is"),
        "is_rolling": Field(0, 1, "1 while the die is in the air"),
        "winner": Field(0, 6, "1 + the seat that has reached the target, 0 for nobody"),
    }

    def check(self, fields: Any, seat: int | None) -> None:
        """Only seats that play have points, one at most has won, and the points took that many rolls."""
        seats, target, horizon = self.seats, self.options["target"], self.options["horizon"]
        scores = fields["scores"].tolist()
        if any(scores[seats:]):
            raise InvalidStateError(f"field 'scores' has points for seats that do not play; seats: {seats}")
        won = [seat + 1 for seat, score in enumerate(scores) if score >= target]
        if won != ([int(fields["winner"])] if fields["winner"] else []):
            raise InvalidStateError(f"field 'winner' is {fields['winner']}; it does not fit the scores")
        if fields["seat"] >= seats:
            raise InvalidStateError(f"field 'seat' is {fields['seat']}; allowed: 0 to {seats - 1}")
        if max(scores) > target + 5 or scores[fields["seat"]] + fields["turn_total"] > target + 5:
            raise InvalidStateError(
                f"field 'scores' or 'turn_total' is too large; nobody gets beyond {target + 5}"
            )
        if fields["n_decisions"] > horizon:
            raise InvalidStateError(
                f"field 'n_decisions' is {fields['n_decisions']}; the horizon is {horizon}"
            )
        if sum(scores) + fields["turn_total"] > 6 * fields["n_decisions"]:
            raise InvalidStateError("field 'n_decisions' is too small for the points on the table")

    def move_text(self, position: Position, move: int) -> str:
        """roll or hold; a die shows its face."""
        return str(move + 1) if position.fields["is_rolling"] else ("roll", "hold")[move]

    def render(self, position: Position) -> str:
        """Scores, and the points at risk."""
        fields = position.fields
        scores = "  ".join(
            f"seat {seat}: {score}" for seat, score in enumerate(fields["scores"][: self.seats])
        )
        rolling = ", the die is rolling" if fields["is_rolling"] else ""
        return f"{scores}\nseat {fields['seat']} has {fields['turn_total']} at risk{rolling}"
