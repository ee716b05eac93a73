"""Playouts by a policy; epsilon-greedy ones as in Sturtevant 2008."""

from aiplay._core.contract cimport GameOps, sample_outcome
from aiplay._core.rng cimport Rng, rng_below, rng_double
from aiplay._core.typedefs cimport CHANCE, TERMINAL, move_t, seat_t


cdef void policy_playout(
    const GameOps* ops, int policy, double epsilon, const Buffers* buffers, Rng* rng, int limit
) noexcept nogil:
    cdef void* s = buffers.state
    cdef int _depth
    cdef seat_t seat
    if policy == PLAYOUT_GAME and epsilon == 0 and ops.policy_playout != NULL:
        ops.policy_playout(ops.rules, s, rng, limit)
        return
    for _depth in range(limit):
        seat = ops.to_move(ops.rules, s)
        if seat == TERMINAL:
            return
        if seat == CHANCE:
            ops.play(ops.rules, s, sample_outcome(ops, s, rng, buffers.moves, buffers.weights))
        else:
            ops.play(ops.rules, s, policy_move(ops, policy, epsilon, seat, buffers, rng))


cdef inline move_t policy_move(
    const GameOps* ops, int policy, double epsilon, seat_t seat, const Buffers* buffers, Rng* rng
) noexcept nogil:
    """The move that a playout makes for a seat."""
    cdef void* s = buffers.state
    cdef bint is_random = epsilon > 0 and rng_double(rng) < epsilon
    cdef int n
    if policy == PLAYOUT_GAME and not is_random:
        return ops.playout_move(ops.rules, s, rng)
    n = ops.legal_moves(ops.rules, s, buffers.moves)
    if is_random:
        return buffers.moves[rng_below(rng, n)]
    return greedy_move(ops, seat, buffers, n, rng)


cdef move_t greedy_move(
    const GameOps* ops, seat_t seat, const Buffers* buffers, int n, Rng* rng
) noexcept nogil:
    """The best of the n >= 1 moves in the buffer; of equal ones the first, counted from a random start."""
    cdef int start = rng_below(rng, n)
    cdef int best = start
    cdef double best_value = -1.0, value
    cdef int i, k
    if n > 1:
        for i in range(n):
            k = start + i if start + i < n else start + i - n
            value = value_after(ops, buffers.judge, buffers.state, buffers.moves[k], seat, buffers.scratch)
            if value > best_value:
                best_value = value
                best = k
    return buffers.moves[best]
