# Shared by the searches by regret: numbers for keys, information sets, growing arrays.

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport realloc

from aiplay._core.contract cimport GameOps, state_hash
from aiplay._core.rng cimport mix64
from aiplay._core.typedefs cimport seat_t

cdef enum:
    NO_MEMORY = -1


ctypedef struct IdMap:      # numbers for 64-bit keys, in the order in which they come; open addressing
    uint64_t* keys
    int32_t* ids            # -1: empty
    uint32_t size           # a power of 2
    int32_t n_ids


ctypedef struct Infoset:    # information set: all positions that look the same to the seat to move
    seat_t seat
    int32_t n_moves
    int32_t visits          # iterations that came here
    int32_t first           # its moves are first .. first + n_moves - 1 of the arrays of moves


# An empty map of this size, a power of 2; NO_MEMORY.
cdef int map_reserve(IdMap* ids, uint32_t size) noexcept nogil
cdef void map_free(IdMap* ids) noexcept nogil
cdef int32_t map_find(const IdMap* ids, uint64_t key) noexcept nogil    # -1: the key has no number
cdef int32_t map_add(IdMap* ids, uint64_t key) noexcept nogil           # the next number, for a new key; NO_MEMORY


cdef inline void* grown(void* memory, int32_t* room, int32_t wanted, size_t size) noexcept nogil:
    """Memory for at least `wanted` entries, the old ones copied; NULL: none, and the old memory stays."""
    cdef int32_t larger = room[0] * 2 if room[0] * 2 > wanted else wanted
    cdef void* found
    if wanted <= room[0]:
        return memory
    found = realloc(memory, <size_t>larger * size)
    if found != NULL:
        room[0] = larger
    return found


cdef inline uint64_t key_of(uint64_t hashed, seat_t seat) noexcept nogil:
    """A key for something hashed, of one seat."""
    return mix64(hashed + <uint64_t>(seat + 1) * <uint64_t>0x9E3779B97F4A7C15)


cdef inline void shares(const double* weights, const Infoset* infoset, double* out) noexcept nogil:
    """Weights of the moves of an information set, scaled to sum 1; all the same if there are none."""
    cdef double total = 0.0
    cdef int32_t m
    for m in range(infoset.first, infoset.first + infoset.n_moves):
        total += weights[m]
    for m in range(infoset.first, infoset.first + infoset.n_moves):
        out[m] = weights[m] / total if total > 0 else 1.0 / infoset.n_moves
