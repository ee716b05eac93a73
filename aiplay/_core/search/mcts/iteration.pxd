# The loop of a Monte Carlo tree search, without Python.

from libc.stdint cimport uint64_t

from aiplay._core.search.common.control cimport Clock
from aiplay._core.search.mcts.search cimport Search


ctypedef struct Goal:
    uint64_t iterations     # end after this number of iterations in all
    uint64_t nodes          # end after this number of new nodes
    int is_choosing         # 1: end when no other move can get more visits


# Iterates until the goal, the clock or a proof ends it; True if there is more to do after a pause.
# Before: everything is allocated, every tree has its root.
cdef bint run_slice(Search* search, Clock* clock, const Goal* goal) noexcept nogil

# Lead in visits of the most visited root move over the next one, proven losses aside; -1 if visits cannot decide,
# because a move is proven to be worth something in between, or another one is taken more often of late.
cdef double root_lead(Search* search) noexcept nogil
