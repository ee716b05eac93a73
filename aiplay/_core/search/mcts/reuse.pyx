"""Adopting the part of a tree that is still of use after a move."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcpy

from aiplay._core.search.mcts.search cimport MAX_RUN, NextRoot, Search, own_tree, view_hash
from aiplay._core.search.mcts.tree cimport (
    IS_FAN, IS_NOTED, NO_NODE, ROOT, Edge, Node, Tree, add_child, add_edges, add_proof, add_run, child_at, copy_run,
    count_children,
)
from aiplay._core.typedefs cimport move_t

cdef enum:
    MAX_NEXT_ROOTS = 1 << 20


# ---- Where the next search may start -----------------------------------------------------------------------

cdef bint has_room(Search* search) noexcept nogil:
    """Make room for one more noted root; False if there is none."""
    cdef int room = 2 * search.room_next + 32
    cdef NextRoot* moved
    if search.n_next < search.room_next:
        return True
    if room > MAX_NEXT_ROOTS:
        return False
    moved = <NextRoot*>realloc(search.next_roots, <size_t>room * sizeof(NextRoot))
    if moved == NULL:
        return False
    search.next_roots = moved
    search.room_next = room
    return True


cdef void note_next_root(Search* search, const uint32_t* nodes) noexcept nogil:
    if not has_room(search):
        return
    search.next_roots[search.n_next].view = view_hash(search, search.seat)
    memcpy(search.next_roots[search.n_next].nodes, nodes, search.n_trees * sizeof(uint32_t))
    search.n_next += 1


cdef uint32_t* find_next_root(Search* search, uint64_t view) noexcept nogil:
    cdef const Tree* tree = own_tree(search)
    cdef NextRoot* root
    cdef NextRoot* best = NULL
    cdef uint32_t own = tree - search.trees
    cdef int i
    for i in range(search.n_next):
        root = &search.next_roots[i]
        if root.view == view:
            if best == NULL or tree.nodes[root.nodes[own]].visits > tree.nodes[best.nodes[own]].visits:
                best = root
    return NULL if best == NULL else best.nodes


# ---- Copying a part of a tree ------------------------------------------------------------------------------

cdef void graft(const Tree* source, uint32_t start, Tree* target, int seats) noexcept nogil:
    """Breadth first: the nodes already copied are the queue. Until its turn comes, a copied node points to its edges
    in the source.
    """
    cdef uint32_t copied = ROOT
    copy_node(source, start, target, ROOT, seats)
    while copied < target.n_nodes:
        graft_edges(source, copied, target, seats)
        copied += 1


cdef void copy_node(const Tree* source, uint32_t node, Tree* target, uint32_t copy, int seats) noexcept nogil:
    """Copy a node with its proof and its run over one of the target, below no edge."""
    cdef const Node* old = &source.nodes[node]
    cdef move_t outcomes[MAX_RUN]
    target.nodes[copy] = old[0]
    target.nodes[copy].marks &= ~IS_NOTED
    if old.proof:
        target.nodes[copy].proof = add_proof(target, &source.proofs[old.proof - 1], seats)
    if old.run:
        target.nodes[copy].run = add_run(target, outcomes, copy_run(source, old.run, outcomes))


cdef void graft_edges(const Tree* source, uint32_t node, Tree* target, int seats) noexcept nogil:
    """Give a copied node edges in the target, and append copies of the nodes below it."""
    cdef Node here = target.nodes[node]
    cdef Edge old
    cdef uint32_t edge = NO_NODE
    if here.n_edges:
        edge = add_edges(target, here.n_edges + here.n_spare)
    if edge == NO_NODE:
        target.nodes[node].n_edges = target.nodes[node].n_spare = 0
        return
    memcpy(&target.edges[edge], &source.edges[here.edges], here.n_edges * sizeof(Edge))
    target.nodes[node].edges = edge
    for edge in range(edge, edge + here.n_edges):
        old = target.edges[edge]
        target.edges[edge].child = 0
        graft_children(source, &old, target, edge, seats)


cdef void graft_children(
    const Tree* source, const Edge* old, Tree* target, uint32_t edge, int seats
) noexcept nogil:
    """Copy the nodes below an edge of the source to one of the target."""
    cdef uint32_t child, below, i
    for i in range(count_children(source, old)):
        child = child_at(source, old, i)
        below = add_child(target, edge, source.nodes[child].key)
        if below == NO_NODE:
            break
        copy_node(source, child, target, below, seats)
    # A proven edge leads to a proven node: if that did not fit, it has to be proven again.
    below = target.edges[edge].child
    if below == 0 or below >= IS_FAN or target.nodes[below].proof == 0:
        target.edges[edge].proof = -1
