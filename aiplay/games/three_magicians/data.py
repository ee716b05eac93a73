"""The board and the wands of The Three Magicians: the data file, its checks, and all walks, jumps and throws."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from typing import Any, NamedTuple, NoReturn

from aiplay._core.games.three_magicians.state import (
    COUNT_BITS,
    LABYRINTH,
    LIFE,
    MAX_SIDES,
    MAX_SPOTS,
    MAX_WALK,
    N_NOTCHES,
    N_PLACES,
    N_TAROT,
    N_WANDS,
    OWN_WAND,
    SYMBOL_ARROW,
    SYMBOL_EMPTY,
    SYMBOL_STAR,
    TRIPLE_1,
)
from aiplay.errors import GameDataError
from aiplay.games.data_file import read_data

__all__ = ["SYMBOLS", "Board", "Link", "load_board"]

SYMBOLS = {"star": SYMBOL_STAR, "arrow": SYMBOL_ARROW, "empty": SYMBOL_EMPTY}
MAX_STONES = 9  # of a link
MAX_SHOWN = 3  # symbols that one side of a wand shows
KEYS = ("life", "labyrinth", "places", "links", "wands")
WAND_KEYS = ("notches", "symbols")
NAME = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")


class Link(NamedTuple):
    """Two neighbouring places and the stones between them, from the first place to the second."""

    first: int
    second: int
    stones: tuple[int, ...]


class Board:
    """A board and its wands.

    Places are numbered 0-6 (with tarot cards, in reading order), 7 (Life), 8 (Labyrinth). Spots are the places,
    followed by the stones in the order of the links.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        cells: tuple[tuple[int, int], ...],
        links: tuple[Link, ...],
        magic: frozenset[int],
        notches: tuple[int, ...],
        symbols: tuple[tuple[tuple[str, ...], ...], ...],
    ) -> None:
        self.names = names  # of the places
        self.cells = cells  # rows and columns of the places
        self.links = links
        self.magic = magic  # spots with magic symbols
        self.notches = notches  # equally likely values of every wand
        self.symbols = symbols  # for each wand: equally likely sides when thrown for magic

    @property
    def n_spots(self) -> int:
        """Number of places and stones."""
        return N_PLACES + sum(len(link.stones) for link in self.links)

    def spot_name(self, spot: int) -> str:
        """A place by its name, a stone by its link and its number on it: ``Life-Mill 2``."""
        if spot < N_PLACES:
            return self.names[spot]
        link = next(link for link in self.links if spot in link.stones)
        return f"{self.names[link.first]}-{self.names[link.second]} {link.stones.index(spot) + 1}"

    @functools.cached_property
    def neighbours(self) -> list[list[int]]:
        """Spots one step away from each spot."""
        found: list[list[int]] = [[] for _ in range(self.n_spots)]
        for link in self.links:
            chain = (link.first, *link.stones, link.second)
            for here, there in itertools.pairwise(chain):
                found[here].append(there)
                found[there].append(here)
        return found

    @functools.cached_property
    def walks(self) -> list[list[int]]:
        """Spots where a walk of exactly n steps can end, as bits: ``walks[spot][n]``, with none for n = 0.

        A walk never turns back and never enters the Labyrinth.
        """
        neighbours = self.neighbours
        ends = []
        for start in range(self.n_spots):
            heads = {(start, -1)}
            row = [0]
            for _ in range(MAX_WALK):
                heads = {
                    (there, here)
                    for here, before in heads
                    for there in neighbours[here]
                    if there not in (before, LABYRINTH)
                }
                row.append(_bits(spot for spot, _ in heads))
            ends.append(row)
        return ends

    @functools.cached_property
    def jumps(self) -> list[list[int]]:
        """Places where n jumps can end, as bits: ``jumps[place][n]``, with none for n = 0.

        Jumps never end where they began and never enter the Labyrinth.
        """
        near: list[set[int]] = [set() for _ in range(N_PLACES)]
        for link in self.links:
            near[link.first].add(link.second)
            near[link.second].add(link.first)
        ends = []
        for start in range(N_PLACES):
            once = near[start] - {LABYRINTH}
            twice = {end for middle in once for end in near[middle]} - {start, LABYRINTH}
            ends.append([0, _bits(once), _bits(twice)])
        return ends

    def throws(self) -> list[int]:
        """Equally likely throws of a turn, in the numbers of the core."""
        return [
            TRIPLE_1 if own == first == second == 1 else OWN_WAND * own + first + second
            for own, first, second in itertools.product(self.notches, repeat=N_WANDS)
        ]

    def duel_throws(self, n_wands: int) -> list[int]:
        """Equally likely throws of n wands in a duel, in the numbers of the core."""
        return [
            wands.count(1) | wands.count(2) << COUNT_BITS
            for wands in itertools.product(self.notches, repeat=n_wands)
        ]

    def magic_throws(self, *, has_fate: bool) -> list[int]:
        """Equally likely throws for magic: the symbols that are seen most, as bits.

        With fate, a tie of empty and one other symbol is empty.
        """
        found = []
        for wands in itertools.product(*self.symbols):
            seen = Counter(itertools.chain.from_iterable(wands))
            most = max(seen.values())
            tied = sum(bit for symbol, bit in SYMBOLS.items() if seen[symbol] == most)
            is_fate = has_fate and tied & SYMBOL_EMPTY and tied.bit_count() == 2
            found.append(SYMBOL_EMPTY if is_fate else tied)
        return found


def _is_wand(entry: object) -> bool:
    """True for a list of sides; a side is a list of symbols."""
    return isinstance(entry, list) and bool(entry) and all(isinstance(side, list) for side in entry)


def _bits(numbers: Any) -> int:
    """Return a set of numbers as the bits of one number."""
    return sum(1 << number for number in set(numbers))


def load_board(path: str | None) -> Board:
    """Return the board of the game's own data file, or of the file at `path`; raise GameDataError if it is wrong."""
    return _own_board() if path is None else _Reader(path, read_data("three_magicians", path)).board()


@functools.cache
def _own_board() -> Board:
    return _Reader("three_magicians/data.toml", read_data("three_magicians", None)).board()


class _Reader:
    """Reads a data file and checks every entry."""

    def __init__(self, source: str, data: dict[str, Any]) -> None:
        self.source = source
        self.data = data

    def fail(self, problem: str) -> NoReturn:
        raise GameDataError(f"{self.source}: {problem}")

    def board(self) -> Board:
        self.check_keys("the file", self.data, KEYS)
        cells = self.places()
        names = self.ordered_names(cells)
        links, magic = self.links(names, cells)
        self.check_connected(names, links)
        self.check_keys("wands", self.data["wands"], WAND_KEYS)
        return Board(
            names, tuple(cells[name] for name in names), links, magic, self.notches(), self.symbols()
        )

    def check_keys(self, where: str, entries: object, keys: tuple[str, ...]) -> None:
        if not isinstance(entries, dict):
            self.fail(f"{where} has to be a table with {', '.join(keys)}, not {entries!r}")
        for key in entries:
            if key not in keys:
                self.fail(f"{where} has an unknown entry {key!r}; its entries are {', '.join(keys)}")
        for key in keys:
            if key not in entries:
                self.fail(f"{where} lacks {key!r}; its entries are {', '.join(keys)}")

    def places(self) -> dict[str, tuple[int, int]]:
        """The cells of the places, in reading order."""
        rows = self.data["places"]
        if not isinstance(rows, list) or not rows or any(not isinstance(row, list) for row in rows):
            self.fail(f"places has to be a list of rows, not {rows!r}")
        cells: dict[str, tuple[int, int]] = {}
        for row, names in enumerate(rows):
            for column, name in enumerate(names):
                if name == "":
                    continue
                if not isinstance(name, str) or not NAME.fullmatch(name):
                    self.fail(f'places: {name!r} is not a name; allowed: words of letters, or "" for a gap')
                if name.casefold() in (known.casefold() for known in cells):
                    self.fail(f"places: {name!r} is given twice")
                cells[name] = (row, column)
        if len(cells) != N_PLACES:
            self.fail(f"places has {len(cells)} places; the game needs {N_PLACES}")
        return cells

    def ordered_names(self, cells: dict[str, tuple[int, int]]) -> tuple[str, ...]:
        """The places with tarot cards in reading order, then Life and the Labyrinth."""
        special = (self.data["life"], self.data["labyrinth"])
        for key, name in zip(("life", "labyrinth"), special, strict=True):
            if not isinstance(name, str) or name not in cells:
                self.fail(f"{key} is {name!r}; allowed: one of the places {', '.join(cells)}")
        if special[0] == special[1]:
            self.fail(f"life and labyrinth are both {special[0]!r}; they have to differ")
        return (*(name for name in cells if name not in special), *special)

    def links(
        self, names: tuple[str, ...], cells: dict[str, tuple[int, int]]
    ) -> tuple[tuple[Link, ...], frozenset[int]]:
        """The links with their stones numbered, and the stones with magic symbols."""
        entries = self.data["links"]
        if not isinstance(entries, list):
            self.fail(f"links has to be a list, not {entries!r}")
        links: list[Link] = []
        magic: set[int] = set()
        n_spots = N_PLACES
        for entry in entries:
            first, second, stones = self.link(entry, cells)
            ends = {names.index(first), names.index(second)}
            if any({link.first, link.second} == ends for link in links):
                self.fail(f"links: {first} and {second} are linked twice")
            spots = range(n_spots, n_spots + len(stones))
            n_spots += len(stones)
            if n_spots > MAX_SPOTS:
                self.fail(f"links: more than {MAX_SPOTS - N_PLACES} stones")
            links.append(Link(names.index(first), names.index(second), tuple(spots)))
            magic.update(spot for spot, stone in zip(spots, stones, strict=True) if stone == "*")
        return tuple(links), frozenset(magic)

    def link(self, entry: object, cells: dict[str, tuple[int, int]]) -> tuple[str, str, str]:
        """One entry of links."""
        if not isinstance(entry, list) or len(entry) != 3 or any(not isinstance(part, str) for part in entry):
            self.fail(f'links: {entry!r} is not a link; a link looks like ["Life", "Mill", "o*o"]')
        first, second, stones = entry
        for name in (first, second):
            if name not in cells:
                self.fail(f"links: {name!r} is not one of the places {', '.join(cells)}")
        (row, column), (other_row, other_column) = cells[first], cells[second]
        if abs(row - other_row) + abs(column - other_column) != 1:
            self.fail(f"links: {first} and {second} are not neighbours in places")
        if not 1 <= len(stones) <= MAX_STONES or set(stones) - {"o", "*"}:
            self.fail(
                f"links: the stones of {first} and {second} are {stones!r}; allowed: 1 to {MAX_STONES} of o and *"
            )
        return first, second, stones

    def check_connected(self, names: tuple[str, ...], links: tuple[Link, ...]) -> None:
        """Every place with tarot cards can be reached from Life, and a way leads out of the Labyrinth."""
        reached, grown = {LIFE}, True
        while grown:
            near = {
                end
                for link in links
                for end in (link.first, link.second)
                if {link.first, link.second} & reached
            }
            grown = not near - {LABYRINTH} <= reached
            reached |= near - {LABYRINTH}
        lost = [names[place] for place in range(N_TAROT) if place not in reached]
        if lost:
            self.fail(
                f"links: {', '.join(lost)} cannot be reached from {names[LIFE]} without {names[LABYRINTH]}"
            )
        if not any(LABYRINTH in (link.first, link.second) for link in links):
            self.fail(f"links: no way leads out of {names[LABYRINTH]}")

    def notches(self) -> tuple[int, ...]:
        """Notches on the sides of a wand.

        A 2 is needed because a triple 2 leads out of the Labyrinth, and another value because duels would never end
        without it. In a duel only the notches of kept wands are remembered, so all wands have the same sides.
        """
        values = self.data["wands"]["notches"]
        if (
            not isinstance(values, list)
            or len(values) > MAX_SIDES
            or any(type(value) is not int or not 0 <= value < N_NOTCHES for value in values)
            or not {N_NOTCHES - 1} < set(values)
        ):
            self.fail(
                f"wands: notches is {values!r}; allowed: 2 to {MAX_SIDES} of 0, 1 and 2, a 2 and another number among "
                "them; all wands have the same"
            )
        return tuple(values)

    def symbols(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Symbols of each wand: one list of sides for all of them, or a list for every wand."""
        given = self.data["wands"]["symbols"]
        if not isinstance(given, list) or not given or not all(_is_wand(entry) for entry in given):
            return (self.sides(given),) * N_WANDS
        if len(given) != N_WANDS:
            self.fail(
                f"wands: symbols has {len(given)} wands; allowed: {N_WANDS}, or one list of sides for all"
            )
        return tuple(self.sides(wand) for wand in given)

    def sides(self, sides: Any) -> tuple[tuple[str, ...], ...]:
        """Symbols on the sides of one wand."""
        names = tuple(SYMBOLS)
        if not isinstance(sides, list) or not 1 <= len(sides) <= MAX_SIDES:
            self.fail(f"wands: symbols is {sides!r}; allowed: a list of 1 to {MAX_SIDES} sides")
        for side in sides:
            if (
                not isinstance(side, list)
                or not 1 <= len(side) <= MAX_SHOWN
                or any(symbol not in names for symbol in side)
            ):
                self.fail(
                    f"wands: symbols has {side!r}; allowed: a list of 1 to {MAX_SHOWN} of {', '.join(names)}"
                )
        return tuple(tuple(side) for side in sides)
