# A whole game as a tree in memory: every deal, every roll and every move, for games small enough.

from libc.stdint cimport int32_t, uint32_t, uint64_t

from aiplay._core.search.common.control cimport Clock
from aiplay._core.search.common.states cimport StateStack
from aiplay._core.search.regret.infosets cimport IdMap
from aiplay._core.search.regret.strategies cimport Strategies
from aiplay._core.typedefs cimport move_t, seat_t

cdef enum:
    MAX_LEVELS = 256        # moves of a game, chance included; a longer game is not unrolled
    IS_CHANCE = -1          # `TreeNode.infoset` where chance decides
    IS_END = -2             # and where the game is over


ctypedef struct TreeNode:
    uint32_t parent         # a smaller index; the root is its own parent
    int32_t infoset         # information set of the decision by the view of its seat, or IS_CHANCE, or IS_END
    int32_t recall          # the same by all that the seat has noticed since the start, or the index of the payoffs
    int32_t slot            # which move of the parent leads here
    double chance           # its probability if chance made it
    int32_t depth           # moves since the start


cdef class GameTree(Strategies):
    cdef uint32_t max_nodes
    cdef TreeNode* nodes
    cdef uint32_t n_nodes
    cdef uint32_t room_nodes
    cdef uint64_t* first_moves          # of every information set: a hash of the first moves that its seat noticed
    cdef int32_t room_first
    cdef signed char* is_merged         # of every information set, 1: other moves give the same view; -1: new
    cdef int32_t room_merged
    cdef IdMap by_recall
    cdef int32_t* recall_first          # the first move of every set of `by_recall`
    cdef int32_t room_recall
    cdef int32_t n_recall_moves
    cdef double* payoffs                # of every end, for every seat, 0 .. 1
    cdef int32_t n_ends
    cdef int32_t room_ends
    cdef double* strategy               # at present
    cdef double* own_reach              # of every node: by the moves of the seat of the pass
    cdef double* other_reach            # by those of chance and of the other seats
    cdef double* values                 # of every node, for the seat of the pass

    # While it grows
    cdef StateStack states
    cdef move_t* choices                # max_moves for every level
    cdef double* chances
    cdef Clock clock

    cdef int grow(self, int level, uint32_t parent, int slot, double chance, const uint64_t* noticed) noexcept nogil
    cdef int add_node(self, int level, uint32_t parent, int slot, double chance) noexcept nogil
    cdef int add_end(self, const void* s, TreeNode* node) noexcept nogil
    cdef int add_decision(
        self, int level, seat_t seat, int n, const uint64_t* noticed, TreeNode* node
    ) noexcept nogil
    cdef int widen_recall(self) noexcept nogil
    cdef int32_t add_recall(self, seat_t seat, uint64_t noticed, int n) noexcept nogil
    cdef void sort_by_depth(self) except *
    cdef void reserve_passes(self) except *
    cdef void match_regrets(self) noexcept nogil
    cdef void average_into(self, double* out) noexcept nogil
    cdef void reach_down(self, seat_t seat, const double* strategy) noexcept nogil
    cdef void values_up(self, seat_t seat, const double* strategy) noexcept nogil
    cdef void improve(self, seat_t seat, double weight) noexcept nogil
    cdef double respond(self, seat_t seat, const double* strategy, double* totals, int32_t* best) noexcept nogil
