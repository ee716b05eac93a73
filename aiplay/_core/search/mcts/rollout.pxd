# From a leaf of the tree to rewards: play on for a while, then look at the result or ask the game.

from aiplay._core.contract cimport PLAY_TO_THE_END, GameOps, sample_outcome, state_copy, state_drop
from aiplay._core.playout cimport random_playout
from aiplay._core.rng cimport Rng, rng_below, rng_double
from aiplay._core.search.common.leaf cimport position_values
from aiplay._core.search.mcts.params cimport PLAYOUT_GAME, PLAYOUT_RANDOM, MctsParams
from aiplay._core.typedefs cimport CHANCE, MAX_SEATS, TERMINAL, move_t, seat_t


ctypedef struct Buffers:
    move_t* moves           # max_moves entries
    double* weights         # max_moves entries
    void* state             # one state: the position of the iteration
    void* scratch           # one state: to try a move


cdef inline double value_after(
    const GameOps* ops, const void* s, move_t move, seat_t seat, void* scratch
) noexcept nogil:
    """What `seat` may expect after a move, by the game's opinion."""
    cdef double rewards[MAX_SEATS]
    state_copy(ops, scratch, s)
    ops.play(ops.rules, scratch, move)
    position_values(ops, scratch, ops.to_move(ops.rules, scratch), rewards)
    state_drop(ops, scratch)
    return rewards[seat]


cdef inline move_t greedy_move(
    const GameOps* ops, const void* s, seat_t seat, const Buffers* buffers, int n, Rng* rng
) noexcept nogil:
    """The best of n >= 1 moves in the buffer, by the game's opinion; the first of equals in a random round."""
    cdef int start = rng_below(rng, n)
    cdef int best = start
    cdef double best_value = -1.0, value
    cdef int i, k
    if n > 1:
        for i in range(n):
            k = start + i if start + i < n else start + i - n
            value = value_after(ops, s, buffers.moves[k], seat, buffers.scratch)
            if value > best_value:
                best_value = value
                best = k
    return buffers.moves[best]


cdef inline move_t playout_choice(
    const GameOps* ops, const MctsParams* params, const void* s, seat_t seat, const Buffers* buffers, Rng* rng
) noexcept nogil:
    """The move that a playout makes for a seat."""
    cdef int n
    if params.epsilon <= 0 or rng_double(rng) >= params.epsilon:
        if params.playout == PLAYOUT_GAME:
            return ops.playout_move(ops.rules, s, rng)
        n = ops.legal_moves(ops.rules, s, buffers.moves)
        return greedy_move(ops, s, seat, buffers, n, rng)
    n = ops.legal_moves(ops.rules, s, buffers.moves)
    return buffers.moves[rng_below(rng, n)]


cdef inline void rollout(
    const GameOps* ops, const MctsParams* params, const Buffers* buffers, Rng* rng, double* rewards
) noexcept nogil:
    """Play `buffers.state` on, in place, to its end or to the playout depth, and write the rewards."""
    cdef void* s = buffers.state
    cdef int limit = ops.max_depth if params.playout_depth == PLAY_TO_THE_END else params.playout_depth
    if params.playout == PLAYOUT_RANDOM:
        random_playout(ops, s, rng, limit)
    else:
        guided_playout(ops, params, buffers, rng, limit)
    position_values(ops, s, ops.to_move(ops.rules, s), rewards)


cdef inline void guided_playout(
    const GameOps* ops, const MctsParams* params, const Buffers* buffers, Rng* rng, int limit
) noexcept nogil:
    """Play on with moves of the game's own choice, or greedy ones, and some random ones among them."""
    cdef void* s = buffers.state
    cdef int _depth
    cdef seat_t seat
    for _depth in range(limit):
        seat = ops.to_move(ops.rules, s)
        if seat == TERMINAL:
            return
        if seat == CHANCE:
            ops.play(ops.rules, s, sample_outcome(ops, s, rng, buffers.moves, buffers.weights))
        else:
            ops.play(ops.rules, s, playout_choice(ops, params, s, seat, buffers, rng))
