"""The board of The Three Magicians as text.

Forest 2 --o-*-o-- Magician 1      places with the number of cards left there, stones (* magic)
M0 A02                             the Magician of seat 0, the Apprentices of seats 0 and 2
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from typing import Any

from aiplay._core.games.three_magicians.state import LABYRINTH, N_PLACES, N_TAROT, N_WANDS
from aiplay.games.three_magicians.check import IN_DUEL, Phase
from aiplay.games.three_magicians.data import SYMBOLS, Board, Link

__all__ = ["draw"]

WIDTH = 80  # of a terminal
FIGURES = (
    "M0  Magician of seat 0",
    "A01 Apprentices of 0, 1",
    "o   stone, * with magic",
    "1   tarot cards left",
    "A-B 2  2nd stone from A",
    "1+3    jump 1, walk 4",
)
GOAL = ("M and A of a seat meet:", f"take a card, all {N_TAROT} win.")


def draw(board: Board, rules: dict[str, Any], values: dict[str, Any]) -> str:
    """Return the board, a legend, the cards of every seat and the current decision.

    `rules` are the number of seats (`players`), `cards_per_place`, `turn_cap`, and the triplets that lead out of the
    Labyrinth (`exits`).
    """
    seats: int = rules["players"]
    rows = _with_legend(
        _Picture(board, seats, rules["cards_per_place"], values).rows(), _legend(board, rules["exits"])
    )
    for seat in range(seats):
        rows += _wrapped(_seat_row(board, seat, values))
    return "\n".join([*rows, *_wrapped(_situation(board, seats, rules["turn_cap"], values))])


def _legend(board: Board, exits: Sequence[int]) -> list[str]:
    ways_out = " or ".join(f"{notches}+{notches}+{notches}" for notches in exits)
    ways_in = (
        f"To the {board.names[LABYRINTH]}: 0+0+0,",
        "a lost duel (M meets M),",
        "A that meets a rival M.",
    )
    return [*FIGURES, *GOAL, *ways_in, f"Out: {ways_out}."]


def _with_legend(drawn: list[str], legend: list[str]) -> list[str]:
    """Return the rows with the legend beside them; below them if the board is too wide."""
    margin = max(map(len, drawn)) + 3
    if margin + max(map(len, legend)) > WIDTH:
        return [*drawn, "", *filter(None, legend), ""]
    pairs = itertools.zip_longest(drawn, legend, fillvalue="")
    return [*(f"{row:<{margin}}{word}".rstrip() for row, word in pairs), ""]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH - 1, subsequent_indent="    ", drop_whitespace=True)


class _Picture:
    """The places in their rows and columns, with links between them."""

    def __init__(self, board: Board, seats: int, cards_per_place: int, values: dict[str, Any]) -> None:
        self.board, self.values = board, values
        self.players = range(seats)
        self.labels = [self._label(place, cards_per_place) for place in range(N_PLACES)]
        self.groups = [self._figures(place) for place in range(N_PLACES)]
        self.across = [
            link for link in board.links if board.cells[link.first][0] == board.cells[link.second][0]
        ]
        self.down = [link for link in board.links if link not in self.across]

    def rows(self) -> list[str]:
        """The drawing, without blanks at the end of a row."""
        width = max(map(len, self.labels + self.groups))
        gap = max((len(self._chain(link)) for link in self.across), default=0) + 4
        height = 2 + max((len(link.stones) for link in self.down), default=0)
        self.step = (height, width + gap)
        n_rows, n_columns = (1 + max(cell[axis] for cell in self.board.cells) for axis in (0, 1))
        self.canvas = [[" "] * (n_columns * self.step[1]) for _ in range(n_rows * height)]
        for place in range(N_PLACES):
            row, column = self._corner(place)
            self._write(row, column, self.labels[place])
            self._write(row + 1, column, self.groups[place])
        for link in self.across:
            self._draw_across(link)
        for link in self.down:
            self._draw_down(link)
        drawn = ["".join(row).rstrip() for row in self.canvas]
        while not drawn[-1]:
            drawn.pop()
        return drawn

    def _label(self, place: int, cards_per_place: int) -> str:
        if place >= N_TAROT:
            return self.board.names[place]
        owners = sum(mine >> place & 1 for mine in self.values["cards"])
        return f"{self.board.names[place]} {cards_per_place - owners}"

    def _figures(self, spot: int) -> str:
        """Figures on a spot: M0 is a Magician, A12 are two Apprentices."""
        found = []
        for letter, name in (("M", "magicians"), ("A", "apprentices")):
            seats = "".join(str(seat) for seat in self.players if self.values[name][seat] == spot)
            if seats and (letter == "A" or spot < N_PLACES):
                found.append(letter + seats)
        return " ".join(found)

    def _stone(self, spot: int) -> str:
        return self._figures(spot) or ("*" if spot in self.board.magic else "o")

    def _ordered(self, link: Link) -> tuple[int, int, tuple[int, ...]]:
        """Ends and stones of a link, from its upper or left place to the other."""
        if self.board.cells[link.first] < self.board.cells[link.second]:
            return link.first, link.second, link.stones
        return link.second, link.first, link.stones[::-1]

    def _chain(self, link: Link) -> str:
        return "-".join(map(self._stone, self._ordered(link)[2]))

    def _corner(self, place: int) -> tuple[int, int]:
        row, column = self.board.cells[place]
        return row * self.step[0], column * self.step[1]

    def _write(self, row: int, column: int, text: str) -> None:
        self.canvas[row][column : column + len(text)] = text

    def _draw_across(self, link: Link) -> None:
        left, right, _ = self._ordered(link)
        row, start = self._corner(left)
        start += len(self.labels[left]) + 1
        self._write(row, start, self._chain(link).center(self._corner(right)[1] - 1 - start, "-"))

    def _draw_down(self, link: Link) -> None:
        upper, lower, stones = self._ordered(link)
        row, column = self._corner(upper)
        for number in range(self._corner(lower)[0] - row - 2):
            stone = self._stone(stones[number]) if number < len(stones) else "|"
            self._write(row + 2 + number, column + 1, stone)


def _seat_row(board: Board, seat: int, values: dict[str, Any]) -> str:
    mine = values["cards"][seat]
    cards = [board.names[place] for place in range(N_TAROT) if mine >> place & 1]
    mark = ">" if seat == values["seat"] and values["phase"] not in (Phase.FIRST, Phase.OVER) else " "
    power = "  Power token" if values["powers"][seat] else ""
    return f"{mark} seat {seat}  {len(cards)} of {N_TAROT} cards: {', '.join(cards) or 'none'}{power}"


def _situation(board: Board, seats: int, turn_cap: int, values: dict[str, Any]) -> str:
    """The current decision."""
    phase, seat = Phase(values["phase"]), values["seat"]
    turn = f"turn {values['n_turns']} of {turn_cap}: "
    if phase in IN_DUEL:
        return turn + _duel(board, values)
    if phase == Phase.OVER or (phase == Phase.THROW and values["n_turns"] == turn_cap):
        return turn + _result(seats, values)
    where = board.names[values["magicians"][seat]]
    tied = " or ".join(symbol for symbol, bit in SYMBOLS.items() if values["tied"] & bit)
    texts = {
        Phase.FIRST: "who begins?",
        Phase.THROW: f"seat {seat} throws",
        Phase.MOVE: f"seat {seat} {_left(seat, values)}",
        Phase.OFFER: f"seat {seat} may throw for magic: star any place, arrow Power token, empty "
        f"{board.names[LABYRINTH]}",
        Phase.MAGIC: f"seat {seat} throws for magic",
        Phase.TIE: f"seat {seat} chooses {tied}",
        Phase.STAR: f"the Apprentice of seat {seat} may go to a place",
        Phase.STEAL: f"seat {seat} takes the card of {where} from another seat",
    }
    return turn + texts[phase]


def _left(seat: int, values: dict[str, Any]) -> str:
    """The moves that a turn has left."""
    jump, walk = values["jump"], values["walk"]
    double = f" or {2 * walk}" if values["powers"][seat] else ""
    left = [f"jump {jump} (Magician)"] if jump else []
    left += [f"walk {walk}{double} (Apprentice)"] if walk else []
    again = ", then another turn" if values["is_again"] else ""
    return f"may {' and '.join(left) or 'only end its turn'}{again}"


def _plural(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _result(seats: int, values: dict[str, Any]) -> str:
    counts = [values["cards"][seat].bit_count() for seat in range(seats)]
    if max(counts) == N_TAROT:
        return f"over, seat {counts.index(N_TAROT)} owns all cards"
    best = [f"seat {seat}" for seat in range(seats) if counts[seat] == max(counts)]
    return f"over, most cards: {', '.join(best)}"


def _duel(board: Board, values: dict[str, Any]) -> str:
    seat, rival = values["seat"], values["rival"]
    thrower = rival if values["is_reversed"] != values["is_second"] else seat
    text = f"duel of seats {seat} and {rival} on {board.names[values['magicians'][seat]]}, seat {thrower} "
    if values["phase"] == Phase.DUEL_THROW:
        text += f"makes throw {values['n_throws'] + 1}"
    else:
        wands = " ".join(str(notches) for notches in (2, 1, 0) for _ in range(values["thrown"][notches]))
        text += f"has {wands} in throw {values['n_throws']}"
    text += f" of {values['goal_throws'] or N_WANDS}"
    if values["n_kept"]:
        text += f", kept {_plural(values['kept'], 'point')} on {_plural(values['n_kept'], 'wand')}"
    if values["is_second"]:
        text += f", against {_plural(values['goal'], 'point')} in {_plural(values['goal_throws'], 'throw')}"
    return text
