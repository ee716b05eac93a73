# The root moves of expectimax: their order, and their values in sampled worlds.

from libc.stdint cimport uint64_t


cdef class _WorldResult:     # of one world
    cdef dict values        # index of a root move -> value of the hero alone, or of every seat (max^n)
    cdef dict doubts        # index of a root move -> DOUBT_*


cdef _WorldResult new_result()

# The indices of n root moves in random order: the seed decides between equally good ones.
cdef list shuffled_order(int n, uint64_t seed)

# The mean values of the moves that were searched in all worlds.
cdef _WorldResult mean_result(list results)
