# The statistics of the moves at the root, of one search or of several merged.

from libc.stdint cimport uint64_t

from aiplay._core.game cimport View
from aiplay._core.search.mcts.search cimport RootSum
from aiplay._core.typedefs cimport MAX_SEATS, move_t


ctypedef struct RootMove:
    move_t move
    uint64_t visits         # iterations that took it, adopted ones included
    double reward           # sum of the searching seat's rewards over these visits
    RootSum sums            # the same without the adopted ones, for errors and odds
    uint64_t late           # iterations of late that took it
    int is_proven
    double proof[MAX_SEATS]     # proven values of every seat


cdef class RootMoves:
    cdef View view
    cdef RootMove* moves    # ascending; owned
    cdef int n
    cdef readonly uint64_t iterations
    cdef readonly uint64_t nodes

    cdef int reserve(self, View view, int n) except -1  # memory for n moves, zeroed
    cdef double value(self, int i) noexcept             # of move number i for the searching seat
    cdef double error(self, int i) noexcept             # standard error of that value
