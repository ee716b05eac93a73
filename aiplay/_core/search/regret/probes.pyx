"""How large a game is, by a few random games: what search by regret can hold, and what it can walk through."""

from libc.math cimport INFINITY
from libc.string cimport memset

from aiplay._core.contract cimport GameOps, sample_outcome, state_drop
from aiplay._core.game cimport Game
from aiplay._core.rng cimport Rng, derive_seed, rng_below, rng_from_seed
from aiplay._core.search.common.states cimport StateStack, states_at, states_free, states_reserve
from aiplay._core.search.regret.gametree cimport MAX_LEVELS
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, TERMINAL, move_t, seat_t

# A figure of one random game from `s`, which holds the start; `most`: the largest one that matters.
ctypedef double (*Probe)(const GameOps* ops, void* s, Rng* rng, double most) noexcept nogil


def estimated_size(Game game not None, int probes):
    """Return about how many positions a game has, by random games (Knuth 1975); inf if they do not end soon."""
    return total_of(game, probes, INFINITY, size_of_tree) / probes


def decisions_of(Game game not None, int probes, int most):
    """Return the mean number of choices in random games; counting stops when it is more than `most`."""
    return total_of(game, probes, <double>most * probes, count_choices) / probes


cdef double total_of(Game game, int probes, double most, Probe probe) except? -1.0:
    """The sum of a figure over random games."""
    cdef const GameOps* ops = &game.ops
    cdef StateStack one
    cdef Rng rng
    cdef void* s
    cdef double total = 0.0
    cdef int i
    if states_reserve(&one, ops, 1) < 0:
        raise MemoryError()
    s = states_at(&one, 0)
    with nogil:
        for i in range(probes):
            rng = rng_from_seed(derive_seed(0, i))
            memset(s, 0, ops.state_size)
            ops.setup(ops.rules, s)
            total += probe(ops, s, &rng, most - total)
            state_drop(ops, s)
    states_free(&one)
    game.raise_failure()
    return total


cdef double size_of_tree(const GameOps* ops, void* s, Rng* rng, double most) noexcept nogil:
    """The size of a tree in which every position of a level has as many moves as that of one random game."""
    cdef move_t moves[MAX_MOVES]
    cdef double p[MAX_MOVES]
    cdef double width = 1.0, total = 1.0
    cdef int n, level = 0
    cdef seat_t seat
    while not (ops.failed != NULL and ops.failed(ops.rules)):
        seat = ops.to_move(ops.rules, s)
        if seat == TERMINAL:
            break
        if level == MAX_LEVELS:
            return INFINITY
        n = ops.chance_outcomes(ops.rules, s, moves, p) if seat == CHANCE else ops.legal_moves(ops.rules, s, moves)
        width *= n
        total += width
        level += 1
        ops.play(ops.rules, s, moves[rng_below(rng, n)])
    return total


cdef double count_choices(const GameOps* ops, void* s, Rng* rng, double most) noexcept nogil:
    """The choices of one random game; at most one more than `most`."""
    cdef move_t moves[MAX_MOVES]
    cdef double p[MAX_MOVES]
    cdef double n_choices = 0.0
    cdef seat_t seat
    cdef int n
    while n_choices <= most and not (ops.failed != NULL and ops.failed(ops.rules)):
        seat = ops.to_move(ops.rules, s)
        if seat == TERMINAL:
            break
        if seat == CHANCE:
            ops.play(ops.rules, s, sample_outcome(ops, s, rng, moves, p))
            continue
        n = ops.legal_moves(ops.rules, s, moves)
        n_choices += n > 1
        ops.play(ops.rules, s, moves[rng_below(rng, n)])
    return n_choices
