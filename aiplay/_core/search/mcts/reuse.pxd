# Adopting the part of a tree that is still of use after a move.

from libc.stdint cimport uint32_t, uint64_t

from aiplay._core.search.mcts.search cimport Search
from aiplay._core.search.mcts.tree cimport Tree

# Notes that the trees go on at these nodes for the view that the searching seat has now. Before: the seat is to move.
cdef void note_next_root(Search* search, const uint32_t* nodes) noexcept nogil

# The nodes that were noted for the view with this hash, of several the most visited ones; NULL for none.
cdef uint32_t* find_next_root(Search* search, uint64_t view) noexcept nogil

# Makes `start` the root of a tree, in place, and gives back the memory of everything that is not below it. False, and
# nothing is changed, if there is no memory for the work.
cdef bint keep_part(Tree* tree, uint32_t start, int seats) noexcept nogil
