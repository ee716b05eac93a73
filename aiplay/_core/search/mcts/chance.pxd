# Chance in MCTS: what it decides after a move, and how many different outcomes a tree looks at.

from libc.stdint cimport uint32_t, uint64_t

from aiplay._core.rng cimport Rng, mix64
from aiplay._core.search.mcts.search cimport Search
from aiplay._core.search.mcts.tree cimport NO_NODE, child_below

cdef enum:
    MIN_NODES = 8           # that an edge may have, however few visits: the outcomes of a die all fit


# The key of a run that one outcome makes longer; the run of a move alone has the key of the move.
cdef inline uint64_t run_key(uint64_t run, uint64_t outcome) noexcept nogil:
    return mix64(run ^ mix64(outcome + 1))


# Lets chance decide until a seat has to, and steps down in every tree: nodes[t] is then the node of tree t, or NO_NODE.
# Chance is still to move only if the game is broken.
# Before: chance is to move; edges[t] is the edge that tree t took, or NO_NODE, keys[t] its key; `decider` is the tree
# that limits the outcomes, or -1 for none.
cdef void play_chance(
    Search* search, uint32_t* nodes, const uint32_t* edges, uint64_t* keys, int decider, Rng* rng
) noexcept nogil

cdef inline void step_down(
    Search* search, uint32_t* nodes, const uint32_t* edges, const uint64_t* keys
) noexcept nogil:
    """Go to the node below the edge that each tree took."""
    cdef int t
    for t in range(search.n_trees):
        nodes[t] = NO_NODE if edges[t] == NO_NODE else child_below(&search.trees[t], edges[t], keys[t])
