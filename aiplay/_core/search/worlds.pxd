# Expectimax in several sampled worlds at once: what the hero cannot tell apart, it has to play alike.

from aiplay._core.search.lookahead cimport Lookahead
from aiplay._core.search.states cimport StateStack
from aiplay._core.typedefs cimport move_t

cdef enum:
    MAX_SHARED = 32         # moves in a row that all worlds can share


ctypedef struct Worlds:
    Lookahead* search
    int room                        # how many there are,
    int n                           # and how many of them, the first ones, are searched
    int n_values                    # values of a world: one, or one for each seat (max^n)
    int hero_entry                  # which of them is the hero's
    StateStack states[32]           # by ply: a state of each world; reserved when first needed
    double* values[32]              # by ply: n_values for each world
    int is_cut                      # 1: in the last search the depth ended while the worlds still shared the next move


# Gives all memory back.
cdef void worlds_free(Worlds* worlds) noexcept nogil

# Reserves what a ply needs, once; -1 when memory runs out.
cdef int worlds_reserve(Worlds* worlds, int ply) noexcept nogil

# Makes a move in all worlds: the states after it are at a ply then.
cdef void play_in_all(Worlds* worlds, const StateStack* states, int ply, move_t move) noexcept nogil

# Drops the states at a ply.
cdef void drop_all(Worlds* worlds, int ply) noexcept nogil

# Whether the hero, making a move, sees the same in all worlds.
cdef bint looks_alike(const Worlds* worlds, const StateStack* states, move_t move) noexcept nogil

# Searches the states at a ply, which are used up; the values of all worlds are at that ply then. `is_shared`: the hero
# has seen the same in all of them so far. Before: the ply is reserved.
cdef void search_worlds(Worlds* worlds, int ply, int depth, bint is_shared) noexcept nogil
