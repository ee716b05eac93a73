# The value of a position without searching it, and sampling of chance: the edge of every search.

from aiplay._core.contract cimport GameOps
from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport TERMINAL, seat_t


# What values a position that is not over, if not the game itself: writes 0 .. 1 for every seat. Belongs to an object
# that outlives the search.
ctypedef struct Judge:
    void (*function)(
        const void* context, const GameOps* ops, const void* s, seat_t to_move, double* out
    ) noexcept nogil
    const void* context     # first argument of the function


cdef inline void returns_values(const GameOps* ops, const void* s, double* out) noexcept nogil:
    """The returns of a finished game, mapped to 0 (min_return) .. 1 (max_return)."""
    cdef double span = ops.max_return - ops.min_return
    cdef int seat
    ops.returns(ops.rules, s, out)
    for seat in range(ops.seats):
        out[seat] = (out[seat] - ops.min_return) / span     # exactly 1 for the largest return


cdef inline void evaluated_values(const GameOps* ops, const void* s, double* out) noexcept nogil:
    """The game's evaluation, 0 .. 1; 0.5 for every seat if the game has none."""
    cdef int seat
    if ops.evaluate != NULL:
        ops.evaluate(ops.rules, s, out)
        return
    for seat in range(ops.seats):
        out[seat] = 0.5


cdef inline void position_values(
    const GameOps* ops, const Judge* judge, const void* s, seat_t to_move, double* out
) noexcept nogil:
    """Returns if the game is over, else what the judge says, 0 .. 1; without a judge (NULL), the evaluation."""
    if to_move == TERMINAL:
        returns_values(ops, s, out)
    elif judge != NULL:
        judge.function(judge.context, ops, s, to_move, out)
    else:
        evaluated_values(ops, s, out)


# Samples n outcomes with probabilities p, n_samples times, evenly spread; `counts` says how often each one fell.
cdef void spread_outcomes(const double* p, int n, int* counts, int n_samples, Rng* rng) noexcept nogil
