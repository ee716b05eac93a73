# Reading the numbers of a field of a state, whatever their size.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t


cdef inline int64_t entry_at(const unsigned char* data, int size, int is_signed, int i) noexcept nogil:
    """Entry i of an array of whole numbers of `size` bytes."""
    if size == 1:
        return <int64_t>(<const int8_t*>data)[i] if is_signed else <int64_t>(<const uint8_t*>data)[i]
    if size == 2:
        return <int64_t>(<const int16_t*>data)[i] if is_signed else <int64_t>(<const uint16_t*>data)[i]
    if size == 4:
        return <int64_t>(<const int32_t*>data)[i] if is_signed else <int64_t>(<const uint32_t*>data)[i]
    return (<const int64_t*>data)[i]
