"""Checks of positions of Magic Rabbit that come as JSON or bytes."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

from aiplay._core.games.magic_rabbit.state import (
    DOVE,
    FIRST_PILE,
    KIND,
    LIFT,
    MOVE_DOVE,
    N_LOGGED,
    OVER,
    STAY,
    SWITCH_HATS,
    SWITCH_PILES,
)
from aiplay.errors import InvalidStateError
from aiplay.games.magic_rabbit.moves import PILES

__all__ = ["PositionCheck"]

MEMORY = ("lifted", "rehatted", "switched")  # fields that hold turns


class PositionCheck:
    """Checks one position: `run` raises InvalidStateError for the first contradiction."""

    def __init__(self, rules: dict[str, int], fields: Any, viewer: int | None) -> None:
        self.piles, self.seats, self.turns = rules["piles"], rules["seats"], rules["turns"]
        self.start, self.may_end = rules["doves"], rules["may_end"]
        self.viewer = viewer
        self.values: dict[str, Any] = fields

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
        self.check_log()
        Rewind(self.values, self.seats, self.start).run()

    @property
    def is_over(self) -> bool:
        """True if no turn is left, or the team has said that it is done."""
        return bool(self.values["n_turns"] == self.turns or self.values["phase"] == OVER)

    @property
    def last_turn(self) -> int:
        """The last turn with an action."""
        return int(self.values["n_turns"] + (self.values["phase"] == DOVE))

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
        """Exactly the rabbits that the seat of a view knows are visible; all of them in a state and at the end."""
        known = [True] * self.piles
        if self.viewer is not None and not self.is_over:
            lifted = [row[self.viewer] > 0 for row in self.values["lifted"][: self.piles]]
            known = lifted if sum(lifted) < self.piles - 1 else known
        for pile in range(self.n_rabbits):
            if known[pile] != bool(self.values["rabbits"][pile]):
                problem = (
                    "is hidden, but has to be visible"
                    if known[pile]
                    else f"is visible, but seat {self.viewer} cannot know it"
                )
                raise InvalidStateError(f"field 'rabbits': the rabbit of pile {PILES[pile]} {problem}")

    def check_turn(self) -> None:
        """The turn is one of the game and comes after the deal."""
        n_turns, seat, phase = (self.values[name] for name in ("n_turns", "seat", "phase"))
        if n_turns > self.turns or (n_turns == self.turns and phase):
            raise InvalidStateError(f"field 'n_turns' is {n_turns}; the game has {self.turns} turns")
        if phase == OVER and not self.may_end:
            raise InvalidStateError(
                f"field 'phase' is {OVER}; allowed: 0 to {DOVE}, with turns=0 also {OVER}"
            )
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
        now = self.last_turn
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
                        f"field 'lifted': pile {PILES[pile]} in turn {turn} by seat {seat}, whose turn it was not"
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

    def check_log(self) -> None:
        """Every turn that the log can hold is there, with decisions that exist."""
        last = self.last_turn
        logged = {(turn - 1) % N_LOGGED: turn for turn in range(max(last - N_LOGGED, 0) + 1, last + 1)}
        for i, (action, dove_move) in enumerate(
            zip(self.values["actions"], self.values["dove_moves"], strict=True)
        ):
            turn = logged.get(i)
            is_decided = turn is not None and turn <= self.values["n_turns"]
            if not (self.is_action(action) if turn else action == 0):
                raise InvalidStateError(
                    f"field 'actions' is {action} at index {i}; allowed: "
                    + (
                        f"an action of turn {turn} on piles A to {PILES[self.piles - 1]}"
                        if turn
                        else "0, no such turn"
                    )
                )
            if not (self.is_dove_move(dove_move) if is_decided else dove_move == 0):
                raise InvalidStateError(
                    f"field 'dove_moves' is {dove_move} at index {i}; allowed: "
                    + (f"a dove decision of turn {turn}" if is_decided else "0, nothing is decided yet")
                )

    def is_action(self, move: int) -> bool:
        """True for a lift of a pile, or a switch of two, the smaller one first."""
        first, second = divmod(move % KIND, FIRST_PILE)
        if move < SWITCH_HATS:
            return 1 <= move - LIFT <= self.piles
        return move < STAY and 1 <= first < second <= self.piles

    def is_dove_move(self, move: int) -> bool:
        """True for `stay`, or a dove that moves from one pile to another."""
        first, second = divmod(move - MOVE_DOVE, FIRST_PILE)
        if move <= STAY:
            return move == STAY
        return first != second and 1 <= first <= self.piles and 1 <= second <= self.piles


class Rewind:
    """Takes the turns of the log back, the last one first, and checks that each could be played.

    A switch overwrites the turn of an earlier one; taken back, the earlier turn is unknown: None.
    """

    def __init__(self, values: dict[str, Any], seats: int, start: int) -> None:
        self.values, self.seats, self.start = values, seats, start
        self.doves: int = values["doves"]
        self.lifted: list[list[int]] = [[*row] for row in values["lifted"]]
        self.rehatted: list[int | None] = [*values["rehatted"]]
        self.switched: list[int | None] = [*values["switched"]]

    def run(self) -> None:
        """Take back all turns of the log."""
        n_turns = self.values["n_turns"]
        last = n_turns + (self.values["phase"] == DOVE)
        for turn in range(last, max(last - N_LOGGED, 0), -1):
            if turn <= n_turns:
                self.undo_dove(turn, self.values["dove_moves"][(turn - 1) % N_LOGGED])
            self.undo_action(turn, self.values["actions"][(turn - 1) % N_LOGGED])
            self.check_consumed(turn)
        if last <= N_LOGGED and self.doves != self.start:
            raise InvalidStateError(
                f"fields 'doves', 'dove_moves': before turn 1 the doves were {self.doves}; they start as {self.start}"
            )

    def undo_dove(self, turn: int, move: int) -> None:
        """The dove is where it went, and goes back."""
        if move == STAY:
            return
        start, end = (pile - 1 for pile in divmod(move - MOVE_DOVE, FIRST_PILE))
        if self.doves >> start & 1 or not self.doves >> end & 1:
            raise InvalidStateError(
                f"field 'dove_moves': turn {turn} moved a dove from pile {PILES[start]} to {PILES[end]}; "
                f"the doves after it are {self.doves}"
            )
        self.doves ^= 1 << start | 1 << end

    def undo_action(self, turn: int, move: int) -> None:
        """The piles had no dove, and remember the turn unless a later one has overwritten it."""
        if move < SWITCH_HATS:
            piles = [move - LIFT - 1]
        else:
            piles = [pile - 1 for pile in divmod(move % KIND, FIRST_PILE)]
        for pile in piles:
            if self.doves >> pile & 1:
                raise InvalidStateError(
                    f"field 'actions': turn {turn} used pile {PILES[pile]}, which had a dove"
                )
        if move < SWITCH_HATS:
            self.undo_lift(turn, piles[0])
            return
        name, memory = ("rehatted", self.rehatted) if move < SWITCH_PILES else ("switched", self.switched)
        for pile in piles:
            if memory[pile] not in (turn, None):
                raise InvalidStateError(
                    f"fields 'actions', {name!r}: turn {turn} switched pile {PILES[pile]}, which does not remember it"
                )
            memory[pile] = None
        if move >= SWITCH_PILES:
            first, second = piles
            _swap(self.lifted, first, second)
            _swap(self.rehatted, first, second)

    def undo_lift(self, turn: int, pile: int) -> None:
        """The seat has lifted this rabbit in this turn or before."""
        seat = (self.values["seat"] - self.values["n_turns"] - 1 + turn) % self.seats
        if not 0 < self.lifted[pile][seat] <= turn:
            raise InvalidStateError(
                f"fields 'actions', 'lifted': seat {seat} lifted pile {PILES[pile]} in turn {turn}, "
                "but its rabbit was not lifted by then"
            )
        if self.lifted[pile][seat] == turn:
            self.lifted[pile][seat] = 0

    def check_consumed(self, turn: int) -> None:
        """Nothing else remembers a turn that is taken back."""
        remembered = [*itertools.chain.from_iterable(self.lifted), *self.rehatted, *self.switched]
        if turn in remembered:
            raise InvalidStateError(
                f"field 'actions': turn {turn} is remembered as another action than that of the log"
            )


def _swap(items: list[Any], i: int, k: int) -> None:
    items[i], items[k] = items[k], items[i]
