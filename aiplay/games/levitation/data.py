"""The data file of Levitation: cities, turn tokens, point spaces and cards, checked and turned into numbers."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from aiplay._core.games.levitation.state import (
    EFFECT_POINTS_CARDS,
    N_CARDS,
    N_COLUMNS,
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
    "PATHS",
    "REWARDS",
    "ROWS",
    "SIZES",
    "Card",
    "City",
    "LevitationData",
    "load_data",
]

# Names, in the order of the core's numbers
MASTERS = ("Herrmann", "Thurston", "Kellar")
COLOURS = ("blue", "red", "yellow", "black", "green")
SIZES = ("mouse", "rabbit", "dog", "horse", "elephant")
ROWS = ("top", "middle", "bottom")
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
# The cities of every path (top, middle, bottom), in the order of the core's numbers
PATHS = tuple(
    (top, N_COLUMNS + middle, 2 * N_COLUMNS + bottom)
    for top in range(N_COLUMNS)
    for middle in range(N_COLUMNS)
    for bottom in range(N_COLUMNS)
    if abs(top - middle) <= 1 and abs(middle - bottom) <= 1
)
MAX_COST = 3  # cubes for a card without X
MAX_FLAIR = 4  # tokens on a card or from a city; also the most cubes from a city
MAX_POINTS = 30  # of a city


@dataclass(frozen=True)
class Card:
    """An illusion card."""

    name: str
    icons: tuple[int, ...]
    size: int
    cost: int  # cubes; 0 for an X card
    flair: int  # most tokens on it
    effect: int  # EFFECT_*, index in EFFECTS
    colours: tuple[int, ...]  # colours in the text of the effect


@dataclass(frozen=True)
class City:
    """A city: its colour, and its reward for a ticket (for a path, if points)."""

    name: str
    colour: int
    reward: int  # REWARD_*, index in REWARDS
    amount: int


@dataclass(frozen=True)
class LevitationData:
    """Content of a data file."""

    cards: tuple[Card, ...]
    cities: tuple[City, ...]
    spaces: tuple[str, ...]
    ties: tuple[tuple[int, ...], ...]

    @functools.cached_property
    def texts(self) -> tuple[int, ...]:
        """The lowest card with the same text (effect and colours), for every card."""
        texts = [(card.effect, frozenset(card.colours)) for card in self.cards]
        return tuple(texts.index(text) for text in texts)

    def numbers(self) -> dict[str, Any]:
        """Return the content as plain numbers, for the core."""
        return {
            "cards": [
                (card.effect, card.colours, card.icons, card.size, card.cost, card.flair, text)
                for card, text in zip(self.cards, self.texts, strict=True)
            ],
            "cities": [(city.colour, city.reward, city.amount) for city in self.cities],
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
    return LevitationData(
        cards=_cards(content["cards"]),
        cities=_cities(content["cities"]),
        spaces=_spaces(content["spaces"]),
        ties=_ties(content["tokens"]),
    )


def _fail(where: str, given: object, allowed: str) -> NoReturn:
    shown = repr(given)
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
    if effect <= EFFECT_POINTS_CARDS:
        if entry["cost"] != "X":
            _fail(f"{where}, cost", entry["cost"], "'X' for an effect that gives points")
        cost = 0
    else:
        cost = _whole(entry["cost"], f"{where}, cost", 1, MAX_COST)
    return Card(
        name=name,
        icons=_colours(entry["icons"], f"{where}, icons", (1, 2)),
        size=_word(entry["size"], f"{where}, size", SIZES),
        cost=cost,
        flair=_whole(entry["flair"], f"{where}, flair", 1, MAX_FLAIR),
        effect=effect,
        colours=_colours(entry.get("colours", []), f"{where}, colours", tuple(EFFECTS.values())[effect]),
    )


def _cities(value: object) -> tuple[City, ...]:
    _require_keys(value, "cities", ROWS)
    assert isinstance(value, Mapping)
    seen: set[str] = set()
    return tuple(
        _city(entry, row, column, seen)
        for row in ROWS
        for column, entry in enumerate(_list(value[row], f"cities, {row}", N_COLUMNS), 1)
    )


def _city(entry: object, row: str, column: int, seen: set[str]) -> City:
    where = f"cities, {row} {column}"
    rewards = REWARDS if row == "top" else REWARDS[1:]
    _require_keys(entry, where, ("name", "colour"), rewards)
    assert isinstance(entry, Mapping)
    given = [reward for reward in rewards if reward in entry]
    if len(given) != 1:
        _fail(where, given, f"exactly one of {', '.join(rewards)}")
    most = MAX_POINTS if given[0] == "points" else MAX_FLAIR
    return City(
        name=_name(entry["name"], f"{where}, name", seen),
        colour=_word(entry["colour"], f"{where}, colour", COLOURS),
        reward=REWARDS.index(given[0]),
        amount=_whole(entry[given[0]], f"{where}, {given[0]}", 1, most),
    )


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
