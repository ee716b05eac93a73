# A node gets edges for its moves, and priors from the game.

from libc.stdint cimport uint32_t

from aiplay._core.search.mcts.search cimport Search
from aiplay._core.search.mcts.tree cimport Node, Tree
from aiplay._core.typedefs cimport seat_t

# Prepares a node for selection in the world of the iteration, and returns the number of moves to choose from: all edges
# of the node in an open game, else those whose places `search.buffers.moves` lists. 0 if the game has failed or memory
# is used up. Before: `seat` is to move and decides in this tree.
cdef int expand_node(Search* search, Tree* tree, uint32_t node, seat_t seat) noexcept nogil


cdef inline bint wants_priors(const Search* search, const Node* node) noexcept nogil:
    """True if the priors of a node have to be computed now."""
    return search.params.prior and not node.has_priors and node.visits >= <uint32_t>search.params.prior_visits
