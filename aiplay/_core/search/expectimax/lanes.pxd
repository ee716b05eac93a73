# The root moves of one iteration of expectimax, divided over lanes that threads can search side by side.

from aiplay._core.search.expectimax.lookahead cimport LINE, Lookahead
from aiplay._core.search.expectimax.worlds cimport Worlds
from aiplay._core.typedefs cimport move_t


ctypedef struct Lane:       # memory for one of the searches; the first lane borrows that of its owner
    Lookahead* search
    Worlds* together        # NULL: there is a single world


ctypedef struct Found:      # about a root move
    move_t move
    int is_done             # 1: it was searched to the end
    int doubt               # DOUBT_*
    int n_line              # moves of the line after it; -1 if it is not better than the best so far
    move_t line[LINE]


ctypedef struct Task:       # an iteration
    Found* found            # one for each root move, in the order of search
    double* values          # for each of them n_values for each world
    int n_moves
    int n_worlds
    int n_values
    int n_lanes
    int first               # the lanes begin at this move
    int depth
    double alpha            # value of the moves before `first`
    int is_vector           # 1: max^n
    int is_pruned           # 1: only the best move needs its true value
    const void* root        # the only world, if there is one


# Copies the question of a search, and allocates memory for another one in a new lane; -1 if memory runs out.
cdef int lane_reserve(Lane* lane, const Lookahead* search, const Worlds* together, size_t cache) noexcept nogil

# Frees the memory of such a lane.
cdef void lane_free(Lane* lane) noexcept nogil

# Searches every n-th root move, beginning with number `first` + lane. Stops if the search is aborted.
cdef void search_lane(Lane* lane, const Task* task, int number) noexcept nogil

# Searches the first root move alone, and raises alpha to its value.
cdef void search_first(Lane* lane, Task* task) noexcept nogil
