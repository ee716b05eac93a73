"""Magic Rabbit."""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, Any

from aiplay._core.games.magic_rabbit.core import MagicRabbitCore
from aiplay.errors import InvalidStateError
from aiplay.fields import Field
from aiplay.games.data_file import DATA_OPTION
from aiplay.games.magic_rabbit.data import PILES, SEATS, read_dove_places
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["MagicRabbit"]

MOST_TURNS = 200
HATS, SWITCH_PILES, STAY = 100, 200, 300  # bases of moves: + 10 * pile + pile; below 100 a lift
PHASES = ("to act", "to move a dove")


class MagicRabbit(MagicRabbitCore):
    """Magic Rabbit: a silent team sorts hats and brings every rabbit under its own, before the turns run out."""

    name = "magic_rabbit"
    OPTIONS = (
        Option("players", 2, "seats of the team", low=SEATS[0], high=SEATS[-1]),
        Option("piles", 9, "hats and rabbits", low=PILES[0], high=PILES[-1]),
        Option("doves", True, "whether doves get in the way"),
        Option("turns", 20, "turns of all seats together, instead of the hourglass", low=1, high=MOST_TURNS),
        DATA_OPTION,
    )
    FIELDS = {
        "lifted": Field(
            0, MOST_TURNS, "for each pile and seat: the turn in which it first lifted that rabbit"
        ),
        "hats": Field(0, 9, "the hat of each pile; 0 not dealt, or no such pile"),
        "rabbits": Field(0, 9, "the rabbit of each pile; 0 not dealt, no such pile, or hidden"),
        "rehatted": Field(
            0, MOST_TURNS, "for each pile: the turn in which it got this hat by a switch of hats"
        ),
        "switched": Field(0, MOST_TURNS, "for each pile: the turn in which it came to this place"),
        "doves": Field(0, 2**9 - 1, "a bit for every pile with a dove: bit 0 is pile 1"),
        "n_dealt": Field(0, 19, "hats, then rabbits dealt, then the first seat chosen"),
        "n_turns": Field(0, MOST_TURNS, "turns that are over"),
        "seat": Field(0, 3, "whose turn it is"),
        "phase": Field(0, 1, "the phase of the turn: 0 the action, 1 the dove"),
    }

    @functools.cached_property
    def _dove_places(self) -> list[int]:
        """Where doves stand at the start, piles counted from 1."""
        places = read_dove_places(self.options["data"])
        return places[self.options["piles"], self.options["players"]] if self.options["doves"] else []

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Names of the phases of a turn."""
        return {"phase": PHASES}

    # ---- Positions from outside ------------------------------------------------------------------------------

    def check(self, fields: Any, seat: int | None) -> None:
        """Every tile once, as many doves as there are, and a memory of turns that does not contradict itself."""
        self._check_tiles(fields, seat)
        self._check_turn(fields)
        self._check_doves(fields)
        self._check_memory(fields)

    def _check_tiles(self, fields: Any, seat: int | None) -> None:
        piles = self.options["piles"]
        n_dealt = int(fields["n_dealt"])
        if n_dealt > 2 * piles + 1:
            raise InvalidStateError(f"field 'n_dealt' is {n_dealt}; allowed: 0 to {2 * piles + 1}")
        hats, rabbits = fields["hats"].tolist(), fields["rabbits"].tolist()
        dealt = {"hats": min(n_dealt, piles), "rabbits": min(max(n_dealt - piles, 0), piles)}
        for name, tiles in (("hats", hats), ("rabbits", rabbits)):
            seen = [tile for tile in tiles if tile]
            if any(tile > piles for tile in seen) or len(set(seen)) != len(seen):
                raise InvalidStateError(
                    f"field {name!r} is {tiles}; allowed: every number from 1 to {piles} once"
                )
            if any(tiles[dealt[name] :]):
                raise InvalidStateError(f"field {name!r} has a tile on a pile that is not dealt yet")
        if not all(hats[: dealt["hats"]]):
            raise InvalidStateError("field 'hats': a hat that is dealt is 0")
        for pile, is_known in enumerate(self._known(fields, seat)[: dealt["rabbits"]]):
            if is_known != bool(rabbits[pile]):
                what = (
                    "is hidden, but has to be seen"
                    if is_known
                    else f"is seen, but seat {seat} cannot know it"
                )
                raise InvalidStateError(f"field 'rabbits': the rabbit of pile {pile + 1} {what}")

    def _known(self, fields: Any, seat: int | None) -> list[bool]:
        """For every pile whether the rabbit is visible; all of them in a state."""
        piles = self.options["piles"]
        if seat is None:
            return [True] * piles
        known = [bool(turn) for turn in fields["lifted"][:piles, seat]]
        return [True] * piles if sum(known) >= piles - 1 else known

    def _check_turn(self, fields: Any) -> None:
        n_turns, turns = int(fields["n_turns"]), self.options["turns"]
        if n_turns > turns or (n_turns == turns and fields["phase"]):
            raise InvalidStateError(f"field 'n_turns' is {n_turns}; the game has {turns} turns")
        if fields["seat"] >= self.seats:
            raise InvalidStateError(f"field 'seat' is {fields['seat']}; allowed: 0 to {self.seats - 1}")
        if fields["n_dealt"] <= 2 * self.options["piles"] and (n_turns or fields["seat"] or fields["phase"]):
            raise InvalidStateError("field 'n_dealt': turns are played before everything is dealt")

    def _check_doves(self, fields: Any) -> None:
        doves = int(fields["doves"])
        start = sum(1 << (place - 1) for place in self._dove_places)
        if doves >> self.options["piles"] or doves.bit_count() != start.bit_count():
            raise InvalidStateError(
                f"field 'doves' is {doves}; allowed: {start.bit_count()} of {self.options['piles']} bits"
            )
        if (doves & ~start).bit_count() > fields["n_turns"]:
            raise InvalidStateError(f"field 'doves' is {doves}; so many doves cannot have moved yet")

    def _check_memory(self, fields: Any) -> None:
        """A turn is one action: a lift by the seat whose turn it was, or a switch of two hats or two piles."""
        piles, now = self.options["piles"], int(fields["n_turns"]) + int(fields["phase"])
        lifted = fields["lifted"].tolist()
        names = ("lifted", "rehatted", "switched")
        used: dict[str, list[int]] = {name: [int(t) for t in fields[name].flat if t] for name in names}
        for name in names:
            if fields[name][piles:].any():
                raise InvalidStateError(f"field {name!r} has a turn for a pile that does not exist")
            if any(turn > now for turn in used[name]):
                raise InvalidStateError(f"field {name!r} has a turn after turn {now}")
        for pile, row in enumerate(lifted):
            for seat, turn in enumerate(row):
                if turn and (seat >= self.seats or self._seat_of(fields, turn) != seat):
                    raise InvalidStateError(
                        f"field 'lifted': pile {pile + 1} in turn {turn} by seat {seat}, whose turn it was not"
                    )
        if len({*used["lifted"]}) != len(used["lifted"]):
            raise InvalidStateError("field 'lifted': two lifts in one turn")
        for name in ("rehatted", "switched"):
            counts = Counter(used[name])
            if any(n > 2 for n in counts.values()) or (counts and counts[max(counts)] != 2):
                raise InvalidStateError(
                    f"field {name!r}: a switch is of two, and the last one is still to be seen"
                )
        kinds = [set(used[name]) for name in names]
        if len(set().union(*kinds)) != sum(len(kind) for kind in kinds):
            raise InvalidStateError("fields 'lifted', 'rehatted', 'switched': two actions in one turn")

    def _seat_of(self, fields: Any, turn: int) -> int:
        """Whose turn an earlier turn was."""
        return (int(fields["seat"]) - int(fields["n_turns"]) - 1 + turn) % self.seats

    # ---- Text --------------------------------------------------------------------------------------------------

    def move_text(self, position: Position, move: int) -> str:
        """lift 3, hats 2 5, piles 2 5, stay, dove 1 to 4; in the deal hat 7, rabbit 7, first seat 0."""
        n_dealt, piles = int(position.fields["n_dealt"]), self.options["piles"]
        if n_dealt <= 2 * piles:
            return (
                f"first seat {move}"
                if n_dealt == 2 * piles
                else f"{'hat' if n_dealt < piles else 'rabbit'} {move}"
            )
        if move < HATS:
            return f"lift {move}"
        first, second = divmod(move % 100, 10)
        if move == STAY:
            return "stay"
        if move > STAY:
            return f"dove {first} to {second}"
        return f"{'hats' if move < SWITCH_PILES else 'piles'} {first} {second}"

    def render(self, position: Position) -> str:
        """The line of piles: doves, hats, rabbits (? where hidden, - where not dealt) and who has lifted them."""
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
            "hat": [str(hat) if hat else "-" for hat in fields["hats"][:piles]],
            "rabbit": rabbits,
            "lifted": lifted,
        }
        width = max(2, self.seats + 1)
        lines = [f"{name:<7}" + "".join(cell.rjust(width) for cell in cells) for name, cells in rows.items()]
        return "\n".join(line.rstrip() for line in [self._headline(position), *lines])

    def _headline(self, position: Position) -> str:
        fields, turns = position.fields, self.options["turns"]
        if fields["n_dealt"] <= 2 * self.options["piles"]:
            return "the deal"
        if position.is_over:
            return f"over after {turns} turns"
        return f"turn {fields['n_turns'] + 1} of {turns}, seat {fields['seat']} {PHASES[fields['phase']]}"
