"""A game's state as named numbers: one codec for plain data, JSON and bytes, so that no game writes its own.

The compiler lays out the C struct, and `aiplay.layout` reads and writes it. A game only adds the range and meaning of
every field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from aiplay.errors import InvalidStateError
from aiplay.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aiplay.layout import Layout

__all__ = [
    "Field",
    "Part",
    "check_fields",
    "decode_bytes",
    "decode_fields",
    "decode_json",
    "encode_json",
    "observed_rows",
    "observed_size",
]

MAX_ROWS = 4096  # values of a field with parts
EXACT = 2**24  # values of a range that a float32 can tell apart


class Part(NamedTuple):
    """One part of a packed value: `(value - start) // stride % count`, for values from `start` to below `stop`."""

    doc: str
    start: int
    count: int  # type: ignore[assignment]
    stride: int = 1
    stop: int | None = None  # None: no end
    is_category: bool = False  # observed as `count` numbers, a 1 among zeros; else as one number
    seats_at: tuple[
        int, ...
    ] = ()  # numbers of a category that mean seat 0; the other seats follow (for learning)


class Field(NamedTuple):
    """Range and meaning of one field of a state; the range of an array field applies to every entry.

    An observation holds one number for each entry, scaled from the range to 0 .. 1. With `bits` it holds one number
    for every group of that many bits, lowest first: `bits=1` for a set, `bits=2` for counts up to 3 side by side. With
    `parts` it holds the parts of a packed value, in their order.

    A trained value (``aiplay.features``) sees the seats in order from the one that decides. `seat_axis` says which axis
    of an array counts seats, and `seats_at` which values of a field mean seat 0.
    """

    low: int
    high: int
    doc: str
    bits: int = 0
    parts: tuple[Part, ...] = ()
    seat_axis: int | None = None  # axis of an array that counts seats
    seats_at: tuple[int, ...] = ()  # values that mean seat 0; those of the other seats follow


def observed_size(name: str, field: Field) -> int:
    """Return how many numbers an observation has for an entry of a field; TypeError if values would look alike."""
    n_values = field.high - field.low + 1
    if field.parts:
        if field.bits or n_values > MAX_ROWS:
            raise TypeError(
                f"field {name!r} with parts has no bits, and at most {MAX_ROWS} values, not {n_values}"
            )
        return sum(part.count if part.is_category else 1 for part in field.parts)
    if field.bits:
        n_groups = -(-field.high.bit_length() // field.bits)
        if field.low != 0 or field.high != 2 ** (n_groups * field.bits) - 1:
            raise TypeError(
                f"field {name!r} has groups of {field.bits} bits: its range has to begin at 0 and end with the last "
                f"of them full, not {field.low} .. {field.high}"
            )
        return n_groups
    if n_values > EXACT:
        raise TypeError(
            f"field {name!r} has {n_values} values, too many for one float32: describe its bits or parts"
        )
    return 1


def observed_rows(name: str, field: Field) -> NDArray[np.float32]:
    """Return the numbers for every value of a field with parts, a row for each value."""
    rows = np.zeros((field.high - field.low + 1, observed_size(name, field)), np.float32)
    values = np.arange(field.low, field.high + 1)
    column = 0
    for part in field.parts:
        has_part = (values >= part.start) & (part.stop is None or values < part.stop)
        number = (values - part.start) // part.stride % part.count
        if part.is_category:
            rows[has_part, column + number[has_part]] = 1
            column += part.count
        else:
            rows[has_part, column] = number[has_part] / max(part.count - 1, 1)
            column += 1
    if len(np.unique(rows, axis=0)) < len(rows):
        raise TypeError(f"field {name!r}: some of its values have the same parts")
    return rows


def check_fields(owner: str, layout: Layout, fields: Mapping[str, Field]) -> None:
    """Raise TypeError unless every field of the struct is described, in order, with a range that it can hold."""
    if tuple(layout.columns) != tuple(fields):
        raise TypeError(f"{owner}: FIELDS describes {tuple(fields)}, the struct has {tuple(layout.columns)}")
    for name, field in fields.items():
        held = layout.columns[name].range
        if held is None:
            raise TypeError(f"{owner}: field {name!r} has no whole numbers; states hold nothing else")
        if not held[0] <= field.low <= field.high <= held[1]:
            raise TypeError(
                f"{owner}: field {name!r} holds {held[0]} .. {held[1]} and not {field.low} .. {field.high}"
            )


def decode_fields(layout: Layout, fields: Mapping[str, Field], values: object) -> bytes:
    """Return the bytes of the state with these fields; InvalidStateError names the first wrong one.

    Lists may also be tuples or arrays, numbers may be numpy integers.
    """
    if not isinstance(values, dict):
        raise InvalidStateError(
            f"the fields are {_shown(values)}; expected an object with {', '.join(fields)}"
        )
    for name in values:
        if name not in fields:
            raise InvalidStateError(f"unknown field {_shown(name)}; the fields are {', '.join(fields)}")
    numbers: list[int] = []
    for name, field in fields.items():
        if name not in values:
            raise InvalidStateError(f"field {name!r} is missing; the fields are {', '.join(fields)}")
        numbers += _numbers(name, field, values[name], layout.columns[name].shape)
    return layout.pack(numbers)


def decode_bytes(layout: Layout, fields: Mapping[str, Field], data: bytes) -> bytes:
    """Return the bytes of a state with every field checked and the padding between fields zeroed."""
    numbers = layout.numbers(data)
    for name, field in fields.items():
        entries = numbers[layout.columns[name].span]
        if min(entries) < field.low or max(entries) > field.high:
            raise InvalidStateError(f"field {name!r} is out of range; allowed: {field.low} to {field.high}")
    return layout.pack(numbers)


def _numbers(name: str, field: Field, value: object, shape: tuple[int, ...]) -> list[int]:
    """Return the numbers of a (nested) list of exactly this shape, each one checked."""
    if hasattr(value, "tolist"):  # arrays and numbers of numpy
        value = value.tolist()
    if not shape:
        if type(value) is not int or not field.low <= value <= field.high:
            raise InvalidStateError(
                f"field {name!r} is {_shown(value)}; allowed: a whole number from {field.low} to {field.high}"
            )
        return [value]
    if not isinstance(value, list | tuple) or len(value) != shape[0]:
        given = f"{len(value)} entries" if isinstance(value, list | tuple) else _shown(value)
        raise InvalidStateError(f"field {name!r} has {given}; expected a list of {shape[0]}")
    if len(shape) == 1 and all(type(entry) is int and field.low <= entry <= field.high for entry in value):
        return list(value)  # by far the most common case, checked without a call for each number
    return [number for entry in value for number in _numbers(name, field, entry, shape[1:])]


def _shown(value: object) -> str:
    """Return a value for a message, shortened if it is long."""
    if isinstance(value, list | dict):
        return f"a {'list' if isinstance(value, list) else 'object'} of {len(value)}"
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def encode_json(document: dict[str, Any]) -> str:
    """Return a document as compact JSON."""
    import msgspec  # here, not above: the first move of a process does not wait for it

    return msgspec.json.encode(document).decode()


def decode_json(
    text: str | bytes,
    keys: tuple[str, ...],
    error: type[Exception] = InvalidStateError,
    optional: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Return a JSON object that has these keys and perhaps the optional ones; raise ``error`` otherwise."""
    import msgspec

    if not isinstance(text, str | bytes | bytearray):
        raise error(f"expected JSON text, not {type(text).__name__}")
    try:
        document = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise error(f"not valid JSON: {problem}") from None
    if not isinstance(document, dict):
        raise error(f"expected a JSON object with {', '.join(keys)}, not {_shown(document)}")
    for key in document:
        if key not in keys and key not in optional:
            raise error(f"unknown key {_shown(key)}; the keys are {', '.join((*keys, *optional))}")
    for key in keys:
        if key not in document:
            raise error(f"key {key!r} is missing; the keys are {', '.join(keys)}")
    return document
