"""Inputs of a network from the fields of a state, without the GIL; the tables come from `aiplay.features`."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t

from aiplay._core.bits cimport pop_lowest
from aiplay._core.entries cimport entry_at


cdef inline int add_row(
    const FeatureField* field, int64_t value, seat_t first, int32_t base, Active* out
) noexcept nogil:
    """The inputs of a value by its table."""
    cdef const int16_t* row = field.rows + <size_t>first * field.view_rows + <size_t>value * 2 * field.n_pairs
    cdef int i
    for i in range(field.n_pairs):
        if row[2 * i + 1] == 0:
            return i
        out[i].input, out[i].amount = base + row[2 * i], row[2 * i + 1]
    return field.n_pairs


cdef inline int add_number(const FeatureField* field, int64_t value, int32_t base, Active* out) noexcept nogil:
    """The input of a number, rounded to the next step."""
    cdef int64_t amount = (value * FULL + field.range // 2) // field.range
    if amount == 0:
        return 0
    out[0].input, out[0].amount = base, <int32_t>amount
    return 1


cdef inline int add_bits(const FeatureField* field, uint64_t value, int32_t base, Active* out) noexcept nogil:
    """The inputs of the groups of bits that are not 0."""
    cdef uint64_t mask = (<uint64_t>1 << field.bits) - 1
    cdef uint64_t group
    cdef int n = 0
    while value and field.bits == 1:
        out[n].input, out[n].amount = base + pop_lowest(&value), FULL
        n += 1
    while value:
        group = value & mask
        if group:
            out[n].input, out[n].amount = base, <int32_t>(group * FULL / mask)
            n += 1
        value >>= field.bits
        base += 1
    return n


cdef int write_active(
    const FeaturePlan* plan, const unsigned char* s, seat_t first, bint is_chance, Active* out
) noexcept nogil:
    cdef const FeatureField* field
    cdef const int32_t* bases
    cdef int64_t value
    cdef int i, k, n = 1
    out[0].input, out[0].amount = first, FULL
    if is_chance:
        out[1].input, out[1].amount = plan.seats, FULL
        n = 2
    for i in range(plan.n_fields):
        field = &plan.fields[i]
        bases = field.bases + first * field.count
        for k in range(field.count):
            if bases[k] < 0:
                continue
            value = entry_at(s + field.offset, field.size, field.is_signed, k)
            if field.kind == KIND_BITS:
                n += add_bits(field, <uint64_t>value, bases[k], out + n)
                continue
            value = min(max(value - field.low, 0), field.range)
            if field.kind == KIND_TABLE:
                n += add_row(field, value, first, bases[k], out + n)
            else:
                n += add_number(field, value, bases[k], out + n)
    return n


cdef class FieldFeatures:
    """The inputs of one game, from the tables of `aiplay.features.field_tables`."""

    def __init__(self, int seats, int size, tables):
        if not 1 <= size <= MAX_INPUTS or len(tables) > MAX_FIELDS:
            raise ValueError(
                f"{size} inputs from {len(tables)} fields; allowed: at most {MAX_INPUTS} from {MAX_FIELDS}"
            )
        most = 2 + sum([
            table.count * (table.width if table.kind == KIND_BITS else max(table.n_pairs, 1)) for table in tables
        ])
        if most > MAX_ACTIVE:
            raise ValueError(f"{most} inputs may be active at the same time; allowed: {MAX_ACTIVE}")
        self.tables, self.size, self.plan.seats = [], size, seats
        for table in tables:
            self._add(table)

    def _add(self, table):
        cdef FeatureField* field = &self.plan.fields[self.plan.n_fields]
        cdef const int32_t[::1] bases = table.bases
        cdef const int16_t[::1] rows
        field.offset, field.size, field.is_signed, field.count = table.offset, table.size, table.is_signed, table.count
        field.kind, field.bits, field.width = table.kind, table.bits, table.width
        field.low, field.range = table.low, table.high - table.low
        field.bases = &bases[0]
        self.tables.append(bases)
        if field.kind == KIND_TABLE:
            rows = table.rows
            field.rows, field.n_pairs, field.view_rows = &rows[0], table.n_pairs, table.view_rows
            self.tables.append(rows)
        self.plan.n_fields += 1
