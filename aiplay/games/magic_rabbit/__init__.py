"""Magic Rabbit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiplay._core.games.magic_rabbit.core import MagicRabbitCore
from aiplay._core.games.magic_rabbit.state import (
    ACTION,
    DONE,
    DOVE,
    FIRST_PILE,
    KIND,
    LIFT,
    MAX_PILES,
    MAX_PLAYERS,
    MAX_TURNS,
    MIN_PILES,
    MOVE_DOVE,
    N_LOGGED,
    OVER,
    STAY,
    SWITCH_HATS,
    SWITCH_PILES,
)
from aiplay.fields import Field, Part
from aiplay.games.data_file import DATA_OPTION
from aiplay.games.magic_rabbit.check import PositionCheck
from aiplay.games.magic_rabbit.data import read_dove_places
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["MagicRabbit"]

PHASES = {ACTION: "to act", DOVE: "to move a dove", OVER: "over"}
LAST_ACTION = SWITCH_PILES + FIRST_PILE * (MAX_PILES - 1) + MAX_PILES
LAST_DOVE_MOVE = MOVE_DOVE + FIRST_PILE * MAX_PILES + MAX_PILES - 1
MOVE_PARTS = (  # of a logged move
    Part("kind", 0, MOVE_DOVE // KIND + 1, KIND, is_category=True),
    Part("first pile, or pile of a dove", 0, FIRST_PILE, FIRST_PILE),
    Part("second pile, or the only one", 0, FIRST_PILE),
)
N_DRAWN = 4  # turns of the log that a drawing shows


class MagicRabbit(MagicRabbitCore):
    """Magic Rabbit: a silent team sorts hats and brings every rabbit under its own before the turns run out."""

    name = "magic_rabbit"
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
        "doves": Field(0, 2**MAX_PILES - 1, "a bit for every pile with a dove: bit 0 is pile 1", bits=1),
        "n_dealt": Field(
            0, 2 * MAX_PILES + 1, "hats and rabbits dealt, plus 1 when the first seat is chosen"
        ),
        "n_turns": Field(0, MAX_TURNS, "finished turns"),
        "seat": Field(0, MAX_PLAYERS - 1, "whose turn it is"),
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
            "doves": int(self.new_state().fields["doves"]),
        }
        PositionCheck(rules, fields, seat).run()

    def move_text(self, position: Position, move: int) -> str:
        """``lift 3``, ``hats 2 5``, ``piles 2 5``, ``done``, ``stay``, ``dove 1 to 4``; of the deal ``hat 7``."""
        n_dealt, piles = int(position.fields["n_dealt"]), self.options["piles"]
        if n_dealt <= 2 * piles:
            return f"{'hat' if n_dealt < piles else 'rabbit' if n_dealt < 2 * piles else 'first seat'} {move}"
        return _decision_text(move)

    def render(self, position: Position) -> str:
        """The piles: doves, hats, rabbits (? hidden, - not dealt), seats that have lifted them; and the last turns."""
        fields, piles = position.fields, self.options["piles"]
        n_rabbits = int(fields["n_dealt"]) - piles
        doves = int(fields["doves"])
        lifted = [
            "".join(str(seat) for seat in range(self.seats) if row[seat]) for row in fields["lifted"][:piles]
        ]
        rabbits = [
            str(rabbit) if rabbit else "?" if pile < n_rabbits else "-"
            for pile, rabbit in enumerate(fields["rabbits"][:piles])
        ]
        rows = {
            "pile": [str(pile + 1) for pile in range(piles)],
            "dove": ["v" if doves >> pile & 1 else "" for pile in range(piles)],
            "hat": self._drawn_hats(position),
            "rabbit": rabbits,
            "lifted": lifted,
        }
        width = max(2, self.seats + 1)
        drawn = [f"{name:<7}" + "".join(cell.rjust(width) for cell in cells) for name, cells in rows.items()]
        lines = [self._headline(position), *drawn, *self._last_turns(position)]
        return "\n".join(line.rstrip() for line in lines)

    def _drawn_hats(self, position: Position) -> list[str]:
        """The hats; with the option, those under doves are hidden until the game is over."""
        doves = int(position.fields["doves"])
        is_hidden = (
            self.options["hats_hidden"]
            and position.fields["n_dealt"] > 2 * self.options["piles"]
            and not position.is_over
        )
        return [
            "?" if is_hidden and doves >> pile & 1 else str(hat) if hat else "-"
            for pile, hat in enumerate(position.fields["hats"][: self.options["piles"]])
        ]

    def _last_turns(self, position: Position) -> list[str]:
        """The last turns of the log, oldest first."""
        fields = position.fields
        n_turns, to_act = int(fields["n_turns"]), int(fields["seat"])
        last = n_turns + (int(fields["phase"]) == DOVE)
        rows = []
        for turn in range(max(last - N_DRAWN, 0) + 1, last + 1):
            moves = [int(fields[name][(turn - 1) % N_LOGGED]) for name in ("actions", "dove_moves")]
            decided = ", ".join(_decision_text(move) for move in moves if move)
            rows.append(f"turn {turn}, seat {(to_act + turn - n_turns - 1) % self.seats}: {decided}")
        return rows

    def _headline(self, position: Position) -> str:
        fields, turns = position.fields, self.options["turns"]
        n_turns = int(fields["n_turns"])
        if fields["n_dealt"] <= 2 * self.options["piles"]:
            return "the deal"
        if position.is_over:
            return f"over after {n_turns} turns"
        limit = f" of {turns}" if turns else ""
        return f"turn {n_turns + 1}{limit}, seat {fields['seat']} {PHASES[int(fields['phase'])]}"


def _decision_text(move: int) -> str:
    """The notation of an action or of a decision about a dove."""
    first, second = divmod(move % KIND, FIRST_PILE)
    if move == DONE:
        return "done"
    if move < SWITCH_HATS:
        return f"lift {move - LIFT}"
    if move == STAY:
        return "stay"
    if move > STAY:
        return f"dove {first} to {second}"
    return f"{'hats' if move < SWITCH_PILES else 'piles'} {first} {second}"
