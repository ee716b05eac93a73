"""Expectimax in several sampled worlds at once.

Searching each world for itself, a seat would seem to know which world it is in (strategy fusion: Frank and Basin 1998).
So as long as the hero goes on deciding, it makes the same moves in all worlds that look the same to it, and the mean
over them decides. After that every world is searched as an open game. If the game has a playout policy, that policy
plays on instead, from there or from where the hero sees something new: the few worlds that are left would look better
than they are.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

from aiplay._core.contract cimport GameOps, perceive_move, state_copy, state_drop
from aiplay._core.rng cimport derive_seed
from aiplay._core.search.common.states cimport StateStack, states_at, states_free, states_reserve
from aiplay._core.search.expectimax.alphabeta cimport search_value
from aiplay._core.search.expectimax.lookahead cimport Lookahead, Luck, enter_node, fresh_luck, goes_on, line_update
from aiplay._core.search.expectimax.maxn cimport search_vector
from aiplay._core.typedefs cimport move_t


# ---- Memory --------------------------------------------------------------------------------------------------------

cdef int reserve_lists(Worlds* worlds, Level* level) noexcept nogil:
    cdef size_t room = <size_t>worlds.room
    level.values = <double*>malloc(room * worlds.n_values * sizeof(double))
    level.keys = <uint64_t*>malloc(room * sizeof(uint64_t))
    level.is_grouped = <int*>malloc(room * sizeof(int))
    level.members = <int*>malloc(room * sizeof(int))
    return 0 if level.values and level.keys and level.is_grouped and level.members else -1


cdef void free_lists(Level* level) noexcept nogil:
    free(level.values)
    free(level.keys)
    free(level.is_grouped)
    free(level.members)
    level.values, level.keys, level.is_grouped, level.members = NULL, NULL, NULL, NULL


cdef int worlds_reserve(Worlds* worlds, StateStack states) noexcept nogil:
    worlds.levels[0].states = states
    return reserve_lists(worlds, &worlds.levels[0])


cdef int reserve_level(Worlds* worlds, Level* level) noexcept nogil:
    """Allocate a level below the root, once; -1 if memory runs out."""
    if level.values != NULL:
        return 0
    if states_reserve(&level.states, worlds.search.ops, worlds.room) < 0 or reserve_lists(worlds, level) < 0:
        states_free(&level.states)
        free_lists(level)
        return -1
    return 0


cdef void worlds_free(Worlds* worlds) noexcept nogil:
    cdef int ply
    for ply in range(MAX_SHARED):
        if ply > 0:
            states_free(&worlds.levels[ply].states)
        free_lists(&worlds.levels[ply])


cdef void worlds_choose(Worlds* worlds, int n) noexcept nogil:
    cdef int world
    for world in range(n):
        worlds.levels[0].members[world] = world
    worlds.levels[0].n_members = n


# ---- Decisions that worlds share -----------------------------------------------------------------------------------

cdef int shared_moves(Worlds* worlds, int ply) noexcept nogil:
    """List the hero's moves at the ply, the same in all member worlds, and return how many; 0 if it does not decide."""
    cdef const GameOps* ops = worlds.search.ops
    cdef Level* level = &worlds.levels[ply]
    cdef move_t* moves = worlds.search.moves + ply * ops.max_moves
    cdef move_t* others = moves + ops.max_moves
    cdef void* s
    cdef int i, n = 0
    for i in range(level.n_members):
        s = states_at(&level.states, level.members[i])
        if not goes_on(worlds.search) or ops.to_move(ops.rules, s) != worlds.search.hero:
            return 0
        if i == 0:
            n = ops.legal_moves(ops.rules, s, moves)
        elif ops.legal_moves(ops.rules, s, others) != n or memcmp(moves, others, n * sizeof(move_t)) != 0:
            return 0
    return n


cdef double hero_mean(const Worlds* worlds, const Level* level, const Level* after) noexcept nogil:
    """The hero's mean value over the member worlds of a level, by the values at the next one."""
    cdef double total = 0.0
    cdef int i
    for i in range(level.n_members):
        total += after.values[level.members[i] * worlds.n_values + worlds.hero_entry]
    return total / level.n_members


cdef void take_values(const Worlds* worlds, Level* level, const Level* after) noexcept nogil:
    cdef size_t n_bytes = worlds.n_values * sizeof(double)
    cdef int i, at
    for i in range(level.n_members):
        at = level.members[i] * worlds.n_values
        memcpy(level.values + at, after.values + at, n_bytes)


cdef void search_members(Worlds* worlds, int ply, int depth) noexcept nogil:
    """The values of the member worlds at a ply under the best moves for all of them together."""
    cdef Level* level = &worlds.levels[ply]
    if not level.is_begun and not begin_members(worlds, ply, depth):
        return
    if level.n_moves == 0:
        search_apart(worlds, ply, depth)
    else:
        best_for_members(worlds, ply, depth)
    level.is_begun = worlds.search.is_paused


cdef bint begin_members(Worlds* worlds, int ply, int depth) noexcept nogil:
    """List the moves that the members share at a ply; False if the search has to end."""
    cdef Lookahead* search = worlds.search
    cdef Level* level = &worlds.levels[ply]
    cdef int n = 0
    if not enter_node(search):
        return False
    if ply + 1 < min(<int>MAX_SHARED, search.n_plies - 3):
        n = shared_moves(worlds, ply)
    if n > 1 and depth <= 0:
        worlds.is_cut = 1
        n = 0
    if n > 0:
        search.line_lengths[ply] = 0
    level.n_moves, level.i, level.best, level.n_left, level.doubt = n, 0, 0.0, level.n_members, 0
    return not search.is_aborted


cdef void best_for_members(Worlds* worlds, int ply, int depth) noexcept nogil:
    """Try the moves that the members share at a ply."""
    cdef Lookahead* search = worlds.search
    cdef Level* level = &worlds.levels[ply]
    cdef const move_t* moves = search.moves + ply * search.ops.max_moves
    cdef double mean
    while level.i < level.n_moves:
        search_move(worlds, ply, moves[level.i], depth if level.n_moves == 1 else depth - 1)
        if search.is_paused or search.is_aborted:
            return
        level.doubt |= search.doubt
        mean = hero_mean(worlds, level, &worlds.levels[ply + 1])
        if level.i == 0 or mean > level.best:
            level.best = mean
            take_values(worlds, level, &worlds.levels[ply + 1])
            line_update(search, ply, 0, moves[level.i])
        level.i += 1
    search.doubt = level.doubt


# ---- A move in all worlds ------------------------------------------------------------------------------------------

cdef void search_move(Worlds* worlds, int ply, move_t move, int depth) noexcept nogil:
    cdef Lookahead* search = worlds.search
    cdef const Level* level = &worlds.levels[ply]
    cdef Level* after = &worlds.levels[ply + 1]
    cdef int i
    if after.n_made == 0 and make_worlds(worlds, level, after, move) < 0:
        search.is_aborted = 1
    if after.n_made == level.n_members:
        search_groups(worlds, level, ply + 1, depth)
    if search.is_paused:
        return
    for i in range(after.n_made):
        state_drop(search.ops, states_at(&after.states, level.members[i]))
    after.n_made, after.group = 0, 0


cdef int make_worlds(Worlds* worlds, const Level* level, Level* after, move_t move) noexcept nogil:
    """Make the states of all members after a move, unless the search has to end before; -1 if memory runs out."""
    cdef Lookahead* search = worlds.search
    cdef const GameOps* ops = search.ops
    cdef void* s
    cdef int i, world
    if reserve_level(worlds, after) < 0:
        return -1
    for i in range(level.n_members):
        if not goes_on(search):
            break
        world = level.members[i]
        s = states_at(&level.states, world)
        after.keys[world] = perceive_move(ops, s, move, search.hero)
        state_copy(ops, states_at(&after.states, world), s)
        ops.play(ops.rules, states_at(&after.states, world), move)
        after.n_made += 1
    return 0


cdef void search_groups(Worlds* worlds, const Level* before, int ply, int depth) noexcept nogil:
    """Search the worlds after a move, grouped by how it looked; the first group last, for the line."""
    cdef Lookahead* search = worlds.search
    cdef Level* level = &worlds.levels[ply]
    cdef int world
    if level.group == 0:
        split_worlds(worlds, before, level)
    if level.is_apart:
        search_apart(worlds, ply, depth)
        return
    while level.group <= before.n_members:
        world = before.members[level.group % before.n_members]
        if not level.is_begun:
            if level.group < before.n_members and level.is_grouped[world]:
                level.group += 1
                continue
            gather(before, level, level.keys[world])
        search_members(worlds, ply, depth)
        if search.is_paused or search.is_aborted:
            return
        level.doubt_before |= search.doubt
        level.group += 1
    search.doubt = level.doubt_before


cdef void split_worlds(const Worlds* worlds, const Level* before, Level* level) noexcept nogil:
    """Find the first group; worlds that look different are not searched in groups if the policy plays on."""
    cdef int i
    for i in range(before.n_members):
        level.is_grouped[before.members[i]] = 0
    gather(before, level, level.keys[before.members[0]])
    level.group, level.is_begun, level.doubt_before = 1, 0, 0
    level.is_apart = level.n_members < before.n_members and worlds.search.params.playout_depth > 0
    if level.is_apart:
        memcpy(level.members, before.members, before.n_members * sizeof(int))
        level.n_members = before.n_members
        level.n_left, level.doubt = before.n_members, 0


cdef void gather(const Level* before, Level* level, uint64_t key) noexcept nogil:
    """Make the worlds members in which the hero perceived this key."""
    cdef int i, world
    level.n_members = 0
    for i in range(before.n_members):
        world = before.members[i]
        if level.keys[world] == key:
            level.is_grouped[world] = 1
            level.members[level.n_members] = world
            level.n_members += 1


# ---- Worlds on their own -------------------------------------------------------------------------------------------

cdef void search_apart(Worlds* worlds, int ply, int depth) noexcept nogil:
    """Search every member on its own, the first one last: the best line is that of the first."""
    cdef Lookahead* search = worlds.search
    cdef Level* level = &worlds.levels[ply]
    cdef void* s = states_at(&search.states, ply)
    cdef Luck luck = fresh_luck(search, depth)
    cdef double* values
    cdef int world
    if search.params.playout_depth > 0:     # the policy plays on, in every iteration from the same place
        depth = 0
        luck = fresh_luck(search, search.horizon)
    while level.n_left > 0:
        world = level.members[level.n_left - 1]
        values = level.values + world * worlds.n_values
        search.playout_seed = derive_seed(search.seed, (<uint64_t>1 << 62) + <uint64_t>world)
        if not level.is_waiting:
            state_copy(search.ops, s, states_at(&level.states, world))
        if worlds.n_values > 1:
            search_vector(search, ply, depth, luck, values)
        else:
            values[0] = search_value(search, ply, depth, luck, -1.0, 2.0)
        level.is_waiting = search.is_paused
        if search.is_paused:
            return
        state_drop(search.ops, s)
        if search.is_aborted:
            return
        level.doubt |= search.doubt
        level.n_left -= 1
    search.doubt = level.doubt
