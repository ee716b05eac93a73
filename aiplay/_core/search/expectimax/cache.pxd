# The transposition table of expectimax: what is known about positions that were searched before.
#
# An entry holds for one position and one depth of search. A position that was searched deeper, or less deep, has
# another value; such an entry only tells which move to try first. The exception: an entry without `doubt` was
# searched to the end of the game in all lines that matter, so that its bounds hold for every greater depth.
# That is why the table, like all pruning here, never changes a value.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from aiplay._core.search.common.control cimport clock_now
from aiplay._core.typedefs cimport MAX_SEATS


cdef enum:
    DOUBT_GUESS = 1         # the game's guess where the depth ended
    DOUBT_SAMPLE = 2        # a sample of the outcomes of chance


ctypedef struct Entry:
    uint64_t key            # of the position; 0 in an empty entry
    double low              # the value is at least this
    double high             # and at most that
    int32_t move            # the best move, or the one that refuted; -1 for none
    int16_t depth           # decisions that were looked ahead
    uint8_t doubt           # DOUBT_*: what the bounds rely on; 0: they are certain
    uint8_t age             # of the search that wrote it: entries of earlier iterations are replaced first


ctypedef struct VectorEntry:
    uint64_t key
    double values[MAX_SEATS]    # exact, of every seat
    int32_t move
    int16_t depth
    uint8_t doubt
    uint8_t age


ctypedef struct Table:
    Entry* entries          # pairs: the first of each keeps what took longer, the second what is newer
    VectorEntry* vectors    # the same for max^n; only one of the two is allocated
    uint64_t mask           # number of pairs - 1
    uint64_t n_used         # pairs in use
    size_t max_bytes        # what it may grow to
    double deadline         # clock_now() when the search has to end: no growing that could take longer
    double growing_time     # seconds that growing took the last time
    int is_vector
    uint8_t age             # goes up with every iteration of deepening


cdef enum:
    FIRST_PAIRS = 1024      # size at the beginning: touching fresh memory costs more than searching
    GROWTH = 4              # and so many times as large when half of the pairs are in use


cdef inline size_t pair_bytes(const Table* table) noexcept nogil:
    return 2 * (sizeof(VectorEntry) if table.is_vector else sizeof(Entry))


cdef inline int table_reserve(Table* table, size_t max_bytes, bint is_vector) noexcept nogil:
    """Allocate a small empty table that may grow; none if not even that is allowed. -1: out of memory."""
    cdef void* memory
    table.entries = NULL
    table.vectors = NULL
    table.max_bytes = max_bytes
    table.is_vector = is_vector
    table.mask = FIRST_PAIRS - 1
    table.n_used = 0
    table.deadline = 0.0
    table.growing_time = 0.0
    table.age = 0
    if pair_bytes(table) * FIRST_PAIRS > max_bytes:
        return 0
    memory = calloc(FIRST_PAIRS, pair_bytes(table))
    if is_vector:
        table.vectors = <VectorEntry*>memory
    else:
        table.entries = <Entry*>memory
    return 0 if memory != NULL else -1


cdef inline void table_free(Table* table) noexcept nogil:
    free(table.entries)
    free(table.vectors)
    table.entries = NULL
    table.vectors = NULL


cdef inline void table_grow(Table* table) noexcept nogil:
    """Make room: every pair finds its place in a larger table. Nothing happens where that is not possible."""
    cdef size_t size = pair_bytes(table)
    cdef char* old = <char*>table.vectors if table.is_vector else <char*>table.entries
    cdef char* new
    cdef uint64_t i, mask = GROWTH * (table.mask + 1) - 1
    cdef int k
    cdef double started = clock_now()
    if (mask + 1) * size > table.max_bytes or started + 4 * GROWTH * table.growing_time > table.deadline:
        return
    new = <char*>calloc(mask + 1, size)
    if new == NULL:
        table.max_bytes = 0
        return
    table.n_used = 0
    for i in range(table.mask + 1):
        for k in range(2):
            move_entry(old + i * size + k * (size // 2), new, mask, size, table)
    free(old)
    table.growing_time = clock_now() - started
    table.mask = mask
    if table.is_vector:
        table.vectors = <VectorEntry*>new
    else:
        table.entries = <Entry*>new


cdef inline void move_entry(const char* entry, char* new, uint64_t mask, size_t size, Table* table) noexcept nogil:
    """Copy an entry (either kind begins with its key) to its pair in a larger table."""
    cdef uint64_t key = (<const uint64_t*>entry)[0]
    cdef char* place
    if key == 0:
        return
    place = new + (key & mask) * size
    if (<uint64_t*>place)[0] != 0:
        place += size // 2
    else:
        table.n_used += 1
    memcpy(place, entry, size // 2)


cdef inline bint holds_for(int entry_depth, int doubt, int depth) noexcept nogil:
    """Whether an entry of one depth tells the value at another."""
    return entry_depth == depth or (not doubt and entry_depth < depth)


cdef inline Entry* table_find(const Table* table, uint64_t key, int depth) noexcept nogil:
    """The entry of a position: one that holds at this depth if there is one, else any, else NULL."""
    cdef Entry* pair
    cdef Entry* other = NULL
    cdef int i
    if table.entries == NULL:
        return NULL
    pair = table.entries + 2 * (key & table.mask)
    for i in range(2):
        if pair[i].key == key:
            if holds_for(pair[i].depth, pair[i].doubt, depth):
                return &pair[i]
            other = &pair[i]
    return other


cdef inline void table_store(
    Table* table, uint64_t key, int depth, double low, double high, int32_t move, int doubt
) noexcept nogil:
    """Note bounds of a position; bounds that are known already for the same depth are tightened."""
    cdef Entry* pair
    cdef Entry* entry
    if table.entries == NULL:
        return
    if 2 * table.n_used > table.mask:
        table_grow(table)
    pair = table.entries + 2 * (key & table.mask)
    entry = &pair[0]
    if pair[1].key == key and pair[1].depth == depth:
        entry = &pair[1]
    elif not (pair[0].key == key and pair[0].depth == depth):
        if pair[0].key != 0 and pair[0].age == table.age and pair[0].depth > depth:
            entry = &pair[1]
    if entry.key == key and entry.depth == depth:
        # Both are true, so is the tighter; what rested on a guess before may still do so.
        if entry.low > low:
            low = entry.low
            doubt |= entry.doubt
        if entry.high < high:
            high = entry.high
            doubt |= entry.doubt
        if move < 0:
            move = entry.move
    table.n_used += pair[0].key == 0
    entry.key = key
    entry.low = low
    entry.high = high
    entry.move = move
    entry.depth = <int16_t>depth
    entry.doubt = <uint8_t>doubt
    entry.age = table.age


cdef inline VectorEntry* vector_find(const Table* table, uint64_t key, int depth) noexcept nogil:
    """As table_find, for max^n."""
    cdef VectorEntry* pair
    cdef VectorEntry* other = NULL
    cdef int i
    if table.vectors == NULL:
        return NULL
    pair = table.vectors + 2 * (key & table.mask)
    for i in range(2):
        if pair[i].key == key:
            if holds_for(pair[i].depth, pair[i].doubt, depth):
                return &pair[i]
            other = &pair[i]
    return other


cdef inline VectorEntry* vector_slot(Table* table, uint64_t key, int depth) noexcept nogil:
    """Where to write an entry of max^n, its key, depth and age already set; NULL without a table."""
    cdef VectorEntry* pair
    cdef VectorEntry* entry
    if table.vectors == NULL:
        return NULL
    if 2 * table.n_used > table.mask:
        table_grow(table)
    pair = table.vectors + 2 * (key & table.mask)
    entry = &pair[0]
    if pair[0].key != 0 and pair[0].key != key and pair[0].age == table.age and pair[0].depth > depth:
        entry = &pair[1]
    table.n_used += pair[0].key == 0
    entry.key = key
    entry.depth = <int16_t>depth
    entry.age = table.age
    return entry
