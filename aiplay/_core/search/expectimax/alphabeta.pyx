"""Expectimax for one value: alpha-beta at decisions, Star1 and Star2 (Ballard 1983) at chance nodes.

All values are the hero's, 0 .. 1. Seats that want what the hero wants maximise, the others minimise. Results are
fail-soft: outside the window they are bounds, as tight as the search happened to find.
"""

from libc.stdint cimport uint64_t

from aiplay._core.contract cimport GameOps, state_copy, state_drop
from aiplay._core.search.expectimax.lookahead cimport (
    PRUNE_NONE, PRUNE_STAR1, PRUNE_STAR2, Lookahead, Luck, enter_node, fresh_luck, leaf_value, line_append,
    line_update, luck_after, next_move, note_good_move, play_free_moves, position_key, sample_outcomes, score_moves,
)
from aiplay._core.search.common.states cimport states_at
from aiplay._core.search.expectimax.cache cimport DOUBT_SAMPLE, Entry, holds_for, table_find, table_store
from aiplay._core.typedefs cimport CHANCE, TERMINAL, move_t, seat_t


ctypedef struct Window:
    double alpha            # what the hero can have anyway
    double beta             # what the others can hold the hero to anyway


ctypedef struct Outcomes:
    int ply                 # where the chance node is
    int depth
    const Luck* luck
    int room                # samples left after each outcome, unless it was itself sampled
    int is_sampled
    int n                   # outcomes
    double low              # the value of the node is at least this
    double high             # and at most that
    int doubt               # DOUBT_*: what the bounds rely on


cdef double search_value(
    Lookahead* search, int ply, int depth, Luck luck, double alpha, double beta
) noexcept nogil:
    cdef int n, n_forced, doubt = 0
    cdef double value
    cdef seat_t seat
    n = play_free_moves(search, ply, depth, &luck, &seat, &doubt)
    n_forced = search.line_lengths[ply]
    if search.is_aborted:
        return 0.0
    if n == 0:
        value = leaf_value(search, ply, seat)
    elif seat == CHANCE:
        value = search_chance(search, ply, depth, &luck, n, alpha, beta)
    else:
        value = search_decision(search, ply, depth, seat, n, alpha, beta)
    if doubt:
        search.doubt |= doubt
        search.line_lengths[ply] = n_forced             # the line ends where luck begins
    return value


# ---- Decisions -----------------------------------------------------------------------------------------------------

cdef inline bint use_entry(
    Lookahead* search, const Entry* entry, int depth, Window* window, double* value
) noexcept nogil:
    """Whether the table settles the value; if not, it may narrow the window."""
    if not holds_for(entry.depth, entry.doubt, depth):
        return False
    search.doubt = entry.doubt
    if entry.low >= window.beta or entry.low >= entry.high:
        value[0] = entry.low
        return True
    if entry.high <= window.alpha:
        value[0] = entry.high
        return True
    window.alpha = max(window.alpha, entry.low)
    window.beta = min(window.beta, entry.high)
    return False


cdef inline void keep_value(
    Lookahead* search, uint64_t key, int depth, const Window* window, double value, move_t move
) noexcept nogil:
    """Store what a search with this window has found out."""
    if value <= window.alpha:
        table_store(&search.table, key, depth, 0.0, value, move, search.doubt)
    elif value >= window.beta:
        table_store(&search.table, key, depth, value, 1.0, move, search.doubt)
    else:
        table_store(&search.table, key, depth, value, value, move, search.doubt)


cdef double search_decision(
    Lookahead* search, int ply, int depth, seat_t seat, int n, double alpha, double beta
) noexcept nogil:
    """The best of n >= 2 moves, for the seat to move."""
    cdef Window window
    cdef Entry* entry = NULL
    cdef uint64_t key = 0
    cdef move_t move = -1
    cdef double value
    cdef int earlier = 0
    window.alpha, window.beta = alpha, beta
    if search.table.entries != NULL:
        key = position_key(search, states_at(&search.states, ply), depth, NULL)
        entry = table_find(&search.table, key, depth)
    if entry != NULL:
        move = entry.move
        if use_entry(search, entry, depth, &window, &value):
            if move >= 0:
                line_append(search, ply, move)
            return value
        earlier = entry.doubt
    score_moves(search, ply, depth, seat, n, move)
    value = best_of_moves(search, ply, depth, seat, n, &window, &move)
    if search.is_aborted:
        return 0.0
    if window.alpha > alpha and value <= window.alpha:
        value = window.alpha            # the table knew that it is at least this
        search.doubt |= earlier
    elif window.beta < beta and value >= window.beta:
        value = window.beta
        search.doubt |= earlier
    if key != 0:
        keep_value(search, key, depth, &window, value, move)
    return value


cdef double best_of_moves(
    Lookahead* search, int ply, int depth, seat_t seat, int n, const Window* window, move_t* best_move
) noexcept nogil:
    """Try the moves at a ply in order. Values are turned by `sign`, so that the seat to move always wants more."""
    cdef const GameOps* ops = search.ops
    cdef void* s = states_at(&search.states, ply)
    cdef void* child = states_at(&search.states, ply + 1)
    cdef bint is_max = search.maximises[seat]
    cdef double sign = 1.0 if is_max else -1.0
    cdef double most = 1.0 if is_max else 0.0           # nothing can be better
    cdef double alpha = window.alpha if is_max else -window.beta
    cdef double beta = window.beta if is_max else -window.alpha
    cdef double value, best = -2.0
    cdef int i, doubt = 0, n_forced = search.line_lengths[ply]
    cdef Luck luck = fresh_luck(search, depth - 1)
    cdef move_t move
    for i in range(n):
        move = next_move(search, ply, i, n)
        state_copy(ops, child, s)
        ops.play(ops.rules, child, move)
        value = sign * search_value(
            search, ply + 1, depth - 1, luck, alpha if is_max else -beta, beta if is_max else -alpha
        )
        state_drop(ops, child)
        if search.is_aborted:
            return 0.0
        doubt |= search.doubt
        if value <= best:
            continue
        best = value
        best_move[0] = move
        if value > alpha:
            line_update(search, ply, n_forced, move)
            if search.pruning != PRUNE_NONE:
                alpha = value
        if search.pruning != PRUNE_NONE and (value >= beta or value >= most):
            doubt = search.doubt        # the other moves do not matter
            break
    if search.is_ordered:
        note_good_move(search, ply, depth, seat, best_move[0])
    search.doubt = doubt
    return sign * best


# ---- Chance --------------------------------------------------------------------------------------------------------

cdef double search_chance(
    Lookahead* search, int ply, int depth, const Luck* luck, int n, double alpha, double beta
) noexcept nogil:
    """The mean over the n >= 2 outcomes listed at a ply, or over a sample of them."""
    cdef Window window
    cdef Outcomes node
    cdef Entry* entry = NULL
    cdef uint64_t key = 0
    cdef double value
    window.alpha, window.beta = alpha, beta
    if search.table.entries != NULL:
        key = position_key(search, states_at(&search.states, ply), depth, luck)
        entry = table_find(&search.table, key, depth)
    if entry != NULL and use_entry(search, entry, depth, &window, &value):
        return value
    window.alpha, window.beta = alpha, beta             # Star1 narrows by itself
    node.ply, node.depth, node.luck = ply, depth, luck
    node.is_sampled = 0 < luck.room < n
    node.doubt = DOUBT_SAMPLE if node.is_sampled else 0
    node.n = sample_outcomes(search, ply, luck, n) if node.is_sampled else n
    node.room = max(1, luck.room // n) if luck.room > 0 else 0
    value = mean_of_outcomes(search, &node, &window)
    if search.is_aborted:
        return 0.0
    search.doubt = node.doubt
    if key != 0:
        keep_value(search, key, depth, &window, value, -1)
    return value


cdef double mean_of_outcomes(Lookahead* search, Outcomes* node, const Window* window) noexcept nogil:
    """Search the outcomes one after the other, as long as the window leaves the mean undecided."""
    cdef const double* p = search.scores + node.ply * search.ops.max_moves
    cdef double* low = search.low + node.ply * search.ops.max_moves
    cdef double* high = search.high + node.ply * search.ops.max_moves
    cdef double mean = 0.0
    cdef int i
    node.low, node.high = 0.0, 0.0
    for i in range(node.n):
        low[i], high[i] = 0.0, 1.0
        node.high += p[i]
    if search.pruning >= PRUNE_STAR2 and node.depth > 0:
        probe_outcomes(search, node, window)
    for i in range(node.n):
        if search.is_aborted:
            return 0.0
        if search.pruning >= PRUNE_STAR1:
            if node.low >= window.beta:
                return node.low
            if node.high <= window.alpha:
                return node.high
        if low[i] < high[i]:
            if not search_outcome(search, node, i, window):
                return node.low if node.low >= window.beta else node.high
    for i in range(node.n):
        mean += p[i] * low[i]
    return mean


cdef inline void narrow(Lookahead* search, Outcomes* node, int i, double low, double high) noexcept nogil:
    """Note better bounds of outcome i."""
    cdef int at = node.ply * search.ops.max_moves + i
    cdef double p = search.scores[at]
    node.low += p * (low - search.low[at])
    node.high += p * (high - search.high[at])
    search.low[at] = low
    search.high[at] = high


cdef bint search_outcome(Lookahead* search, Outcomes* node, int i, const Window* window) noexcept nogil:
    """Find the value of outcome i; False when the mean is decided, with the bound of it in `node`.

    The window of the outcome follows from what the others can contribute at most and at least (Star1).
    """
    cdef const GameOps* ops = search.ops
    cdef void* child = states_at(&search.states, node.ply + 1)
    cdef int at = node.ply * ops.max_moves + i
    cdef double p = search.scores[at], low = search.low[at], high = search.high[at]
    cdef double alpha = -1.0, beta = 2.0, value
    cdef int room
    if search.pruning >= PRUNE_STAR1:
        alpha = (window.alpha - (node.high - p * high)) / p
        beta = (window.beta - (node.low - p * low)) / p
    state_copy(ops, child, states_at(&search.states, node.ply))
    ops.play(ops.rules, child, search.moves[at])
    room = search.counts[at] if node.is_sampled else node.room
    value = search_value(
        search, node.ply + 1, node.depth, luck_after(node.luck, i, room), max(alpha, low), min(beta, high)
    )
    state_drop(ops, child)
    node.doubt |= search.doubt
    if search.is_aborted:
        return True
    if value <= alpha:
        narrow(search, node, i, low, min(value, high))
        node.high = min(node.high, window.alpha)        # but for rounding it is
        return False
    if value >= beta:
        narrow(search, node, i, max(value, low), high)
        node.low = max(node.low, window.beta)
        return False
    value = min(max(value, low), high)
    narrow(search, node, i, value, value)
    return True


# ---- Probing (Star2) -----------------------------------------------------------------------------------------------

cdef void probe_outcomes(Lookahead* search, Outcomes* node, const Window* window) noexcept nogil:
    """Bound the outcomes by one move each, until the bounds decide the mean or all are probed.

    One move of a maximising seat gives a lower bound, one of a minimising seat an upper one.
    """
    cdef const GameOps* ops = search.ops
    cdef void* child = states_at(&search.states, node.ply + 1)
    cdef seat_t seat
    cdef double value
    cdef int i
    for i in range(node.n):
        if search.is_aborted or node.low >= window.beta or node.high <= window.alpha:
            return
        state_copy(ops, child, states_at(&search.states, node.ply))
        ops.play(ops.rules, child, search.moves[node.ply * ops.max_moves + i])
        seat = ops.to_move(ops.rules, child)
        if seat == TERMINAL:
            value = leaf_value(search, node.ply + 1, seat)
            narrow(search, node, i, value, value)
        elif seat >= 0 and (window.beta < node.high if search.maximises[seat] else window.alpha > node.low):
            probe_decision(search, node, i, seat, window)
        state_drop(ops, child)


cdef void probe_decision(
    Lookahead* search, Outcomes* node, int i, seat_t seat, const Window* window
) noexcept nogil:
    """Bound outcome i, a decision of `seat`, by the table or by its most promising move."""
    cdef const GameOps* ops = search.ops
    cdef int ply = node.ply + 1
    cdef void* s = states_at(&search.states, ply)
    cdef void* child = states_at(&search.states, ply + 1)
    cdef int at = node.ply * ops.max_moves + i
    cdef double p = search.scores[at], low = search.low[at], high = search.high[at]
    cdef Luck luck = fresh_luck(search, node.depth - 1)
    cdef Entry* entry = NULL
    cdef move_t move = -1
    cdef double alpha, beta, value
    cdef int n
    if search.table.entries != NULL:
        entry = table_find(&search.table, position_key(search, s, node.depth, NULL), node.depth)
    if entry != NULL:
        move = entry.move
        if holds_for(entry.depth, entry.doubt, node.depth):
            node.doubt |= entry.doubt
            narrow(search, node, i, max(low, entry.low), min(high, entry.high))
            return
    if not enter_node(search):
        return
    n = ops.legal_moves(ops.rules, s, search.moves + ply * ops.max_moves)
    if n < 2:
        return
    score_moves(search, ply, node.depth, seat, n, move)
    move = next_move(search, ply, 0, n)
    alpha = max(low, (window.alpha - (node.high - p * high)) / p)
    beta = min(high, (window.beta - (node.low - p * low)) / p)
    state_copy(ops, child, s)
    ops.play(ops.rules, child, move)
    if search.maximises[seat]:
        value = search_value(search, ply + 1, node.depth - 1, luck, low, beta)
        if not search.is_aborted and value > low:
            node.doubt |= search.doubt
            narrow(search, node, i, min(value, high), high)
    else:
        value = search_value(search, ply + 1, node.depth - 1, luck, alpha, high)
        if not search.is_aborted and value < high:
            node.doubt |= search.doubt
            narrow(search, node, i, low, max(value, low))
    state_drop(ops, child)
