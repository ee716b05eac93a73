"""Illusio."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from aiplay._core.games.illusio.core import IllusioCore
from aiplay.fields import Field
from aiplay.games.data_file import DATA_OPTION
from aiplay.games.illusio.check import check_position
from aiplay.games.illusio.data import KINDS, load_cards
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position
    from aiplay.games.illusio.data import IllusioData

__all__ = ["Illusio"]

N_COMPONENT_KINDS, HIDDEN = 15, 21
UNSPENT = 16
PLACED = 8
CONTEST, KEPT, REALISING, DISPLAYED = 2, 3, 9, 15
PHASES = (
    "first seat",
    "magicians",
    "contest",
    "deal",
    "validate",
    "draw",
    "act",
    "take",
    "exchange",
    "claim",
    "refill",
    "transform",
    "morph",
    "swap",
    "discard",
    "over",
)
PHASE_FIRST, PHASE_MAGICIAN, PHASE_CONTEST, PHASE_TAKE, PHASE_REFILL, PHASE_OVER = 0, 1, 2, 7, 10, 15

# The moves, as numbered in the core: a few without a card, 64 numbers for each verb, components on needs.
SIMPLE = ("end", "done", "stop")
TAKE_FROM, BACK, PLACE_HAND, PLACE = 16, 64, 4096, 8192
VERBS = {
    1: ("back", "kind"),
    2: ("throw", "kind"),
    3: ("discard", "kind"),
    4: ("claim", "objective"),
    5: ("give up", "objective"),
    6: ("validate", "objective"),
    7: ("encore", "objective"),
    8: ("success", "objective"),
    9: ("deja vu", "objective"),
    10: ("grand", "objective"),
    11: ("transform", "own component"),
    12: ("into", "kind"),
    13: ("redraw", "kind"),
    14: ("morph", "any component"),
    15: ("swap", "own component"),
    16: ("recall", "any component"),
    17: ("for", "any component"),
}


class Illusio(IllusioCore):
    """Illusio: collect components, claim tricks, put them on display; the first to 12 prestige wins."""

    name = "illusio"
    returns_sum = 1.0
    OPTIONS = (
        Option("players", 2, "seats", low=2, high=6),
        Option("goal", 12, "prestige that wins", low=1, high=100),
        Option("turn_cap", 60, "turns of each seat after which the most prestige wins", low=1, high=1000),
        DATA_OPTION,
    )
    FIELDS = {
        "turn": Field(0, 6000, "turns completed"),
        "phase": Field(0, 15, "what is decided now: a phase"),
        "seat": Field(0, 5, "whose turn it is, or who gets the next magician or card of the deal"),
        "actions": Field(0, 2, "actions left in step 2"),
        "talent_used": Field(0, 1, "1 when the talent of the seat has been used this turn"),
        "pending": Field(0, 14, "cards to deal, to draw or to discard, or thrown so far"),
        "focus": Field(0, 63, "the component, objective or seat that is being dealt with"),
        "mark": Field(0, 20, "the smallest kind or requirement that may be chosen now"),
        "n_deck": Field(0, 90, "cards in the deck"),
        "scores": Field(0, 255, "prestige of each seat"),
        "magicians": Field(0, 10, "the magician of each seat; 10 none"),
        "n_hand": Field(0, 14, "cards in each hand"),
        "hands": Field(
            0, 22, "kinds in each hand, ascending; 21 unknown to the seat of the view, 22 nothing"
        ),
        "known": Field(0, 63, "which other seats know of each of those cards, one bit each"),
        "deck": Field(
            0, 15, "cards of each kind in the deck; in a view also those in hands that the seat does not know"
        ),
        "discards": Field(0, 15, "cards of each kind in the discards"),
        "place": Field(
            0, 135, "where each component is: 0 off the table, 1 + seat Backstage, 8 + 4 * objective + need"
        ),
        "now": Field(0, 254, "present kind of each component + 16 * Transforms on it"),
        "objectives": Field(
            0, 20, "0 deck, 1 discards, 2 Contest, 3 / 9 / 15 + seat kept / under realisation / displayed"
        ),
        "encores": Field(0, 31, "Encores on each displayed trick, + 16 while the last one is unspent"),
        "marks": Field(0, 255, "Deja vus + 16 * Grands on each displayed trick"),
        "filled": Field(
            0, 255, "needs of each objective with a component + 16 * those with the exact one, one bit each"
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
        return self.cards.numbers()

    def check(self, fields: Any, seat: int | None) -> None:
        """Every card once and where it can be, in a phase that a game can come to."""
        max_turns = self.options["turn_cap"] * self.seats
        check_position(self.cards, self.seats, self.options["goal"], max_turns, fields, seat)

    def move_text(self, position: Position, move: int) -> str:
        """What a seat says when it moves: "back rabbit", "claim Sphinx", "place dove on Dove Pan (dove)"."""
        fields = position.fields
        if position.to_move < 0:
            return self._chance_text(int(fields["phase"]), move)
        if move >= PLACE_HAND:
            return self._place_text(fields, move)
        if move < BACK:
            return SIMPLE[move] if move < TAKE_FROM else f"take from {move - TAKE_FROM}"
        verb, what = VERBS[move // 64]
        number = move % 64
        if what == "kind":
            return f"{verb} {KINDS[number]}"
        if what == "objective":
            return f"{verb} {self.cards.objectives[number].name}"
        owner = f"{fields['place'][number] - 1}:" if what == "any component" else ""
        return f"{verb} {owner}{self._component_text(fields, number)}"

    def _chance_text(self, phase: int, move: int) -> str:
        if phase == PHASE_FIRST:
            return f"seat {move} begins"
        if phase == PHASE_MAGICIAN:
            return f"magician {self.cards.magicians[move].name}"
        if phase in (PHASE_CONTEST, PHASE_REFILL):
            return f"contest {self.cards.objectives[move].name}"
        return f"{'take' if phase == PHASE_TAKE else 'draw'} {KINDS[move]}"

    def _place_text(self, fields: Any, move: int) -> str:
        if move >= PLACE:
            target, number = divmod(move - PLACE, 64)
            what = f"place {self._component_text(fields, number)}"
        else:
            target, number = divmod(move - PLACE_HAND, 16)
            what = f"play {KINDS[number]}"
        objective = self.cards.objectives[target // 4]
        return f"{what} on {objective.name} ({objective.needs[target % 4]})"

    def _component_text(self, fields: Any, number: int) -> str:
        """The present kind, the printed one behind a tilde if it differs, and a star for each Transform."""
        printed, now = self._printed[number], int(fields["now"][number])
        text = KINDS[now % 16] if now % 16 == printed else f"{KINDS[now % 16]}~{KINDS[printed]}"
        return text + "*" * (now // 16)

    @functools.cached_property
    def _printed(self) -> list[int]:
        """The printed kind of each component."""
        return [kind for kind in range(N_COMPONENT_KINDS) for _ in range(self.cards.counts[kind])]

    def render(self, position: Position) -> str:
        """The Contest, then every seat with points, tricks, Backstage and hand (? is hidden)."""
        fields = position.fields
        objectives = fields["objectives"].tolist()
        lines = [self._turn_text(fields)]
        lines += [
            f"  {self._objective_text(fields, o)}" for o, where in enumerate(objectives) if where == CONTEST
        ]
        for seat in range(self.seats):
            lines += self._seat_lines(fields, objectives, seat)
        return "\n".join(lines)

    def _turn_text(self, fields: Any) -> str:
        discards = int(fields["discards"].sum())
        left = f"deck {fields['n_deck']}, discards {discards}"
        if fields["phase"] == PHASE_OVER:
            return f"over after {fields['turn']} turns; {left}"
        turn = f"turn {fields['turn'] + 1}, seat {fields['seat']}, {PHASES[fields['phase']]}"
        return f"{turn}, actions {fields['actions']}; {left}; Contest:"

    def _objective_text(self, fields: Any, o: int) -> str:
        """Name, domain and level, and every need with what lies on it."""
        objective, needs = self.cards.objectives[o], []
        for slot, need in enumerate(objective.needs):
            there = (fields["place"] == PLACED + 4 * o + slot).nonzero()[0]
            needs.append(f"{need}: {self._component_text(fields, int(there[0]))}" if len(there) else need)
        encores, marks = int(fields["encores"][o]), int(fields["marks"][o])
        extras = [
            *["encore (unspent)"] * (encores >= UNSPENT),
            *["encore"] * (encores % 16 - (encores >= UNSPENT)),
            *["deja vu"] * (marks % 16),
            *["grand"] * (marks // 16),
        ]
        text = f"{objective.name} ({objective.domain} {objective.level}) [{', '.join(needs)}]"
        return " + ".join([text, *extras])

    def _seat_lines(self, fields: Any, objectives: list[int], seat: int) -> list[str]:
        magician = int(fields["magicians"][seat])
        name = self.cards.magicians[magician].name if magician < len(self.cards.magicians) else "nobody"
        lines = [f"seat {seat}: {name}, prestige {fields['scores'][seat]}"]
        kept = [self.cards.objectives[o] for o, where in enumerate(objectives) if where == KEPT + seat]
        if kept:
            lines.append("  keeps " + ", ".join(f"{trick.name} ({trick.domain})" for trick in kept))
        for o, where in enumerate(objectives):
            if where in (REALISING + seat, DISPLAYED + seat):
                state = "displays" if where == DISPLAYED + seat else "prepares"
                lines.append(f"  {state} {self._objective_text(fields, o)}")
        backstage = [
            self._component_text(fields, i) for i, at in enumerate(fields["place"]) if at == 1 + seat
        ]
        if backstage:
            lines.append("  backstage " + ", ".join(backstage))
        hand = fields["hands"][seat][: fields["n_hand"][seat]].tolist()
        lines.append(
            "  hand " + (", ".join("?" if card == HIDDEN else KINDS[card] for card in hand) or "empty")
        )
        return lines
