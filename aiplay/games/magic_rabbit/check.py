"""Checks of positions of Magic Rabbit that come as JSON or bytes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from aiplay.errors import InvalidStateError

__all__ = ["PositionCheck"]

MEMORY = ("lifted", "rehatted", "switched")  # fields that hold turns


class PositionCheck:
    """Checks one position: `run` raises InvalidStateError for the first contradiction."""

    def __init__(self, rules: dict[str, int], fields: Any, viewer: int | None) -> None:
        self.piles, self.seats, self.turns = rules["piles"], rules["seats"], rules["turns"]
        self.start = rules["doves"]
        self.viewer = viewer
        self.values: dict[str, Any] = {name: fields[name].tolist() for name in fields.dtype.names}

    def run(self) -> None:
        """Make all checks, the basic ones first."""
        self.check_tiles()
        self.check_rabbits()
        self.check_turn()
        self.check_doves()
        self.check_memory()
        self.check_lifts()
        self.check_switches()
        self.check_actions()

    def check_tiles(self) -> None:
        """Every dealt number is on one pile, and nothing else is."""
        piles, n_dealt = self.piles, self.values["n_dealt"]
        if n_dealt > 2 * piles + 1:
            raise InvalidStateError(f"field 'n_dealt' is {n_dealt}; allowed: 0 to {2 * piles + 1}")
        for name, n in (("hats", min(n_dealt, piles)), ("rabbits", self.n_rabbits)):
            tiles = self.values[name]
            seen = [tile for tile in tiles if tile]
            if any(tile > piles for tile in seen) or len(set(seen)) != len(seen):
                raise InvalidStateError(
                    f"field {name!r} is {tiles}; allowed: every number from 1 to {piles} once"
                )
            if any(tiles[n:]):
                raise InvalidStateError(f"field {name!r} has a tile on a pile that is not dealt yet")
        if not all(self.values["hats"][: min(n_dealt, piles)]):
            raise InvalidStateError("field 'hats': a hat that is dealt is 0")

    @property
    def n_rabbits(self) -> int:
        """Number of rabbits that are dealt."""
        return int(min(max(self.values["n_dealt"] - self.piles, 0), self.piles))

    def check_rabbits(self) -> None:
        """Exactly the rabbits that the seat of a view knows are visible; all of them in a state."""
        known = [True] * self.piles
        if self.viewer is not None:
            lifted = [row[self.viewer] > 0 for row in self.values["lifted"][: self.piles]]
            known = lifted if sum(lifted) < self.piles - 1 else known
        for pile in range(self.n_rabbits):
            if known[pile] != bool(self.values["rabbits"][pile]):
                problem = (
                    "is hidden, but has to be visible"
                    if known[pile]
                    else f"is visible, but seat {self.viewer} cannot know it"
                )
                raise InvalidStateError(f"field 'rabbits': the rabbit of pile {pile + 1} {problem}")

    def check_turn(self) -> None:
        """The turn is one of the game and comes after the deal."""
        n_turns, seat, phase = (self.values[name] for name in ("n_turns", "seat", "phase"))
        if n_turns > self.turns or (n_turns == self.turns and phase):
            raise InvalidStateError(f"field 'n_turns' is {n_turns}; the game has {self.turns} turns")
        if seat >= self.seats:
            raise InvalidStateError(f"field 'seat' is {seat}; allowed: 0 to {self.seats - 1}")
        if self.values["n_dealt"] <= 2 * self.piles and (n_turns or seat or phase):
            raise InvalidStateError("field 'n_dealt': turns are played before everything is dealt")

    def check_doves(self) -> None:
        """All doves are on the piles, and each turn has moved at most one."""
        doves, n_doves = self.values["doves"], self.start.bit_count()
        if doves >> self.piles or doves.bit_count() != n_doves:
            raise InvalidStateError(f"field 'doves' is {doves}; allowed: {n_doves} of {self.piles} bits")
        n_moved = (doves & ~self.start).bit_count()
        if n_moved > self.values["n_turns"]:
            raise InvalidStateError(
                f"field 'doves' is {doves}; {n_moved} doves cannot have moved in {self.values['n_turns']} turns"
            )

    def check_memory(self) -> None:
        """Only existing piles and past turns are remembered."""
        now = self.values["n_turns"] + self.values["phase"]
        for name in MEMORY:
            if any(self.turns_in(name, self.piles)):
                raise InvalidStateError(f"field {name!r} has a turn for a pile that does not exist")
            if any(turn > now for turn in self.turns_in(name)):
                raise InvalidStateError(f"field {name!r} has a turn after turn {now}")

    def turns_in(self, name: str, start: int = 0) -> list[int]:
        """The turns in a field, from a pile on."""
        rows = self.values[name][start:]
        turns = [turn for row in rows for turn in row] if name == "lifted" else rows
        return [turn for turn in turns if turn]

    def check_lifts(self) -> None:
        """A lift is made by the seat whose turn it was."""
        before = self.values["seat"] - self.values["n_turns"] - 1
        for pile, row in enumerate(self.values["lifted"]):
            for seat, turn in enumerate(row):
                if turn and (seat >= self.seats or (before + turn) % self.seats != seat):
                    raise InvalidStateError(
                        f"field 'lifted': pile {pile + 1} in turn {turn} by seat {seat}, whose turn it was not"
                    )
        lifts = self.turns_in("lifted")
        if len(set(lifts)) != len(lifts):
            raise InvalidStateError("field 'lifted': two lifts in one turn")

    def check_switches(self) -> None:
        """A switch has two piles, and the last one is still remembered on both."""
        for name in ("rehatted", "switched"):
            counts = Counter(self.turns_in(name))
            if any(n > 2 for n in counts.values()) or (counts and counts[max(counts)] != 2):
                raise InvalidStateError(
                    f"field {name!r}: at most two piles have the same turn, and two have the last one"
                )

    def check_actions(self) -> None:
        """A turn is one action: a lift, a switch of hats or a switch of piles."""
        kinds = [set(self.turns_in(name)) for name in MEMORY]
        if len(set().union(*kinds)) != sum(len(kind) for kind in kinds):
            raise InvalidStateError("fields 'lifted', 'rehatted', 'switched': two actions in one turn")
