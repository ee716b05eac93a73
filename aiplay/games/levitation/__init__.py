"""Levitation: the Python face of the game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiplay._core.games.levitation.core import LevitationCore
from aiplay._core.games.levitation.state import (
    N_CARDS,
    N_CITIES,
    N_COLOURS,
    N_CUBES,
    N_DICE,
    N_MASTERS,
    N_PATHS,
    N_ROUNDS,
    N_SEATS,
    N_TICKETS,
    N_TOKENS,
    N_TURNS,
    NONE,
    PATH_BONUS,
)
from aiplay.fields import Field
from aiplay.games.data_file import DATA_OPTION
from aiplay.games.levitation.check import ALL_CARDS, PHASES, check_levitation
from aiplay.games.levitation.data import (
    COLOURS,
    MASTERS,
    MAX_FLAIR,
    LevitationData,
    load_data,
)
from aiplay.games.levitation.moves import VERBS, move_parts
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position
    from aiplay.catalogue import Entry
    from aiplay.games.levitation.scene import LevitationScene

__all__ = ["Levitation"]

TRAINED = (2, 3, 4)  # numbers of seats for which a trained value comes with the game


class Levitation(LevitationCore):
    """Levitation: draft dice to take cards and place tickets; paths, cards and point spaces score; most points win.

    In notation an action reads like ``draft green from Kellar``, ``place London``, ``claim Naples-Tokyo-London``,
    ``use Queen of Flowers``, ``place Mumbai``, ``end``.
    """

    name = "levitation"
    returns_sum = 1.0
    VALUE_FILES = tuple(str(Path(__file__).with_name(f"value_{seats}.json")) for seats in TRAINED)
    VERBS = VERBS
    OPTIONS = (Option("players", 2, "seats", low=2, high=N_SEATS), DATA_OPTION)
    FIELDS = {
        "owned": Field(0, ALL_CARDS, "cards of each seat: bit card", bits=1, seat_axis=0),
        "deck": Field(0, ALL_CARDS, "cards not yet drawn: bit card", bits=1),
        "used": Field(0, ALL_CARDS, "cards used in this action", bits=1),
        "disabled": Field(0, ALL_CARDS, "cards disabled until the turn ends", bits=1),
        "tickets": Field(
            0,
            4**N_CITIES - 1,
            "tickets of each seat in the cities: two bits for each city, city 0 lowest",
            bits=2,
            seat_axis=0,
        ),
        "scores": Field(0, 1_000_000, "points; those of the point spaces are added at the end", seat_axis=0),
        "flair": Field(0, MAX_FLAIR, "flair tokens on each card"),
        "city_cards": Field(NONE, N_CARDS - 1, "the card in each city; -1 none"),
        "space_seats": Field(
            NONE, N_SEATS - 1, "the seat whose ticket is on each point space; -1 none", seats_at=(0,)
        ),
        "unused": Field(0, N_TICKETS, "tickets that each seat can still gain", seat_axis=0),
        "hand": Field(0, N_TICKETS, "tickets in hand", seat_axis=0),
        "cubes": Field(0, N_CUBES, "acclaim cubes, committed ones included", seat_axis=0),
        "dice": Field(0, N_DICE, "dice on the masters: entry 5 * master + colour"),
        "tokens": Field(
            0, 2**N_TOKENS - 1, "turn tokens left in this round: bit (number - 1)", bits=1, seat_axis=0
        ),
        "revealed": Field(0, N_TOKENS, "number of the token revealed in this turn; 0 none yet", seat_axis=0),
        "order": Field(
            NONE, N_SEATS - 1, "seats in the order of this turn; -1 while tokens are revealed", seats_at=(0,)
        ),
        "first": Field(
            0, N_SEATS, "rank among the seats that act first in the next turn; 0 none", seat_axis=0
        ),
        "phase": Field(0, len(PHASES) - 1, "the decision to make: a phase"),
        "round": Field(0, N_ROUNDS - 1, "round, from 0"),
        "turn": Field(0, N_TURNS - 1, "turn of the round, from 0"),
        "n_acted": Field(0, N_SEATS, "seats that have acted in this turn"),
        "step": Field(0, N_CITIES - 1, "progress of a chance phase"),
        "has_rolled": Field(0, 1, "1 after the free roll of this action"),
        "master": Field(NONE, N_MASTERS - 1, "master of the drafted die; -1 before the draft"),
        "colour": Field(NONE, N_COLOURS - 1, "colour of the die as it counts now; -1 before the draft"),
        "has_acted": Field(0, 1, "1 after the main action"),
        "committed": Field(0, N_CUBES, "cubes committed in this action"),
        "bonus": Field(0, PATH_BONUS * N_CARDS, "extra points for the acting seat's next path"),
        "active": Field(NONE, N_CARDS - 1, "the card in use; -1 none"),
        "source": Field(NONE, N_CARDS - 1, "the lowest card with the text in use; -1 none"),
        "target": Field(NONE, N_CARDS - 1, "the first of two targets, a city or a card; -1 none"),
        "n_flair": Field(0, MAX_FLAIR, "flair tokens still to be placed"),
        "flair_from": Field(0, N_CARDS, "lowest card that may take the next flair token"),
        "path_seat": Field(NONE, N_SEATS - 1, "the seat that claims a path; -1 none", seats_at=(0,)),
        "path": Field(NONE, N_PATHS - 1, "the claimed path while its cities are refilled; -1 none"),
    }
    data: LevitationData

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Names of phases, cards, cities, point spaces, masters and colours."""
        return {
            "phase": PHASES,
            "card": tuple(card.name for card in self.data.cards),
            "city": tuple(city.name for city in self.data.cities),
            "space": self.data.spaces,
            "master": MASTERS,
            "colour": COLOURS,
        }

    def _data(self) -> dict[str, Any]:
        self.data = load_data(self.options["data"])
        return self.data.numbers()

    def check(self, fields: Any, seat: int | None) -> None:
        """Check that all pieces are there, every mark is possible, and there is a choice to make."""
        check_levitation(self, fields)

    # ---- Names and drawings ------------------------------------------------------------------------------------------

    def move_parts(self, position: Position, move: int) -> dict[str, Any]:
        """Return the verb, and the die, card, city, space or seat that it is about."""
        return move_parts(self.data, position.to_fields(), move)

    def scene_type(self) -> type[LevitationScene]:
        """Return the kind of its scenes: the board, the seats, and the action under way."""
        from aiplay.games.levitation.scene import LevitationScene

        return LevitationScene

    def scene_of(self, position: Position) -> LevitationScene:
        """Return the scene of a position."""
        from aiplay.games.levitation.scene import scene_of

        return scene_of(self.data, position)

    def fields_of_scene(self, scene: LevitationScene, seat: int | None) -> dict[str, Any]:
        """Return the fields of the position with a scene; nothing is hidden from any seat."""
        from aiplay.games.levitation.scene import fields_of

        return fields_of(self.data, self.seats, scene)

    def things(self) -> dict[str, list[Entry]]:
        """Return cards, cities, point spaces, masters, dice, other pieces and phases."""
        from aiplay.games.levitation.catalogue import things

        return things(self.data)

    def render(self, position: Position) -> str:
        """Return the turn, the dice, the cities with their cards or tickets, and the seats with their cards."""
        from aiplay.games.levitation.render import draw

        return draw(self.data, position)
