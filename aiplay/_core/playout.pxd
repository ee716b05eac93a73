# Random play from a state to its end: the inner loop of benchmarks, tests and searches.

from aiplay._core.contract cimport GameOps, sample_outcome
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, move_t, seat_t


cdef inline int random_playout(
    const GameOps* ops, void* s, Rng* rng, move_t* moves, double* p, int limit
) noexcept nogil:
    """Play uniformly random moves in place, until the game is over or `limit` are made; return how many.

    `moves` and `p` are buffers for max_moves entries.
    """
    cdef int n_played = 0
    cdef seat_t seat
    cdef move_t move
    while n_played < limit:
        seat = ops.to_move(ops.rules, s)
        if seat == TERMINAL:
            break
        if seat == CHANCE:
            move = sample_outcome(ops, s, rng, moves, p)
        else:
            move = moves[rng_below(rng, ops.legal_moves(ops.rules, s, moves))]
        ops.play(ops.rules, s, move)
        n_played += 1
    return n_played
