"""Checks of positions of The Three Magicians that come as JSON or bytes."""

from __future__ import annotations

import itertools
from enum import IntEnum
from typing import Any, NoReturn

from aiplay._core.games.three_magicians import state
from aiplay._core.games.three_magicians.state import (
    ALL_CARDS,
    LABYRINTH,
    LIFE,
    MAX_POINTS,
    N_TAROT,
    N_WANDS,
)
from aiplay.errors import InvalidStateError
from aiplay.games.three_magicians.data import Board

__all__ = ["Phase", "PositionCheck"]

TURN_FIELDS = ("jump", "walk", "is_again")
DUEL_FIELDS = (
    "rival",
    "is_reversed",
    "is_second",
    "n_throws",
    "n_kept",
    "kept",
    "thrown",
    "goal",
    "goal_throws",
)


class Phase(IntEnum):
    """The phases; state.pxd of the core describes them."""

    FIRST = state.FIRST
    THROW = state.THROW
    MOVE = state.MOVE
    OFFER = state.OFFER
    MAGIC = state.MAGIC
    TIE = state.TIE
    STAR = state.STAR
    STEAL = state.STEAL
    DUEL_THROW = state.DUEL_THROW
    DUEL_KEEP = state.DUEL_KEEP
    OVER = state.OVER


ON_MAGIC = (Phase.OFFER, Phase.MAGIC, Phase.TIE, Phase.STAR)
IN_DUEL = (Phase.DUEL_THROW, Phase.DUEL_KEEP)
BETWEEN_TURNS = (Phase.FIRST, Phase.THROW, Phase.OVER)


class PositionCheck:
    """Checks one position: `run` raises InvalidStateError for the first contradiction."""

    def __init__(self, board: Board, rules: dict[str, Any], fields: Any) -> None:
        self.board, self.rules = board, rules
        self.values: dict[str, Any] = fields
        self.phase = Phase(self.values["phase"])
        self.seat: int = self.values["seat"]
        self.magicians: list[int] = self.values["magicians"]
        self.apprentices: list[int] = self.values["apprentices"]

    def run(self) -> None:
        """Make all checks, the basic ones first."""
        self.check_seats()
        self.check_turns()
        self.check_cards()
        self.check_figures()
        self.check_duel()
        self.check_company()
        self.check_turn()
        self.check_freed()
        self.check_magic()
        self.check_steal()
        self.check_wands()

    def fail(self, name: str, problem: str) -> NoReturn:
        """Raise InvalidStateError for a field."""
        raise InvalidStateError(f"field {name!r} is {self.values[name]}; {problem}")

    def blank(self, names: tuple[str, ...], when: str) -> None:
        """Fail unless these fields are 0."""
        for name in names:
            value = self.values[name]
            if any(value) if isinstance(value, list) else value:
                self.fail(name, f"it has to be 0 {when}")

    def check_seats(self) -> None:
        """Seats that do not play have no cards and no figures."""
        players = self.rules["players"]
        for name in ("seat", "rival"):
            if self.values[name] >= players:
                self.fail(name, f"allowed: 0 to {players - 1}")
        for name in ("cards", "magicians", "apprentices", "powers"):
            if any(self.values[name][players:]):
                self.fail(name, f"it has to be 0 for seats that do not play; seats: {players}")

    def check_turns(self) -> None:
        """The number of throws fits the phase, and before the first one nothing has happened."""
        n_turns, cap = self.values["n_turns"], self.rules["turn_cap"]
        if n_turns > cap:
            self.fail("n_turns", f"the turn cap is {cap}")
        if n_turns == 0:
            if self.phase not in (Phase.FIRST, Phase.THROW):
                self.fail("n_turns", "nothing can be decided before the first throw")
            players = self.rules["players"]
            for name in ("magicians", "apprentices"):
                if any(spot != LIFE for spot in self.values[name][:players]):
                    self.fail(name, f"before the first throw all figures are on {self.board.names[LIFE]}")
            self.blank(("cards", "powers"), "before the first throw")
        elif self.phase == Phase.FIRST:
            self.fail("n_turns", "it has to be 0 before the first seat is chosen")
        if self.phase == Phase.FIRST:
            self.blank(("seat",), "before the first seat is chosen")

    def check_cards(self) -> None:
        """No place has given more cards than it has, and a complete set ends the game."""
        cards = self.values["cards"]
        for place in range(N_TAROT):
            if sum(mine >> place & 1 for mine in cards) > self.rules["cards_per_place"]:
                self.fail(
                    "cards", f"{self.board.names[place]} has only {self.rules['cards_per_place']} cards"
                )
        # A turn brings at most two cards: the Apprentice meets the Magician, which then jumps into a duel.
        if sum(mine.bit_count() for mine in cards) > 2 * self.values["n_turns"]:
            self.fail("cards", f"too many for {self.values['n_turns']} turns")
        if cards.count(ALL_CARDS) != (self.phase == Phase.OVER):
            self.fail("cards", "the game is over if and only if exactly one seat owns all cards")

    def check_figures(self) -> None:
        """Apprentices stand on the board, and have no Power token in the Labyrinth."""
        for spot, power in zip(self.apprentices, self.values["powers"], strict=True):
            if spot >= self.board.n_spots:
                self.fail("apprentices", f"the board has spots 0 to {self.board.n_spots - 1}")
            if power and spot == LABYRINTH:
                self.fail(
                    "powers", f"an Apprentice in the {self.board.names[LABYRINTH]} has lost its Power token"
                )

    def check_company(self) -> None:
        """A place with tarot cards has at most one Magician, and with it no Apprentice of another seat."""
        players = range(self.rules["players"])
        is_duel = self.phase in IN_DUEL
        for seat in players:
            place = self.magicians[seat]
            if place >= N_TAROT:
                continue
            others = [other for other in players if other != seat]
            together = [other for other in others if self.magicians[other] == place]
            if together and not (is_duel and {seat, *together} == {self.seat, self.values["rival"]}):
                self.fail("magicians", f"two stand on {self.board.names[place]} without a duel")
            # A Magician that starts a duel has not sent anybody away yet, and a won game stops at once.
            if seat == self.seat and (is_duel or self.phase == Phase.OVER):
                continue
            if any(self.apprentices[other] == place for other in others):
                self.fail("apprentices", f"one shares {self.board.names[place]} with another seat's Magician")

    def check_turn(self) -> None:
        """The jumps and steps that are left fit the phase and a throw of three wands."""
        jump, walk, is_again = (self.values[name] for name in TURN_FIELDS)
        if self.phase in BETWEEN_TURNS:
            self.blank(TURN_FIELDS, "between turns")
        if self.phase in ON_MAGIC:
            self.blank(("walk",), "after the Apprentice has walked")
        if self.phase in IN_DUEL:
            self.blank(("jump",), "in a duel")
        if self.phase == Phase.STEAL and jump and walk:
            self.fail("jump", "one of the figures has already moved when a card is taken")
        if jump and jump not in self.board.notches:
            self.fail("jump", f"the sides of a wand are {', '.join(map(str, self.board.notches))}")
        if walk and walk not in self.sums(N_WANDS):
            self.fail("walk", f"three wands show {', '.join(map(str, sorted(self.sums(N_WANDS))))} together")
        if is_again:
            if walk not in ((0, N_WANDS * jump) if jump else (0, N_WANDS, 2 * N_WANDS)):
                self.fail("walk", "it does not fit a triplet")
        elif walk == MAX_POINTS:
            self.fail("walk", "six notches are a triplet")
        elif jump and walk and not jump <= walk <= jump + 2 * (N_WANDS - 1):
            self.fail("walk", f"it does not fit {jump} notches of the own wand")

    def sums(self, n_wands: int) -> set[int]:
        """Notches that n wands can show together."""
        return {sum(wands) for wands in itertools.product(set(self.board.notches), repeat=n_wands)}

    def check_freed(self) -> None:
        """Figures leave the Labyrinth only with the right triplet."""
        jump, walk, is_again = (self.values[name] for name in TURN_FIELDS)
        free = self.rules["exits"] if is_again else ()
        if jump and self.magicians[self.seat] == LABYRINTH and jump not in free:
            self.fail("jump", f"the Magician is in the {self.board.names[LABYRINTH]}")
        if (
            walk
            and self.apprentices[self.seat] == LABYRINTH
            and walk not in [N_WANDS * notches for notches in free]
        ):
            self.fail("walk", f"the Apprentice is in the {self.board.names[LABYRINTH]}")

    def check_magic(self) -> None:
        """Magic needs an Apprentice on magic symbols, and a tie is one that the wands can show."""
        if self.phase in ON_MAGIC and self.apprentices[self.seat] not in self.board.magic:
            self.fail("apprentices", f"that of seat {self.seat} has to stand on magic symbols")
        if self.phase != Phase.TIE:
            self.blank(("tied",), "when no symbol is chosen")
        elif self.values["tied"] not in self.rules["ties"]:
            self.fail("tied", f"allowed: {', '.join(map(str, self.rules['ties']))}")

    def check_steal(self) -> None:
        """A card is taken from another seat where the own figures have met and the place has no card left."""
        if self.phase != Phase.STEAL:
            return
        place = self.magicians[self.seat]
        if place >= N_TAROT or self.apprentices[self.seat] != place:
            self.fail(
                "magicians", f"the figures of seat {self.seat} have not met on a place with tarot cards"
            )
        owners = [mine >> place & 1 for mine in self.values["cards"]]
        if owners[self.seat] or sum(owners) != self.rules["cards_per_place"]:
            self.fail("cards", f"seat {self.seat} cannot take {self.board.names[place]} from anybody")

    def check_duel(self) -> None:
        """A duel is between two Magicians on the same place."""
        if self.phase not in IN_DUEL:
            self.blank(DUEL_FIELDS, "without a duel")
            return
        rival, place = self.values["rival"], self.magicians[self.seat]
        if rival == self.seat:
            self.fail("rival", "nobody fights a duel alone")
        if place >= N_TAROT or self.magicians[rival] != place:
            self.fail(
                "magicians",
                f"those of seats {self.seat} and {rival} have to be on the same place with tarot cards",
            )

    def check_wands(self) -> None:
        """The wands thrown and kept in a duel fit three wands and three throws."""
        if self.phase not in IN_DUEL:
            return
        values = self.values
        goal, goal_throws, n_throws, n_kept = (
            values[n] for n in ("goal", "goal_throws", "n_throws", "n_kept")
        )
        if bool(values["is_second"]) != bool(goal_throws) or (goal and not goal_throws):
            self.fail("goal_throws", "only the second thrower has a goal")
        is_thrown = self.phase == Phase.DUEL_KEEP
        limit = goal_throws or N_WANDS
        if not is_thrown <= n_throws < limit + is_thrown:
            self.fail("n_throws", f"this thrower has {limit} throws")
        # Each throw but the last keeps at least one wand, and leaves at least one to throw.
        n_before = n_throws - is_thrown
        if not n_before <= n_kept <= (N_WANDS - 1 if n_before else 0):
            self.fail("n_kept", f"it does not fit {n_throws} throws")
        if values["kept"] not in self.sums(n_kept):
            self.fail(
                "kept", f"{n_kept} wands show {', '.join(map(str, sorted(self.sums(n_kept))))} together"
            )
        if goal_throws and goal not in self.sums(N_WANDS):
            self.fail("goal", f"three wands show {', '.join(map(str, sorted(self.sums(N_WANDS))))} together")
        if any(n for side, n in enumerate(values["thrown"]) if side not in self.board.notches):
            self.fail("thrown", f"the sides of a wand are {', '.join(map(str, self.board.notches))}")
        if sum(values["thrown"]) != (N_WANDS - n_kept if is_thrown else 0):
            self.fail("thrown", "it has to count the wands just thrown")
