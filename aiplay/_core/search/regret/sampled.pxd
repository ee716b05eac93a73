# Search by regret from a position, in sampled worlds: for games that are too large to be held as a whole.

from libc.stdint cimport int32_t, uint64_t

from aiplay._core.game cimport View
from aiplay._core.rng cimport Rng
from aiplay._core.search.common.control cimport Clock
from aiplay._core.search.common.states cimport StateStack
from aiplay._core.search.regret.infosets cimport IdMap, Infoset
from aiplay._core.typedefs cimport MAX_SEATS, move_t, seat_t

cdef enum:
    MAX_WIDTH = 64          # games that an iteration tries side by side; beyond that, moves are sampled one at a time


cdef class SampledRegrets:
    cdef readonly View view             # of the seat that searches, which is to move
    cdef readonly long iterations       # so far
    cdef uint64_t seed
    cdef Rng rng                        # of the iteration
    cdef seat_t walker                  # the seat whose regrets the iteration improves
    cdef IdMap ids
    cdef Infoset* infosets
    cdef int32_t room_infosets
    cdef int32_t most_moves             # entries of the next two arrays at most
    cdef double* regrets
    cdef double* sums                   # of the strategies so far, weighted
    cdef int32_t n_moves
    cdef int32_t room_moves
    cdef StateStack states              # a state for every level
    cdef move_t* moves                  # max_moves for every level; so are the next two
    cdef double* strategy
    cdef double* values
    cdef double* root_sums              # of the values of the root moves for the seat
    cdef long n_root                    # iterations of that seat
    cdef double value_sums[MAX_SEATS]   # of the values of the position for every seat
    cdef long n_values[MAX_SEATS]
    cdef Clock clock
    cdef bint is_full                   # memory is used up: decisions that are not known are played at random

    cdef void iterate(self) noexcept nogil
    cdef double walk(self, int level, int width) noexcept nogil
    cdef double decide(self, int level, seat_t seat, int width) noexcept nogil
    cdef double walk_all(self, int level, int32_t here, int n, int width) noexcept nogil
    cdef double walk_one(self, int level, int32_t here, int n, int width) noexcept nogil
    cdef double below(self, int level, move_t move, int width) noexcept nogil
    cdef int32_t find(self, int level, seat_t seat, int n) noexcept nogil
    cdef void present(self, int32_t here, int n, double* out) noexcept nogil
