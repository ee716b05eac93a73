"""The board and the wands of The Three Magicians: read, checked, and worked out into tables."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, NoReturn

from aiplay.errors import GameDataError
from aiplay.games.data_file import read_data

__all__ = ["LABYRINTH", "LIFE", "N_PLACES", "N_TAROT", "SYMBOLS", "TRIPLETS", "Board", "Link", "load_board"]

N_TAROT = 7  # places with tarot cards
LIFE, LABYRINTH = 7, 8  # the two places without: numbered after the others
N_PLACES = 9
MAX_SPOTS = 64  # places and stones are bits of one word
MAX_WALK = 12  # twice the highest throw
SYMBOLS = ("star", "arrow", "empty")
TRIPLETS = {0: "0+0+0", 14: "2+2+2", 15: "1+1+1"}  # throws of a turn; others are own and the sum of the rest
KEYS = ("life", "labyrinth", "places", "links", "wands")
WAND_KEYS = ("notches", "symbols")
NAME = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")


@dataclass(frozen=True)
class Link:
    """Two neighbouring places and the stones between them, from the first place to the second."""

    first: int
    second: int
    stones: tuple[int, ...]


@dataclass(frozen=True)
class Board:
    """A board and its wands.

    Places are numbered 0-6 (tarot, in reading order), 7 (Life), 8 (Labyrinth); spots are the places followed
    by the stones in the order of the links.
    """

    names: tuple[str, ...]  # of the places
    cells: tuple[tuple[int, int], ...]  # row and column of each place
    links: tuple[Link, ...]
    magic: frozenset[int]  # spots with magic symbols
    notches: tuple[int, ...]  # equally likely values of a wand
    symbols: tuple[tuple[str, ...], ...]  # equally likely looks of a wand thrown for magic

    @property
    def n_spots(self) -> int:
        """Places and stones."""
        return N_PLACES + sum(len(link.stones) for link in self.links)

    def spot_name(self, spot: int) -> str:
        """A place by its name, a stone by its link and its number on it: ``Life-Mill 2``."""
        if spot < N_PLACES:
            return self.names[spot]
        link = next(link for link in self.links if spot in link.stones)
        return f"{self.names[link.first]}-{self.names[link.second]} {link.stones.index(spot) + 1}"

    @functools.cached_property
    def neighbours(self) -> list[list[int]]:
        """The spots one step from each spot."""
        found: list[list[int]] = [[] for _ in range(self.n_spots)]
        for link in self.links:
            chain = (link.first, *link.stones, link.second)
            for here, there in itertools.pairwise(chain):
                found[here].append(there)
                found[there].append(here)
        return found

    @functools.cached_property
    def walks(self) -> list[list[int]]:
        """For each spot and length 0-12 the set, as bits, of the spots where an exact walk can end.

        A walk never turns back and never enters the Labyrinth; there is no walk of length 0.
        """
        neighbours = self.neighbours
        table = []
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
            table.append(row)
        return table

    @functools.cached_property
    def jumps(self) -> list[list[int]]:
        """For each place and 0-2 jumps the set, as bits, of the places where they can end.

        Never where they began, never the Labyrinth.
        """
        near: list[set[int]] = [set() for _ in range(N_PLACES)]
        for link in self.links:
            near[link.first].add(link.second)
            near[link.second].add(link.first)
        table = []
        for start in range(N_PLACES):
            once = near[start] - {LABYRINTH}
            twice = {end for middle in once for end in near[middle]} - {start, LABYRINTH}
            table.append([0, _bits(once), _bits(twice)])
        return table

    def throws(self) -> list[int]:
        """The equally likely throws of a turn: 5 x own notches + sum of the others, and 15 for a triple 1."""
        return [
            15 if own == first == second == 1 else 5 * own + first + second
            for own, first, second in itertools.product(self.notches, repeat=3)
        ]

    def duel_throws(self, n_wands: int) -> list[int]:
        """The equally likely throws of n wands in a duel: ones + 4 x twos."""
        return [
            wands.count(1) + 4 * wands.count(2) for wands in itertools.product(self.notches, repeat=n_wands)
        ]

    def magic_throws(self, *, has_fate: bool) -> list[int]:
        """The equally likely throws for magic: the set, as bits, of the symbols that are seen most.

        With fate a tie of empty and one other symbol is empty.
        """
        empty = 1 << SYMBOLS.index("empty")
        found = []
        for wands in itertools.product(self.symbols, repeat=3):
            seen = Counter(itertools.chain.from_iterable(wands))
            most = max(seen.values())
            tied = _bits(number for number, symbol in enumerate(SYMBOLS) if seen[symbol] == most)
            found.append(empty if has_fate and tied & empty and tied.bit_count() == 2 else tied)
        return found


def _bits(numbers: Any) -> int:
    """A set of numbers as the bits of one."""
    return sum(1 << number for number in set(numbers))


def load_board(path: str | None) -> Board:
    """The board of the game's own data file, or of the one at `path`; GameDataError if it is wrong."""
    return _own_board() if path is None else _Reader(path, read_data("three_magicians", path)).board()


@functools.cache
def _own_board() -> Board:
    return _Reader("three_magicians.toml", read_data("three_magicians", None)).board()


class _Reader:
    """Checks a data file entry by entry."""

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

    def check_keys(self, where: str, table: object, keys: tuple[str, ...]) -> None:
        if not isinstance(table, dict):
            self.fail(f"{where} has to be a table with {', '.join(keys)}, not {table!r}")
        for key in table:
            if key not in keys:
                self.fail(f"{where} has an unknown entry {key!r}; its entries are {', '.join(keys)}")
        for key in keys:
            if key not in table:
                self.fail(f"{where} lacks {key!r}; its entries are {', '.join(keys)}")

    def places(self) -> dict[str, tuple[int, int]]:
        """The places and where they lie, in reading order."""
        rows = self.data["places"]
        if not isinstance(rows, list) or not rows or any(not isinstance(row, list) for row in rows):
            self.fail(f"places has to be a list of rows, not {rows!r}")
        cells: dict[str, tuple[int, int]] = {}
        for row, line in enumerate(rows):
            for column, name in enumerate(line):
                if name == "":
                    continue
                if not isinstance(name, str) or not NAME.fullmatch(name):
                    self.fail(f"places: {name!r} is not a name; allowed: words of letters, or an empty text")
                if name.casefold() in (known.casefold() for known in cells):
                    self.fail(f"places: {name!r} is there twice")
                cells[name] = (row, column)
        if len(cells) != N_PLACES:
            self.fail(f"places has {len(cells)} places; the game needs {N_PLACES}")
        return cells

    def ordered_names(self, cells: dict[str, tuple[int, int]]) -> tuple[str, ...]:
        """The tarot places in reading order, then Life and the Labyrinth."""
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
            self.fail(f"links: {first} and {second} are no neighbours in places")
        if not re.fullmatch(r"[o*]{1,9}", stones):
            self.fail(f"links: the stones of {first} and {second} are {stones!r}; allowed: 1 to 9 of o and *")
        return first, second, stones

    def check_connected(self, names: tuple[str, ...], links: tuple[Link, ...]) -> None:
        """Every tarot place can be reached from Life, and there is a way out of the Labyrinth."""
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
                f"links: no way leads from {names[LIFE]} to {', '.join(lost)} but through {names[LABYRINTH]}"
            )
        if not any(LABYRINTH in (link.first, link.second) for link in links):
            self.fail(f"links: no way leads out of {names[LABYRINTH]}")

    def notches(self) -> tuple[int, ...]:
        """What a wand counts."""
        values = self.data["wands"]["notches"]
        if (
            not isinstance(values, list)
            or len(values) > 6
            or any(type(value) is not int for value in values)
            or set(values) != {0, 1, 2}
        ):
            self.fail(
                f"wands: notches is {values!r}; allowed: a list of up to 6 of 0, 1 and 2, each at least once"
            )
        return tuple(values)

    def symbols(self) -> tuple[tuple[str, ...], ...]:
        """What a wand shows when thrown for magic."""
        looks = self.data["wands"]["symbols"]
        if not isinstance(looks, list) or not 1 <= len(looks) <= 6:
            self.fail(f"wands: symbols is {looks!r}; allowed: a list of 1 to 6 looks")
        for look in looks:
            if (
                not isinstance(look, list)
                or not 1 <= len(look) <= 3
                or any(each not in SYMBOLS for each in look)
            ):
                self.fail(f"wands: symbols has {look!r}; allowed: a list of 1 to 3 of {', '.join(SYMBOLS)}")
        return tuple(tuple(look) for look in looks)
