# Random play from a state: the inner loop of benchmarks, tests and searches.

from libc.stdint cimport uint64_t

from aiplay._core.contract cimport GameOps, legal_moves_t, play_t, sample_chance_t, to_move_t
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, TERMINAL, move_t, seat_t


cdef inline int playout_loop(
    to_move_t to_move, legal_moves_t legal_moves, sample_chance_t sample_chance, play_t play,
    const void* rules, void* s, Rng* rng, int limit,
) noexcept nogil:
    """The loop of `GameOps.random_playout`, for games that have `sample_chance` or no chance.

    Called with functions of the calling module by name, it compiles into one loop without indirect calls.
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


# Play uniformly random moves in place until the game is over or `limit` moves are made; return their number.
cdef int random_playout(const GameOps* ops, void* s, Rng* rng, int limit) noexcept nogil

# Add the returns of n random games from `s` to `sums`; a game that does not end counts by its evaluation.
# Before and after: `scratch` holds a state.
cdef void add_playouts(
    const GameOps* ops, const void* s, void* scratch, long n, uint64_t seed, double* sums
) noexcept nogil
