"""The search tree of MCTS: nodes and edges in two growing arrays."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from aiplay._core.typedefs cimport move_t

cdef enum:
    MOST_ENTRIES = 0x7FFFFFFF   # of an array
    FIRST_PROOFS = 64           # numbers that the first proof makes room for, at least
    FIRST_RUNS = 64             # the same for outcomes and the first run


cdef size_t tree_bytes(const Tree* tree) noexcept nogil:
    return (
        <size_t>tree.room_nodes * sizeof(Node)
        + <size_t>tree.room_edges * sizeof(Edge)
        + <size_t>tree.room_proofs * sizeof(double)
        + <size_t>tree.room_runs * sizeof(move_t)
    )


cdef void free_tree(Tree* tree) noexcept nogil:
    free(tree.nodes)
    free(tree.edges)
    free(tree.proofs)
    free(tree.runs)
    memset(tree, 0, sizeof(Tree))


# ---- Arrays that grow --------------------------------------------------------------------------------------

cdef void* enlarged(
    const Tree* tree, void* array, uint32_t* room, uint32_t needed, size_t size
) noexcept nogil:
    """An array of the tree with room for `needed` entries of `size` bytes: twice the old room if memory allows.

    NULL if it does not; the array is then unchanged.
    """
    cdef size_t free_bytes = tree.memory - min(tree_bytes(tree), tree.memory)
    cdef size_t most = min(room[0] + free_bytes // size, <size_t>MOST_ENTRIES)
    cdef size_t wanted = min(max(2 * <size_t>room[0], <size_t>needed), most)
    cdef void* moved
    if needed > most or needed == MOST_ENTRIES:
        return NULL
    moved = realloc(array, wanted * size)
    if moved != NULL:
        room[0] = <uint32_t>wanted
    return moved


cdef uint32_t add_node(Tree* tree, uint64_t key) noexcept nogil:
    cdef void* moved
    cdef Node* node
    if tree.n_nodes == tree.room_nodes:
        moved = enlarged(tree, tree.nodes, &tree.room_nodes, tree.n_nodes + 1, sizeof(Node))
        if moved == NULL:
            return NO_NODE
        tree.nodes = <Node*>moved
    node = &tree.nodes[tree.n_nodes]
    memset(node, 0, sizeof(Node))
    node.key = key
    tree.n_nodes += 1
    return tree.n_nodes - 1


cdef uint32_t add_edges(Tree* tree, uint32_t n) noexcept nogil:
    cdef void* moved
    if tree.n_edges + n > tree.room_edges:
        moved = enlarged(tree, tree.edges, &tree.room_edges, tree.n_edges + n, sizeof(Edge))
        if moved == NULL:
            return NO_NODE
        tree.edges = <Edge*>moved
    memset(&tree.edges[tree.n_edges], 0, n * sizeof(Edge))
    tree.n_edges += n
    return tree.n_edges - n


cdef uint32_t add_proof(Tree* tree, const double* values, int seats) noexcept nogil:
    cdef uint32_t needed = tree.n_proofs + max(seats, FIRST_PROOFS)
    cdef void* moved
    if tree.n_proofs + seats > tree.room_proofs:
        moved = enlarged(tree, tree.proofs, &tree.room_proofs, needed, sizeof(double))
        if moved == NULL:
            return 0
        tree.proofs = <double*>moved
    memcpy(&tree.proofs[tree.n_proofs], values, seats * sizeof(double))
    tree.n_proofs += seats
    return 1 + tree.n_proofs - seats


cdef uint32_t add_run(Tree* tree, const move_t* outcomes, int n) noexcept nogil:
    cdef uint32_t needed = tree.n_runs + max(n, FIRST_RUNS)
    cdef void* moved
    if tree.n_runs + n > tree.room_runs:
        moved = enlarged(tree, tree.runs, &tree.room_runs, needed, sizeof(move_t))
        if moved == NULL:
            return 0
        tree.runs = <move_t*>moved
    memcpy(&tree.runs[tree.n_runs], outcomes, n * sizeof(move_t))
    tree.n_runs += n
    return 1 + tree.n_runs - n


# ---- Nodes and their edges ---------------------------------------------------------------------------------

cdef void hang_below(Tree* tree, uint32_t edge, uint32_t node) noexcept nogil:
    cdef uint32_t first = tree.edges[edge].child
    if first:
        tree.nodes[node].next = tree.nodes[first].next
        tree.nodes[first].next = node
    else:
        first = tree.edges[edge].child = node
    tree.nodes[first].n_children += 1


cdef uint32_t add_child(Tree* tree, uint32_t edge, uint64_t key) noexcept nogil:
    cdef uint32_t child = add_node(tree, key)
    if child != NO_NODE:
        hang_below(tree, edge, child)
    return child


cdef uint32_t add_only_edge(Tree* tree, uint32_t node) noexcept nogil:
    cdef uint32_t edge = add_edges(tree, 1)
    if edge == NO_NODE:
        return NO_NODE
    tree.edges[edge].move = -1
    tree.edges[edge].proof = -1
    tree.nodes[node].edges = edge
    tree.nodes[node].n_edges = tree.nodes[node].capacity = 1
    return edge


cdef bint ensure_edges(Tree* tree, uint32_t node, const move_t* moves, int n) noexcept nogil:
    cdef const Edge* edges = &tree.edges[tree.nodes[node].edges]
    cdef int n_old = tree.nodes[node].n_edges
    cdef int n_new = 0, i, k = 0
    if n_old == 0:
        return first_edges(tree, node, moves, n)
    for i in range(n):
        while k < n_old and edges[k].move < moves[i]:
            k += 1
        if k == n_old or edges[k].move != moves[i]:
            n_new += 1
    if n_new == 0:
        return True
    if n_old + n_new > tree.nodes[node].capacity and not make_room(tree, node, n_old + 2 * n_new):
        return False
    merge_edges(tree, node, moves, n, n_new)
    return True


cdef bint first_edges(Tree* tree, uint32_t node, const move_t* moves, int n) noexcept nogil:
    """Give a node without edges one for each of n moves."""
    cdef uint32_t start = add_edges(tree, n)
    cdef int i
    if start == NO_NODE:
        return False
    for i in range(n):
        tree.edges[start + <uint32_t>i].move = moves[i]
        tree.edges[start + <uint32_t>i].proof = -1
    tree.nodes[node].edges = start
    tree.nodes[node].n_edges = tree.nodes[node].capacity = n
    tree.nodes[node].has_priors = 0     # an adopted node may have lost its edges, not this mark
    return True


cdef bint make_room(Tree* tree, uint32_t node, int capacity) noexcept nogil:
    """Move the edges of a node to a larger block, with room to spare: a node that grows is likely to grow again."""
    cdef uint32_t start = add_edges(tree, capacity)
    if start == NO_NODE:
        return False
    memcpy(&tree.edges[start], &tree.edges[tree.nodes[node].edges], tree.nodes[node].n_edges * sizeof(Edge))
    tree.nodes[node].edges = start
    tree.nodes[node].capacity = capacity
    return True


cdef void merge_edges(Tree* tree, uint32_t node, const move_t* moves, int n, int n_new) noexcept nogil:
    """Add edges for the n_new of n moves that have none, from the back, so that every edge moves once."""
    cdef Edge* edges = &tree.edges[tree.nodes[node].edges]
    cdef int k = tree.nodes[node].n_edges - 1
    cdef int i = n - 1, place = k + n_new
    tree.nodes[node].n_edges += n_new
    tree.nodes[node].has_priors = 0
    while n_new:
        if k >= 0 and edges[k].move >= moves[i]:
            i -= edges[k].move == moves[i]
            edges[place] = edges[k]
            k -= 1
        else:
            memset(&edges[place], 0, sizeof(Edge))
            edges[place].move = moves[i]
            edges[place].proof = -1
            n_new -= 1
            i -= 1
        place -= 1
