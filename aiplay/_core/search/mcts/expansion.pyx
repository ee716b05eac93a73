"""Expansion in MCTS: a node gets edges for its moves, and priors from the game.

If information is hidden, the legal moves of a node may differ from world to world. A node then gains edges as worlds
show new moves, and every edge counts how often it was available (Cowling, Powley and Whitehouse 2012).
"""

from libc.stdint cimport uint32_t

from aiplay._core.contract cimport GameOps
from aiplay._core.search.common.leaf cimport Judge
from aiplay._core.search.common.rollout cimport value_after
from aiplay._core.search.mcts.misjudge cimport misjudge_priors
from aiplay._core.search.mcts.params cimport PRIOR_OWN, PRIOR_WEIGHTS
from aiplay._core.search.mcts.tree cimport HAS_PRIORS, Edge, Tree, ensure_edges
from aiplay._core.typedefs cimport move_t, seat_t

# Share of the weights that is divided evenly, so that a move of weight 0 is tried as well, again and again.
cdef double EVEN_SHARE = 0.05


cdef bint expand_node(Search* search, Tree* tree, uint32_t* node, uint32_t above, seat_t seat, int n) noexcept nogil:
    if not ensure_edges(tree, node, above, search.buffers.moves, n):
        return False
    # Priors are those of the first world that has all moves of the node. Another world would give slightly different
    # ones; computing them each time would cost more than it tells.
    if n == tree.nodes[node[0]].n_edges and wants_priors(search, &tree.nodes[node[0]]):
        fill_priors(search, tree, node[0], seat)
    if not search.params.is_open:
        list_available(tree, node[0], search.buffers.moves, n)
    return True


cdef inline void list_available(Tree* tree, uint32_t node, move_t* moves, int n) noexcept nogil:
    """Replace n legal moves by the places of their edges, and count these as available."""
    cdef Edge* edges = &tree.edges[tree.nodes[node].edges]
    cdef int i, k = 0
    for i in range(n):
        while edges[k].move != moves[i]:
            k += 1
        moves[i] = k
        edges[k].available += 1


cdef void value_moves(Search* search, seat_t seat, int n, double* out) noexcept nogil:
    """The value to a seat of the position after each of the n moves in the buffer."""
    cdef const GameOps* ops = search.ops
    cdef const Judge* judge = search.buffers.judge
    cdef int i
    if search.params.prior == PRIOR_OWN:
        judge = NULL
    if judge == NULL and ops.evaluate_moves != NULL:
        ops.evaluate_moves(ops.rules, search.buffers.state, search.buffers.moves, n, seat, out)
        return
    for i in range(n):
        out[i] = value_after(ops, judge, search.buffers.state, search.buffers.moves[i], seat, search.buffers.scratch)


cdef void fill_priors(Search* search, Tree* tree, uint32_t node, seat_t seat) noexcept nogil:
    """Ask the game for a prior of every edge, whose moves are in the buffer."""
    cdef const GameOps* ops = search.ops
    cdef double* found = search.buffers.weights
    cdef int n = tree.nodes[node].n_edges
    cdef Edge* edges = &tree.edges[tree.nodes[node].edges]
    cdef double total = 0.0
    cdef int i
    if search.params.prior != PRIOR_WEIGHTS:
        value_moves(search, seat, n, found)
        for i in range(n):
            edges[i].prior = <float>found[i]
    else:
        ops.priors(ops.rules, search.buffers.state, search.buffers.moves, n, found)
        for i in range(n):
            total += found[i]
        for i in range(n):
            edges[i].prior = <float>(EVEN_SHARE / n)
            if total > 0:
                edges[i].prior += <float>((1.0 - EVEN_SHARE) * found[i] / total)
    if search.params.blur > 0:
        misjudge_priors(search, tree, node)
    tree.nodes[node].marks |= HAS_PRIORS
