# A whole game as a tree in memory: every deal, every roll and every move, for games small enough.

from libc.stdint cimport int32_t, uint32_t, uint64_t

from aiplay._core.game cimport Game, View
from aiplay._core.search.common.control cimport Clock
from aiplay._core.search.common.states cimport StateStack
from aiplay._core.search.regret.infosets cimport IdMap, Infoset
from aiplay._core.typedefs cimport MAX_SEATS, move_t, seat_t

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


cdef class GameTree:
    cdef readonly Game game
    cdef readonly int iterations        # of `solve` so far
    cdef uint32_t max_nodes
    cdef TreeNode* nodes
    cdef uint32_t n_nodes
    cdef uint32_t room_nodes
    cdef Infoset* infosets
    cdef int32_t room_infosets
    cdef int32_t* first_recall          # of every information set: the first history of what its seat noticed
    cdef char* is_merged                # of every information set, 1: another history gives the same view
    cdef IdMap by_view                  # of the information sets
    cdef IdMap by_recall
    cdef int32_t* recall_first          # the first move of every set of `by_recall`
    cdef int32_t room_recall
    cdef int32_t n_recall_moves
    cdef char* views                    # a view for every information set
    cdef move_t* moves                  # of all information sets, in their order
    cdef int32_t n_moves
    cdef int32_t room_moves
    cdef double* payoffs                # of every end, for every seat, 0 .. 1
    cdef int32_t n_ends
    cdef int32_t room_ends
    cdef double* regrets                # of every move, positive parts only (regret matching+)
    cdef double* strategy               # at present
    cdef double* sums                   # of the strategies so far, weighted
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
    cdef int add_decision(self, int level, seat_t seat, int n, uint64_t noticed, TreeNode* node) noexcept nogil
    cdef int32_t add_infoset(self, seat_t seat, uint64_t key, int n, const move_t* moves) noexcept nogil
    cdef int widen_infosets(self) noexcept nogil
    cdef int32_t add_recall(self, seat_t seat, uint64_t noticed, int n) noexcept nogil
    cdef void sort_by_depth(self) except *
    cdef void reserve_passes(self) except *
    cdef void match_regrets(self) noexcept nogil
    cdef void average_into(self, double* out) noexcept nogil
    cdef void reach_down(self, seat_t seat, const double* strategy) noexcept nogil
    cdef void values_up(self, seat_t seat, const double* strategy) noexcept nogil
    cdef void improve(self, seat_t seat, double weight) noexcept nogil
    cdef double respond(self, seat_t seat, const double* strategy, double* totals, int32_t* best) noexcept nogil
