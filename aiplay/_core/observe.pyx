"""A state as numbers from 0 to 1, for learning, in the order of the struct.

`aiplay.fields.Field` says how a field is observed: scaled from its range, or spread to its bits or parts.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from aiplay._core.entries cimport entry_at

from aiplay.fields import observed_rows, observed_size


cdef inline void write_bits(uint64_t value, const FieldScale* field, float* out) noexcept nogil:
    """The groups of bits of an entry, lowest first."""
    cdef uint64_t mask = (<uint64_t>1 << field.bits) - 1
    cdef int i
    for i in range(field.width):
        out[i] = <float>((value >> (i * field.bits)) & mask) / <float>mask


cdef inline void write_row(int64_t value, const FieldScale* field, float* out) noexcept nogil:
    """The parts of an entry. Arrays from outside may hold values beyond the range: they count as its nearest end."""
    cdef int64_t row = min(max(value, 0), field.n_rows - 1)
    memcpy(out, field.rows + row * field.width, field.width * sizeof(float))


cdef class Scaler:
    """Writes the numbers of one game's states."""

    def __init__(self, dtype, fields):
        if len(fields) > MAX_FIELDS:
            raise TypeError(f"{len(fields)} fields; allowed: at most {MAX_FIELDS}")
        self.tables, self.layout = [], {}
        for name, field in fields.items():
            self.add_field(name, field, dtype.fields[name][0], dtype.fields[name][1])

    cdef void add_field(self, name, field, kind, size_t offset) except *:
        cdef FieldScale* scale = &self.fields[self.n_fields]
        cdef const float[:, ::1] rows
        scale.offset, scale.size, scale.is_signed = offset, kind.base.itemsize, kind.base.kind == "i"
        scale.count = kind.itemsize // kind.base.itemsize
        scale.width, scale.bits = observed_size(name, field), field.bits
        scale.low = <int64_t><uint64_t>(field.low & (2**64 - 1))
        scale.range = max(field.high - field.low, 1)
        if field.parts:
            rows = observed_rows(name, field)
            self.tables.append(rows)
            scale.rows, scale.n_rows = &rows[0, 0], rows.shape[0]
        self.layout[name] = slice(self.size, self.size + scale.count * scale.width)
        self.size += scale.count * scale.width
        self.n_fields += 1

    cdef void write(self, const unsigned char* state, float* out) noexcept nogil:
        cdef const FieldScale* field
        cdef int64_t value
        cdef int i, k
        for i in range(self.n_fields):
            field = &self.fields[i]
            for k in range(field.count):
                value = entry_at(state + field.offset, field.size, field.is_signed, k) - field.low
                if field.rows != NULL:
                    write_row(value, field, out)
                elif field.bits:
                    write_bits(<uint64_t>value, field, out)
                else:
                    out[0] = <float>(value / field.range)
                out += field.width
