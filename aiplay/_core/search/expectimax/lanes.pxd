# The root moves of one iteration of expectimax, divided over lanes that threads can search side by side.

from aiplay._core.search.expectimax.lookahead cimport LINE, Lookahead
from aiplay._core.search.expectimax.worlds cimport Worlds
from aiplay._core.typedefs cimport move_t


ctypedef struct Lane:       # memory for one of the searches; the first lane borrows that of its owner
    Lookahead* search
    Worlds* together        # NULL: there is a single world
    int i                   # the root move that is searched
    double alpha            # value of the best move so far, if only that matters
    int is_waiting          # 1: the search of the move has paused


ctypedef struct Found:      # about a root move
    move_t move
    int is_done             # 1: it was searched to the end
    int doubt               # DOUBT_*
    int n_line              # moves of the line after it; -1 if it is not better than the best so far
    move_t line[LINE]


ctypedef struct Task:       # an iteration
    Found* found            # one for each root move, in the order of search
    double* values          # for each of them n_values for each world
    int n_moves             # moves that are searched: the first ones
    int n_worlds
    int n_values
    int n_lanes             # lanes that search
    int depth
    int is_vector           # 1: max^n
    int is_pruned           # 1: only the best move needs its true value
    const void* root        # the only world, if there is one


# Copies the question of a search, and allocates memory for another one in a new lane; -1 if memory runs out.
cdef int lane_reserve(Lane* lane, const Lookahead* search, const Worlds* together, size_t cache) noexcept nogil

# Frees the memory of such a lane.
cdef void lane_free(Lane* lane) noexcept nogil

# Prepares a lane for an iteration, from the root move of this number on.
cdef void lane_begin(Lane* lane, int first, double alpha) noexcept nogil

# Searches every n-th root move up to number `end`. Returns before that if the search is aborted or pauses; after a
# pause the next call goes on.
cdef void search_lane(Lane* lane, const Task* task, int end) noexcept nogil
