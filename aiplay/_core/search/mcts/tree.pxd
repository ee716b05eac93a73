# The search tree of MCTS: nodes and edges in two growing arrays, addressed by index.
#
# A node stands for what its observer has noticed since the root. A decision that the tree makes has an edge for every
# move, with the statistics that select among them; a move that the tree only observes has a single edge. What chance
# decides after a move belongs to its edge: throws and draws in a row are one *run*. Below an edge is a list of nodes,
# one for each key under which `perceive` shows the move and its run: usually one, several if the move reveals
# something (a lifted card) or chance follows it, so that new information leads to separate nodes.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from aiplay._core.typedefs cimport move_t, seat_t

cdef enum:
    NO_NODE = 0xFFFFFFFF    # no node, no edge: out of memory, or outside the tree
    ROOT = 0                # the root is the first node; it is never below an edge, so 0 also ends a list


ctypedef struct Edge:
    double value            # sum of the rewards (0..1) of the seat that chose it
    move_t move             # the move, or -1 for the single edge of an observed decision
    uint32_t visits         # how often it was taken
    uint32_t available      # how often its move was legal when its node was visited (hidden information only)
    uint32_t child          # first node below it, 0 for none
    float prior             # of the game: a weight or a value, see MctsParams.prior
    float proof             # proven value for the seat that chooses, or -1


ctypedef struct Node:
    uint64_t key            # how its observer noticed the move and the run that lead here
    uint32_t next           # next node below the same edge, 0 for none
    uint32_t edges          # its first edge
    uint32_t visits
    uint32_t proof          # 1 + index of its proven values in `proofs`, 0 while not proven
    uint32_t run            # 1 + index of the run that led here in `runs`, 0 for none (or one too long to keep)
    uint32_t draws          # how often chance has drawn this run
    uint32_t n_children     # first node below an edge: nodes below it,
    uint32_t cursor         # the node that is served next when no new one may be added (see chance.pyx),
    uint32_t served         # and how often it was served
    uint16_t n_edges
    uint16_t capacity       # edges reserved
    uint8_t n_run           # outcomes of its run
    uint8_t has_priors      # 1: its edges have their priors
    uint8_t is_noted        # 1: noted as a root of the next search


ctypedef struct Tree:
    Node* nodes
    Edge* edges
    double* proofs          # values per seat of proven nodes
    move_t* runs            # outcomes of the runs of chance
    uint32_t n_nodes
    uint32_t n_edges
    uint32_t n_proofs
    uint32_t n_runs
    uint32_t room_nodes     # entries allocated
    uint32_t room_edges
    uint32_t room_proofs
    uint32_t room_runs
    size_t memory           # limit of the four arrays together, in bytes
    seat_t owner            # the seat whose knowledge it follows


# Bytes allocated.
cdef size_t tree_bytes(const Tree* tree) noexcept nogil

# A new node without edges; NO_NODE if memory is used up.
cdef uint32_t add_node(Tree* tree, uint64_t key) noexcept nogil

# The first of n new edges in a row, zeroed; NO_NODE if memory is used up.
cdef uint32_t add_edges(Tree* tree, uint32_t n) noexcept nogil

# Stores proven values of all seats: 1 + their index, or 0 if memory is used up.
cdef uint32_t add_proof(Tree* tree, const double* values, int seats) noexcept nogil

# Stores the outcomes of a run: 1 + their index, or 0 if memory is used up.
cdef uint32_t add_run(Tree* tree, const move_t* outcomes, int n) noexcept nogil

# Puts a node that is below no edge yet below an edge; the first one stays the first.
cdef void hang_below(Tree* tree, uint32_t edge, uint32_t node) noexcept nogil

# A new node below an edge; NO_NODE if memory is used up.
cdef uint32_t add_child(Tree* tree, uint32_t edge, uint64_t key) noexcept nogil

# A single edge for an observed decision, which has none yet; NO_NODE if memory is used up.
cdef uint32_t add_only_edge(Tree* tree, uint32_t node) noexcept nogil

# Gives a node an edge for each of n ascending moves that has none, in order; False if memory is used up.
cdef bint ensure_edges(Tree* tree, uint32_t node, const move_t* moves, int n) noexcept nogil

# Frees all memory.
cdef void free_tree(Tree* tree) noexcept nogil


cdef inline uint32_t find_child(const Tree* tree, uint32_t edge, uint64_t key) noexcept nogil:
    """The node below an edge that is reached under `key`, or NO_NODE."""
    cdef uint32_t child = tree.edges[edge].child
    while child:
        if tree.nodes[child].key == key:
            return child
        child = tree.nodes[child].next
    return NO_NODE


cdef inline uint32_t child_below(Tree* tree, uint32_t edge, uint64_t key) noexcept nogil:
    """The node below an edge that is reached under `key`, made if need be; NO_NODE if memory is used up."""
    cdef uint32_t child = find_child(tree, edge, key)
    return add_child(tree, edge, key) if child == NO_NODE else child


cdef inline uint32_t only_edge(Tree* tree, uint32_t node) noexcept nogil:
    """The single edge of an observed decision, made if need be; NO_NODE if memory is used up."""
    return tree.nodes[node].edges if tree.nodes[node].n_edges else add_only_edge(tree, node)
