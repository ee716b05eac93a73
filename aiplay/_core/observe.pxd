# A state as numbers from 0 to 1, for learning: every field scaled from its range.

from libc.stddef cimport size_t


ctypedef struct FieldScale:
    size_t offset           # of its first number in a state, in bytes
    int count               # how many numbers it has
    int size                # bytes of each: 1, 2, 4 or 8
    int is_signed
    double low              # the value that becomes 0
    double width            # how far above it the value is that becomes 1


cdef class Scaler:
    cdef FieldScale fields[64]
    cdef int n_fields
    cdef readonly int size  # numbers of a state

    cdef void write(self, const unsigned char* state, float* out) noexcept nogil    # `size` numbers
