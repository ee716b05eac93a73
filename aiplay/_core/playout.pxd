# Random play from a state to its end: the inner loop of benchmarks, tests and searches.

from aiplay._core.contract cimport (
    GameOps, legal_moves_t, play_t, sample_chance_t, sample_outcome, to_move_t,
)
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, TERMINAL, move_t, seat_t


cdef inline int playout_loop(
    to_move_t to_move, legal_moves_t legal_moves, sample_chance_t sample_chance, play_t play,
    const void* rules, void* s, Rng* rng, int limit,
) noexcept nogil:
    """The loop of `GameOps.random_playout` for a game that samples chance itself (or has none).

    Called with the names of functions in the same module, it compiles into one loop without indirect calls.
    """
    cdef move_t moves[MAX_MOVES]
    cdef int n_played = 0
    cdef seat_t seat
    cdef move_t move
    while n_played < limit:
        seat = to_move(rules, s)
        if seat == TERMINAL:
            break
        if seat == CHANCE:
            move = sample_chance(rules, s, rng)
        else:
            move = moves[rng_below(rng, legal_moves(rules, s, moves))]
        play(rules, s, move)
        n_played += 1
    return n_played


cdef inline int random_playout(const GameOps* ops, void* s, Rng* rng, int limit) noexcept nogil:
    """Play uniformly random moves in place, until the game is over or `limit` moves are made; return how many."""
    cdef move_t moves[MAX_MOVES]
    cdef double p[MAX_MOVES]
    cdef int n_played = 0
    cdef seat_t seat
    if ops.random_playout != NULL:
        return ops.random_playout(ops.rules, s, rng, limit)
    if ops.sample_chance != NULL or ops.chance_outcomes == NULL:
        return playout_loop(
            ops.to_move, ops.legal_moves, ops.sample_chance, ops.play, ops.rules, s, rng, limit
        )
    while n_played < limit:
        seat = ops.to_move(ops.rules, s)
        if seat == CHANCE:
            ops.play(ops.rules, s, sample_outcome(ops, s, rng, moves, p))
            n_played += 1
        elif seat == TERMINAL:
            break
        else:
            n_played += playout_loop(
                ops.to_move, ops.legal_moves, NULL, ops.play, ops.rules, s, rng, 1
            )
    return n_played
