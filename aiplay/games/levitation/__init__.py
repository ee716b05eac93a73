"""Levitation: the Python face of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiplay._core.games.levitation.core import LevitationCore
from aiplay._core.games.levitation.state import (
    EFFECT_DISABLE,
    EFFECT_GAIN_CARD,
    EFFECT_MOVE_CARD,
    EFFECT_PLACE_CITY,
    EFFECT_TRADE_CARD,
    MOVE_AMOUNT,
    MOVE_CARD,
    MOVE_CITY,
    MOVE_COLOUR,
    MOVE_DICE,
    MOVE_DISCARD,
    MOVE_DRAFT,
    MOVE_END,
    MOVE_PARTNER,
    MOVE_PATH,
    MOVE_ROLL,
    MOVE_SPACE,
    MOVE_TICKETS,
    MOVE_TOKEN,
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
    PHASE_COPY,
    PHASE_DEAL,
    PHASE_DICE,
    PHASE_FLAIR,
    PHASE_MAIN,
    PHASE_REFILL,
    PHASE_START,
    PHASE_TOKENS,
    THURSTON,
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
from aiplay.games.levitation.render import draw
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["Levitation"]

WORDS = {MOVE_END: "end", MOVE_ROLL: "roll", MOVE_TICKETS: "tickets", MOVE_DISCARD: "discard"}
VERBS = {
    PHASE_DEAL: "deal",
    PHASE_REFILL: "deal",
    PHASE_START: "use",
    PHASE_MAIN: "use",
    PHASE_COPY: "copy",
    PHASE_FLAIR: "flair on",
}
# Dice on each master after throwing the four of a colour, in the order of the core's numbers
ROLLS = tuple(
    (first, second, N_DICE - first - second)
    for first in range(N_DICE + 1)
    for second in range(N_DICE + 1 - first)
)


class Levitation(LevitationCore):
    """Levitation: draft dice from three masters, learn illusions and tour the world.

    In notation an action reads like ``draft green from Kellar``, ``place London``, ``claim Naples-Tokyo-London``,
    ``use Queen of Flowers``, ``place Mumbai``, ``end``.
    """

    name = "levitation"
    returns_sum = 1.0
    OPTIONS = (Option("players", 2, "seats", low=2, high=N_SEATS), DATA_OPTION)
    FIELDS = {
        "owned": Field(0, ALL_CARDS, "cards of each seat: bit card", bits=1),
        "deck": Field(0, ALL_CARDS, "cards not yet drawn: bit card", bits=1),
        "used": Field(0, ALL_CARDS, "cards used in this action", bits=1),
        "disabled": Field(0, ALL_CARDS, "cards disabled until the turn ends", bits=1),
        "tickets": Field(
            0,
            4**N_CITIES - 1,
            "tickets of each seat in the cities: two bits for each city, city 0 lowest",
            bits=2,
        ),
        "scores": Field(0, 1_000_000, "points; those of the point spaces are added at the end"),
        "flair": Field(0, MAX_FLAIR, "flair tokens on each card"),
        "city_cards": Field(NONE, N_CARDS - 1, "the card in each city; -1 none"),
        "space_seats": Field(NONE, N_SEATS - 1, "the seat whose ticket is on each point space; -1 none"),
        "unused": Field(0, N_TICKETS, "tickets that each seat can still gain"),
        "hand": Field(0, N_TICKETS, "tickets in hand"),
        "cubes": Field(0, N_CUBES, "acclaim cubes, committed ones included"),
        "dice": Field(0, N_DICE, "dice on the masters: entry 5 * master + colour"),
        "tokens": Field(0, 2**N_TOKENS - 1, "turn tokens left in this round: bit (number - 1)", bits=1),
        "revealed": Field(0, N_TOKENS, "number of the token revealed in this turn; 0 none yet"),
        "order": Field(NONE, N_SEATS - 1, "seats in the order of this turn; -1 while tokens are revealed"),
        "first": Field(0, N_SEATS, "rank among the seats that act first in the next turn; 0 none"),
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
        "path_seat": Field(NONE, N_SEATS - 1, "the seat that claims a path; -1 none"),
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

    # ---- Notation ------------------------------------------------------------------------------------------

    def move_text(self, position: Position, move: int) -> str:
        """Return a verb and the name of a card, a city or a point space; for dice, the number on each master."""
        if move in WORDS:
            return WORDS[move]
        fields = position.fields
        if fields["phase"] == PHASE_TOKENS:
            return f"token {move - MOVE_TOKEN + 1}"
        if fields["phase"] == PHASE_DICE:
            counts = "-".join(map(str, ROLLS[move - MOVE_DICE]))
            return f"{COLOURS[fields['step']]} {counts}"
        if move < MOVE_SPACE:
            return self._city_text(fields, move - MOVE_CITY)
        if move < MOVE_CARD:
            return f"space {self.data.spaces[move - MOVE_SPACE]}"
        if move < MOVE_DRAFT:
            return self._card_text(fields, move - MOVE_CARD)
        return self._other_text(move)

    def _other_text(self, move: int) -> str:
        """Return the text of a move that is the same in every position."""
        if move >= MOVE_PATH:
            path = self.data.paths[move - MOVE_PATH]
            return "claim " + "-".join(self.data.cities[city].name for city in reversed(path))
        if move >= MOVE_PARTNER:
            seat, city = divmod(move - MOVE_PARTNER, N_CITIES)
            return f"with seat {seat} in {self.data.cities[city].name}"
        if move >= MOVE_AMOUNT:
            return f"points {move - MOVE_AMOUNT}"
        if move >= MOVE_COLOUR:
            return COLOURS[move - MOVE_COLOUR]
        master, colour = divmod(move - MOVE_DRAFT, N_COLOURS)
        return f"draft {COLOURS[colour]} from {MASTERS[master]}"

    def _card_text(self, fields: Any, card: int) -> str:
        verb = VERBS.get(int(fields["phase"]))
        if verb is None:
            verb = "disable" if self._effect(fields) == EFFECT_DISABLE else "give"
        return f"{verb} {self.data.cards[card].name}"

    def _city_text(self, fields: Any, city: int) -> str:
        name, is_first = self.data.cities[city].name, fields["target"] == NONE
        if fields["phase"] == PHASE_MAIN:
            return f"take {self._card_in(fields, city)}" if fields["master"] == THURSTON else f"place {name}"
        effect = self._effect(fields)
        if effect == EFFECT_GAIN_CARD or (effect == EFFECT_TRADE_CARD and not is_first):
            return f"take {self._card_in(fields, city)}"
        if effect == EFFECT_MOVE_CARD and is_first:
            return f"move {self._card_in(fields, city)}"
        if effect == EFFECT_PLACE_CITY:
            return f"place {name}"
        return f"{'from' if is_first else 'to'} {name}"

    def _effect(self, fields: Any) -> int:
        """Return the effect in use: EFFECT_*."""
        return self.data.cards[int(fields["source"])].effect

    def _card_in(self, fields: Any, city: int) -> str:
        return self.data.cards[int(fields["city_cards"][city])].name

    def render(self, position: Position) -> str:
        """Return the phase, the dice, the cities in three rows, the point spaces, and a row for each seat."""
        return draw(self.data, self.seats, position.fields)
