"""Features: which inputs of a network are active in a position, and how much.

A game whose state has fields needs nothing more: `choose_features` decides for every field whether it is a category
(one input for each value), a number (one input, scaled from the range that occurs), a set of bits or a packed value,
and `field_tables` turns that into tables for `aiplay._core.features`. Seats come in order from the one that decides.
A game written in Python is seen through its method ``features``, or through its states as plain data.

`Features` is plain data, kept in the file of a value.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from aiplay._core.features import FULL, KIND_BITS, KIND_NUMBER, KIND_TABLE
from aiplay.fields import Field, Part, observed_size

if TYPE_CHECKING:
    from aiplay.layout import Layout

__all__ = [
    "Feature",
    "FieldTable",
    "FunctionFeatures",
    "PlainFeatures",
    "Ranges",
    "choose_features",
    "choose_paths",
    "field_tables",
]

MOST_VALUES = 16  # a number with more values is scaled
MOST_ROWS = 4096  # values of a table
KINDS = ("category", "number", "bits", "parts")

Ranges = Mapping[str, tuple[int, int]]


class Feature(NamedTuple):
    """How one field is seen: its kind, and the range of its values; values beyond count as its ends."""

    field: str
    kind: str
    low: int
    high: int


class FieldTable(NamedTuple):
    """A field as `aiplay._core.features` reads it."""

    offset: int
    size: int
    is_signed: bool
    count: int  # type: ignore[assignment]
    kind: int
    bits: int
    width: int
    low: int
    high: int
    bases: array[int]  # [seat][entry]: first input of an entry, -1 for none
    rows: array[int]  # [seat][value][pair]: input, amount
    n_pairs: int
    view_rows: int


# ---- Fields of a state ---------------------------------------------------------------------------------------


def choose_features(layout: Layout, fields: Mapping[str, Field], ranges: Ranges) -> list[Feature]:
    """Return how every field that varies is seen; `ranges` are the lowest and highest values that occur."""
    chosen = []
    for name, field in fields.items():
        low, high = ranges[name]
        if low == high:
            continue
        if field.parts or field.bits:
            chosen.append(Feature(name, "parts" if field.parts else "bits", field.low, field.high))
        elif field.seats_at:
            chosen.append(Feature(name, "category", field.low, field.high))
        else:
            chosen.append(Feature(name, "category" if high - low < MOST_VALUES else "number", low, high))
    return chosen


def field_tables(
    layout: Layout, fields: Mapping[str, Field], seats: int, features: Iterable[Feature]
) -> tuple[int, list[FieldTable]]:
    """Return the number of inputs, and a table for every feature; ValueError if one does not fit the game."""
    n_inputs = seats + 1  # who decides, and chance
    tables: list[FieldTable] = []
    for feature in features:
        if feature.field not in fields:
            raise ValueError(f"no field is called {feature.field!r}")
        table, width = _table(layout, fields[feature.field], seats, feature, n_inputs)
        tables.append(table)
        n_inputs += width
    return n_inputs, tables


def _table(layout: Layout, field: Field, seats: int, feature: Feature, first: int) -> tuple[FieldTable, int]:
    """Return the table of a field, and how many inputs it has."""
    _check_feature(field, feature)
    column = layout.columns[feature.field]
    if feature.kind == "bits":
        kind, width = KIND_BITS, observed_size(feature.field, field)
    elif feature.high - feature.low >= MOST_ROWS:
        kind, width = KIND_NUMBER, 1
    else:
        kind, width = KIND_TABLE, _row_width(field, feature)
    bases, n_entries = _bases(column.shape, field.seat_axis, seats, first, width)
    rows, n_pairs, view_rows = _rows(field, feature, seats) if kind == KIND_TABLE else (array("h"), 0, 0)
    itemsize = array(column.code).itemsize
    table = FieldTable(
        offset=column.offset,
        size=itemsize,
        is_signed=column.code.islower(),
        count=prod(column.shape),
        kind=kind,
        bits=field.bits,
        width=width,
        low=0 if kind == KIND_BITS else feature.low,
        high=0 if kind == KIND_BITS else feature.high,
        bases=bases,
        rows=rows,
        n_pairs=n_pairs,
        view_rows=view_rows,
    )
    return table, n_entries * width


def _check_feature(field: Field, feature: Feature) -> None:
    """Raise ValueError unless the field can be seen in this way."""
    name, kind, low, high = feature
    fits = {"parts": bool(field.parts), "bits": bool(field.bits) and not field.parts}
    if kind not in KINDS or not fits.get(kind, not (field.parts or field.bits)):
        raise ValueError(f"field {name!r} is not seen as {kind!r}")
    if not field.low <= low < high <= field.high:
        raise ValueError(f"field {name!r} has {field.low} .. {field.high}, not {low} .. {high}")
    if kind in ("parts", "bits") and (low, high) != (field.low, field.high):
        raise ValueError(f"field {name!r} is seen with all of its values, {field.low} .. {field.high}")
    if kind in ("parts", "category") and high - low >= MOST_ROWS:
        raise ValueError(f"field {name!r} has more than {MOST_ROWS} values")


def _bases(
    shape: tuple[int, ...], seat_axis: int | None, seats: int, first: int, width: int
) -> tuple[array[int], int]:
    """Return the first input of every entry for every seat, and how many entries have inputs.

    Along the axis of seats, the seat that decides comes first; entries of seats that do not play have no inputs.
    """
    kept = tuple(seats if axis == seat_axis else length for axis, length in enumerate(shape))
    bases = array("i")
    for seat in range(seats):
        for place in product(*map(range, shape)):
            turned = [
                (at - seat) % seats if axis == seat_axis and at < seats else at
                for axis, at in enumerate(place)
            ]
            number = 0
            for at, length in zip(turned, kept, strict=True):
                number = number * length + at
            is_kept = all(at < length for at, length in zip(turned, kept, strict=True))
            bases.append(first + number * width if is_kept else -1)
    return bases, prod(kept)


def _row_width(field: Field, feature: Feature) -> int:
    if feature.kind == "parts":
        return sum(part.count if part.is_category else 1 for part in field.parts)
    return feature.high - feature.low + 1 if feature.kind == "category" else 1


def _rows(field: Field, feature: Feature, seats: int) -> tuple[array[int], int, int]:
    """Return the rows of all values, as each seat sees them if that differs; pairs of a row, numbers for each seat."""
    parts = field.parts
    if feature.kind != "parts":
        is_category, seats_at = feature.kind == "category", tuple(at - feature.low for at in field.seats_at)
        parts = (Part("", feature.low, feature.high - feature.low + 1, 1, None, is_category, seats_at),)
    differs = any(part.seats_at for part in parts)
    # The usual value needs no input, since the bias stands for it: fewer inputs are active.
    usual = max(0, feature.low) if feature.kind == "category" and not field.seats_at else None
    rows = array("h")
    for seat in range(seats if differs else 1):
        for value in range(feature.low, feature.high + 1):
            pairs = [] if value == usual else _pairs(parts, value, seat, seats)
            rows.extend(number for pair in pairs for number in pair)
            rows.extend([0, 0] * (len(parts) - len(pairs)))
    return rows, len(parts), len(rows) // seats if differs else 0


def _pairs(parts: Sequence[Part], value: int, seat: int, seats: int) -> list[tuple[int, int]]:
    """Return the inputs and amounts of a packed value, as a seat sees it."""
    pairs, column = [], 0
    for part in parts:
        if part.start <= value and (part.stop is None or value < part.stop):
            number = (value - part.start) // part.stride % part.count
            if part.is_category:
                pairs.append((column + _turned(number, part.seats_at, seat, seats), FULL))
            elif amount := round(FULL * number / max(part.count - 1, 1)):
                pairs.append((column, amount))
        column += part.count if part.is_category else 1
    return pairs


def _turned(number: int, seats_at: tuple[int, ...], seat: int, seats: int) -> int:
    """Return a number of a category with the seats counted from `seat`."""
    for start in seats_at:
        if start <= number < start + seats:
            return start + (number - start - seat) % seats
    return number


# ---- Games written in Python ---------------------------------------------------------------------------------


class FunctionFeatures:
    """The inputs of a game with a method ``features(state, seat)`` that returns `count` numbers from 0 to 1."""

    def __init__(self, function: Callable[[Any, int], Sequence[float]], seats: int, count: int) -> None:
        self.function, self.seats, self.count = function, seats, count
        self.size = seats + 1 + count

    def active(self, value: Any, seat: int, is_chance: bool) -> list[tuple[int, int]]:
        """Return the inputs that are not 0, with their amounts."""
        numbers = self.function(value, seat)
        if len(numbers) != self.count:
            raise ValueError(f"features returned {len(numbers)} numbers; {self.count} are needed")
        found = _who(seat, self.seats, is_chance)
        for i, number in enumerate(numbers):
            if not 0 <= number <= 1:
                raise ValueError(f"features returned {number!r}; allowed: 0 to 1")
            if amount := round(number * FULL):
                found.append((self.seats + 1 + i, amount))
        return found


class PlainFeatures:
    """The inputs of any state as plain data: for every place in it, the values that occur there.

    A place is a path such as ``1.hand.0``. If few values occur there, each is a category; a number with many values is
    scaled from its range.
    """

    def __init__(
        self, to_plain: Callable[[Any], Any], seats: int, paths: Mapping[str, Sequence[Any]]
    ) -> None:
        """`paths`: the values of each place, or ``["number", low, high]`` for one that is scaled."""
        self.to_plain, self.seats = to_plain, seats
        self.size = seats + 1
        self.places: dict[str, tuple[int, dict[Any, int] | tuple[float, float]]] = {}
        for path, values in paths.items():
            if len(values) == 3 and values[0] == "number":
                low, high = float(values[1]), float(values[2])
                if not low < high:
                    raise ValueError(f"{path!r} goes from {low} to {high}")
                self.places[path] = (self.size, (low, high))
                self.size += 1
            else:
                self.places[path] = (self.size, {value: i for i, value in enumerate(values)})
                self.size += len(values)

    def active(self, value: Any, seat: int, is_chance: bool) -> list[tuple[int, int]]:
        """Return the inputs that are not 0, with their amounts; values that never occurred have none."""
        found = _who(seat, self.seats, is_chance)
        for path, leaf in leaves(self.to_plain(value)):
            first, known = self.places.get(path, (0, {}))
            if isinstance(known, dict):
                if leaf in known:
                    found.append((first + known[leaf], FULL))
            elif isinstance(leaf, int | float):
                low, high = known
                if amount := round(FULL * (min(max(leaf, low), high) - low) / (high - low)):
                    found.append((first, amount))
        return found


def _who(seat: int, seats: int, is_chance: bool) -> list[tuple[int, int]]:
    return [(seat, FULL), (seats, FULL)] if is_chance else [(seat, FULL)]


def leaves(plain: Any, path: str = "") -> Iterable[tuple[str, Any]]:
    """Return the numbers and texts in plain data, each with its path."""
    if isinstance(plain, dict):
        items: Iterable[tuple[Any, Any]] = plain.items()
    elif isinstance(plain, list | tuple):
        items = enumerate(plain)
    else:
        yield path, plain
        return
    for key, value in items:
        yield from leaves(value, f"{path}.{key}" if path else str(key))


def choose_paths(states: Iterable[Any]) -> dict[str, list[Any]]:
    """Return the places of some states as plain data, with their values, for `PlainFeatures`."""
    values: dict[str, set[Any]] = {}
    for plain in states:
        for path, leaf in leaves(plain):
            values.setdefault(path, set()).add(leaf)
    chosen: dict[str, list[Any]] = {}
    for path, found in sorted(values.items()):
        if len(found) == 1:
            continue
        if len(found) <= MOST_VALUES or not all(isinstance(leaf, int | float) for leaf in found):
            chosen[path] = sorted(found, key=lambda leaf: (str(type(leaf)), leaf))[: 4 * MOST_VALUES]
        else:
            chosen[path] = ["number", min(found), max(found)]
    return chosen
