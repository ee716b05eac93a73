"""Errors of judgement in MCTS; see misjudge.pxd for the formula."""

from libc.stdint cimport uint32_t, uint64_t

from aiplay._core.contract cimport GameOps, state_copy, state_drop
from aiplay._core.rng cimport derive_seed
from aiplay._core.search.mcts.params cimport PRIOR_VALUES
from aiplay._core.search.mcts.search cimport Search, view_hash
from aiplay._core.search.mcts.tree cimport Edge, Tree
from aiplay._core.typedefs cimport TERMINAL, move_t


cdef inline double guess(const Search* search, uint64_t seen, uint64_t what) noexcept nogil:
    """A number in 0 .. 1 that belongs to what is seen, and to what is asked about it."""
    cdef uint64_t bits = derive_seed(derive_seed(search.params.guess_seed, seen), what)
    return <double>(bits >> 11) * (1.0 / 9007199254740992.0)


cdef inline double blurred(const Search* search, double value, double guessed) noexcept nogil:
    return value + search.params.blur * (guessed - value)


cdef void misjudge_rewards(Search* search, uint64_t seen) noexcept nogil:
    """Seats that win together are misjudged alike; of two opponents, one gains what the other loses."""
    cdef const GameOps* ops = search.ops
    cdef double guessed = guess(search, seen, 0)
    cdef int seat
    for seat in range(ops.seats):
        if seat and not ops.is_cooperative:
            guessed = 1.0 - guessed if ops.seats == 2 else guess(search, seen, <uint64_t>seat)
        search.rewards[seat] = blurred(search, search.rewards[seat], guessed)


cdef bint ends_game(Search* search, move_t move) noexcept nogil:
    """True if the game is over after a move."""
    cdef const GameOps* ops = search.ops
    cdef bint is_over
    state_copy(ops, search.buffers.scratch, search.buffers.state)
    ops.play(ops.rules, search.buffers.scratch, move)
    is_over = ops.to_move(ops.rules, search.buffers.scratch) == TERMINAL
    state_drop(ops, search.buffers.scratch)
    return is_over


cdef void misjudge_priors(Search* search, Tree* tree, uint32_t node) noexcept nogil:
    """Values of moves are blurred, but for moves that end the game; of weights a part is shared out by guesses."""
    cdef Edge* edges = &tree.edges[tree.nodes[node].edges]
    cdef int n = tree.nodes[node].n_edges
    cdef uint64_t seen = view_hash(search, search.seat)
    cdef bint is_value = search.params.prior == PRIOR_VALUES
    cdef double total = 0.0
    cdef int i
    if not is_value:
        for i in range(n):
            total += guess(search, seen, <uint64_t>edges[i].move)
    for i in range(n):
        if is_value and ends_game(search, edges[i].move):
            continue
        edges[i].prior = <float>blurred(
            search, edges[i].prior, guess(search, seen, <uint64_t>edges[i].move) / (total if total > 0 else 1.0)
        )
