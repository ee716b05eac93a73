# Taking over the part of a search tree that is still of use after a move.

from libc.stdint cimport uint32_t
from libc.string cimport memcpy

from aiplay._core.search.mcts.tree cimport NO_NODE, ROOT, Edge, Node, Tree, add_edges, add_node, add_proof
from aiplay._core.typedefs cimport move_t


cdef inline bint has_edges(const Tree* tree, uint32_t node, const move_t* moves, int n) noexcept nogil:
    """Whether the edges of a node are exactly these n ascending moves."""
    cdef const Edge* edges = &tree.edges[tree.nodes[node].edges]
    cdef int i
    if tree.nodes[node].n_edges != n:
        return False
    for i in range(n):
        if edges[i].move != moves[i]:
            return False
    return True


cdef inline void graft(const Tree* source, uint32_t start, Tree* target, int seats) noexcept nogil:
    """Copy the part of a tree below `start` over the root of an empty one; what does not fit is left out.

    Breadth first: the nodes that are copied already are the queue. Until its turn comes, a copied node points to
    its edges in the source.
    """
    cdef uint32_t copied = ROOT
    copy_node(source, start, target, ROOT, seats)
    while copied < target.n_nodes:
        graft_edges(source, copied, target, seats)
        copied += 1


cdef inline void copy_node(
    const Tree* source, uint32_t node, Tree* target, uint32_t copy, int seats
) noexcept nogil:
    """Copy a node with its proof over one of the target."""
    cdef uint32_t proof = source.nodes[node].proof
    target.nodes[copy] = source.nodes[node]
    target.nodes[copy].next = 0
    target.nodes[copy].is_noted = 0
    if proof:
        target.nodes[copy].proof = add_proof(target, &source.proofs[proof - 1], seats)


cdef inline void graft_edges(const Tree* source, uint32_t node, Tree* target, int seats) noexcept nogil:
    """Give a copied node its own edges, and append copies of the nodes below it."""
    cdef Node here = target.nodes[node]
    cdef uint32_t child, below, edge
    edge = add_edges(target, here.capacity) if here.n_edges else NO_NODE
    if edge == NO_NODE:
        target.nodes[node].n_edges = target.nodes[node].capacity = 0
        return
    memcpy(&target.edges[edge], &source.edges[here.edges], here.n_edges * sizeof(Edge))
    target.nodes[node].edges = edge
    for edge in range(edge, edge + here.n_edges):
        child = target.edges[edge].child
        target.edges[edge].child = 0
        while child:
            below = add_node(target, 0)
            if below == NO_NODE:
                break
            copy_node(source, child, target, below, seats)
            target.nodes[below].next = target.edges[edge].child
            target.edges[edge].child = below
            child = source.nodes[child].next
        # A proven edge leads to a proven node: where that did not fit, it has to be proven again.
        below = target.edges[edge].child
        if below == 0 or target.nodes[below].proof == 0:
            target.edges[edge].proof = -1
