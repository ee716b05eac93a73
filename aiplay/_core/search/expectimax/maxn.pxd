# Expectimax for a value of every seat: max^n.

from aiplay._core.search.expectimax.lookahead cimport Lookahead, Luck

# The values of the state at `ply` for every seat, if each seat goes for its own; the rest as in alphabeta.pxd.
# `out` has room for every seat.
cdef void search_vector(Lookahead* search, int ply, int depth, Luck luck, double* out) noexcept nogil
