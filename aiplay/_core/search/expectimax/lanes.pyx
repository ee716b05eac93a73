"""The root moves of one iteration of expectimax, divided over lanes that threads can search side by side.

Every lane has memory, history and cache of its own, and always the same moves: its results do not depend on time or on
the other lanes. As neither cache nor pruning changes a value, the values do not depend on the number of lanes, either.
If only the best move matters, the first move is searched before the others, which have to beat it.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from aiplay._core.contract cimport GameOps, state_copy, state_drop
from aiplay._core.search.common.states cimport states_at
from aiplay._core.search.expectimax.alphabeta cimport search_value
from aiplay._core.search.expectimax.cache cimport cache_reserve
from aiplay._core.search.expectimax.lookahead cimport Lookahead, Luck, fresh_luck, lookahead_free, lookahead_reserve
from aiplay._core.search.expectimax.maxn cimport search_vector
from aiplay._core.search.expectimax.worlds cimport Worlds, search_move, worlds_free, worlds_reserve


# ---- Memory --------------------------------------------------------------------------------------------------------

cdef int lane_reserve(Lane* lane, const Lookahead* search, const Worlds* together, size_t cache) noexcept nogil:
    lane.search = <Lookahead*>calloc(1, sizeof(Lookahead))
    if lane.search == NULL:
        return -1
    lane.search.ops = search.ops
    lane.search.judge = search.judge
    lane.search.params = search.params
    lane.search.hero = search.hero
    lane.search.goal = search.goal
    memcpy(lane.search.maximises, search.maximises, sizeof(search.maximises))
    lane.search.seed = search.seed
    lane.search.playout_seed = search.playout_seed
    if lookahead_reserve(lane.search) < 0 or cache_reserve(&lane.search.cache, cache, search.cache.entry_size) < 0:
        return -1
    if together == NULL:
        return 0
    lane.together = <Worlds*>calloc(1, sizeof(Worlds))
    if lane.together == NULL:
        return -1
    lane.together.search = lane.search
    lane.together.room = together.room
    lane.together.n_values = together.n_values
    lane.together.hero_entry = together.hero_entry
    return worlds_reserve(lane.together, together.levels[0].states)


cdef void lane_free(Lane* lane) noexcept nogil:
    if lane.together != NULL:
        worlds_free(lane.together)
    if lane.search != NULL:
        lookahead_free(lane.search)
    free(lane.together)
    free(lane.search)


# ---- Searching -----------------------------------------------------------------------------------------------------

cdef void lane_begin(Lane* lane, int first, double alpha) noexcept nogil:
    lane.i = first
    lane.alpha = alpha


cdef void search_lane(Lane* lane, const Task* task, int end) noexcept nogil:
    cdef Lookahead* search = lane.search
    cdef double* values
    while lane.i < end:
        values = task.values + <size_t>lane.i * task.n_worlds * task.n_values
        if lane.together != NULL:
            try_in_all(lane, task, values)
        else:
            try_move(lane, task, values)
        if search.is_paused or search.is_aborted:
            return
        note_move(lane, &task.found[lane.i], lane.together != NULL or task.is_vector or values[0] > lane.alpha)
        if task.is_pruned:
            lane.alpha = max(lane.alpha, values[0])
        lane.i += task.n_lanes


cdef void try_in_all(Lane* lane, const Task* task, double* values) noexcept nogil:
    """Search a root move in all worlds."""
    search_move(lane.together, 0, task.found[lane.i].move, task.depth - 1)
    if not lane.search.is_paused and not lane.search.is_aborted:
        memcpy(values, lane.together.levels[1].values, <size_t>task.n_worlds * task.n_values * sizeof(double))


cdef void try_move(Lane* lane, const Task* task, double* values) noexcept nogil:
    """Search a root move in the only world."""
    cdef Lookahead* search = lane.search
    cdef const GameOps* ops = search.ops
    cdef void* child = states_at(&search.states, 1)
    cdef Luck luck = fresh_luck(search, task.depth - 1)
    if not lane.is_waiting:
        state_copy(ops, child, task.root)
        ops.play(ops.rules, child, task.found[lane.i].move)
    if task.is_vector:
        search_vector(search, 1, task.depth - 1, luck, values)
    else:
        values[0] = search_value(search, 1, task.depth - 1, luck, lane.alpha, 2.0)
    lane.is_waiting = search.is_paused
    if not search.is_paused:
        state_drop(ops, child)


cdef void note_move(const Lane* lane, Found* found, bint has_line) noexcept nogil:
    """Note that a root move has been searched."""
    cdef const Lookahead* search = lane.search
    found.is_done = 1
    found.doubt = search.doubt
    found.n_line = -1
    if has_line:
        found.n_line = search.line_lengths[1]
        memcpy(found.line, search.lines + LINE, sizeof(found.line))
