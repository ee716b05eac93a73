"""Expectimax for one value: alpha-beta at decisions, Star1 and Star2 at chance nodes.

    alpha-beta      Knuth and Moore 1975; fail-soft (outside the window a result is a bound, as tight as the search
                    happened to find) as in Fishburn 1983
    Star1, Star2    Ballard 1983
    order of moves  the move of the cache, killer moves (Slate and Atkin 1977), the history heuristic (Schaeffer 1983)
    paranoid        all other seats against the hero: Sturtevant and Korf 2000

All values are the hero's, 0 .. 1. Seats that want what the hero wants maximise, the others minimise.
"""

from libc.stdint cimport uint32_t, uint64_t

from aiplay._core.contract cimport GameOps, state_copy, state_drop
from aiplay._core.rng cimport mix64
from aiplay._core.search.common.states cimport states_at
from aiplay._core.search.expectimax.cache cimport (
    DOUBT_SAMPLE, BoundsEntry, cache_find, cache_slot, entry_sign, holds_for,
)
from aiplay._core.search.expectimax.lookahead cimport (
    GOAL_LEAD, HISTORY, Lookahead, Luck, Node, Window, enter_node, fresh_luck, has_left, has_to_leave, leaf_values,
    line_append, line_update, luck_after, make_child, open_node, position_key, sample_outcomes,
)
from aiplay._core.search.expectimax.params cimport PRUNE_NONE, PRUNE_STAR1, PRUNE_STAR2
from aiplay._core.typedefs cimport CHANCE, MAX_SEATS, TERMINAL, move_t, seat_t


# ---- Values --------------------------------------------------------------------------------------------------------

cdef inline double hero_value(const Lookahead* search, const double* values) noexcept nogil:
    """The values of all seats as the one number that is maximised, kept within 0 .. 1."""
    cdef double value = values[search.hero]
    if search.goal == GOAL_LEAD:
        value = 0.5 * (value + 1.0 - values[1 - search.hero])
    if not value > 0.0:
        return 0.0
    return value if value < 1.0 else 1.0


cdef inline double leaf_value(Lookahead* search, int ply, seat_t seat) noexcept nogil:
    """The value of the position at a ply for the hero, without search."""
    cdef double values[MAX_SEATS]
    leaf_values(search, ply, seat, values)
    return hero_value(search, values)


cdef double search_value(
    Lookahead* search, int ply, int depth, Luck luck, double alpha, double beta
) noexcept nogil:
    cdef Node* node = &search.nodes[ply]
    cdef int n, doubt = 0
    cdef double value
    cdef seat_t seat
    if node.is_begun:                   # called from two places, it is no part of this function: leaves are faster
        return search_node(search, ply, depth, alpha, beta)
    if has_to_leave(search):
        return 0.0
    n = open_node(search, ply, depth, &luck, &seat, &doubt)
    if search.is_aborted:
        return 0.0
    if n == 0:
        value = leaf_value(search, ply, seat)
        search.doubt |= doubt
        return value
    node.seat, node.n, node.luck, node.earlier = seat, n, luck, doubt
    node.n_forced = search.line_lengths[ply]
    return search_node(search, ply, depth, alpha, beta)


cdef double search_node(Lookahead* search, int ply, int depth, double alpha, double beta) noexcept nogil:
    """The value of a node with at least two moves or outcomes."""
    cdef Node* node = &search.nodes[ply]
    cdef double value
    if node.seat == CHANCE:
        value = search_chance(search, ply, depth, alpha, beta)
    else:
        value = search_decision(search, ply, depth, alpha, beta)
    if node.earlier and not search.is_paused:
        search.doubt |= node.earlier
        search.line_lengths[ply] = node.n_forced        # the line ends at the first sample
    return value


# ---- Decisions -----------------------------------------------------------------------------------------------------

cdef inline bint use_entry(
    Lookahead* search, const BoundsEntry* entry, int depth, Window* window, double* value
) noexcept nogil:
    """True if the cache settles the value; if not, it may narrow the window."""
    if not holds_for(&entry.head, depth):
        return False
    search.doubt = entry.head.doubt
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
    """Store the result of a search with this window; bounds already known for the same depth are tightened."""
    cdef BoundsEntry* entry = <BoundsEntry*>cache_slot(&search.cache, key, depth)
    cdef double low = value, high = value
    cdef int doubt = search.doubt
    if value <= window.alpha:
        low = 0.0
    elif value >= window.beta:
        high = 1.0
    if entry.head.key == key and entry.head.depth == depth:
        if entry.low > low:
            low = entry.low
            doubt |= entry.head.doubt
        if entry.high < high:
            high = entry.high
            doubt |= entry.head.doubt
        if move < 0:
            move = entry.head.move
    entry_sign(&entry.head, &search.cache, key, depth, move, doubt)
    entry.low = low
    entry.high = high


cdef double search_decision(Lookahead* search, int ply, int depth, double alpha, double beta) noexcept nogil:
    """The best of at least two moves, for the seat to move."""
    cdef Node* node = &search.nodes[ply]
    cdef const Window* window = &node.window
    cdef double value
    if not node.is_begun and not begin_decision(search, ply, depth, alpha, beta, &value):
        return value
    value = best_of_moves(search, ply, depth)
    if search.is_paused:
        return 0.0
    node.is_begun = 0
    if search.is_aborted:
        return 0.0
    if window.alpha > alpha and value <= window.alpha:
        value = window.alpha            # the cache knew that it is at least this
        search.doubt |= node.cached
    elif window.beta < beta and value >= window.beta:
        value = window.beta
        search.doubt |= node.cached
    if node.key != 0:
        keep_value(search, node.key, depth, window, value, node.best_move)
    return value


cdef inline bint begin_decision(
    Lookahead* search, int ply, int depth, double alpha, double beta, double* value
) noexcept nogil:
    """Prepare the search of the moves at a ply; False if the cache has the value."""
    cdef Node* node = &search.nodes[ply]
    cdef BoundsEntry* entry = NULL
    cdef move_t move = -1
    node.window.alpha, node.window.beta = alpha, beta
    node.key, node.cached = 0, 0
    if search.cache.pairs != NULL:
        node.key = position_key(search, states_at(&search.states, ply), depth, NULL)
        entry = <BoundsEntry*>cache_find(&search.cache, node.key, depth)
    if entry != NULL:
        move = entry.head.move
        if use_entry(search, entry, depth, &node.window, value):
            if move >= 0:
                line_append(search, ply, move)
            return False
        node.cached = entry.head.doubt
    score_moves(search, ply, node.seat, node.n, move)
    node.i, node.doubt, node.best, node.best_move = 0, 0, -2.0, -1
    node.alpha = node.window.alpha if search.maximises[node.seat] else -node.window.beta
    node.is_begun = 1
    return True


cdef double best_of_moves(Lookahead* search, int ply, int depth) noexcept nogil:
    """Try the moves at a ply in order; values are multiplied by `sign`, so that the seat to move always wants more."""
    cdef Node* node = &search.nodes[ply]
    cdef bint is_max = search.maximises[node.seat]
    cdef double sign = 1.0 if is_max else -1.0
    cdef double most = 1.0 if is_max else 0.0           # nothing can be better
    cdef double alpha = node.alpha, beta = node.window.beta if is_max else -node.window.alpha
    cdef double value, best = node.best
    cdef Luck luck = fresh_luck(search, depth - 1)
    cdef int i, n = node.n, doubt = node.doubt
    cdef move_t move
    for i in range(node.i, n):
        move = next_move(search, ply, i, n)
        make_child(search, node, ply, move)
        value = sign * search_value(
            search, ply + 1, depth - 1, luck, alpha if is_max else -beta, beta if is_max else -alpha
        )
        if has_left(search, node, ply):
            node.i, node.alpha, node.best, node.doubt = i, alpha, best, doubt
            return 0.0
        doubt |= search.doubt
        if value <= best:
            continue
        best = value
        node.best_move = move
        if value > alpha:
            line_update(search, ply, node.n_forced, move)
            if search.params.pruning != PRUNE_NONE:
                alpha = value
        if search.params.pruning != PRUNE_NONE and (value >= beta or value >= most):
            doubt = search.doubt        # the other moves do not matter
            break
    if search.params.is_ordered:
        note_good_move(search, ply, depth, node.seat, node.best_move)
    search.doubt = doubt
    return sign * best


# ---- The order of moves --------------------------------------------------------------------------------------------

cdef inline uint32_t* history_of(Lookahead* search, seat_t seat, move_t move) noexcept nogil:
    return &search.history[mix64((<uint64_t>move << 4) + <uint64_t>seat) & (HISTORY - 1)]


cdef inline void note_good_move(Lookahead* search, int ply, int depth, seat_t seat, move_t move) noexcept nogil:
    """Note a move that was best or refuted the position, for the order of moves in similar positions."""
    cdef move_t* killers = search.killers + 2 * ply
    cdef uint32_t* count = history_of(search, seat, move)
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move
    count[0] += <uint32_t>(depth * depth)
    if count[0] > 1 << 30:
        count[0] >>= 1


cdef inline void score_moves(Lookahead* search, int ply, seat_t seat, int n, move_t cached) noexcept nogil:
    """Score the n moves at a ply: the move of the cache first, then killers, then by history."""
    cdef move_t* moves = search.moves + ply * search.ops.max_moves
    cdef double* scores = search.scores + ply * search.ops.max_moves
    cdef const move_t* killers = search.killers + 2 * ply
    cdef int i
    for i in range(n):
        if not search.params.is_ordered:
            scores[i] = 0.0
        elif moves[i] == cached:
            scores[i] = 4e9
        elif moves[i] == killers[0] or moves[i] == killers[1]:
            scores[i] = 3e9
        else:
            scores[i] = history_of(search, seat, moves[i])[0]


cdef inline move_t next_move(Lookahead* search, int ply, int i, int n) noexcept nogil:
    """Bring the most promising of the moves i to n - 1 to place i, and return it."""
    cdef move_t* moves = search.moves + ply * search.ops.max_moves
    cdef double* scores = search.scores + ply * search.ops.max_moves
    cdef int j, best = i
    cdef move_t move
    cdef double score
    for j in range(i + 1, n):
        if scores[j] > scores[best]:
            best = j
    move, score = moves[best], scores[best]
    # Shift, not swap: equally promising moves keep their order.
    for j in range(best, i, -1):
        moves[j], scores[j] = moves[j - 1], scores[j - 1]
    moves[i], scores[i] = move, score
    return move


# ---- Chance --------------------------------------------------------------------------------------------------------

cdef double search_chance(Lookahead* search, int ply, int depth, double alpha, double beta) noexcept nogil:
    """The mean over at least two outcomes listed at a ply, or over a sample of them."""
    cdef Node* node = &search.nodes[ply]
    cdef double value
    if not node.is_begun and not begin_chance(search, ply, depth, alpha, beta, &value):
        return value
    value = mean_of_outcomes(search, node, ply, depth)
    if search.is_paused:
        return 0.0
    node.is_begun = 0
    if search.is_aborted:
        return 0.0
    search.doubt = node.doubt
    if node.key != 0:
        keep_value(search, node.key, depth, &node.window, value, -1)
    return value


cdef bint begin_chance(
    Lookahead* search, int ply, int depth, double alpha, double beta, double* value
) noexcept nogil:
    """Prepare the search of the outcomes at a ply; False if the cache has the value."""
    cdef Node* node = &search.nodes[ply]
    cdef BoundsEntry* entry = NULL
    cdef int i, at = ply * search.ops.max_moves
    node.window.alpha, node.window.beta = alpha, beta
    node.key = 0
    if search.cache.pairs != NULL:
        node.key = position_key(search, states_at(&search.states, ply), depth, &node.luck)
        entry = <BoundsEntry*>cache_find(&search.cache, node.key, depth)
    if entry != NULL and use_entry(search, entry, depth, &node.window, value):
        return False
    node.window.alpha, node.window.beta = alpha, beta   # Star1 makes its own bounds
    node.room = max(1, node.luck.room // node.n) if node.luck.room > 0 else 0
    node.is_sampled = 0 < node.luck.room < node.n
    node.doubt = DOUBT_SAMPLE if node.is_sampled else 0
    if node.is_sampled:
        node.n = sample_outcomes(search, ply, &node.luck, node.n)
    node.i, node.low, node.high = 0, 0.0, 0.0
    for i in range(node.n):
        search.low[at + i], search.high[at + i] = 0.0, 1.0
        node.high += search.scores[at + i]
    node.is_probing = search.params.pruning >= PRUNE_STAR2 and depth > 0
    node.is_begun = 1
    return True


cdef double mean_of_outcomes(Lookahead* search, Node* node, int ply, int depth) noexcept nogil:
    """Search the outcomes one after the other until the bounds decide the mean."""
    cdef const Window* window = &node.window
    cdef const double* p = search.scores + ply * search.ops.max_moves
    cdef const double* low = search.low + ply * search.ops.max_moves
    cdef const double* high = search.high + ply * search.ops.max_moves
    cdef double mean = 0.0
    cdef bint is_open
    cdef int i
    if node.is_probing:
        probe_outcomes(search, node, ply, depth)
        if search.is_paused or search.is_aborted:
            return 0.0
        node.is_probing, node.i = 0, 0
    while node.i < node.n:
        if search.params.pruning >= PRUNE_STAR1:
            if node.low >= window.beta:
                return node.low
            if node.high <= window.alpha:
                return node.high
        if low[node.i] < high[node.i]:
            is_open = search_outcome(search, node, ply, depth)
            if search.is_paused or search.is_aborted:
                return 0.0
            if not is_open:
                return node.low if node.low >= window.beta else node.high
        node.i += 1
    for i in range(node.n):
        mean += p[i] * low[i]
    return mean


cdef inline void narrow(Lookahead* search, Node* node, int ply, double low, double high) noexcept nogil:
    """Set tighter bounds of the outcome that is searched."""
    cdef int at = ply * search.ops.max_moves + node.i
    cdef double p = search.scores[at]
    node.low += p * (low - search.low[at])
    node.high += p * (high - search.high[at])
    search.low[at] = low
    search.high[at] = high


cdef bint search_outcome(Lookahead* search, Node* node, int ply, int depth) noexcept nogil:
    """Find the value of an outcome; False if the mean is decided, with its bound in `node`.

    The window of the outcome follows from the bounds of the others (Star1).
    """
    cdef const Window* window = &node.window
    cdef int at = ply * search.ops.max_moves + node.i
    cdef double p = search.scores[at], low = search.low[at], high = search.high[at]
    cdef double alpha = -1.0, beta = 2.0, value
    cdef int room = search.counts[at] if node.is_sampled else node.room
    if search.params.pruning >= PRUNE_STAR1:
        alpha = (window.alpha - (node.high - p * high)) / p
        beta = (window.beta - (node.low - p * low)) / p
    make_child(search, node, ply, search.moves[at])
    value = search_value(
        search, ply + 1, depth, luck_after(&node.luck, node.i, room), max(alpha, low), min(beta, high)
    )
    if has_left(search, node, ply):
        return True
    node.doubt |= search.doubt
    if value <= alpha:
        narrow(search, node, ply, low, min(value, high))
        node.high = min(node.high, window.alpha)        # true but for rounding
        return False
    if value >= beta:
        narrow(search, node, ply, max(value, low), high)
        node.low = max(node.low, window.beta)
        return False
    value = min(max(value, low), high)
    narrow(search, node, ply, value, value)
    return True


# ---- Probing (Star2) -----------------------------------------------------------------------------------------------

cdef void probe_outcomes(Lookahead* search, Node* node, int ply, int depth) noexcept nogil:
    """Bound the outcomes by one move each until the bounds decide the mean.

    One move of a maximising seat gives a lower bound, one of a minimising seat an upper one.
    """
    cdef const GameOps* ops = search.ops
    cdef const Window* window = &node.window
    cdef void* child = states_at(&search.states, ply + 1)
    cdef seat_t seat
    cdef double value
    while node.i < node.n:
        if not node.is_waiting:
            if search.is_aborted or node.low >= window.beta or node.high <= window.alpha:
                return
            state_copy(ops, child, states_at(&search.states, ply))
            ops.play(ops.rules, child, search.moves[ply * ops.max_moves + node.i])
        seat = ops.to_move(ops.rules, child)
        if seat == TERMINAL:
            value = leaf_value(search, ply + 1, seat)
            narrow(search, node, ply, value, value)
        elif seat >= 0 and (window.beta < node.high if search.maximises[seat] else window.alpha > node.low):
            probe_decision(search, node, ply, depth, seat)
            if search.is_paused:
                return
        state_drop(ops, child)
        node.i += 1


cdef void probe_decision(Lookahead* search, Node* node, int ply, int depth, seat_t seat) noexcept nogil:
    """Bound an outcome that is a decision of `seat` by the cache or by its most promising move."""
    cdef const Window* window = &node.window
    cdef int at = ply * search.ops.max_moves + node.i
    cdef double p = search.scores[at], low = search.low[at], high = search.high[at]
    cdef Luck luck = fresh_luck(search, depth - 1)
    cdef double alpha, beta, value
    if not node.is_waiting and not begin_probe(search, node, ply, depth, seat):
        return
    node.is_waiting = 0
    alpha = max(low, (window.alpha - (node.high - p * high)) / p)
    beta = min(high, (window.beta - (node.low - p * low)) / p)
    if search.maximises[seat]:
        value = search_value(search, ply + 2, depth - 1, luck, low, beta)
    else:
        value = search_value(search, ply + 2, depth - 1, luck, alpha, high)
    if has_left(search, node, ply + 1):
        return
    if search.maximises[seat] and value > low:
        node.doubt |= search.doubt
        narrow(search, node, ply, min(value, high), high)
    elif not search.maximises[seat] and value < high:
        node.doubt |= search.doubt
        narrow(search, node, ply, low, max(value, low))


cdef bint begin_probe(Lookahead* search, Node* node, int ply, int depth, seat_t seat) noexcept nogil:
    """Make the most promising move of a decision two plies below; False if the cache has bounds, or if it is forced."""
    cdef const GameOps* ops = search.ops
    cdef void* s = states_at(&search.states, ply + 1)
    cdef void* child = states_at(&search.states, ply + 2)
    cdef int n, at = ply * ops.max_moves + node.i
    cdef BoundsEntry* entry = NULL
    cdef move_t move = -1
    if search.cache.pairs != NULL:
        entry = <BoundsEntry*>cache_find(&search.cache, position_key(search, s, depth, NULL), depth)
    if entry != NULL:
        move = entry.head.move
        if holds_for(&entry.head, depth):
            node.doubt |= entry.head.doubt
            narrow(search, node, ply, max(search.low[at], entry.low), min(search.high[at], entry.high))
            return False
    if not enter_node(search):
        return False
    n = ops.legal_moves(ops.rules, s, search.moves + (ply + 1) * ops.max_moves)
    if n < 2:
        return False
    score_moves(search, ply + 1, seat, n, move)
    move = next_move(search, ply + 1, 0, n)
    state_copy(ops, child, s)
    ops.play(ops.rules, child, move)
    return True
