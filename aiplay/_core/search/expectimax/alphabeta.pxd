# Expectimax for one value: alpha-beta with Star1 and Star2 at chance nodes.

from aiplay._core.search.expectimax.lookahead cimport Lookahead, Luck

# The value of the state at `ply` for the hero, `depth` decisions ahead. Where it is at most `alpha`, the result is
# an upper bound of it, where it is at least `beta`, a lower one, in between it is exact. `luck`: of chance from here
# to the next decision. Leaves the best line at `ply` and `doubt`. Nothing of it counts after an abort. The state is
# used up and has to be dropped. Before: the game's tables and all memory of `search` are set up.
cdef double search_value(
    Lookahead* search, int ply, int depth, Luck luck, double alpha, double beta
) noexcept nogil
