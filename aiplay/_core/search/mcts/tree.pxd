# The search tree of MCTS: nodes and edges in two growing arrays, addressed by index.
#
# A node stands for what its observer has noticed since the root. A decision that the tree is to make has an edge
# for every move, with the statistics that select among them; everything else (chance, moves of seats that the
# tree only observes) has a single edge. Below an edge hangs a list of nodes, one for each key under which
# `perceive` shows the move: usually one, several where a move reveals something (a lifted card), so that what a
# seat learns leads to nodes of its own.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from aiplay._core.typedefs cimport move_t, seat_t

cdef enum:
    NO_NODE = 0xFFFFFFFF    # no node, no edge: out of memory, or not followed any more
    ROOT = 0                # the root is the first node; it is never below an edge, so 0 also ends a list


ctypedef struct Edge:
    double value            # sum of the rewards (0..1) of the seat that chose it
    move_t move             # the move, or -1 for the single edge of an observed decision
    uint32_t visits         # how often it was taken
    uint32_t available      # how often its move was legal when its node was visited (hidden information only)
    uint32_t child          # first node below it, 0 for none
    float prior             # the game's opinion: a weight or a value, see MctsParams.prior
    float proof             # proven value for the seat that chooses, or -1


ctypedef struct Node:
    uint64_t key            # how its observer noticed the move that leads here
    uint32_t next           # next node below the same edge, 0 for none
    uint32_t edges          # its first edge
    uint32_t visits
    uint32_t proof          # 1 + where its proven values start in `proofs`, 0 while not proven
    uint16_t n_edges
    uint16_t capacity       # edges reserved
    uint8_t has_priors      # 1 when its edges have their priors
    uint8_t is_noted        # 1 when it is known as the root of the next search


ctypedef struct Tree:
    Node* nodes
    Edge* edges
    double* proofs          # values per seat of proven nodes
    uint32_t n_nodes
    uint32_t n_edges
    uint32_t n_proofs
    uint32_t room_nodes     # entries allocated
    uint32_t room_edges
    uint32_t room_proofs
    size_t memory           # bytes that all three arrays may take
    seat_t owner            # the seat whose knowledge it follows


cdef inline size_t tree_bytes(const Tree* tree) noexcept nogil:
    """Bytes allocated."""
    return (
        <size_t>tree.room_nodes * sizeof(Node)
        + <size_t>tree.room_edges * sizeof(Edge)
        + <size_t>tree.room_proofs * sizeof(double)
    )


cdef inline uint32_t grown(const Tree* tree, uint32_t room, uint32_t needed, size_t size) noexcept nogil:
    """How many entries to allocate for `needed` ones: twice the old room if memory allows; 0 if it does not."""
    cdef size_t free_bytes = tree.memory - min(tree_bytes(tree), tree.memory)
    cdef size_t most = room + free_bytes // size
    cdef size_t wanted = max(2 * <size_t>room, needed)
    if needed > most or needed >= 0x7FFFFFFF:
        return 0
    return <uint32_t>min(min(wanted, most), <size_t>0x7FFFFFFF)


cdef inline uint32_t add_node(Tree* tree, uint64_t key) noexcept nogil:
    """A new node without edges, or NO_NODE when memory is used up."""
    cdef uint32_t room
    cdef Node* moved
    cdef Node* node
    if tree.n_nodes == tree.room_nodes:
        room = grown(tree, tree.room_nodes, tree.n_nodes + 1, sizeof(Node))
        if room == 0:
            return NO_NODE
        moved = <Node*>realloc(tree.nodes, room * sizeof(Node))
        if moved == NULL:
            return NO_NODE
        tree.nodes = moved
        tree.room_nodes = room
    node = &tree.nodes[tree.n_nodes]
    memset(node, 0, sizeof(Node))
    node.key = key
    tree.n_nodes += 1
    return tree.n_nodes - 1


cdef inline uint32_t add_edges(Tree* tree, uint32_t n) noexcept nogil:
    """n new edges in a row, zeroed; the first one, or NO_NODE when memory is used up."""
    cdef uint32_t room
    cdef Edge* moved
    if tree.n_edges + n > tree.room_edges:
        room = grown(tree, tree.room_edges, tree.n_edges + n, sizeof(Edge))
        if room == 0:
            return NO_NODE
        moved = <Edge*>realloc(tree.edges, room * sizeof(Edge))
        if moved == NULL:
            return NO_NODE
        tree.edges = moved
        tree.room_edges = room
    memset(&tree.edges[tree.n_edges], 0, n * sizeof(Edge))
    tree.n_edges += n
    return tree.n_edges - n


cdef inline uint32_t add_proof(Tree* tree, const double* values, int seats) noexcept nogil:
    """Store the proven values of a node; 1 + their place, or 0 when memory is used up."""
    cdef uint32_t room
    cdef double* moved
    if tree.n_proofs + seats > tree.room_proofs:
        room = grown(tree, tree.room_proofs, tree.n_proofs + max(seats, 64), sizeof(double))
        if room == 0:
            return 0
        moved = <double*>realloc(tree.proofs, room * sizeof(double))
        if moved == NULL:
            return 0
        tree.proofs = moved
        tree.room_proofs = room
    memcpy(&tree.proofs[tree.n_proofs], values, seats * sizeof(double))
    tree.n_proofs += seats
    return 1 + tree.n_proofs - seats


cdef inline uint32_t child_below(Tree* tree, uint32_t edge, uint64_t key) noexcept nogil:
    """The node below an edge that is reached under `key`, made if need be; NO_NODE when memory is used up."""
    cdef uint32_t child = tree.edges[edge].child
    while child:
        if tree.nodes[child].key == key:
            return child
        child = tree.nodes[child].next
    child = add_node(tree, key)
    if child != NO_NODE:
        tree.nodes[child].next = tree.edges[edge].child
        tree.edges[edge].child = child
    return child


cdef inline uint32_t only_edge(Tree* tree, uint32_t node) noexcept nogil:
    """The single edge of an observed decision, made if need be; NO_NODE when memory is used up."""
    cdef uint32_t edge
    if tree.nodes[node].n_edges == 0:
        edge = add_edges(tree, 1)
        if edge == NO_NODE:
            return NO_NODE
        tree.edges[edge].move = -1
        tree.edges[edge].proof = -1
        tree.nodes[node].edges = edge
        tree.nodes[node].n_edges = tree.nodes[node].capacity = 1
    return tree.nodes[node].edges


cdef inline bint ensure_edges(Tree* tree, uint32_t node, const move_t* moves, int n) noexcept nogil:
    """Give a node an edge for each of n ascending moves that has none, in order; False when memory is used up."""
    cdef int n_old = tree.nodes[node].n_edges
    cdef int n_new = 0, i = 0, k = 0
    cdef uint32_t start
    cdef Edge* edges = &tree.edges[tree.nodes[node].edges]
    # 1. Count the moves that have no edge yet.
    for i in range(n):
        while k < n_old and edges[k].move < moves[i]:
            k += 1
        if k == n_old or edges[k].move != moves[i]:
            n_new += 1
    if n_new == 0:
        return True
    # 2. Find room for them: a block of its own, larger than needed if the node has grown before.
    if n_old + n_new > tree.nodes[node].capacity:
        start = add_edges(tree, n_new if n_old == 0 else n_old + 2 * n_new)
        if start == NO_NODE:
            return False
        memcpy(&tree.edges[start], &tree.edges[tree.nodes[node].edges], n_old * sizeof(Edge))
        tree.nodes[node].edges = start
        tree.nodes[node].capacity = n_new if n_old == 0 else n_old + 2 * n_new
    # 3. Merge from the back, so that every edge moves once.
    edges = &tree.edges[tree.nodes[node].edges]
    tree.nodes[node].n_edges = n_old + n_new
    tree.nodes[node].has_priors = 0
    i, k = n - 1, n_old - 1
    n_old += n_new
    while n_new:
        n_old -= 1
        if k >= 0 and edges[k].move > moves[i]:
            edges[n_old] = edges[k]
            k -= 1
        elif k >= 0 and edges[k].move == moves[i]:
            edges[n_old] = edges[k]
            k -= 1
            i -= 1
        else:
            memset(&edges[n_old], 0, sizeof(Edge))
            edges[n_old].move = moves[i]
            edges[n_old].proof = -1
            n_new -= 1
            i -= 1
    return True


cdef inline void free_tree(Tree* tree) noexcept nogil:
    """Give its memory back."""
    free(tree.nodes)
    free(tree.edges)
    free(tree.proofs)
    memset(tree, 0, sizeof(Tree))
