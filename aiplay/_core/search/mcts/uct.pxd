# Monte Carlo tree search over any game, in C: what one search holds, and the loop that runs it.

from libc.stdint cimport int32_t, uint32_t, uint64_t

from aiplay._core.contract cimport GameOps
from aiplay._core.search.common.control cimport Clock
from aiplay._core.search.mcts.params cimport MctsParams
from aiplay._core.search.mcts.rollout cimport Buffers
from aiplay._core.search.mcts.tree cimport Tree
from aiplay._core.typedefs cimport MAX_SEATS, seat_t


ctypedef struct Step:
    uint32_t node           # where the step was made
    uint32_t edge           # which edge it took
    int32_t tree            # in which tree
    seat_t seat             # whose reward the edge collects, or -1 for an observed decision


ctypedef struct NextRoot:
    uint64_t view           # hash of what the seat sees at its next decision
    uint32_t node           # where the tree goes on there


ctypedef struct RootSum:
    double totals[MAX_SEATS]            # rewards of the iterations that took the edge, in this search alone,
    double squares          # squares of the searching seat's ones,
    uint32_t count          # and how many


ctypedef struct Search:
    const GameOps* ops
    MctsParams params
    Buffers buffers
    Tree trees[MAX_SEATS]   # one, or one for each seat
    int n_trees
    seat_t seat             # who searches
    const void* root        # its view; a world of it, when all iterations share one
    int has_worlds          # 1: every iteration samples a world of its own from the view
    uint64_t seed           # iteration i uses the stream (seed, i)
    uint64_t n_iterations   # made so far
    uint64_t n_adopted      # nodes taken over from an earlier search
    int is_proven           # 1: the best root move is proven
    Step* path              # the steps of the iteration
    int n_path
    int room_path
    int n_own               # decisions of `seat` on the path
    NextRoot* next_roots    # for reuse
    int n_next
    int room_next
    double rewards[MAX_SEATS]           # of the iteration
    double reward_sums[MAX_SEATS]       # of all iterations of this search,
    double reward_squares[MAX_SEATS]    # and their squares
    double exploration[MAX_SEATS]       # weight of exploration when a seat chooses
    RootSum* root_sums      # one for each root edge; allocated for max_moves


ctypedef struct Goal:
    uint64_t iterations     # end after so many iterations in all
    uint64_t nodes          # end when so many nodes were made
    int is_choosing         # 1: end when the choice is settled


# The tree in which the searching seat decides.
cdef inline Tree* own_tree(Search* g) noexcept nogil:
    return &g.trees[g.seat if g.n_trees > 1 else 0]


# Nodes of all trees.
cdef inline uint64_t count_nodes(const Search* g) noexcept nogil:
    cdef uint64_t n = 0
    cdef int t
    for t in range(g.n_trees):
        n += g.trees[t].n_nodes
    return n


# How many visits the most visited root move has more than the next one, proven losses aside; -1 while no visits
# can decide, because a move is proven to be worth something in between.
cdef double root_lead(const Search* g) noexcept nogil

# Iterate until the goal, the clock or a proof ends it; whether there is more to do after a pause.
# Before: everything is allocated, every tree has its root.
cdef bint run_slice(Search* g, Clock* clock, const Goal* goal) noexcept nogil
