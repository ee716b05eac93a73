# Expectimax for one value: alpha-beta with Star1 and Star2 at chance nodes.

from aiplay._core.search.lookahead cimport Lookahead

# The value of the state at `ply` for the hero, `depth` decisions ahead. Where it is at most `alpha`, the result is
# an upper bound of it, where it is at least `beta`, a lower one, in between it is exact. `chain` counts the chance
# nodes since the last decision. Leaves the best line at `ply` and `doubt`. Nothing of it counts after an abort.
# The state is used up and has to be dropped. Before: the game's tables and all memory of `search` are set up.
cdef double search_value(
    Lookahead* search, int ply, int depth, int chain, double alpha, double beta
) noexcept nogil
