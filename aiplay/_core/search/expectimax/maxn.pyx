"""Expectimax for a value of every seat: max^n (Luckhardt and Irani 1986). Every seat goes for its own value.

Nothing is pruned: with three seats and more no bound is always safe. Of moves that are equally good for the seat that
makes them, the one with the smallest number counts, so the order of search changes nothing.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from aiplay._core.contract cimport GameOps, state_copy, state_drop
from aiplay._core.search.common.states cimport states_at
from aiplay._core.search.expectimax.cache cimport (
    DOUBT_SAMPLE, ValuesEntry, cache_find, cache_slot, entry_sign, holds_for,
)
from aiplay._core.search.expectimax.lookahead cimport (
    Lookahead, Luck, fresh_luck, leaf_values, line_append, line_update, luck_after, open_node, position_key,
    sample_outcomes,
)
from aiplay._core.typedefs cimport CHANCE, MAX_SEATS, move_t, seat_t


cdef void search_vector(Lookahead* search, int ply, int depth, Luck luck, double* out) noexcept nogil:
    cdef int n, n_forced, doubt = 0
    cdef seat_t seat
    n = open_node(search, ply, depth, &luck, &seat, &doubt)
    n_forced = search.line_lengths[ply]
    if search.is_aborted:
        return
    if n == 0:
        leaf_values(search, ply, seat, out)
    else:
        expand(search, ply, depth, &luck, seat, n, out)
    if doubt:
        search.doubt |= doubt
        search.line_lengths[ply] = n_forced             # the line ends at the first sample


cdef void expand(
    Lookahead* search, int ply, int depth, const Luck* luck, seat_t seat, int n, double* out
) noexcept nogil:
    """The values of a node with n >= 2 moves or outcomes, from the cache or by searching them."""
    cdef ValuesEntry* entry
    cdef uint64_t key = 0
    cdef move_t move = -1
    cdef size_t n_bytes = search.ops.seats * sizeof(double)
    if search.cache.pairs != NULL:
        key = position_key(search, states_at(&search.states, ply), depth, luck if seat == CHANCE else NULL)
        entry = <ValuesEntry*>cache_find(&search.cache, key, depth)
        if entry != NULL and holds_for(&entry.head, depth):
            memcpy(out, entry.values, n_bytes)
            search.doubt = entry.head.doubt
            if entry.head.move >= 0:
                line_append(search, ply, entry.head.move)
            return
    if seat == CHANCE:
        mean_of_outcomes(search, ply, depth, luck, n, out)
    else:
        move = best_of_moves(search, ply, depth, seat, n, out)
    if key != 0 and not search.is_aborted:
        entry = <ValuesEntry*>cache_slot(&search.cache, key, depth)
        entry_sign(&entry.head, &search.cache, key, depth, move, search.doubt)
        memcpy(entry.values, out, n_bytes)


cdef move_t best_of_moves(
    Lookahead* search, int ply, int depth, seat_t seat, int n, double* out
) noexcept nogil:
    """The values after the move that is best for `seat`, and that move."""
    cdef const GameOps* ops = search.ops
    cdef const move_t* moves = search.moves + ply * ops.max_moves
    cdef void* child = states_at(&search.states, ply + 1)
    cdef double values[MAX_SEATS]
    cdef Luck luck = fresh_luck(search, depth - 1)
    cdef int i, doubt = 0, best = -1, n_forced = search.line_lengths[ply]
    for i in range(n):
        state_copy(ops, child, states_at(&search.states, ply))
        ops.play(ops.rules, child, moves[i])
        search_vector(search, ply + 1, depth - 1, luck, values)
        state_drop(ops, child)
        if search.is_aborted:
            return -1
        doubt |= search.doubt
        if best < 0 or values[seat] > out[seat]:
            best = i
            memcpy(out, values, ops.seats * sizeof(double))
            line_update(search, ply, n_forced, moves[i])
    search.doubt = doubt
    return moves[best]


cdef void mean_of_outcomes(
    Lookahead* search, int ply, int depth, const Luck* luck, int n, double* out
) noexcept nogil:
    """The mean values over the n outcomes listed at a ply, or over a sample of them."""
    cdef const GameOps* ops = search.ops
    cdef const move_t* moves = search.moves + ply * ops.max_moves
    cdef const double* p = search.scores + ply * ops.max_moves
    cdef const int* counts = search.counts + ply * ops.max_moves
    cdef void* child = states_at(&search.states, ply + 1)
    cdef double values[MAX_SEATS]
    cdef bint is_sampled = 0 < luck.room < n
    cdef int i, seat, room = max(1, luck.room // n) if luck.room > 0 else 0
    cdef int doubt = DOUBT_SAMPLE if is_sampled else 0
    if is_sampled:
        n = sample_outcomes(search, ply, luck, n)
    memset(out, 0, ops.seats * sizeof(double))
    for i in range(n):
        state_copy(ops, child, states_at(&search.states, ply))
        ops.play(ops.rules, child, moves[i])
        search_vector(search, ply + 1, depth, luck_after(luck, i, counts[i] if is_sampled else room), values)
        state_drop(ops, child)
        if search.is_aborted:
            return
        doubt |= search.doubt
        for seat in range(ops.seats):
            out[seat] += p[i] * values[seat]
    search.doubt = doubt
