"""Continuations of a true position, for a referee: playouts by the game's policy, and runs without a choice.

A policy reads only what the seat to move sees, so every seat goes on by what it knows, while the cards are the true
ones. Never for a player: it would see the truth.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from aiplay._core.contract cimport PLAY_TO_THE_END, GameOps, sample_outcome, state_copy, state_drop
from aiplay._core.game cimport State
from aiplay._core.rng cimport Rng, derive_seed, rng_from_seed
from aiplay._core.search.common.leaf cimport position_values
from aiplay._core.search.common.rollout cimport PLAYOUT_GAME, PLAYOUT_RANDOM, Buffers, policy_playout
from aiplay._core.search.common.states cimport StateStack, states_at, states_free, states_reserve
from aiplay._core.stream cimport RandomStream
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, TERMINAL, move_t, seat_t

from aiplay._core.stream import check_seed


cdef void add_playout(
    const GameOps* ops, const void* s, const Buffers* buffers, Rng* rng, int limit, double* sums
) noexcept nogil:
    """Add the values of the position that one playout from `s` reaches."""
    cdef double values[MAX_SEATS]
    cdef int policy = PLAYOUT_GAME if ops.playout_move != NULL else PLAYOUT_RANDOM
    cdef int k
    state_copy(ops, buffers.state, s)
    policy_playout(ops, policy, 0.0 if policy == PLAYOUT_GAME else 1.0, buffers, rng, limit)
    position_values(ops, NULL, buffers.state, ops.to_move(ops.rules, buffers.state), values)
    state_drop(ops, buffers.state)
    for k in range(ops.seats):
        sums[k] += values[k]


def playout_values(State state not None, int n, int cutoff, seed=0):
    """Return the mean values of n playouts from a state for every seat, 0 (worst return) .. 1 (best return).

    `cutoff`: moves of a playout before the evaluation decides; PLAY_TO_THE_END for none. The same seed gives the same
    random numbers in every position, so that positions compare well.
    """
    cdef GameOps* ops = &state.game.ops
    cdef StateStack states
    cdef Buffers buffers
    cdef Rng rng
    cdef uint64_t base = check_seed(seed)
    cdef double sums[MAX_SEATS]
    cdef int limit = ops.max_depth if cutoff == PLAY_TO_THE_END else cutoff
    cdef int i, k
    if n < 1:
        raise ValueError(f"n is {n}; allowed: 1 or more playouts")
    if states_reserve(&states, ops, 2) < 0:
        raise MemoryError()
    buffers.judge = NULL
    buffers.state, buffers.scratch = states_at(&states, 0), states_at(&states, 1)
    buffers.moves = <move_t*>malloc(ops.max_moves * sizeof(move_t))
    buffers.weights = <double*>malloc(ops.max_moves * sizeof(double))
    try:
        if buffers.moves == NULL or buffers.weights == NULL:
            raise MemoryError()
        for k in range(ops.seats):
            sums[k] = 0.0
        with nogil:
            for i in range(n):
                rng = rng_from_seed(derive_seed(base, i))
                add_playout(ops, state.data, &buffers, &rng, limit, sums)
                if ops.failed != NULL and ops.failed(ops.rules):
                    break
        state.game.raise_failure()
    finally:
        free(buffers.moves)
        free(buffers.weights)
        states_free(&states)
    return tuple([sums[k] / n for k in range(ops.seats)])


def play_run(State state not None, RandomStream stream not None, int longest):
    """Play outcomes of chance and forced moves, in place, until a seat has a choice or the game is over.

    A run of more than `longest` moves ends at its next forced move.
    """
    cdef GameOps* ops = &state.game.ops
    cdef move_t moves[MAX_MOVES]
    cdef double p[MAX_MOVES]
    cdef seat_t seat
    cdef int n_played = 0
    while True:
        seat = ops.to_move(ops.rules, state.data)
        if seat == CHANCE:
            moves[0] = sample_outcome(ops, state.data, &stream.rng, moves, p)
        elif seat == TERMINAL or n_played >= longest or ops.legal_moves(ops.rules, state.data, moves) > 1:
            break
        ops.play(ops.rules, state.data, moves[0])
        n_played += 1
    state.game.raise_failure()
