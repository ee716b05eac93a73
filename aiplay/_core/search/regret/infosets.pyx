"""Numbers for keys, in the order in which they come."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset


cdef int map_reserve(IdMap* ids, uint32_t size) noexcept nogil:
    """An empty map of this size, a power of 2."""
    ids.keys = <uint64_t*>malloc(size * sizeof(uint64_t))
    ids.ids = <int32_t*>malloc(size * sizeof(int32_t))
    if ids.keys == NULL or ids.ids == NULL:
        return NO_MEMORY
    memset(ids.ids, 0xFF, size * sizeof(int32_t))
    ids.size = size
    return 0


cdef void map_free(IdMap* ids) noexcept nogil:
    free(ids.keys)
    free(ids.ids)


cdef inline uint32_t map_place(const IdMap* ids, uint64_t key) noexcept nogil:
    """The place of a key: where it is, or where it belongs."""
    cdef uint32_t place = <uint32_t>key & (ids.size - 1)
    while ids.ids[place] >= 0 and ids.keys[place] != key:
        place = (place + 1) & (ids.size - 1)
    return place


cdef int map_grow(IdMap* ids) noexcept nogil:
    """Twice the size."""
    cdef IdMap larger
    cdef uint32_t i, place
    memset(&larger, 0, sizeof(IdMap))
    if map_reserve(&larger, 2 * ids.size) < 0:
        map_free(&larger)
        return NO_MEMORY
    for i in range(ids.size):
        if ids.ids[i] >= 0:
            place = map_place(&larger, ids.keys[i])
            larger.keys[place], larger.ids[place] = ids.keys[i], ids.ids[i]
    larger.n_ids = ids.n_ids
    map_free(ids)
    ids[0] = larger
    return 0


cdef int32_t map_find(const IdMap* ids, uint64_t key) noexcept nogil:
    """The number of a key, -1 if it has none."""
    return ids.ids[map_place(ids, key)]


cdef int32_t map_add(IdMap* ids, uint64_t key) noexcept nogil:
    """The next number, for a new key; NO_MEMORY."""
    cdef uint32_t place
    if 2 * <uint32_t>ids.n_ids >= ids.size and map_grow(ids) < 0:
        return NO_MEMORY
    place = map_place(ids, key)
    ids.keys[place], ids.ids[place] = key, ids.n_ids
    ids.n_ids += 1
    return ids.n_ids - 1
