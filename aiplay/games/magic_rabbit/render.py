"""The piles of Magic Rabbit as text.

pile     A  B  C      from the Magician's end
dove     v            this pile cannot be lifted or switched
hat      3  1  2
rabbit   ?  2  ?      hidden, known
lifted     01         by the seats 0 and 1
goal     1  2  3      hats and rabbits belong here
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiplay._core.games.magic_rabbit.state import ACTION, DOVE, N_LOGGED, OVER
from aiplay.games.magic_rabbit.moves import PILES, VERBS, decision_parts
from aiplay.parts import noted

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["PHASES", "are_hats_hidden", "draw", "has_succeeded"]

PHASES = {ACTION: "to act", DOVE: "to move a dove", OVER: "over"}
HINTS = {ACTION: "look (lift), or switch two hats or piles", DOVE: "one of them, or none (stay)"}
N_DRAWN = 4  # turns of the log that a drawing shows
LEGEND = (
    "goal: the hat and the rabbit that belong on the pile; ?: hidden; -: not dealt",
    "v: a dove, no lift and no switch here; lifted: seats that have seen the rabbit",
)


def draw(position: Position) -> str:
    """Return the piles with doves, hats, rabbits and the seats that have lifted them, a legend, and the last turns."""
    fields, piles, seats = position.to_fields(), int(position.game.options["piles"]), position.game.seats
    n_rabbits, doves = int(fields["n_dealt"]) - piles, int(fields["doves"])
    rabbits = [
        str(rabbit) if rabbit else "?" if pile < n_rabbits else "-"
        for pile, rabbit in enumerate(fields["rabbits"][:piles])
    ]
    rows = {
        "pile": [*PILES[:piles]],
        "dove": ["v" if doves >> pile & 1 else "" for pile in range(piles)],
        "hat": _hats(position),
        "rabbit": rabbits,
        "lifted": [
            "".join(str(seat) for seat in range(seats) if row[seat]) for row in fields["lifted"][:piles]
        ],
        "goal": [str(pile + 1) for pile in range(piles)],
    }
    width = max(2, seats + 1)
    drawn = [f"{name:<7}" + "".join(cell.rjust(width) for cell in cells) for name, cells in rows.items()]
    lines = [_headline(position), *drawn, *LEGEND, *_last_turns(position)]
    return "\n".join(line.rstrip() for line in lines)


def are_hats_hidden(position: Position) -> bool:
    """Return True if drawings hide the hats under doves: from the end of the deal to the end of the game."""
    is_dealt = position.to_fields()["n_dealt"] > 2 * position.game.options["piles"]
    return bool(position.game.options["hats_hidden"] and is_dealt and not position.is_over)


def has_succeeded(position: Position) -> bool:
    """Return True if, in a finished game, all hats and rabbits are at home."""
    goal = [*range(1, position.game.options["piles"] + 1)]
    fields = position.to_fields()
    return all(fields[name][: len(goal)] == goal for name in ("hats", "rabbits"))


def _hats(position: Position) -> list[str]:
    fields, is_hidden = position.to_fields(), are_hats_hidden(position)
    return [
        "?" if is_hidden and fields["doves"] >> pile & 1 else str(hat) if hat else "-"
        for pile, hat in enumerate(fields["hats"][: position.game.options["piles"]])
    ]


def _last_turns(position: Position) -> list[str]:
    """The last turns of the log, oldest first."""
    fields, seats = position.to_fields(), position.game.seats
    n_turns, to_act = int(fields["n_turns"]), int(fields["seat"])
    last = n_turns + (int(fields["phase"]) == DOVE)
    rows = []
    for turn in range(max(last - N_DRAWN, 0) + 1, last + 1):
        moves = [int(fields[name][(turn - 1) % N_LOGGED]) for name in ("actions", "dove_moves")]
        decided = ", ".join(noted(VERBS, decision_parts(move)) for move in moves if move)
        rows.append(f"turn {turn}, seat {(to_act + turn - n_turns - 1) % seats}: {decided}")
    return rows


def _headline(position: Position) -> str:
    fields, turns = position.to_fields(), position.game.options["turns"]
    n_turns = int(fields["n_turns"])
    if fields["n_dealt"] <= 2 * position.game.options["piles"]:
        return "the deal"
    if position.is_over:
        result = "success" if has_succeeded(position) else "failure"
        return f"over after {n_turns} turn{'' if n_turns == 1 else 's'}: {result}"
    phase, limit = int(fields["phase"]), f" of {turns}" if turns else ""
    done = ", or say done" if phase == ACTION and not turns else ""
    return f"turn {n_turns + 1}{limit}, seat {fields['seat']} {PHASES[phase]}: {HINTS[phase]}{done}"
