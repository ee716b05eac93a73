"""A state as numbers from 0 to 1, for learning: every field scaled from its range, in the order of the struct."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef inline double number_at(const unsigned char* data, const FieldScale* field, int i) noexcept nogil:
    """Number i of a field. Both branches are cast to double; C would convert one to the other's signedness."""
    if field.size == 1:
        return <double>(<const int8_t*>data)[i] if field.is_signed else <double>(<const uint8_t*>data)[i]
    if field.size == 2:
        return <double>(<const int16_t*>data)[i] if field.is_signed else <double>(<const uint16_t*>data)[i]
    if field.size == 4:
        return <double>(<const int32_t*>data)[i] if field.is_signed else <double>(<const uint32_t*>data)[i]
    return <double>(<const int64_t*>data)[i] if field.is_signed else <double>(<const uint64_t*>data)[i]


cdef class Scaler:
    """Scales the fields of one game's states."""

    def __init__(self, dtype, fields):
        if len(fields) > MAX_FIELDS:
            raise TypeError(f"{len(fields)} fields; allowed: at most {MAX_FIELDS}")
        for name, field in fields.items():
            base, offset = dtype.fields[name][0].base, dtype.fields[name][1]
            count = dtype[name].itemsize // base.itemsize
            self.fields[self.n_fields] = FieldScale(
                offset, count, base.itemsize, base.kind == "i", field.low, max(field.high - field.low, 1)
            )
            self.n_fields += 1
            self.size += count

    cdef void write(self, const unsigned char* state, float* out) noexcept nogil:
        cdef const FieldScale* field
        cdef int i, k
        for i in range(self.n_fields):
            field = &self.fields[i]
            for k in range(field.count):
                out[k] = <float>((number_at(state + field.offset, field, k) - field.low) / field.width)
            out += field.count
