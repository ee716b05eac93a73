from libc.stdint cimport int32_t, uint32_t, uint64_t

from aiplay._core.contract cimport GameOps
from aiplay._core.game cimport Game, State, View
from aiplay._core.search.params cimport MctsParams
from aiplay._core.search.rollout cimport Buffers
from aiplay._core.search.tree cimport Tree
from aiplay._core.typedefs cimport MAX_MOVES, MAX_SEATS, seat_t


ctypedef struct Step:
    uint32_t node           # where the step was made
    uint32_t edge           # which edge it took
    int32_t tree            # in which tree
    seat_t seat             # whose reward the edge collects, or -1 for an observed decision


ctypedef struct NextRoot:
    uint64_t view           # hash of what the seat sees at its next decision
    uint32_t node           # where the tree goes on there


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
    int is_proven           # 1: the value of the root is proven
    Step* path              # the steps of the iteration
    int n_path
    int room_path
    int n_own               # decisions of `seat` on the path
    NextRoot* next_roots    # for reuse
    int n_next
    int room_next
    double rewards[MAX_SEATS]           # of the iteration
    double totals[MAX_SEATS]            # sums of the rewards of all iterations
    double root_sum[MAX_MOVES]          # rewards of `seat` for each root edge, in this search alone,
    double root_squares[MAX_MOVES]      # their squares,
    uint32_t root_count[MAX_MOVES]      # and how many: for the standard error


cdef class TreeSearch:
    cdef Search search
    cdef Game game
    cdef State origin       # owns what search.root points to (as a plain state that holds a view or a world)
    cdef readonly object lock           # held while the search runs, and by those who read it
    cdef readonly object view
