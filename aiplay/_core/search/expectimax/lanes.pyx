"""The root moves of one iteration of expectimax, divided over lanes that threads can search side by side.

Every lane has memory, history and cache of its own, and always the same moves: its results do not depend on time or on
the other lanes. As neither cache nor pruning changes a value, the values do not depend on the number of lanes, either.
If only the best move matters, the first move is searched before the others, which have to beat it.
"""

from libc.math cimport INFINITY
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from aiplay._core.contract cimport GameOps, state_copy, state_drop
from aiplay._core.search.common.states cimport states_at
from aiplay._core.search.expectimax.alphabeta cimport search_value
from aiplay._core.search.expectimax.cache cimport cache_reserve
from aiplay._core.search.expectimax.lookahead cimport Lookahead, fresh_luck, lookahead_free, lookahead_reserve
from aiplay._core.search.expectimax.maxn cimport search_vector
from aiplay._core.search.expectimax.worlds cimport Worlds, search_move, worlds_free, worlds_reserve


# ---- Memory --------------------------------------------------------------------------------------------------------

cdef void never_pause(Lookahead* search) noexcept nogil:
    """Go on: signals and progress are left to the first lane."""
    search.clock.pause = INFINITY


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
    lane.search.pause = never_pause
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

cdef void try_move(Lane* lane, const Task* task, Found* found, double* values, double alpha) noexcept nogil:
    """Search a root move in all worlds, and note its values."""
    cdef Lookahead* search = lane.search
    cdef const GameOps* ops = search.ops
    cdef void* child = states_at(&search.states, 1)
    cdef size_t n_bytes = <size_t>task.n_worlds * task.n_values * sizeof(double)
    if lane.together != NULL:
        search_move(lane.together, 0, found.move, task.depth - 1)
        if not search.is_aborted:
            memcpy(values, lane.together.levels[1].values, n_bytes)
    else:
        state_copy(ops, child, task.root)
        ops.play(ops.rules, child, found.move)
        if task.is_vector:
            search_vector(search, 1, task.depth - 1, fresh_luck(search, task.depth - 1), values)
        else:
            values[0] = search_value(search, 1, task.depth - 1, fresh_luck(search, task.depth - 1), alpha, 2.0)
        state_drop(ops, child)
    if search.is_aborted:
        return
    found.is_done = 1
    found.doubt = search.doubt
    found.n_line = -1
    if lane.together != NULL or task.is_vector or values[0] > alpha:
        found.n_line = search.line_lengths[1]
        memcpy(found.line, search.lines + LINE, sizeof(found.line))


cdef void search_lane(Lane* lane, const Task* task, int number) noexcept nogil:
    cdef double alpha = task.alpha
    cdef double* values
    cdef int i = task.first + number
    while i < task.n_moves:
        values = task.values + <size_t>i * task.n_worlds * task.n_values
        try_move(lane, task, &task.found[i], values, alpha)
        if lane.search.is_aborted:
            return
        if task.is_pruned:
            alpha = max(alpha, values[0])
        i += task.n_lanes


cdef void search_first(Lane* lane, Task* task) noexcept nogil:
    try_move(lane, task, &task.found[0], task.values, task.alpha)
    task.alpha = max(task.alpha, task.values[0])
    task.first = 1
