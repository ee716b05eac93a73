# Random play from a state to its end: the inner loop of benchmarks, tests and searches.

from libc.stdint cimport uint64_t

from aiplay._core.contract cimport (
    GameOps, legal_moves_t, play_t, sample_chance_t, sample_outcome, state_copy, state_drop, to_move_t,
)
from aiplay._core.rng cimport Rng, derive_seed, rng_below, rng_from_seed
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, TERMINAL, move_t, seat_t


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


cdef inline void guess_returns(const GameOps* ops, const void* s, double* out) noexcept nogil:
    """What the game's evaluation means in returns; the middle where it has none."""
    cdef int k
    for k in range(ops.seats):
        out[k] = 0.5
    if ops.evaluate != NULL:
        ops.evaluate(ops.rules, s, out)
    for k in range(ops.seats):
        out[k] = ops.min_return + out[k] * (ops.max_return - ops.min_return)


cdef inline void add_playouts(
    const GameOps* ops, const void* s, void* scratch, long n, uint64_t seed, double* sums
) noexcept nogil:
    """Add the returns of n random games from `s` to `sums`; one that does not end counts as it is evaluated.

    `scratch` holds a state, before and after.
    """
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
            guess_returns(ops, scratch, out)
        for k in range(ops.seats):
            sums[k] += out[k]
        if ops.failed != NULL and ops.failed(ops.rules):
            break
