# A state as numbers from 0 to 1, for learning: every field scaled from its range, or spread to its bits or parts.

from libc.stddef cimport size_t
from libc.stdint cimport int64_t

cdef enum:
    MAX_FIELDS = 64         # fields of a state


ctypedef struct FieldScale:
    size_t offset           # byte offset of the first entry in a state
    int count               # entries of the field
    int size                # bytes of an entry: 1, 2, 4 or 8
    int is_signed           # 1: the entries are signed
    int width               # numbers to write for each entry
    int bits                # bits of each number of a field that is spread to its bits, else 0
    int64_t low             # lowest value; 64-bit arithmetic wraps, so that entries without sign fit as well
    double range            # highest value - low, at least 1: scaled to 1
    const float* rows       # numbers for every value of a field that is spread to its parts, else NULL
    int64_t n_rows          # its values


cdef class Scaler:
    cdef FieldScale fields[MAX_FIELDS]
    cdef int n_fields       # entries of `fields`
    cdef list tables        # keeps the arrays alive that `rows` point to
    cdef readonly dict layout   # slice of every field in the numbers, by name
    cdef readonly int size  # numbers for a state

    cdef void add_field(self, name, field, kind, size_t offset) except *    # the next one, of the dtype `kind`
    cdef void write(self, const unsigned char* state, float* out) noexcept nogil    # writes `size` numbers
