# The memory of one Monte Carlo tree search: trees, the path of an iteration, sums of rewards.

from libc.stdint cimport int32_t, uint32_t, uint64_t

from aiplay._core.contract cimport GameOps, state_copy, state_drop, state_hash
from aiplay._core.search.common.rollout cimport Buffers
from aiplay._core.search.mcts.params cimport MctsParams
from aiplay._core.search.mcts.tree cimport Tree
from aiplay._core.typedefs cimport MAX_SEATS, move_t, seat_t

cdef enum:
    MAX_RUN = 64            # outcomes of a run that are kept; a longer run is never repeated


ctypedef struct Step:
    uint32_t node           # where the step was made
    uint32_t edge           # the edge that it took
    int32_t tree            # index of the tree
    seat_t seat             # whose reward the edge collects, or -1 for an observed decision


ctypedef struct NextRoot:
    uint64_t view           # hash of the seat's view at its next decision
    uint32_t nodes[MAX_SEATS]           # the node of each tree for it, where it was first reached


ctypedef struct RootSum:    # iterations of this search alone that took a root move, nothing adopted
    double totals[MAX_SEATS]            # sums of the rewards of every seat
    double squares          # sum of the squares of the searching seat's rewards
    uint64_t count          # number of iterations
    uint64_t half           # count when the number of iterations was last a power of two
    uint64_t before         # count at the power of two before that


ctypedef struct Search:
    const GameOps* ops
    MctsParams params
    Buffers buffers
    Tree trees[MAX_SEATS]   # one, or one for each seat
    int n_trees
    int n_partners          # searches that exchange statistics with each other, itself included
    seat_t seat             # who searches
    const void* root        # the view of that seat, or a world of it if all iterations share one
    move_t* view_moves      # the legal moves of the view: those of the root in every world
    int n_view_moves
    int is_broken           # 1: a world has other moves at the root (a game that breaks its contract)
    int has_worlds          # 1: every iteration samples a world from the view
    uint64_t seed           # iteration i uses the stream (seed, i)
    uint64_t n_iterations   # made so far
    uint64_t n_adopted      # nodes adopted from an earlier search
    int is_proven           # 1: the best root move is proven
    Step* path              # the steps of the iteration
    int n_path
    int room_path
    uint32_t starts[MAX_SEATS]          # where the iteration enters each tree
    int is_split[MAX_SEATS]             # 1: the tree of a seat has an entry for each of its views (starts.pyx)
    Tree imagined           # of the searching seat, for views that it does not have (starts.pyx)
    int has_imagined        # 1: some iterations use it
    int is_imagined         # 1: this one does; the two trees of the seat have changed places
    uint64_t own_view       # hash of the view that it has
    int n_own               # decisions of `seat` on the path
    move_t run[MAX_RUN]     # outcomes of the run of chance under way
    NextRoot* next_roots    # for reuse
    int n_next
    int room_next
    double rewards[MAX_SEATS]           # of the iteration
    double reward_sums[MAX_SEATS]       # of all iterations of this search
    double reward_squares[MAX_SEATS]    # sums of their squares
    double exploration[MAX_SEATS]       # weight of exploration for the decisions of a seat
    RootSum* root_sums      # one for each root edge; allocated for max_moves


# Iterations of late that took a root move: of the last half of them, up to the last three quarters.
cdef inline uint64_t late_count(const RootSum* sums) noexcept nogil:
    return sums.count - sums.before


# The tree in which the searching seat decides.
cdef inline Tree* own_tree(Search* search) noexcept nogil:
    return &search.trees[search.seat if search.n_trees > 1 else 0]


# A hash of what a seat sees of the position of the iteration. Overwrites `buffers.scratch`.
cdef inline uint64_t view_hash(Search* search, seat_t seat) noexcept nogil:
    cdef uint64_t found
    state_copy(search.ops, search.buffers.scratch, search.buffers.state)
    if search.ops.conceal != NULL:
        search.ops.conceal(search.ops.rules, search.buffers.scratch, seat)
    found = state_hash(search.ops, search.buffers.scratch)
    state_drop(search.ops, search.buffers.scratch)
    return found


# Nodes of all trees.
cdef inline uint64_t count_nodes(const Search* search) noexcept nogil:
    cdef uint64_t n = 0
    cdef int t
    for t in range(search.n_trees):
        n += search.trees[t].n_nodes
    return n + search.imagined.n_nodes
