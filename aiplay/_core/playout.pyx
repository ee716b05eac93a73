"""Random play from a state to its end."""

from libc.stdint cimport uint64_t

from aiplay._core.contract cimport GameOps, sample_outcome, state_copy, state_drop
from aiplay._core.rng cimport Rng, derive_seed, rng_from_seed
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, TERMINAL, move_t, seat_t


cdef int random_playout(const GameOps* ops, void* s, Rng* rng, int limit) noexcept nogil:
    if ops.random_playout != NULL:
        return ops.random_playout(ops.rules, s, rng, limit)
    if ops.sample_chance != NULL or ops.chance_outcomes == NULL:
        return playout_loop(
            ops.to_move, ops.legal_moves, ops.sample_chance, ops.play, ops.rules, s, rng, limit
        )
    return listing_playout(ops, s, rng, limit)


cdef int listing_playout(const GameOps* ops, void* s, Rng* rng, int limit) noexcept nogil:
    """The same for a game without `sample_chance`: every outcome of chance is listed first."""
    cdef move_t moves[MAX_MOVES]
    cdef double p[MAX_MOVES]
    cdef int n_played = 0
    cdef seat_t seat
    while n_played < limit:
        seat = ops.to_move(ops.rules, s)
        if seat == TERMINAL:
            break
        if seat == CHANCE:
            ops.play(ops.rules, s, sample_outcome(ops, s, rng, moves, p))
            n_played += 1
        else:
            n_played += playout_loop(
                ops.to_move, ops.legal_moves, NULL, ops.play, ops.rules, s, rng, 1
            )
    return n_played


cdef void add_playouts(
    const GameOps* ops, const void* s, void* scratch, long n, uint64_t seed, double* sums
) noexcept nogil:
    cdef double out[MAX_SEATS]
    cdef Rng rng
    cdef long i
    cdef int k
    for i in range(n):
        rng = rng_from_seed(derive_seed(seed, i))
        state_drop(ops, scratch)
        state_copy(ops, scratch, s)
        random_playout(ops, scratch, &rng, ops.max_depth)
        if ops.to_move(ops.rules, scratch) == TERMINAL:
            ops.returns(ops.rules, scratch, out)
        else:
            evaluated_returns(ops, scratch, out)
        for k in range(ops.seats):
            sums[k] += out[k]
        if ops.failed != NULL and ops.failed(ops.rules):
            break


cdef void evaluated_returns(const GameOps* ops, const void* s, double* out) noexcept nogil:
    """The evaluation of a position in units of returns; the middle of their range without one."""
    cdef int k
    for k in range(ops.seats):
        out[k] = 0.5
    if ops.evaluate != NULL:
        ops.evaluate(ops.rules, s, out)
    for k in range(ops.seats):
        out[k] = ops.min_return + out[k] * (ops.max_return - ops.min_return)
