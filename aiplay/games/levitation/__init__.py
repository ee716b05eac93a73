"""Levitation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiplay._core.games.levitation.core import LevitationCore
from aiplay.fields import Field
from aiplay.games.data_file import DATA_OPTION
from aiplay.games.levitation.check import PHASES, check_levitation
from aiplay.games.levitation.data import CHAINS, COLOURS, EFFECTS, REWARDS, SIZES, LevitationData, load_data
from aiplay.options import Option

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["Levitation"]

MASTERS = ("Herrmann", "Thurston", "Kellar")
# Where the numbers of moves begin: MOVE_* of the core.
END, ROLL, TICKETS, DISCARD = 0, 1, 2, 3
CITY, SPACE, CARD, DRAFT, COLOUR, AMOUNT, PARTNER, PATH, TOKEN, DICE = (
    16,
    32,
    48,
    96,
    112,
    128,
    192,
    272,
    308,
    312,
)
WORDS = {END: "end", ROLL: "roll", TICKETS: "tickets", DISCARD: "discard"}
THROWS = tuple((first, second, 4 - first - second) for first in range(5) for second in range(5 - first))


class Levitation(LevitationCore):
    """Levitation: draft dice from three masters, learn illusions and tour the world.

    In notation an action reads like ``draft green from Kellar``, ``place London``, ``claim Naples-Tokyo-London``,
    ``use Queen of Flowers``, ``place Mumbai``, ``end``.
    """

    name = "levitation"
    returns_sum = 1.0
    OPTIONS = (Option("players", 2, "seats", low=2, high=5), DATA_OPTION)
    FIELDS = {
        "owned": Field(0, 2**48 - 1, "cards of each seat: bit card"),
        "deck": Field(0, 2**48 - 1, "cards not yet drawn: bit card"),
        "used": Field(0, 2**48 - 1, "cards used in this action"),
        "disabled": Field(0, 2**48 - 1, "cards disabled until the turn ends"),
        "tickets": Field(
            0, 2**30 - 1, "tickets of each seat in the cities: two bits for each city, city 0 lowest"
        ),
        "scores": Field(0, 1_000_000, "points; those of the point spaces are added at the end"),
        "flair": Field(0, 4, "flair tokens on each card"),
        "city_cards": Field(-1, 47, "the card in each city; -1 none"),
        "space_seats": Field(-1, 4, "whose ticket is on each point space; -1 nobody's"),
        "unused": Field(0, 10, "tickets that each seat has still to gain"),
        "hand": Field(0, 10, "tickets in hand"),
        "cubes": Field(0, 50, "acclaim cubes, the committed ones included"),
        "dice": Field(0, 4, "dice on the masters: entry 5 * master + colour"),
        "tokens": Field(0, 15, "turn tokens left in this round: bit (number - 1)"),
        "revealed": Field(0, 4, "number of the token revealed in this turn; 0 none yet"),
        "order": Field(-1, 4, "seats in the order of this turn; -1 while tokens are revealed"),
        "first": Field(0, 5, "rank among those who take the first action of the next turn; 0 none"),
        "phase": Field(0, len(PHASES) - 1, "what is to be decided: a phase"),
        "round": Field(0, 2, "round, from 0"),
        "turn": Field(0, 3, "turn of the round, from 0"),
        "n_acted": Field(0, 5, "seats that have acted in this turn"),
        "step": Field(0, 14, "progress of a chance phase"),
        "has_rolled": Field(0, 1, "1 when the free roll of this action is used"),
        "master": Field(-1, 2, "whom the die was taken from; -1 before the draft"),
        "colour": Field(-1, 4, "colour of the die as it counts now; -1 before the draft"),
        "has_acted": Field(0, 1, "1 when the main action is done"),
        "committed": Field(0, 50, "cubes committed in this action"),
        "bonus": Field(0, 144, "points on top of the acting seat's next path"),
        "active": Field(-1, 47, "the card in use; -1 none"),
        "source": Field(-1, 47, "the lowest card with the text in use; -1 none"),
        "target": Field(-1, 47, "the first of two choices, a city or a card; -1 none"),
        "n_flair": Field(0, 4, "flair tokens still to be placed"),
        "flair_from": Field(0, 48, "lowest card that may take the next flair token"),
        "path_seat": Field(-1, 4, "who claims a path; -1 nobody"),
        "path": Field(-1, 34, "the claimed path while its cities are refilled; -1 none"),
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

    def _tables(self) -> dict[str, Any]:
        self.data = load_data(self.options["data"])
        return self.data.tables()

    def check(self, fields: Any, seat: int | None) -> None:
        """Everything conserved, every mark where it can be, and a decision that offers something."""
        check_levitation(self, fields)

    # ---- Notation ------------------------------------------------------------------------------------------

    def move_text(self, position: Position, move: int) -> str:
        """A verb and the name of a card, a city or a point space; a throw is how many dice fall on each master."""
        if move in WORDS:
            return WORDS[move]
        fields = position.fields
        if move < SPACE:
            return self._city_text(fields, move - CITY)
        if move < CARD:
            return f"space {self.data.spaces[move - SPACE]}"
        if move < DRAFT:
            return self._card_text(fields, move - CARD)
        if move < DICE:
            return self._other_text(move)
        counts = "-".join(map(str, THROWS[move - DICE]))
        return f"{COLOURS[fields['step']]} {counts}"

    def _other_text(self, move: int) -> str:
        """A move whose text is the same in every position."""
        if move >= TOKEN:
            return f"token {move - TOKEN + 1}"
        if move >= PATH:
            return "claim " + "-".join(self.data.cities[city].name for city in reversed(CHAINS[move - PATH]))
        if move >= PARTNER:
            seat, city = divmod(move - PARTNER, 15)
            return f"with seat {seat} in {self.data.cities[city].name}"
        if move >= AMOUNT:
            return f"points {move - AMOUNT}"
        if move >= COLOUR:
            return COLOURS[move - COLOUR]
        master, colour = divmod(move - DRAFT, 5)
        return f"draft {COLOURS[colour]} from {MASTERS[master]}"

    def _card_text(self, fields: Any, card: int) -> str:
        verbs = {
            "deal": "deal",
            "refill": "deal",
            "start": "use",
            "main": "use",
            "copy": "copy",
            "flair": "flair on",
        }
        verb = verbs.get(PHASES[fields["phase"]])
        if verb is None:
            verb = "disable" if self._effect(fields) == "disable a card" else "give"
        return f"{verb} {self.data.cards[card].name}"

    def _city_text(self, fields: Any, city: int) -> str:
        name = self.data.cities[city].name
        if PHASES[fields["phase"]] == "main":
            return f"take {self._card_in(fields, city)}" if fields["master"] == 1 else f"place {name}"
        effect = self._effect(fields)
        if effect == "gain card" or (effect == "trade a card" and fields["target"] >= 0):
            return f"take {self._card_in(fields, city)}"
        if effect == "move a card" and fields["target"] < 0:
            return f"move {self._card_in(fields, city)}"
        if effect == "place on a city":
            return f"place {name}"
        return f"{'from' if fields['target'] < 0 else 'to'} {name}"

    def _effect(self, fields: Any) -> str:
        """The effect in use."""
        return tuple(EFFECTS)[self.data.cards[int(fields["source"])].effect]

    def _card_in(self, fields: Any, city: int) -> str:
        return self.data.cards[int(fields["city_cards"][city])].name

    # ---- Rendering -----------------------------------------------------------------------------------------

    def render(self, position: Position) -> str:
        """What is to be decided, the dice, the cities in three rows, the point spaces, and a line for each seat."""
        fields = position.fields
        lines = [self._render_turn(fields), self._render_dice(fields)]
        for row in range(3):
            cities = [self._render_city(fields, 5 * row + column) for column in range(5)]
            lines.append(" | ".join(cities))
        taken = [
            f"{name} seat {owner}"
            for name, owner in zip(self.data.spaces, fields["space_seats"], strict=True)
            if owner >= 0
        ]
        lines.append(f"spaces: {', '.join(taken) or 'all free'}")
        lines.extend(self._render_seat(fields, seat) for seat in range(self.seats))
        return "\n".join(lines)

    def _render_turn(self, fields: Any) -> str:
        phase = PHASES[fields["phase"]]
        line = f"round {fields['round'] + 1} turn {fields['turn'] + 1}, {phase}"
        if phase in ("over", "deal", "tokens"):
            return line
        line += f", seat {fields['order'][fields['n_acted']]} acts"
        if fields["master"] >= 0:
            line += f" with {COLOURS[fields['colour']]} from {MASTERS[fields['master']]}"
        if fields["active"] >= 0:
            line += f", uses {self.data.cards[fields['active']].name}"
        if fields["path_seat"] >= 0:
            line += f", seat {fields['path_seat']} claims"
        return line

    def _render_dice(self, fields: Any) -> str:
        parts = []
        for master, name in enumerate(MASTERS):
            dice = fields["dice"][5 * master : 5 * master + 5]
            shown = " ".join(f"{n} {COLOURS[colour]}" for colour, n in enumerate(dice) if n)
            parts.append(f"{name}: {shown or 'none'}")
        return "; ".join(parts)

    def _render_city(self, fields: Any, city: int) -> str:
        entry = self.data.cities[city]
        text = f"{entry.name} ({COLOURS[entry.colour]}, {entry.amount} {REWARDS[entry.reward]})"
        if fields["city_cards"][city] >= 0:
            return f"{text} {self._render_card(fields['city_cards'][city])}"
        counts = [int(tickets) >> 2 * city & 3 for tickets in fields["tickets"]]
        shown = " ".join(f"seat {seat} x{n}" for seat, n in enumerate(counts) if n)
        return f"{text} {shown or 'empty'}"

    def _render_card(self, card: int) -> str:
        entry = self.data.cards[card]
        icons = "/".join(COLOURS[icon] for icon in entry.icons)
        return f"[{entry.name}, {icons}, {SIZES[entry.size]}]"

    def _render_seat(self, fields: Any, seat: int) -> str:
        line = (
            f"seat {seat}: {fields['scores'][seat]} points, {fields['cubes'][seat]} cubes, "
            f"tickets {fields['hand'][seat]} in hand {fields['unused'][seat]} unused"
        )
        owned, used, disabled = int(fields["owned"][seat]), int(fields["used"]), int(fields["disabled"])
        for card, entry in enumerate(self.data.cards):
            if owned >> card & 1:
                marks = ", used" * (used >> card & 1) + ", disabled" * (disabled >> card & 1)
                line += f"; {self._render_card(card)} {fields['flair'][card]}/{entry.flair} flair{marks}"
        return line
