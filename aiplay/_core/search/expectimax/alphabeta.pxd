# Expectimax for one value: alpha-beta with Star1 and Star2 at chance nodes.

from aiplay._core.search.expectimax.lookahead cimport Lookahead, Luck

# The value of the state at `ply` for the hero, `depth` decisions ahead: an upper bound if it is at most `alpha`, a
# lower bound if it is at least `beta`, else exact. `luck`: of chance from here to the next decision. Leaves the best
# line at `ply`, and `doubt`. After an abort nothing of it counts. The state is used up and has to be dropped; not after
# a pause: then the next call, with the same arguments, goes on.
# Before: the memory of `search` is allocated and its settings are made.
cdef double search_value(
    Lookahead* search, int ply, int depth, Luck luck, double alpha, double beta
) noexcept nogil
