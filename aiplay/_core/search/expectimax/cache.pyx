"""The cache of expectimax: memory."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from aiplay._core.search.common.control cimport clock_now

cdef enum:
    FIRST_PAIRS = 1024      # size at the beginning: touching fresh memory costs more than searching
    GROWTH = 4              # factor by which it grows when half of the pairs are in use


cdef int cache_reserve(Cache* cache, size_t max_bytes, size_t entry_size) noexcept nogil:
    cache.pairs = NULL
    cache.entry_size = entry_size
    cache.max_bytes = max_bytes
    cache.mask = FIRST_PAIRS - 1
    cache.n_used = 0
    cache.deadline = 0.0
    cache.growing_time = 0.0
    cache.age = 0
    if 2 * entry_size * FIRST_PAIRS > max_bytes:
        return 0
    cache.pairs = <char*>calloc(FIRST_PAIRS, 2 * entry_size)
    return 0 if cache.pairs != NULL else -1


cdef void cache_free(Cache* cache) noexcept nogil:
    free(cache.pairs)
    cache.pairs = NULL


cdef void cache_grow(Cache* cache) noexcept nogil:
    cdef size_t size = 2 * cache.entry_size
    cdef char* old = cache.pairs
    cdef char* pairs
    cdef uint64_t i, n_old = cache.mask + 1, n_new = GROWTH * n_old
    cdef double started = clock_now()
    if n_new * size > cache.max_bytes or started + 4 * GROWTH * cache.growing_time > cache.deadline:
        return
    pairs = <char*>calloc(n_new, size)
    if pairs == NULL:
        cache.max_bytes = 0
        return
    cache.pairs = pairs
    cache.mask = n_new - 1
    cache.n_used = 0
    for i in range(2 * n_old):
        move_entry(cache, old + i * cache.entry_size)
    free(old)
    cache.growing_time = clock_now() - started


cdef inline void move_entry(Cache* cache, const char* old) noexcept nogil:
    """Copy an entry of the smaller cache to its pair."""
    cdef uint64_t key = (<const Entry*>old).key
    cdef char* place = cache.pairs + 2 * cache.entry_size * (key & cache.mask)
    if key == 0:
        return
    if (<Entry*>place).key != 0:
        place += cache.entry_size
    else:
        cache.n_used += 1
    memcpy(place, old, cache.entry_size)
