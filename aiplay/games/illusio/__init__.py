"""Illusio."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiplay._core.games.illusio.core import IllusioCore
from aiplay._core.games.illusio.state import (
    BACKSTAGE,
    COUNT_STRIDE,
    DISPLAYED,
    HAND_SIZE,
    HIDDEN,
    ILLUSIO_SEATS,
    IN_CONTEST,
    IN_DECK,
    IN_DISCARDS,
    KEPT,
    KIND_STRIDE,
    MAX_COUNT,
    MAX_WEIGHT,
    N_ACTIONS,
    N_CARDS,
    N_COMPONENT_KINDS,
    N_COMPONENTS,
    N_KINDS,
    N_MAGICIANS,
    N_NEEDS,
    N_OBJECTIVES,
    NO_CARD,
    NO_MAGICIAN,
    NOT_IN_GAME,
    NOT_IN_PLAY,
    NUMBER_STRIDE,
    PHASE_OVER,
    PLACED,
    REALISING,
    TRAIL,
    TRAIL_STRIDE,
    UNSPENT,
    WEIGHT_UNIT,
)
from aiplay.errors import GameDataError
from aiplay.fields import Field, Part
from aiplay.games.data_file import DATA_OPTION
from aiplay.games.illusio.check import check_position
from aiplay.games.illusio.data import KINDS, PHASES, load_cards
from aiplay.games.illusio.moves import VERBS, parts_of
from aiplay.games.illusio.render import draw
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position
    from aiplay.catalogue import Entry
    from aiplay.games.illusio.data import IllusioData
    from aiplay.games.illusio.scene import IllusioScene

__all__ = ["Illusio"]

TRAINED = (2, 3, 4)  # numbers of seats for which a trained value comes with the game

MAX_TURN_CAP = 1000


class Illusio(IllusioCore):
    """Illusio: put components into your Backstage, claim tricks with them, complete them; 12 prestige win."""

    name = "illusio"
    returns_sum = 1.0
    VALUE_FILES = tuple(str(Path(__file__).with_name(f"value_{seats}.json")) for seats in TRAINED)
    VERBS = VERBS
    OPTIONS = (
        Option("players", 2, "seats", low=2, high=ILLUSIO_SEATS),
        Option("goal", 12, "prestige that wins", low=1, high=100),
        Option(
            "turn_cap", 60, "turns of each seat after which the most prestige wins", low=1, high=MAX_TURN_CAP
        ),
        DATA_OPTION,
    )
    FIELDS = {
        "turn": Field(0, ILLUSIO_SEATS * MAX_TURN_CAP, "turns completed"),
        "phase": Field(0, PHASE_OVER, "phase: the decision to be made"),
        "seat": Field(
            0,
            ILLUSIO_SEATS - 1,
            "whose turn it is, or who gets the next magician or card of the deal",
            seats_at=(0,),
        ),
        "actions": Field(0, N_ACTIONS, "actions left in step 2"),
        "talent_used": Field(0, 1, "1 if the talent of the seat has been used this turn"),
        "pending": Field(0, HAND_SIZE, "cards to deal, to draw or to discard, or thrown so far"),
        "focus": Field(0, N_COMPONENTS - 1, "component, objective or seat that the phase is about"),
        "mark": Field(0, N_KINDS - 1, "lowest kind or need that may be chosen now"),
        "n_deck": Field(0, N_CARDS, "cards in the deck"),
        "scores": Field(0, 255, "prestige of each seat", seat_axis=0),
        "magicians": Field(0, NO_MAGICIAN, f"magician of each seat; {NO_MAGICIAN} none", seat_axis=0),
        "n_hand": Field(0, HAND_SIZE, "cards in each hand", seat_axis=0),
        "hands": Field(
            0,
            NO_CARD,
            f"kinds in each hand, ascending; {HIDDEN} unknown to the seat of the view, {NO_CARD} no card",
            seat_axis=0,
        ),
        "known": Field(
            0,
            (1 << ILLUSIO_SEATS) - 1,
            "other seats that know of each of those cards, one bit each",
            bits=1,
            seat_axis=0,
        ),
        "deck": Field(
            0,
            MAX_COUNT,
            "cards of each kind in the deck; in a view also those in hands that the seat does not know",
        ),
        "discards": Field(0, MAX_COUNT, "cards of each kind in the discards"),
        "place": Field(
            NOT_IN_PLAY,
            PLACED + N_NEEDS * N_OBJECTIVES - 1,
            f"where each component is: {NOT_IN_PLAY} not in play, {BACKSTAGE} + seat Backstage, "
            f"{PLACED} + {N_NEEDS} * objective + need",
            parts=(
                Part(
                    "not in play, or Backstage of a seat",
                    NOT_IN_PLAY,
                    PLACED,
                    stop=PLACED,
                    is_category=True,
                    seats_at=(BACKSTAGE - NOT_IN_PLAY,),
                ),
                Part("objective", PLACED, N_OBJECTIVES, N_NEEDS, is_category=True),
                Part("need", PLACED, N_NEEDS, is_category=True),
            ),
        ),
        "now": Field(
            0,
            N_COMPONENT_KINDS - 1 + KIND_STRIDE * MAX_COUNT,
            f"present kind of each component + {KIND_STRIDE} * Transforms on it",
            parts=(
                Part("kind", 0, KIND_STRIDE, is_category=True),
                Part("Transforms", 0, MAX_COUNT + 1, KIND_STRIDE),
            ),
        ),
        "objectives": Field(
            IN_DECK,
            NOT_IN_GAME,
            f"where each objective is: {IN_DECK} deck, {IN_DISCARDS} discards, {IN_CONTEST} Contest, "
            f"{KEPT} / {REALISING} / {DISPLAYED} + seat kept / under realisation / displayed, "
            f"{NOT_IN_GAME} not in the game",
            parts=(
                Part(
                    "where it is",
                    IN_DECK,
                    NOT_IN_GAME + 1,
                    is_category=True,
                    seats_at=tuple(place - IN_DECK for place in (KEPT, REALISING, DISPLAYED)),
                ),
            ),
        ),
        "encores": Field(
            0,
            UNSPENT + MAX_COUNT,
            f"Encores on each displayed trick, + {UNSPENT} while the last one is unspent",
            parts=(Part("Encores", 0, UNSPENT), Part("unspent", 0, 2, UNSPENT)),
        ),
        "marks": Field(
            0,
            MAX_COUNT + COUNT_STRIDE * MAX_COUNT,
            f"Deja vus + {COUNT_STRIDE} * Grands on each displayed trick",
            parts=(Part("Deja vus", 0, COUNT_STRIDE), Part("Grands", 0, MAX_COUNT + 1, COUNT_STRIDE)),
        ),
        "filled": Field(
            0,
            (1 << 2 * N_NEEDS) - 1,
            f"needs of each objective with a component + {1 << N_NEEDS} * those with the exact one, one bit each",
            bits=1,
        ),
        "trail": Field(
            0,
            TRAIL + TRAIL_STRIDE * ILLUSIO_SEATS - 1,
            f"Take that each seat remembers: {TRAIL} + {TRAIL_STRIDE} * robbed seat + taker, or 0",
            parts=(
                Part("no Take", 0, TRAIL, stop=TRAIL),
                Part("robbed seat", TRAIL, ILLUSIO_SEATS, TRAIL_STRIDE, is_category=True, seats_at=(0,)),
                Part("taker", TRAIL, TRAIL_STRIDE, is_category=True, seats_at=(0,)),
            ),
            seat_axis=0,
        ),
        "trail_kind": Field(
            0,
            NO_CARD,
            f"own Take: its kind; another: a card that the seat knew and that no hand shows, {NO_CARD} none",
            seat_axis=0,
        ),
        "trail_weight": Field(
            0,
            MAX_WEIGHT,
            f"own Take: cards of the kind known before + {NUMBER_STRIDE} * hidden ones; another: weight of "
            f"an unknown card, where each known one of the robbed hand has {WEIGHT_UNIT}",
            parts=(
                Part("cards known before", 0, NUMBER_STRIDE),
                Part("hidden cards, or whole weight units", 0, NUMBER_STRIDE, NUMBER_STRIDE),
            ),
            seat_axis=0,
        ),
    }

    cards: IllusioData  # the cards that the game is played with

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Names of phases, kinds of cards, objectives and magicians."""
        return {
            "phase": PHASES,
            "kind": KINDS,
            "objective": tuple(objective.name for objective in self.cards.objectives),
            "magician": tuple(magician.name for magician in self.cards.magicians),
        }

    def _data(self) -> dict[str, Any]:
        self.cards = load_cards(self.options["data"])
        if len(self.cards.magicians) < self.options["players"]:
            raise GameDataError(
                f"magicians has {len(self.cards.magicians)} entries; {self.options['players']} players need "
                f"{self.options['players']} to {N_MAGICIANS}"
            )
        return self.cards.numbers()

    def check(self, fields: Any, seat: int | None) -> None:
        """Check that every card is in one possible place, and that the phase can come up in a game."""
        max_turns = self.options["turn_cap"] * self.seats
        check_position(self.cards, self.seats, self.options["goal"], max_turns, fields, seat)

    def move_parts(self, position: Position, move: int) -> dict[str, str | int]:
        """Verb, card, component, trick, need and seat of a move: see the module `moves`."""
        return parts_of(self.cards, position, move)

    def scene_type(self) -> type[IllusioScene]:
        """Contest, decks, phase and seats, by names."""
        from aiplay.games.illusio.scene import IllusioScene

        return IllusioScene

    def scene_of(self, position: Position) -> IllusioScene:
        """Contest, decks, phase and seats, by names."""
        from aiplay.games.illusio.scene import scene_of

        return scene_of(self.cards, self.seats, position)

    def fields_of_scene(self, scene: IllusioScene, seat: int | None) -> dict[str, Any]:
        """The packed fields; cards that the scene does not mention are in the deck."""
        from aiplay.games.illusio.pack import fields_of

        return fields_of(self.cards, self.seats, scene, seat)

    def things(self) -> dict[str, list[Entry]]:
        """Components, groups, special actions, domains, objectives, magicians and phases."""
        from aiplay.games.illusio.catalogue import things

        return things(self.cards)

    def render(self, position: Position) -> str:
        """The Contest, then every seat with prestige, hand, Backstage and tricks, then a legend."""
        return draw(self.cards, self.seats, self.options["goal"], position)
