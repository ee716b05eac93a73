# Expectimax in several sampled worlds at once: the hero makes the same moves in worlds that look the same to it.

from libc.stdint cimport uint64_t

from aiplay._core.search.common.states cimport StateStack
from aiplay._core.search.expectimax.lookahead cimport Lookahead
from aiplay._core.typedefs cimport move_t

cdef enum:
    MAX_SHARED = 32         # plies with memory for all worlds


ctypedef struct Level:      # of all worlds at a ply; lists are indexed by world, except `members`
    StateStack states
    double* values          # of each world: one, or one for each seat
    uint64_t* keys          # how the hero perceives the move that leads here
    int* is_grouped         # 1: its group has been searched
    int* members            # the worlds that are searched together, ascending
    int n_members

    # ---- How far its search is: a search that pauses goes on here ----------------------------------------------
    int n_made              # worlds that hold a state
    int group               # the world whose group is searched, counted as at the ply before, the first one last;
                            # 0: the worlds have not been split into groups
    int is_apart            # 1: there are no groups, every world is searched on its own
    int is_begun            # 1: the search of the members is under way
    int n_moves             # that the members share; 0: every member is searched on its own
    int i                   # the move that is searched
    double best             # mean value of the best move so far
    int n_left              # members still to be searched on their own
    int is_waiting          # 1: the search of one of them has paused
    int doubt               # DOUBT_*, of the members so far
    int doubt_before        # DOUBT_*, of the groups so far


ctypedef struct Worlds:
    Lookahead* search
    int room                # number of worlds
    int n_values            # values of a world: one, or one for each seat (max^n)
    int hero_entry          # index of the hero's value among them
    Level levels[MAX_SHARED]    # by ply; those below the root are allocated when first needed
    int is_cut              # 1: the depth ended at a decision that the worlds share


# Allocates the level of the root, whose states are not owned; -1 if memory runs out.
cdef int worlds_reserve(Worlds* worlds, StateStack states) noexcept nogil

# Frees all memory.
cdef void worlds_free(Worlds* worlds) noexcept nogil

# Chooses the first n worlds at the root.
cdef void worlds_choose(Worlds* worlds, int n) noexcept nogil

# Searches a move in the worlds that are members at a ply; their values are at the next ply afterwards. Not after a
# pause: then the next call, with the same arguments, goes on.
cdef void search_move(Worlds* worlds, int ply, move_t move, int depth) noexcept nogil
