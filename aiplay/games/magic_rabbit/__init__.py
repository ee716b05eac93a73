"""Magic Rabbit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiplay._core.games.magic_rabbit.core import MagicRabbitCore
from aiplay._core.games.magic_rabbit.state import (
    ACTION,
    FIRST_PILE,
    KIND,
    MAX_PILES,
    MAX_PLAYERS,
    MAX_TURNS,
    MIN_PILES,
    MOVE_DOVE,
    N_LOGGED,
    OVER,
    SWITCH_PILES,
)
from aiplay.fields import Field, Part
from aiplay.games.data_file import DATA_OPTION
from aiplay.games.magic_rabbit.check import PositionCheck
from aiplay.games.magic_rabbit.data import read_dove_places
from aiplay.games.magic_rabbit.moves import PILES, VERBS, deal_parts, decision_parts
from aiplay.games.magic_rabbit.render import PHASES, draw
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position
    from aiplay.catalogue import Entry
    from aiplay.games.magic_rabbit.scene import MagicRabbitScene

__all__ = ["MagicRabbit"]

LAST_ACTION = SWITCH_PILES + FIRST_PILE * (MAX_PILES - 1) + MAX_PILES
LAST_DOVE_MOVE = MOVE_DOVE + FIRST_PILE * MAX_PILES + MAX_PILES - 1
MOVE_PARTS = (  # of a logged move
    Part("kind", 0, MOVE_DOVE // KIND + 1, KIND, is_category=True),
    Part("first pile, or pile of a dove", 0, FIRST_PILE, FIRST_PILE),
    Part("second pile, or the only one", 0, FIRST_PILE),
)


class MagicRabbit(MagicRabbitCore):
    """Magic Rabbit: a silent team sorts hats and brings every rabbit under its own before the turns run out."""

    name = "magic_rabbit"
    VERBS = VERBS
    OPTIONS = (
        Option("players", 2, "seats of the team", low=1, high=MAX_PLAYERS),
        Option("piles", 9, "hats and rabbits", low=MIN_PILES, high=MAX_PILES),
        Option("doves", True, "doves stand on some hats, in the way"),
        Option(
            "turns",
            20,
            "turns of all seats together, instead of the hourglass; 0: none, and a seat may say done",
            low=0,
            high=MAX_TURNS,
        ),
        Option("hats_hidden", False, "drawings hide the hats under doves"),
        DATA_OPTION,
    )
    FIELDS = {
        "lifted": Field(
            0,
            MAX_TURNS,
            "for each pile and seat: the turn in which the seat first lifted this rabbit; 0 never",
            seat_axis=1,
        ),
        "hats": Field(0, MAX_PILES, "the hat of each pile; 0 not dealt, or no such pile"),
        "rabbits": Field(0, MAX_PILES, "the rabbit of each pile; 0 not dealt, no such pile, or hidden"),
        "rehatted": Field(
            0, MAX_TURNS, "for each pile: the turn in which it got its hat by a switch of hats; 0 never"
        ),
        "switched": Field(
            0,
            MAX_TURNS,
            "for each pile: the turn in which it came to its place by a switch of piles; 0 never",
        ),
        "doves": Field(0, 2**MAX_PILES - 1, "a bit for every pile with a dove: bit 0 is pile A", bits=1),
        "n_dealt": Field(
            0, 2 * MAX_PILES + 1, "hats and rabbits dealt, plus 1 when the first seat is chosen"
        ),
        "n_turns": Field(0, MAX_TURNS, "finished turns"),
        "seat": Field(0, MAX_PLAYERS - 1, "whose turn it is", seats_at=(0,)),
        "phase": Field(
            ACTION,
            OVER,
            "the phase of the turn: 0 the action, 1 the dove, 2 the team has said that it is done",
        ),
        "actions": Field(
            0,
            LAST_ACTION,
            f"log of the last {N_LOGGED} turns, turn t at index (t - 1) % {N_LOGGED}: the action of each; 0 none yet",
            parts=MOVE_PARTS,
        ),
        "dove_moves": Field(
            0,
            LAST_DOVE_MOVE,
            "log of the same turns: the dove decision of each, as a move; 0 none yet",
            parts=MOVE_PARTS,
        ),
    }

    def _dove_places(self) -> list[int]:
        """Return the piles with a dove at the start, counted from 1."""
        places = read_dove_places(self.options["data"])
        return places[self.options["piles"], self.options["players"]] if self.options["doves"] else []

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Names of the phases of a turn."""
        return {"phase": tuple(PHASES.values())}

    def check(self, fields: Any, seat: int | None) -> None:
        """Tiles, doves and remembered turns are possible and fit each other."""
        rules = {
            "piles": self.options["piles"],
            "seats": self.seats,
            "turns": self.options["turns"] or MAX_TURNS,
            "may_end": self.options["turns"] == 0,
            "doves": int(self.new_state().to_fields()["doves"]),
        }
        PositionCheck(rules, fields, seat).run()

    def move_parts(self, position: Position, move: int) -> dict[str, Any]:
        """``lift C``, ``hats B E``, ``piles B E``, ``done``, ``stay``, ``dove A to D``; of the deal ``hat 7``."""
        n_dealt, piles = int(position.to_fields()["n_dealt"]), self.options["piles"]
        return deal_parts(move, n_dealt, piles) if n_dealt <= 2 * piles else decision_parts(move)

    def learned(self, before: Position, move: int, after: Position) -> dict[str, Any]:
        """The rabbit under a lifted hat, for the seat that lifts."""
        parts = self.move_parts(before, move)
        if parts["verb"] != "lift" or getattr(before, "seat", before.to_move) != before.to_move:
            return {}
        return {"rabbit": int(after.to_fields()["rabbits"][PILES.index(parts["pile"])])}

    def scene_type(self) -> type[MagicRabbitScene]:
        """The row of piles, the turns, the log."""
        from aiplay.games.magic_rabbit.scene import MagicRabbitScene

        return MagicRabbitScene

    def scene_of(self, position: Position) -> MagicRabbitScene:
        """The row of piles, the turns, the log."""
        from aiplay.games.magic_rabbit.scene import scene_of

        return scene_of(position)

    def fields_of_scene(self, scene: MagicRabbitScene, seat: int | None) -> dict[str, Any]:
        """Doves as bits, the log as moves, and what is remembered of the piles."""
        from aiplay.games.magic_rabbit.scene import fields_of

        return fields_of(scene, self)

    def things(self) -> dict[str, list[Entry]]:
        """Piles, hats, rabbits, doves, and the hourglass."""
        from aiplay.games.magic_rabbit.catalogue import things

        return things(self, self._dove_places())

    def render(self, position: Position) -> str:
        """The piles: doves, hats, rabbits (? hidden, - not dealt), seats that have lifted them; and the last turns."""
        return draw(position)
