# A state as numbers from 0 to 1, for learning: every field scaled from its range.

from libc.stddef cimport size_t

cdef enum:
    MAX_FIELDS = 64         # fields of a state


ctypedef struct FieldScale:
    size_t offset           # byte offset of the first number in a state
    int count               # numbers in the field
    int size                # bytes of a number: 1, 2, 4 or 8
    int is_signed           # 1: the numbers are signed
    double low              # value that is scaled to 0
    double width            # low + width is scaled to 1


cdef class Scaler:
    cdef FieldScale fields[MAX_FIELDS]
    cdef int n_fields       # entries of `fields`
    cdef readonly int size  # numbers in a state

    cdef void write(self, const unsigned char* state, float* out) noexcept nogil    # writes `size` numbers
