"""Positions of Levitation as text, for a terminal of 80 columns and 24 rows."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aiplay._core.games.levitation.core import CARD_POINTS
from aiplay._core.games.levitation.state import (
    COUNTED_CARDS,
    COUNTED_PIECES,
    EFFECT_PLACE_SPACE,
    EFFECT_TRADE_CARD,
    HERRMANN,
    KELLAR,
    N_CARDS,
    N_COLOURS,
    N_DICE,
    N_ROUNDS,
    N_TICKETS,
    N_TURNS,
    NONE,
    PHASE_AMOUNT,
    PHASE_COPY,
    PHASE_DEAL,
    PHASE_DICE,
    PHASE_FLAIR,
    PHASE_MAIN,
    PHASE_OVER,
    PHASE_PATH,
    PHASE_REFILL,
    PHASE_START,
    PHASE_TARGET,
    PHASE_TOKENS,
    THURSTON,
)
from aiplay.games.levitation.catalogue import LETTERS, PHASE_TEXTS, joined, short_text
from aiplay.games.levitation.check import PHASES
from aiplay.games.levitation.data import COLOURS, MASTERS, ROWS, SIZES, LevitationData

if TYPE_CHECKING:
    from aiplay._core.game import Position

__all__ = ["draw"]

WIDTH, HEIGHT = 80, 24  # of the drawing of two seats
SEAT_HEIGHT = 4  # more rows for each further seat
ACTIONS = {HERRMANN: "tickets", THURSTON: "card", KELLAR: "place"}  # of the masters
COLUMNS = "abcdefghijklmno"
UNITS = {"points": "p", "flair": "f", "cubes": "c"}  # of the rewards of cities
LEGEND = " ".join(f"{letter} {colour}" for letter, colour in zip(LETTERS, COLOURS, strict=True)) + (
    ", p points f flair c cubes, [seat] ticket"
)
SPACE_TIP = (
    f"Spaces score at the end: {', '.join(map(str, CARD_POINTS[1:]))}p for 1 to {COUNTED_CARDS} such cards, "
    "or 1p a piece"
)
# How cards are shown, from the longest drawing to the shortest: in rows with their effects, in running text with their
# effects, by name, or counted. Each entry: cards in cities, of the seat that looks, of the other seats.
IN_ROWS, IN_TEXT, BY_NAME, COUNTED = range(4)
STYLES = (
    (IN_ROWS, IN_ROWS, IN_ROWS),
    (IN_ROWS, IN_ROWS, BY_NAME),
    (IN_ROWS, IN_TEXT, BY_NAME),
    (IN_TEXT, IN_TEXT, BY_NAME),
    (IN_TEXT, IN_TEXT, COUNTED),
    (BY_NAME, IN_TEXT, COUNTED),
    (BY_NAME, BY_NAME, COUNTED),
)


def draw(data: LevitationData, position: Position) -> str:
    """Return the turn, the dice, the cities with their cards or tickets, and the seats with their cards.

    Cards are shown with their effects as far as the rows of a terminal last.
    """
    picture = _Picture(data, position)
    height = HEIGHT + SEAT_HEIGHT * (picture.n_seats - 2)
    for styles in STYLES:
        rows = picture.rows(*styles)
        if len(rows) <= height:
            break
    tip = SPACE_TIP if picture.has_spaces() else _path_tip(data)
    return "\n".join([*rows, tip] if len(rows) < height else rows)


def _path_tip(data: LevitationData) -> str:
    """Return what a path is."""
    where = "each in the same column or the next" if _is_grid(data) else "in cities that touch"
    return f"Path: your tickets in the {len(ROWS)} rows, {where}"


def _is_grid(data: LevitationData) -> bool:
    """Return True if the cities touch exactly those straight and diagonally above and below them."""
    rows = [
        [number for number, city in enumerate(data.cities) if city.row == row] for row in range(len(ROWS))
    ]
    for above, row in itertools.pairwise(rows):
        for column, number in enumerate(row):
            if data.cities[number].touches != tuple(above[max(column - 1, 0) : column + 2]):
                return False
        if len(above) != len(row):
            return False
    return True


def _wrapped(text: str, indent: int = 4) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)


class _Picture:
    """A position that is drawn, with its fields as plain numbers."""

    def __init__(self, data: LevitationData, position: Position) -> None:
        self.data, self.f = data, position.to_fields()
        self.n_seats: int = position.game.seats
        to_move: int = position.to_move
        self.watcher: int = getattr(position, "seat", max(to_move, 0))
        cards = enumerate(self.f["city_cards"])
        self.offered: dict[int, int] = {city: card for city, card in cards if card != NONE}
        # Widths of the columns of cities with cards
        self.name_width = max((len(data.cities[city].name) for city in self.offered), default=0) + 2
        self.code_width = max((len(self._code(city)) for city in self.offered), default=0)
        self.card_width = max((len(data.cards[card].name) for card in self.offered.values()), default=0)

    def rows(self, cities: int, own: int, others: int) -> list[str]:
        """Return all rows, with cards shown in these styles."""
        found = [*_wrapped(self._turn()), *_wrapped(self._dice()), *_wrapped(LEGEND)]
        for row in range(len(ROWS)):
            found += self._row(row, cities)
        for seat in range(self.n_seats):
            found += _wrapped(self._seat(seat))
            cards = [card for card in range(N_CARDS) if self.f["owned"][seat] >> card & 1]
            found += self._cards(cards, own if seat == self.watcher else others)
        return found

    def has_spaces(self) -> bool:
        """Return True if the acting seat may put a ticket on a point space now."""
        f = self.f
        if f["phase"] == PHASE_MAIN:
            seat = f["order"][f["n_acted"]]
            return bool(f["master"] == KELLAR and f["hand"][seat] and not f["has_acted"])
        return bool(f["phase"] == PHASE_TARGET and self.data.cards[f["source"]].effect == EFFECT_PLACE_SPACE)

    # ---- The turn ------------------------------------------------------------------------------------------

    def _turn(self) -> str:
        f, phase = self.f, self.f["phase"]
        text = f"Round {f['round'] + 1}/{N_ROUNDS}, turn {f['turn'] + 1}/{N_TURNS}"
        if phase in (PHASE_DEAL, PHASE_TOKENS, PHASE_OVER):
            return f"{text}. {PHASE_TEXTS[PHASES[phase]]}"
        if phase == PHASE_START:
            order = " ".join(str(seat) for seat in f["order"] if seat != NONE)
            text += f", order of seats {order}"
        return f"{text}. Seat {f['order'][f['n_acted']]}{self._decision()}"

    def _decision(self) -> str:
        """Return what the acting seat does."""
        f, phase = self.f, self.f["phase"]
        if phase == PHASE_DICE:
            return " rolls all dice"
        if phase == PHASE_START:
            return " drafts a die"
        if phase == PHASE_MAIN:
            choices = "cards or end" if f["has_acted"] else "main action, cards or end"
            return f", {COLOURS[f['colour']]} die of {MASTERS[f['master']]}: {choices}"
        if phase == PHASE_FLAIR:
            return ": flair token on a card, or discard (1 point)"
        if phase == PHASE_PATH:
            is_own = f["path_seat"] == f["order"][f["n_acted"]]
            return " claims a path" if is_own else f" acts; seat {f['path_seat']} claims a path"
        if phase == PHASE_REFILL:
            return " acts; new cards for a path"
        return f" uses {self._use()}"

    def _use(self) -> str:
        f, cards = self.f, self.data.cards
        name = cards[f["active"]].name
        if f["phase"] == PHASE_COPY:
            return f"{name}: copy which card?"
        source, target = cards[f["source"]], f["target"]
        text = f"{name}: {short_text(source)}"
        if f["phase"] == PHASE_AMOUNT:
            return f"{text}, how many?"
        if target == NONE:
            return text
        if source.effect == EFFECT_TRADE_CARD:
            return f"{text}, giving {cards[target].name}"
        return f"{text} from {self.data.cities[target].name}"

    def _dice(self) -> str:
        dice = self.f["dice"]
        on_masters = [dice[N_COLOURS * m : N_COLOURS * (m + 1)] for m in range(len(MASTERS))]
        parts = [f"{name} ({ACTIONS[m]}) {_letters(on_masters[m]) or '-'}" for m, name in enumerate(MASTERS)]
        if not any(dice):
            return f"No dice on the masters {joined(MASTERS, 'and')}"
        off = _letters([N_DICE - sum(counts) for counts in zip(*on_masters, strict=True)])
        return ", ".join(parts) + (f" off {off}" if off else "")

    # ---- Cities --------------------------------------------------------------------------------------------

    def _row(self, row: int, style: int) -> list[str]:
        """Return a row of cities: those without a card together, the others with their cards."""
        cities = [number for number, city in enumerate(self.data.cities) if city.row == row]
        names = {
            number: f"{COLUMNS[column]} {self.data.cities[number].name}"
            for column, number in enumerate(cities)
        }
        bare = [
            f"{names[city]} {self._code(city)}{self._tickets(city)}"
            for city in cities
            if city not in self.offered
        ]
        rows = _wrapped(f"{ROWS[row]}: {', '.join(bare)}")
        cities = [city for city in cities if city in self.offered]
        if style == IN_ROWS:
            for city in cities:
                label = f"{names[city]:{self.name_width}} {self._code(city):{self.code_width}}"
                rows += _wrapped(f"{label} {self._card_row(self.offered[city], self.card_width)}")
        elif cities:
            texts = [
                f"{names[city]} {self._code(city)}: {self._card(self.offered[city], style)}"
                for city in cities
            ]
            rows += _wrapped("; ".join(texts))
        return rows

    def _code(self, number: int) -> str:
        """Return the colours and the rewards of a city."""
        city = self.data.cities[number]
        rewards = [f"{getattr(city, name)}{unit}" for name, unit in UNITS.items() if getattr(city, name)]
        return "".join(LETTERS[colour] for colour in city.colours) + "+".join(rewards)

    def _tickets(self, city: int) -> str:
        counts = [packed >> 2 * city & N_ROUNDS for packed in self.f["tickets"]]
        owners = " ".join(str(seat) for seat, n in enumerate(counts) for _ in range(n))
        return f" [{owners}]" if owners else ""

    # ---- Seats and cards -----------------------------------------------------------------------------------

    def _seat(self, seat: int) -> str:
        f = self.f
        is_acting = f["committed"] and f["order"][f["n_acted"]] == seat
        free = f" ({f['cubes'][seat] - f['committed']} free)" if is_acting else ""
        spaces = {
            name: self._space_points(name, seat)
            for name, owner in zip(self.data.spaces, f["space_seats"], strict=True)
            if owner == seat
        }
        points, more = f["scores"][seat], sum(spaces.values())
        total = f" ({points + more} with spaces)" if more and f["phase"] != PHASE_OVER else ""
        text = f"seat {seat}: {points} points{total}, {f['cubes'][seat]} cubes{free}, "
        text += f"tickets {f['hand'][seat]} in hand {f['unused'][seat]} unused"
        return text + (
            f"; spaces {', '.join(f'{name} {n}p' for name, n in spaces.items())}" if spaces else ""
        )

    def _space_points(self, space: str, seat: int) -> int:
        """Return what a ticket of the seat on a point space scores if nothing changes before the end."""
        f = self.f
        cards = [card for card in range(N_CARDS) if f["owned"][seat] >> card & 1]
        if space in COLOURS:
            n = sum(COLOURS.index(space) in self.data.cards[card].icons for card in cards)
        elif space in SIZES:
            n = sum(SIZES[self.data.cards[card].size] == space for card in cards)
        else:
            pieces = {
                "flair": sum(f["flair"][card] for card in cards),
                "tickets": N_TICKETS - f["unused"][seat],
                "cubes": f["cubes"][seat],
            }
            return int(min(pieces[space], COUNTED_PIECES))
        return CARD_POINTS[min(n, COUNTED_CARDS)]

    def _cards(self, cards: list[int], style: int) -> list[str]:
        """Return the cards of a seat."""
        if style == IN_ROWS:
            width = max((len(self.data.cards[card].name) for card in cards), default=0)
            rows = {card: f"  {self._card_row(card, width)}" for card in cards}
            full = max(map(len, rows.values()), default=0)
            return [f"{row:{full}}{self._marks(card)}" for card, row in rows.items()]
        if style == COUNTED:
            return [f"  {len(cards)} cards"]
        texts = [self._card(card, style) for card in cards]
        return _wrapped("  " + ("; " if style == IN_TEXT else ", ").join(texts)) if texts else []

    def _card_row(self, number: int, width: int) -> str:
        """Return a card in columns: name, icons, size, cost, effect."""
        card = self.data.cards[number]
        icons = "".join(LETTERS[icon] for icon in card.icons)
        return f"{card.name:{width}} {icons:2} {SIZES[card.size][:3]} {card.cost or 'X'}c {short_text(card)}"

    def _card(self, number: int, style: int) -> str:
        """Return a card in running text."""
        card = self.data.cards[number]
        if style == BY_NAME:
            return card.name
        icons = "".join(LETTERS[icon] for icon in card.icons)
        is_marked = self.f["flair"][number] or (self.f["used"] | self.f["disabled"]) >> number & 1
        marks = self._marks(number) if is_marked else ""
        return f"{card.name} {icons} {card.cost or 'X'}c {short_text(card)}{marks}"

    def _marks(self, card: int) -> str:
        """Return the flair on a card and the most that it takes, and its marks."""
        marks = f" {self.f['flair'][card]}/{self.data.cards[card].flair}f"
        for name in ("used", "disabled"):
            if self.f[name] >> card & 1:
                marks += f" {name}"
        return marks


def _letters(counts: Sequence[int]) -> str:
    """Return a letter for every die."""
    return "".join(LETTERS[colour] * n for colour, n in enumerate(counts))
