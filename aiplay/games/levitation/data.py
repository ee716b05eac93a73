"""The data file of Levitation: cities, turn tokens, point spaces and cards, checked and turned into numbers."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, NoReturn, get_args

from aiplay._core.games.levitation.state import (
    EFFECT_POINTS_CARDS,
    N_CARDS,
    N_CITIES,
    N_SEATS,
    N_TOKENS,
    SPACE_FLAIR,
    SPACE_ICON,
    SPACE_SIZE,
)
from aiplay.errors import GameDataError
from aiplay.games.data_file import read_data

__all__ = [
    "COLOURS",
    "EFFECTS",
    "MASTERS",
    "MAX_FLAIR",
    "REWARDS",
    "ROWS",
    "SIZES",
    "Card",
    "City",
    "Colour",
    "LevitationData",
    "Master",
    "Row",
    "load_data",
]

# Names, in the order of the core's numbers
Master = Literal["Herrmann", "Thurston", "Kellar"]
Colour = Literal["blue", "red", "yellow", "black", "green"]
Row = Literal["top", "middle", "bottom"]
MASTERS: tuple[Master, ...] = get_args(Master)
COLOURS: tuple[Colour, ...] = get_args(Colour)
ROWS: tuple[Row, ...] = get_args(Row)
SIZES = ("mouse", "rabbit", "dog", "horse", "elephant")
REWARDS = ("points", "flair", "cubes")
TALLIES = ("flair", "tickets", "cubes")

# Effects in the order of EFFECT_*, each with the allowed numbers of colours in its text
EFFECTS: dict[str, tuple[int, ...]] = {
    "points for dice": (1,),
    "points for tickets on the board": (0,),
    "points for tickets in hand": (0,),
    "points for cards": (1,),
    "gain flair": (0,),
    "gain ticket": (0,),
    "gain cube": (0,),
    "gain tickets for dice": (1,),
    "gain card": (1,),
    "place on a point space": (0,),
    "place on a city": (1, 2),
    "duplicate another's card": (0,),
    "duplicate an own card": (0,),
    "disable a card": (0,),
    "first action": (0,),
    "trade tickets": (0,),
    "move a ticket": (0,),
    "trade a card": (0,),
    "re-roll": (0,),
    "path bonus": (0,),
    "move a card": (0,),
    "change colour": (0,),
}
MIN_CITIES = 10
MAX_COST = 3  # cubes for a card without X
MAX_FLAIR = 4  # tokens on a card or from a city; also the most cubes from a city
MAX_POINTS = 30  # of a city


class Card(NamedTuple):
    """An illusion card."""

    name: str
    icons: tuple[int, ...]
    size: int
    cost: int  # cubes; 0 for an X card, which gives points
    flair: int  # most tokens on it
    effect: int  # EFFECT_*, index in EFFECTS
    colours: tuple[int, ...]  # colours in the text of the effect


class City(NamedTuple):
    """A city: the colours of its dice, its rewards, and the cities that it touches."""

    name: str
    row: int  # index in ROWS
    colours: tuple[int, ...]
    points: int  # for a path
    flair: int  # for a ticket, like cubes
    cubes: int
    touches: tuple[int, ...]  # cities of the row above


class LevitationData:
    """Content of a data file."""

    def __init__(
        self,
        cards: tuple[Card, ...],
        cities: tuple[City, ...],
        spaces: tuple[str, ...],
        ties: tuple[tuple[int, ...], ...],
    ) -> None:
        self.cards, self.cities, self.spaces, self.ties = cards, cities, spaces, ties

    @functools.cached_property
    def texts(self) -> tuple[int, ...]:
        """The lowest card with the same text (effect, colours, X), for every card."""
        texts = [(card.effect, frozenset(card.colours), card.cost == 0) for card in self.cards]
        return tuple(texts.index(text) for text in texts)

    @functools.cached_property
    def paths(self) -> tuple[tuple[int, int, int], ...]:
        """The cities of every path (top, middle, bottom), ascending: chains with points in at least one city."""
        return tuple(
            sorted(
                (top, middle, bottom)
                for bottom, city in enumerate(self.cities)
                if city.row == len(ROWS) - 1
                for middle in city.touches
                for top in self.cities[middle].touches
                if any(self.cities[place].points for place in (top, middle, bottom))
            )
        )

    def numbers(self) -> dict[str, Any]:
        """Return the content as plain numbers, for the core."""
        return {
            "cards": [
                (card.effect, card.colours, card.icons, card.size, card.cost, card.flair, text)
                for card, text in zip(self.cards, self.texts, strict=True)
            ],
            "cities": [
                (city.row, city.colours, city.flair, city.cubes, city.touches) for city in self.cities
            ],
            "paths": [(path, [self.cities[city].points for city in path]) for path in self.paths],
            "spaces": [_space(name) for name in self.spaces],
            "ties": self.ties,
        }


def load_data(path: str | None) -> LevitationData:
    """Read and check the file at `path`, or the game's own data file (which is read once)."""
    return _own_data() if path is None else _read(path)


@functools.cache
def _own_data() -> LevitationData:
    return _read(None)


def _read(path: str | None) -> LevitationData:
    content = read_data("levitation", path)
    _require_keys(content, "the file", ("tokens", "cities", "spaces", "cards"))
    data = LevitationData(
        cards=_cards(content["cards"]),
        cities=_cities(content["cities"]),
        spaces=_spaces(content["spaces"]),
        ties=_ties(content["tokens"]),
    )
    if not data.paths:
        _fail("cities", "no path", "three touching cities, one in each row, with points in one of them")
    return data


def _fail(where: str, given: object, allowed: str) -> NoReturn:
    try:
        shown = repr(given)
    except ValueError:  # Python refuses to write very long numbers
        shown = "a number of thousands of digits"
    raise GameDataError(
        f"levitation data, {where}: {shown if len(shown) <= 60 else shown[:57] + '...'}; allowed: {allowed}"
    )


def _require_keys(entry: object, where: str, keys: Sequence[str], optional: Sequence[str] = ()) -> None:
    """Check that `entry` is a TOML table with all of `keys`, and no others but `optional`."""
    if not isinstance(entry, Mapping):
        _fail(where, entry, f"a table with {', '.join(keys)}")
    for key in entry:
        if key not in keys and key not in optional:
            _fail(where, key, f"the keys {', '.join((*keys, *optional))}")
    for key in keys:
        if key not in entry:
            raise GameDataError(f"levitation data, {where}: {key!r} is missing; needed: {', '.join(keys)}")


def _list(value: object, where: str, length: int) -> list[Any]:
    if not isinstance(value, list) or len(value) != length:
        given = f"{len(value)} entries" if isinstance(value, list) else value
        _fail(where, given, f"a list of {length}")
    return value


def _whole(value: object, where: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        _fail(where, value, f"a whole number from {low} to {high}")
    return value


def _word(value: object, where: str, words: Sequence[str]) -> int:
    """Return the index of an allowed word."""
    if not isinstance(value, str) or value not in words:
        _fail(where, value, ", ".join(words))
    return words.index(value)


def _name(value: object, where: str, seen: set[str]) -> str:
    """Return a name that differs from those in `seen` and fits into the notation of moves."""
    if not isinstance(value, str) or not value or " ".join(value.split()) != value:
        _fail(where, value, "a name without spaces at its ends or double spaces")
    if value.casefold() in seen:
        _fail(where, value, "names that differ")
    seen.add(value.casefold())
    return value


def _colours(value: object, where: str, lengths: Sequence[int]) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) not in lengths:
        _fail(where, value, f"a list of {' or '.join(map(str, lengths))} colours")
    found = tuple(_word(colour, where, COLOURS) for colour in value)
    if len(set(found)) != len(found):
        _fail(where, value, "different colours")
    return found


def _cards(value: object) -> tuple[Card, ...]:
    seen: set[str] = set()
    return tuple(_card(entry, number, seen) for number, entry in enumerate(_list(value, "cards", N_CARDS), 1))


def _card(entry: object, number: int, seen: set[str]) -> Card:
    where = f"card {number}"
    _require_keys(entry, where, ("name", "icons", "size", "cost", "flair", "effect"), ("colours",))
    assert isinstance(entry, Mapping)
    name = _name(entry["name"], f"{where}, name", seen)
    where = f"card {number} ({name})"
    effect = _word(entry["effect"], f"{where}, effect", tuple(EFFECTS))
    return Card(
        name=name,
        icons=_colours(entry["icons"], f"{where}, icons", (1, 2)),
        size=_word(entry["size"], f"{where}, size", SIZES),
        cost=_cost(entry["cost"], f"{where}, cost", effect),
        flair=_whole(entry["flair"], f"{where}, flair", 1, MAX_FLAIR),
        effect=effect,
        colours=_colours(entry.get("colours", []), f"{where}, colours", tuple(EFFECTS.values())[effect]),
    )


def _cost(value: object, where: str, effect: int) -> int:
    """Return the cubes of a card, 0 for X."""
    if effect > EFFECT_POINTS_CARDS:
        return _whole(value, where, 1, MAX_COST)
    if value == "X":
        return 0
    if type(value) is not int or not 1 <= value <= MAX_COST:
        _fail(where, value, f"a whole number from 1 to {MAX_COST}, or 'X'")
    return value


def _cities(value: object) -> tuple[City, ...]:
    _require_keys(value, "cities", ROWS)
    assert isinstance(value, Mapping)
    for row in ROWS:
        if not isinstance(value[row], list) or not value[row]:
            _fail(f"cities, {row}", value[row], "a list of one city or more")
    total = sum(len(value[row]) for row in ROWS)
    if not MIN_CITIES <= total <= N_CITIES:
        _fail("cities", f"{total} cities", f"{MIN_CITIES} to {N_CITIES} in the three rows together")
    seen: set[str] = set()
    cities: list[City] = []
    above: list[City] = []
    for row in ROWS:
        first = len(cities) - len(above)
        above = [
            _city(entry, f"cities, {row} {column}", seen, _Above(first, above, len(value[row]), column - 1))
            for column, entry in enumerate(value[row], 1)
        ]
        cities += above
    return tuple(cities)


class _Above(NamedTuple):
    """The row above a city, and the place of the city below it."""

    first: int  # number of the first city of the row above
    cities: Sequence[City]
    length: int  # of the city's own row
    column: int

    @property
    def row(self) -> int:
        """Index of the city's own row in ROWS."""
        return self.cities[0].row + 1 if self.cities else 0


def _city(entry: object, where: str, seen: set[str], above: _Above) -> City:
    _require_keys(entry, where, ("name", "colour"), (*REWARDS, "touches") if above.cities else REWARDS)
    assert isinstance(entry, Mapping)
    if not any(reward in entry for reward in REWARDS):
        _fail(where, [], f"one or more of {', '.join(REWARDS)}")
    return City(
        name=_name(entry["name"], f"{where}, name", seen),
        row=above.row,
        colours=_city_colours(entry["colour"], f"{where}, colour"),
        points=_reward(entry, where, "points", MAX_POINTS),
        flair=_reward(entry, where, "flair", MAX_FLAIR),
        cubes=_reward(entry, where, "cubes", MAX_FLAIR),
        touches=_touches(entry, f"{where}, touches", above),
    )


def _city_colours(value: object, where: str) -> tuple[int, ...]:
    if isinstance(value, str):
        return (_word(value, where, COLOURS),)
    if not isinstance(value, list) or not value:
        _fail(where, value, "a colour, or a list of 1 or 2 colours")
    return _colours(value, where, (1, 2))


def _reward(entry: Mapping[str, object], where: str, reward: str, most: int) -> int:
    return _whole(entry[reward], f"{where}, {reward}", 1, most) if reward in entry else 0


def _touches(entry: Mapping[str, object], where: str, above: _Above) -> tuple[int, ...]:
    """Return the cities of the row above that a city touches: those named, or straight and diagonally above."""
    names = [city.name for city in above.cities]
    if "touches" in entry:
        given = entry["touches"]
        if not isinstance(given, list):
            _fail(where, given, f"a list of cities of the row above: {', '.join(names)}")
        columns = [_word(name, where, names) for name in given]
        if len(set(columns)) != len(columns):
            _fail(where, given, "different cities")
    elif not names:
        columns = []
    elif len(names) == above.length:
        columns = [column for column in range(len(names)) if abs(column - above.column) <= 1]
    else:
        raise GameDataError(
            f"levitation data, {where}: missing; needed where a row and the row above it differ in length "
            f"({above.length}, {len(names)})"
        )
    return tuple(sorted(above.first + column for column in columns))


def _spaces(value: object) -> tuple[str, ...]:
    _require_keys(value, "spaces", ("counts",))
    assert isinstance(value, Mapping)
    allowed = (*COLOURS, *SIZES, *TALLIES)
    names = _list(value["counts"], "spaces, counts", len(allowed))
    for name in names:
        _word(name, "spaces, counts", allowed)
    if len(set(names)) != len(names):
        _fail("spaces, counts", names, "each of them once")
    return tuple(names)


def _space(name: str) -> tuple[int, int]:
    """Return SPACE_* of a point space, and the icon or the size that it counts."""
    if name in COLOURS:
        return SPACE_ICON, COLOURS.index(name)
    if name in SIZES:
        return SPACE_SIZE, SIZES.index(name)
    return SPACE_FLAIR + TALLIES.index(name), 0


def _ties(value: object) -> tuple[tuple[int, ...], ...]:
    keys = [str(number) for number in range(1, N_TOKENS + 1)]
    _require_keys(value, "tokens", keys)
    assert isinstance(value, Mapping)
    ties = []
    for key in keys:
        numbers = _list(value[key], f"tokens, {key}", N_SEATS)
        ties.append(tuple(_whole(number, f"tokens, {key}", 1, 99) for number in numbers))
        if len(set(ties[-1])) != N_SEATS:
            _fail(f"tokens, {key}", numbers, "different numbers, since they break ties")
    return tuple(ties)
