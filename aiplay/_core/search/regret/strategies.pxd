# The information sets of a search by regret, with regrets and average strategies: the base of both searches.

from libc.stdint cimport int32_t, uint64_t

from aiplay._core.game cimport Game, View
from aiplay._core.search.regret.infosets cimport IdMap, Infoset
from aiplay._core.typedefs cimport seat_t


cdef class Strategies:
    cdef readonly Game game
    cdef readonly long iterations       # of the search so far
    cdef IdMap by_view                  # numbers of the information sets
    cdef Infoset* infosets
    cdef int32_t room_infosets
    cdef bint keeps_views
    cdef char* views                    # a view for every information set, if they are kept
    cdef int32_t room_views
    cdef size_t stride                  # bytes from one view to the next
    cdef double* regrets                # of every move of every information set
    cdef int32_t room_regrets
    cdef double* sums                   # of the strategies so far, weighted
    cdef int32_t room_sums
    cdef int32_t n_moves                # of all information sets

    cdef int open_strategies(self, Game game, bint keeps_views) except -1
    cdef uint64_t view_key(self, const void* view, seat_t seat) noexcept nogil
    # A new information set of a seat with n moves; NO_MEMORY.
    cdef int32_t add_infoset(self, seat_t seat, uint64_t key, int n, const void* view) noexcept nogil
    cdef int reserve_infoset(self, int n) noexcept nogil
