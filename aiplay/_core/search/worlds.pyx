"""Expectimax in several sampled worlds at once.

Searching each world for itself, a seat seems to know in which one it is, and the luck to come: it takes the best of
many lucky lines. So as long as the hero goes on deciding and has learnt nothing that tells the worlds apart, it makes
the same moves in all of them, and the mean over the worlds decides. From there on every world is searched as an open
game, or, where the game has moves of its own for that, played on by them: the seats in it do not know what it is like.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

from aiplay._core.contract cimport GameOps, perceive_move, state_copy, state_drop
from aiplay._core.rng cimport derive_seed
from aiplay._core.search.alphabeta cimport search_value
from aiplay._core.search.lookahead cimport Lookahead, enter_node, fresh_luck, line_update
from aiplay._core.search.maxn cimport search_vector
from aiplay._core.search.states cimport StateStack, states_at, states_free, states_reserve
from aiplay._core.typedefs cimport move_t


cdef void worlds_free(Worlds* worlds) noexcept nogil:
    cdef int ply
    for ply in range(MAX_SHARED):
        states_free(&worlds.states[ply])
        free(worlds.values[ply])
        worlds.values[ply] = NULL


cdef int worlds_reserve(Worlds* worlds, int ply) noexcept nogil:
    if worlds.values[ply] != NULL:
        return 0
    if states_reserve(&worlds.states[ply], worlds.search.ops, worlds.room) < 0:
        return -1
    worlds.values[ply] = <double*>malloc(<size_t>worlds.room * worlds.n_values * sizeof(double))
    return 0 if worlds.values[ply] != NULL else -1


# ---- What all worlds share -----------------------------------------------------------------------------------------

cdef int shared_moves(Worlds* worlds, int ply) noexcept nogil:
    """How many moves the hero has at a ply, listed there; 0 where it does not have the same choice in all worlds."""
    cdef const GameOps* ops = worlds.search.ops
    cdef move_t* moves = worlds.search.moves + ply * ops.max_moves
    cdef move_t* others = moves + ops.max_moves
    cdef void* s
    cdef int world, n = 0
    for world in range(worlds.n):
        s = states_at(&worlds.states[ply], world)
        if ops.to_move(ops.rules, s) != worlds.search.hero:
            return 0
        if world == 0:
            n = ops.legal_moves(ops.rules, s, moves)
        elif ops.legal_moves(ops.rules, s, others) != n or memcmp(moves, others, n * sizeof(move_t)) != 0:
            return 0
    return n


cdef bint looks_alike(const Worlds* worlds, const StateStack* states, move_t move) noexcept nogil:
    cdef const Lookahead* search = worlds.search
    cdef uint64_t first = perceive_move(search.ops, states_at(states, 0), move, search.hero)
    cdef int world
    for world in range(1, worlds.n):
        if perceive_move(search.ops, states_at(states, world), move, search.hero) != first:
            return False
    return True


cdef double hero_mean(const Worlds* worlds, int ply) noexcept nogil:
    cdef double total = 0.0
    cdef int world
    for world in range(worlds.n):
        total += worlds.values[ply][world * worlds.n_values + worlds.hero_entry]
    return total / worlds.n


# ---- Searching -----------------------------------------------------------------------------------------------------

cdef void search_apart(Worlds* worlds, int ply, int depth) noexcept nogil:
    """Every world for itself, the first one last: the best line is the one of that."""
    cdef Lookahead* search = worlds.search
    cdef void* s = states_at(&search.states, ply)
    cdef double* values
    cdef int world, doubt = 0
    if search.playout_depth > 0:
        depth = 0                   # the game plays on
    for world in range(worlds.n - 1, -1, -1):
        search.playout_seed = derive_seed(search.seed, (<uint64_t>1 << 62) + <uint64_t>world)
        values = worlds.values[ply] + world * worlds.n_values
        state_copy(search.ops, s, states_at(&worlds.states[ply], world))
        if worlds.n_values > 1:
            search_vector(search, ply, depth, fresh_luck(search, depth), values)
        else:
            values[0] = search_value(search, ply, depth, fresh_luck(search, depth), -1.0, 2.0)
        state_drop(search.ops, s)
        doubt |= search.doubt
        if search.is_aborted:
            return
    search.doubt = doubt


cdef void play_in_all(Worlds* worlds, const StateStack* states, int ply, move_t move) noexcept nogil:
    cdef const GameOps* ops = worlds.search.ops
    cdef void* after
    cdef int world
    for world in range(worlds.n):
        after = states_at(&worlds.states[ply], world)
        state_copy(ops, after, states_at(states, world))
        ops.play(ops.rules, after, move)


cdef void drop_all(Worlds* worlds, int ply) noexcept nogil:
    cdef int world
    for world in range(worlds.n):
        state_drop(worlds.search.ops, states_at(&worlds.states[ply], world))


cdef void search_worlds(Worlds* worlds, int ply, int depth, bint is_shared) noexcept nogil:
    cdef Lookahead* search = worlds.search
    cdef const move_t* moves = search.moves + ply * search.ops.max_moves
    cdef size_t n_bytes = <size_t>worlds.n * worlds.n_values * sizeof(double)
    cdef double mean, best = -1.0
    cdef int i, n = 0, doubt = 0
    if not enter_node(search):
        return
    if is_shared and ply + 1 < min(<int>MAX_SHARED, search.n_plies - 3):
        n = shared_moves(worlds, ply)
    if n > 1 and depth <= 0:
        worlds.is_cut = 1
        n = 0
    if n == 0:
        search_apart(worlds, ply, depth)
        return
    if worlds_reserve(worlds, ply + 1) < 0:
        search.is_aborted = 1
        return
    search.line_lengths[ply] = 0
    for i in range(n):
        is_shared = looks_alike(worlds, &worlds.states[ply], moves[i])
        play_in_all(worlds, &worlds.states[ply], ply + 1, moves[i])
        search_worlds(worlds, ply + 1, depth if n == 1 else depth - 1, is_shared)
        drop_all(worlds, ply + 1)
        if search.is_aborted:
            return
        doubt |= search.doubt
        mean = hero_mean(worlds, ply + 1)
        if mean > best:
            best = mean
            memcpy(worlds.values[ply], worlds.values[ply + 1], n_bytes)
            line_update(search, ply, 0, moves[i])
    search.doubt = doubt
