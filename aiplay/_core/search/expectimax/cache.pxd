# The cache of expectimax: results for positions that were searched before (a transposition table).
#
# An entry holds for one position and one depth of search. At another depth the position has another value; the entry
# then only says which move to try first. The exception: an entry without `doubt` was searched to the end of the game
# wherever that matters, so it holds for every greater depth. That is why the cache, like all pruning here, never
# changes a value.
#
# Entries come in pairs: the first keeps what took longer, the second what is newer (compare the scheme TwoDeep of
# Breuker, Uiterwijk and van den Herik 1994).

from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t

from aiplay._core.typedefs cimport MAX_SEATS


cdef enum:
    DOUBT_EVALUATION = 1    # the game's evaluation where the depth ended
    DOUBT_SAMPLE = 2        # a sample of the outcomes of chance


ctypedef struct Entry:      # the head of both kinds of entry below
    uint64_t key            # of the position; 0 in an empty entry
    int32_t move            # the best move, or the one that refuted; -1 for none
    int16_t depth           # decisions searched ahead
    uint8_t doubt           # DOUBT_*: what the values rely on; 0: they are certain
    uint8_t age             # of the search that wrote it: entries of earlier iterations are replaced first


ctypedef struct BoundsEntry:    # of alpha-beta
    Entry head
    double low              # the value is at least this
    double high             # and at most this


ctypedef struct ValuesEntry:    # of max^n
    Entry head
    double values[MAX_SEATS]    # exact, of every seat


ctypedef struct Cache:
    char* pairs             # NULL: no cache
    size_t entry_size       # bytes of an entry; a pair has twice as many
    uint64_t mask           # number of pairs - 1
    uint64_t n_used         # pairs in use
    size_t max_bytes        # limit of its size
    double deadline         # clock_now() when the search has to end: no growth that could take longer
    double growing_time     # seconds that the last growth took
    uint8_t age             # goes up with every iteration of deepening


# Allocates a small empty cache that may grow, or none if max_bytes is too small for that; -1 if memory runs out.
cdef int cache_reserve(Cache* cache, size_t max_bytes, size_t entry_size) noexcept nogil

# Frees the memory.
cdef void cache_free(Cache* cache) noexcept nogil

# Moves everything to a larger cache, if limit, memory and time allow.
cdef void cache_grow(Cache* cache) noexcept nogil


cdef inline bint holds_for(const Entry* entry, int depth) noexcept nogil:
    """True if an entry gives the value at this depth."""
    return entry.depth == depth or (not entry.doubt and entry.depth < depth)


cdef inline Entry* cache_find(const Cache* cache, uint64_t key, int depth) noexcept nogil:
    """The entry of a position: one that holds at this depth if there is one, else any, else NULL.

    Before: there is a cache.
    """
    cdef Entry* first = <Entry*>(cache.pairs + 2 * cache.entry_size * (key & cache.mask))
    cdef Entry* second = <Entry*>(<char*>first + cache.entry_size)
    if first.key == key and (holds_for(first, depth) or second.key != key):
        return first
    return second if second.key == key else NULL


cdef inline Entry* cache_slot(Cache* cache, uint64_t key, int depth) noexcept nogil:
    """The entry to write for a position: that of the same depth if there is one, else one to replace.

    Before: there is a cache. The caller has to fill the entry.
    """
    cdef Entry* first
    cdef Entry* second
    if 2 * cache.n_used > cache.mask:
        cache_grow(cache)
    first = <Entry*>(cache.pairs + 2 * cache.entry_size * (key & cache.mask))
    second = <Entry*>(<char*>first + cache.entry_size)
    cache.n_used += first.key == 0
    if first.key == 0 or (first.key == key and first.depth == depth):
        return first
    if second.key == key and second.depth == depth:
        return second
    return second if first.age == cache.age and first.depth > depth else first


cdef inline void entry_sign(
    Entry* entry, const Cache* cache, uint64_t key, int depth, int32_t move, int doubt
) noexcept nogil:
    """Fill the head of an entry."""
    entry.key = key
    entry.move = move
    entry.depth = <int16_t>depth
    entry.doubt = <uint8_t>doubt
    entry.age = cache.age
