"""Expectimax for a value of every seat: max^n (Luckhardt and Irani 1986). Every seat goes for its own value.

Nothing is pruned: with three seats and more no bound is always safe. Of moves that are equally good for the seat that
makes them, the one with the smallest number counts, so the order of search changes nothing.
"""

from libc.string cimport memcpy, memset

from aiplay._core.search.common.states cimport states_at
from aiplay._core.search.expectimax.cache cimport (
    DOUBT_SAMPLE, ValuesEntry, cache_find, cache_slot, entry_sign, holds_for,
)
from aiplay._core.search.expectimax.lookahead cimport (
    Lookahead, Luck, Node, fresh_luck, has_left, has_to_leave, leaf_values, line_append, line_update, luck_after,
    make_child, open_node, position_key, sample_outcomes,
)
from aiplay._core.typedefs cimport CHANCE, MAX_SEATS, move_t, seat_t


cdef void search_vector(Lookahead* search, int ply, int depth, Luck luck, double* out) noexcept nogil:
    cdef Node* node = &search.nodes[ply]
    cdef int n, doubt = 0
    cdef seat_t seat
    if node.is_begun:
        search_node(search, ply, depth, out)
        return
    if has_to_leave(search):
        return
    n = open_node(search, ply, depth, &luck, &seat, &doubt)
    if search.is_aborted:
        return
    if n == 0:
        leaf_values(search, ply, seat, out)
        search.doubt |= doubt
        return
    node.seat, node.n, node.luck, node.earlier = seat, n, luck, doubt
    node.n_forced = search.line_lengths[ply]
    search_node(search, ply, depth, out)


cdef void search_node(Lookahead* search, int ply, int depth, double* out) noexcept nogil:
    """The values of a node with at least two moves or outcomes."""
    cdef Node* node = &search.nodes[ply]
    expand(search, ply, depth, out)
    if node.earlier and not search.is_paused:
        search.doubt |= node.earlier
        search.line_lengths[ply] = node.n_forced        # the line ends at the first sample


cdef void expand(Lookahead* search, int ply, int depth, double* out) noexcept nogil:
    """The values of such a node, from the cache or by searching its moves or outcomes."""
    cdef Node* node = &search.nodes[ply]
    cdef ValuesEntry* entry
    cdef size_t n_bytes = search.ops.seats * sizeof(double)
    if not node.is_begun and not begin_node(search, ply, depth, out):
        return
    if node.seat == CHANCE:
        mean_of_outcomes(search, ply, depth)
    else:
        best_of_moves(search, ply, depth)
    if search.is_paused:
        return
    node.is_begun = 0
    if search.is_aborted:
        return
    search.doubt = node.doubt
    memcpy(out, node.values, n_bytes)
    if node.key != 0:
        entry = <ValuesEntry*>cache_slot(&search.cache, node.key, depth)
        entry_sign(&entry.head, &search.cache, node.key, depth, node.best_move, node.doubt)
        memcpy(entry.values, out, n_bytes)


cdef bint begin_node(Lookahead* search, int ply, int depth, double* out) noexcept nogil:
    """Prepare the search of the moves or outcomes at a ply; False if the cache has the values."""
    cdef Node* node = &search.nodes[ply]
    cdef ValuesEntry* entry
    cdef bint is_chance = node.seat == CHANCE
    node.key, node.best_move = 0, -1
    if search.cache.pairs != NULL:
        node.key = position_key(
            search, states_at(&search.states, ply), depth, &node.luck if is_chance else NULL
        )
        entry = <ValuesEntry*>cache_find(&search.cache, node.key, depth)
        if entry != NULL and holds_for(&entry.head, depth):
            memcpy(out, entry.values, search.ops.seats * sizeof(double))
            search.doubt = entry.head.doubt
            if entry.head.move >= 0:
                line_append(search, ply, entry.head.move)
            return False
    node.room = max(1, node.luck.room // node.n) if node.luck.room > 0 else 0
    node.is_sampled = is_chance and 0 < node.luck.room < node.n
    node.doubt = DOUBT_SAMPLE if node.is_sampled else 0
    if node.is_sampled:
        node.n = sample_outcomes(search, ply, &node.luck, node.n)
    node.i = 0
    memset(node.values, 0, sizeof(node.values))
    node.is_begun = 1
    return True


cdef void best_of_moves(Lookahead* search, int ply, int depth) noexcept nogil:
    """The values after the move that is best for the seat that decides, and that move."""
    cdef Node* node = &search.nodes[ply]
    cdef const move_t* moves = search.moves + ply * search.ops.max_moves
    cdef double values[MAX_SEATS]
    cdef Luck luck = fresh_luck(search, depth - 1)
    cdef seat_t seat = node.seat
    cdef int i
    for i in range(node.i, node.n):
        make_child(search, node, ply, moves[i])
        search_vector(search, ply + 1, depth - 1, luck, values)
        if has_left(search, node, ply):
            node.i = i
            return
        node.doubt |= search.doubt
        if node.best_move < 0 or values[seat] > node.values[seat]:
            node.best_move = moves[i]
            memcpy(node.values, values, search.ops.seats * sizeof(double))
            line_update(search, ply, node.n_forced, moves[i])


cdef void mean_of_outcomes(Lookahead* search, int ply, int depth) noexcept nogil:
    """The mean values over the outcomes listed at a ply, or over a sample of them."""
    cdef Node* node = &search.nodes[ply]
    cdef double values[MAX_SEATS]
    cdef int seat, at, room
    while node.i < node.n:
        at = ply * search.ops.max_moves + node.i
        room = search.counts[at] if node.is_sampled else node.room
        make_child(search, node, ply, search.moves[at])
        search_vector(search, ply + 1, depth, luck_after(&node.luck, node.i, room), values)
        if has_left(search, node, ply):
            return
        node.doubt |= search.doubt
        for seat in range(search.ops.seats):
            node.values[seat] += search.scores[at] * values[seat]
        node.i += 1
