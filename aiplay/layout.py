"""The memory of a state: where each field of its C struct is, and how to read and write it without numpy."""

from __future__ import annotations

import re
import struct
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from aiplay.lazy import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Column", "Layout"]

# A field in the format of a buffer: "(6,14)B:hands:".
COLUMN = re.compile(r"(?:\((\d+(?:,\d+)*)\))?([a-zA-Z?]+):(\w+):")
INTEGERS = "bhilq"  # codes of signed integers; those of unsigned ones are upper case


class Column:
    """One field of a struct: a number, or an array of numbers."""

    def __init__(self, code: str, shape: tuple[int, ...], offset: int, first: int) -> None:
        self.code = code  # as in the module `struct`
        self.shape = shape  # () for a number
        self.offset = offset  # in bytes
        self.span = slice(first, first + prod(shape))  # its numbers among those of the whole struct

    @property
    def range(self) -> tuple[int, int] | None:
        """The lowest and highest number that fits; None if the numbers are not whole."""
        if self.code.lower() not in INTEGERS:
            return None
        bits = 8 * struct.calcsize(self.code)
        return (0, 2**bits - 1) if self.code.isupper() else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


class Layout:
    """The fields of a C struct, read from the format (PEP 3118) that the compiler gives to buffers of such structs."""

    def __init__(self, form: str, size: int) -> None:
        self.size = size  # in bytes
        self.columns: dict[str, Column] = {}
        packing, first = "", 0
        for shape, code, name in _split(form):
            column = Column(code, shape, struct.calcsize(f"{packing}0{code}"), first)
            self.columns[name] = column
            packing += f"{prod(shape)}{code}"
            first = column.span.stop
        needed = struct.calcsize(packing)
        if needed > size:
            raise TypeError(f"its fields need {needed} bytes, the struct has {size}")
        self._struct = struct.Struct(f"{packing}{size - needed}x")

    @classmethod
    def of(cls, structs: bytes) -> Layout:
        """Return the layout of the structs in a buffer: ``Layout.of(<PigState[:1]>&state)`` in Cython.

        Only the description of the buffer is read, not its content.
        """
        buffer = memoryview(structs)
        return cls(buffer.format, buffer.itemsize)

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """The struct as a numpy dtype."""
        columns = self.columns.values()
        return np.dtype(
            {
                "names": list(self.columns),
                "formats": [
                    (column.code, column.shape) if column.shape else column.code for column in columns
                ],
                "offsets": [column.offset for column in columns],
                "itemsize": self.size,
            }
        )

    def numbers(self, data: bytes) -> tuple[int, ...]:
        """Return all numbers of a struct, in the order of its fields."""
        return self._struct.unpack(data)

    def pack(self, numbers: Iterable[int]) -> bytes:
        """Return the struct with these numbers; the padding between fields is zero."""
        return self._struct.pack(*numbers)

    def unpack(self, data: bytes) -> dict[str, Any]:
        """Return the fields of a struct: numbers and nested lists by name."""
        numbers = self.numbers(data)
        return {name: _nested(numbers[column.span], column.shape) for name, column in self.columns.items()}


def _split(form: str) -> list[tuple[tuple[int, ...], str, str]]:
    """Return shape, code and name of every field in the format of a buffer."""
    inner = form[2:-1] if form.startswith("T{") else form
    found = COLUMN.findall(inner)
    if not found or COLUMN.sub("", inner):
        raise TypeError(f"{form!r} is not the format of a struct of numbers and arrays of numbers")
    return [(tuple(map(int, shape.split(","))) if shape else (), code, name) for shape, code, name in found]


def _nested(numbers: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """Return numbers as nested lists of this shape."""
    if len(shape) < 2:
        return list(numbers) if shape else numbers[0]
    step = len(numbers) // shape[0]
    return [_nested(numbers[i : i + step], shape[1:]) for i in range(0, len(numbers), step)]
