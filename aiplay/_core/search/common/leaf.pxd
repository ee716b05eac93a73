# What a position is worth without searching it, and how chance is sampled: the edge of every search.

from aiplay._core.contract cimport GameOps
from aiplay._core.rng cimport Rng, rng_double
from aiplay._core.typedefs cimport TERMINAL, move_t, seat_t


cdef inline void returns_values(const GameOps* ops, const void* s, double* out) noexcept nogil:
    """The returns of a finished game, mapped to 0 (min_return) .. 1 (max_return)."""
    cdef double span = ops.max_return - ops.min_return
    cdef int seat
    ops.returns(ops.rules, s, out)
    for seat in range(ops.seats):
        out[seat] = (out[seat] - ops.min_return) / span     # exactly 1 for the largest return


cdef inline void guess_values(const GameOps* ops, const void* s, double* out) noexcept nogil:
    """The game's own guess of the returns, 0 .. 1; 0.5 for everybody in a game that does not guess."""
    cdef int seat
    if ops.evaluate != NULL:
        ops.evaluate(ops.rules, s, out)
        return
    for seat in range(ops.seats):
        out[seat] = 0.5


cdef inline void position_values(
    const GameOps* ops, const void* s, seat_t to_move, double* out
) noexcept nogil:
    """Returns where the game is over, else the guess; both 0 .. 1."""
    if to_move == TERMINAL:
        returns_values(ops, s, out)
    else:
        guess_values(ops, s, out)


cdef inline void spread_outcomes(const double* p, int n, int* counts, int n_samples, Rng* rng) noexcept nogil:
    """Sample n weighted outcomes n_samples times, evenly spread: `counts` tells how often each one fell.

    Systematic sampling: one random number shifts a comb of n_samples teeth over the probabilities. Every
    outcome is as likely as it should be, its count is off by less than one, and the mean of any function varies
    less than with independent samples.
    """
    cdef double step = 1.0 / n_samples
    cdef double tooth = rng_double(rng) * step
    cdef double reach = 0.0
    cdef int i, left = n_samples
    for i in range(n):
        reach += p[i]
        counts[i] = 0
        while left > 0 and tooth < reach:
            counts[i] += 1
            tooth += step
            left -= 1
    counts[n - 1] += left       # what rounding left over
