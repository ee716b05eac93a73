"""Pig."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiplay._core.games.pig import FACES, HOLD, MAX_TARGET, ROLL, PigCore
from aiplay._core.typedefs import MAX_SEATS
from aiplay.errors import InvalidStateError
from aiplay.fields import Field
from aiplay.options import Option
from aiplay.parts import Verb

if TYPE_CHECKING:
    from aiplay._core.game import Position
    from aiplay.catalogue import Entry
    from aiplay.games.pig_scene import PigScene

__all__ = ["Pig"]

MAX_HORIZON = 30_000
MAX_SCORE = 20_000  # fits into 16 bits
MOVES = {ROLL: "roll", HOLD: "hold"}
LOSING = "Loses all points of the turn, and the turn ends."


class Pig(PigCore):
    """Pig: roll a die as often as you dare; a 1 loses the points of the turn, holding banks them."""

    name = "pig"
    returns_sum = 0.0
    VERBS = {
        "roll": Verb("roll", "Roll the die: 2 to 6 adds points to the turn, 1 loses them and ends the turn."),
        "hold": Verb("hold", "Bank the points of the turn, and end the turn.", ends=True),
        "show": Verb("{die}", "The die has been rolled, and shows a number."),
    }
    OPTIONS = (
        Option("players", 2, "seats", low=2, high=MAX_SEATS),
        Option("target", 100, "points that win", low=2, high=MAX_TARGET),
        Option("horizon", 1000, "decisions after which nobody wins", low=1, high=MAX_HORIZON),
    )
    FIELDS = {
        "scores": Field(
            0, MAX_SCORE, "points that each seat has banked; 0 for seats that do not play", seat_axis=0
        ),
        "turn_total": Field(0, MAX_SCORE, "points of this turn, not banked yet"),
        "n_decisions": Field(0, MAX_HORIZON, "rolls and holds so far"),
        "seat": Field(0, MAX_SEATS - 1, "whose turn it is", seats_at=(0,)),
        "is_rolling": Field(0, 1, "1 while the die rolls"),
        "winner": Field(
            0, MAX_SEATS, "1 + the seat that has reached the target, 0 for nobody", seats_at=(1,)
        ),
    }

    def check(self, fields: Any, seat: int | None) -> None:
        """Only seats that play have points, at most one has won, and the points took enough rolls."""
        seats, target, horizon = self.seats, self.options["target"], self.options["horizon"]
        names = ("scores", "turn_total", "n_decisions", "seat", "winner")
        scores, turn_total, n_decisions, turn, winner = (fields[name] for name in names)
        if any(scores[seats:]):
            raise InvalidStateError(f"field 'scores' has points for seats that do not play; seats: {seats}")
        won = [owner + 1 for owner, score in enumerate(scores) if score >= target]
        if won != ([winner] if winner else []):
            raise InvalidStateError(f"field 'winner' is {winner}; it does not fit the scores")
        if turn >= seats:
            raise InvalidStateError(f"field 'seat' is {turn}; allowed: 0 to {seats - 1}")
        most = target - 1 + FACES
        if max(scores) > most or scores[turn] + turn_total > most:
            raise InvalidStateError(f"field 'scores' or 'turn_total' is too large; nobody gets beyond {most}")
        if n_decisions > horizon:
            raise InvalidStateError(f"field 'n_decisions' is {n_decisions}; the horizon is {horizon}")
        if sum(scores) + turn_total > FACES * n_decisions:
            raise InvalidStateError("field 'n_decisions' is too small for these points")

    def move_parts(self, position: Position, move: int) -> dict[str, Any]:
        """The verb; of an outcome, the face of the die."""
        if position.to_fields()["is_rolling"]:
            return {"verb": "show", "die": move + 1}
        return {"verb": MOVES[move]}

    def scene_type(self) -> type[PigScene]:
        """The scores, the seat whose turn it is, and the points at risk."""
        from aiplay.games.pig_scene import PigScene

        return PigScene

    def scene_of(self, position: Position) -> PigScene:
        """The scores, the seat whose turn it is, and the points at risk."""
        from aiplay.games.pig_scene import scene_of

        return scene_of(position)

    def fields_of_scene(self, scene: PigScene, seat: int | None) -> dict[str, Any]:
        """The scores with zeros for seats that do not play, and the winner."""
        from aiplay.games.pig_scene import fields_of

        return fields_of(scene, self.seats, self.options["target"])

    def things(self) -> dict[str, list[Entry]]:
        """The faces of the die."""
        from aiplay.catalogue import Entry

        faces = range(1, FACES + 1)
        effects = {face: LOSING if face == 1 else f"Adds {face} points to the turn." for face in faces}
        return {"die": [Entry(name=str(face), about=about) for face, about in effects.items()]}

    def render(self, position: Position) -> str:
        """Scores, and the points at risk."""
        fields = position.to_fields()
        scores = "  ".join(
            f"seat {seat}: {score}" for seat, score in enumerate(fields["scores"][: self.seats])
        )
        rolling = ", the die is rolling" if fields["is_rolling"] else ""
        return f"{scores}\nseat {fields['seat']} has {fields['turn_total']} at risk{rolling}"
