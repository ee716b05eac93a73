# Expectimax in several sampled worlds at once: what the hero cannot tell apart, it has to play alike.

from libc.stdint cimport uint64_t

from aiplay._core.search.expectimax.lookahead cimport Lookahead
from aiplay._core.search.common.states cimport StateStack
from aiplay._core.typedefs cimport move_t

cdef enum:
    MAX_SHARED = 32         # plies with room for all worlds


ctypedef struct Level:      # what all worlds need at a ply; indexed by world, but for `members`
    StateStack states
    double* values          # of each world: one, or one for each seat
    uint64_t* keys          # what the hero sees of the move that leads here
    int* is_grouped         # 1: its group has been found
    int* members            # the worlds that are searched together, ascending
    int n_members


ctypedef struct Worlds:
    Lookahead* search
    int room                # how many worlds there are
    int n_values            # values of a world: one, or one for each seat (max^n)
    int hero_entry          # which of them is the hero's
    Level levels[32]        # MAX_SHARED, by ply; those below the root are reserved when first needed
    int is_cut              # 1: the depth ended while the hero still had a plan to make


# Reserves the root, whose states are not owned; -1 when memory runs out.
cdef int worlds_reserve(Worlds* worlds, StateStack states) noexcept nogil

# Gives all memory back.
cdef void worlds_free(Worlds* worlds) noexcept nogil

# Chooses the first n worlds at the root.
cdef void worlds_choose(Worlds* worlds, int n) noexcept nogil

# Searches a move in the worlds that are members at a ply; their values are at the next ply then.
cdef void search_move(Worlds* worlds, int ply, move_t move, int depth) noexcept nogil
