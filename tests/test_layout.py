"""The memory of a state, as the compiler describes it: against numpy, which reads the same description."""

import ctypes
import random

import numpy as np
import pytest

from aiplay.fields import Field, check_fields
from aiplay.layout import Layout


class Mixed(ctypes.Structure):
    """Every size of number, with gaps between them and at the end."""

    _fields_ = (
        ("a", ctypes.c_int8),
        ("b", ctypes.c_uint64 * 3),
        ("c", ctypes.c_int16),
        ("d", ctypes.c_uint8 * 2 * 3),
        ("e", ctypes.c_int32),
        ("f", ctypes.c_uint16 * 5),
        ("g", ctypes.c_int64),
        ("h", ctypes.c_uint32),
        ("i", ctypes.c_uint8),
    )


FORMAT = "T{b:a:(3)Q:b:h:c:(3,2)B:d:i:e:(5)H:f:q:g:I:h:B:i:}"
SIZE = ctypes.sizeof(Mixed)


def test_offsets_are_those_of_the_compiler():
    layout = Layout(FORMAT, SIZE)
    assert list(layout.columns) == [name for name, _ in Mixed._fields_]
    for name, column in layout.columns.items():
        assert column.offset == getattr(Mixed, name).offset
    assert layout.size == SIZE


def test_the_dtype_has_the_same_offsets_and_shapes():
    dtype = Layout(FORMAT, SIZE).dtype
    assert dtype.itemsize == SIZE
    assert {name: dtype.fields[name][1] for name in dtype.names} == {
        name: getattr(Mixed, name).offset for name, _ in Mixed._fields_
    }
    assert dtype["d"] == np.dtype((np.uint8, (3, 2)))
    assert dtype["g"] == np.int64


def test_numbers_are_read_and_written_as_numpy_does():
    layout, stream = Layout(FORMAT, SIZE), random.Random(1)
    for _ in range(50):
        data = stream.randbytes(SIZE)
        record = np.frombuffer(data, layout.dtype)[0]
        fields = layout.unpack(data)
        assert fields == {name: record[name].tolist() for name in layout.columns}
        assert layout.unpack(layout.pack(layout.numbers(data))) == fields


def test_gaps_between_fields_are_zero():
    layout = Layout(FORMAT, SIZE)
    packed = layout.pack(layout.numbers(b"\xff" * SIZE))
    used = {
        column.offset + i
        for name, column in layout.columns.items()
        for i in range(layout.dtype[name].itemsize)
    }
    assert all(packed[i] == (0xFF if i in used else 0) for i in range(SIZE))
    assert len(used) < SIZE


@pytest.mark.parametrize("form", ["b", "T{T{b:x:}:pair:}", "T{b:x:?}", "T{^b:x:}", ""])
def test_other_formats_are_refused(form):
    with pytest.raises(TypeError, match="is not the format of a struct of numbers and arrays of numbers"):
        Layout(form, 1)


def test_a_struct_that_is_smaller_than_its_fields_is_refused():
    with pytest.raises(TypeError, match="its fields need 2 bytes, the struct has 1"):
        Layout("T{(2)b:x:}", 1)


@pytest.mark.parametrize(
    ("form", "low", "high", "message"),
    [
        ("T{b:x:}", 0, 128, r"toy: field 'x' holds -128 .. 127 and not 0 .. 128"),
        ("T{B:x:}", -1, 3, r"toy: field 'x' holds 0 .. 255 and not -1 .. 3"),
        ("T{d:x:}", 0, 1, r"toy: field 'x' has no whole numbers"),
        ("T{b:y:}", 0, 1, r"toy: FIELDS describes \('x',\), the struct has \('y',\)"),
    ],
)
def test_ranges_have_to_fit_the_struct(form, low, high, message):
    size = 8 if "d" in form else 1
    with pytest.raises(TypeError, match=message):
        check_fields("toy", Layout(form, size), {"x": Field(low, high, "a number")})
