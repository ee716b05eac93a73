# Search by regret in sampled walks, from a view or from the start: for games that are too large to be held as a whole.

from libc.stdint cimport int32_t, uint64_t

from aiplay._core.game cimport Position
from aiplay._core.rng cimport Rng
from aiplay._core.search.common.control cimport Clock
from aiplay._core.search.common.states cimport StateStack
from aiplay._core.search.regret.strategies cimport Strategies
from aiplay._core.typedefs cimport MAX_SEATS, move_t, seat_t

cdef enum:
    MAX_WIDTH = 64          # games that an iteration tries side by side; beyond that, moves are sampled one at a time
    MAX_LEVELS = 10_000     # moves of a walk: it recurs; a longer one is worth the same to all


cdef class SampledRegrets(Strategies):
    cdef Position root                  # where walks begin: a view of the seat that searches, or the start of the game
    cdef seat_t seat                    # that searches; -1: all seats, from the start
    cdef uint64_t seed
    cdef Rng rng                        # of the iteration
    cdef seat_t walker                  # the seat whose regrets the iteration improves
    cdef int32_t most_moves             # of all information sets at most
    cdef StateStack states              # a state for every level
    cdef move_t* moves                  # max_moves for every level; so are the next two
    cdef double* strategy
    cdef double* values
    cdef double* root_sums              # of the values of the moves of the view for its seat
    cdef long n_root                    # iterations of that seat
    cdef double value_sums[MAX_SEATS]   # of the values of the position for every seat
    cdef long n_values[MAX_SEATS]
    cdef Clock clock
    cdef int n_levels                   # moves of a walk at most
    cdef bint is_uneven                 # a view came with different numbers of moves: the game breaks its contract
    cdef bint is_full                   # memory is used up: decisions that are not known are played at random

    cdef void iterate(self) noexcept nogil
    cdef seat_t next_walker(self) noexcept nogil
    cdef double walk(self, int level, int width) noexcept nogil
    cdef double decide(self, int level, seat_t seat, int width) noexcept nogil
    cdef double walk_all(self, int level, int32_t here, int n, int width) noexcept nogil
    cdef double walk_one(self, int level, int32_t here, int n, int width) noexcept nogil
    cdef double below(self, int level, move_t move, int width) noexcept nogil
    cdef int32_t find(self, int level, seat_t seat, int n) noexcept nogil
    cdef void present(self, int32_t here, int n, double* out) noexcept nogil
