# A node gets edges for its moves, and priors from the game.

from libc.stdint cimport uint32_t

from aiplay._core.search.mcts.search cimport Search
from aiplay._core.search.mcts.tree cimport HAS_PRIORS, Node, Tree
from aiplay._core.typedefs cimport seat_t

# Prepares a node for selection in the world of the iteration: its n legal moves get edges, and priors. If information
# is hidden, their edges count as available, and their places replace the moves in the buffer. False if memory is used
# up. The node may move (see `ensure_edges`).
# Before: `seat` is to move and decides in this tree; `search.buffers.moves` lists n >= 1 moves; `above` is the edge
# that leads to the node, or NO_NODE for the root.
cdef bint expand_node(Search* search, Tree* tree, uint32_t* node, uint32_t above, seat_t seat, int n) noexcept nogil


cdef inline bint wants_priors(const Search* search, const Node* node) noexcept nogil:
    """True if the priors of a node have to be computed now."""
    return search.params.prior and not node.marks & HAS_PRIORS and node.visits >= <uint32_t>search.params.prior_visits
