# The search tree of MCTS: nodes, edges and fans in one growing array of cells, addressed by index.
#
# A node stands for what its observer has noticed since the root. A decision that the tree makes has an edge for every
# move, with the statistics that select among them; a move that the tree only observes has a single edge. What chance
# decides after a move belongs to its edge: throws and draws in a row are one *run*. Below an edge is one node for each
# key under which `perceive` shows the move and its run: usually one, several if the move reveals something (a lifted
# card) or chance follows it, so that new information leads to separate nodes.
#
# Large trees do not fit into the caches of a processor, and most of the time of an iteration is then spent waiting for
# memory. So nodes and edges are cells of 32 bytes, half a cache line, and the first edges of a node lie right behind
# it: one wait for both. Most nodes never get edges, so a node moves when it gets its first ones, and its old cell is
# given to the next new node; only the root stays where it is. The way from an edge to the right node below it touches
# no other node: a single one is known by its index, several are in a *fan* of a few cells.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from aiplay._core.typedefs cimport move_t, seat_t

cdef enum:
    NO_NODE = 0xFFFFFFFF    # no node, no edge: out of memory, or outside the tree
    ROOT = 0                # the root is the first node; it is never below an edge, so 0 also stands for none
    IS_FAN = 0x80000000     # marks an index of a fan
    IS_OUTCOME = 0x80000000     # marks an outcome in place of a run
    N_FAN_SIZES = 24

cdef enum:                  # arrays of a tree
    CELLS
    PROOFS
    RUNS
    N_ARRAYS


cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define aiplay_fetch(address) __builtin_prefetch(address)
    #else
    #define aiplay_fetch(address) ((void)0)
    #endif
    """
    void aiplay_fetch(const void* address) noexcept nogil   # lets memory begin to send a cache line


ctypedef struct Edge:
    double value            # sum of the rewards (0..1) of the seat that chose it
    move_t move             # the move, or -1 for the single edge of an observed decision
    uint32_t visits         # how often it was taken
    uint32_t available      # how often its move was legal when its node was visited (hidden information only)
    uint32_t child          # the node below it, IS_FAN + the index of a fan for several, 0 for none
    float prior             # of the game: a weight or a value, see MctsParams.prior
    float proof             # proven value for the seat that chooses, or -1


ctypedef struct Node:
    uint64_t key            # how its observer noticed the move and the run that lead here
    uint32_t edges          # its first edge; where it has gone, if it IS_MOVED
    uint32_t visits
    uint32_t proof          # 1 + index of its proven values in `proofs`, 0 while not proven
    uint32_t run            # 1 + index of the run that led here in `runs`, IS_OUTCOME + the outcome of a run of one,
                            # 0 for none (or one too long to keep)
    uint32_t draws          # how often chance has drawn this run
    uint16_t n_edges
    uint8_t n_spare         # edges reserved after the last
    uint8_t marks           # HAS_PRIORS, IS_NOTED, IS_ADOPTED, IS_MOVED


cdef enum:                  # marks of a node
    HAS_PRIORS = 1          # its edges have their priors
    IS_NOTED = 2            # noted as a root of the next search
    IS_ADOPTED = 4          # adopted from an earlier search
    IS_MOVED = 8            # nothing but the way from where it was noted to where it is now


ctypedef struct Branch:
    uint32_t tag            # hash of the key of the node
    uint32_t node


# The nodes below an edge: followed by `room` branches in the order in which they were added, and in a large fan by a
# hash table of 2 * (room + 2) places.
ctypedef struct Fan:
    uint32_t n              # number of nodes
    uint32_t room           # nodes that it has room for
    uint32_t cursor         # 1 + place of the node that is served now when no new one may be added (see chance.pyx)
    uint32_t served         # how often it was served in a row


ctypedef struct Tree:
    Node* nodes             # the cells: both begin with the first one
    Edge* edges             # and fans
    double* proofs          # values per seat of proven nodes
    move_t* runs            # runs of several outcomes: their number, then the outcomes
    uint32_t n_nodes        # nodes in the tree
    uint32_t n_cells        # entries used, or out of use since
    uint32_t n_proofs
    uint32_t n_runs
    uint32_t room_cells     # entries allocated
    uint32_t room_proofs
    uint32_t room_runs
    uint32_t free_cells     # the first of a list of single cells out of use, 0 for none
    uint32_t free_fans[N_FAN_SIZES]     # the same for fans of each size
    void* blocks[N_ARRAYS]  # the memory of the three arrays; each begins with the first cache line of its block
    uint32_t starts[N_ARRAYS]       # where that is, in bytes
    size_t memory           # limit of the three arrays together, in bytes
    seat_t owner            # the seat whose knowledge it follows


# Bytes allocated.
cdef size_t tree_bytes(const Tree* tree) noexcept nogil

# A new node without edges; NO_NODE if memory is used up.
cdef uint32_t add_node(Tree* tree, uint64_t key) noexcept nogil

# Stores proven values of all seats: 1 + their index, or 0 if memory is used up.
cdef uint32_t add_proof(Tree* tree, const double* values, int seats) noexcept nogil

# Stores the outcomes of a run, n >= 1: the entry for `run` of a node, or 0 if memory is used up.
cdef uint32_t add_run(Tree* tree, const move_t* outcomes, int n) noexcept nogil

# Copies the outcomes of a stored run, which is not 0, and returns their number.
cdef int copy_run(const Tree* tree, uint32_t run, move_t* outcomes) noexcept nogil

# A new node below an edge; NO_NODE if memory is used up. Before: no node below the edge has this key.
cdef uint32_t add_child(Tree* tree, uint32_t edge, uint64_t key) noexcept nogil

# The node of a fan with this key, or NO_NODE.
cdef uint32_t find_in_fan(const Tree* tree, const Fan* fan, uint64_t key) noexcept nogil

# A single edge for an observed decision, which has none yet; NO_NODE if memory is used up. The node moves: its new
# index replaces the old one. Before: `above` is the edge that leads to it, or NO_NODE for the root.
cdef uint32_t add_only_edge(Tree* tree, uint32_t* node, uint32_t above) noexcept nogil

# Gives a node an edge for each of n ascending moves that has none, in order; False if memory is used up or the node
# would have more edges than a node can have. The node moves with its first edges, as above.
cdef bint ensure_edges(Tree* tree, uint32_t* node, uint32_t above, const move_t* moves, int n) noexcept nogil

# Entries of one of the three arrays, in use or out of use.
cdef uint32_t count_entries(const Tree* tree, int which) noexcept nogil

# Cells that a fan takes.
cdef uint32_t fan_size(const Fan* fan) noexcept nogil

# Forgets all but the first entries of the arrays, and the fans out of use, and gives back the memory.
cdef void shrink_tree(Tree* tree, const uint32_t* n_left) noexcept nogil

# Frees all memory.
cdef void free_tree(Tree* tree) noexcept nogil


cdef inline Fan* fan_below(const Tree* tree, const Edge* edge) noexcept nogil:
    """The fan below an edge, or NULL if it has at most one node."""
    return <Fan*>&tree.edges[edge.child - IS_FAN] if edge.child >= IS_FAN else NULL


cdef inline void fetch_below(const Tree* tree, const Edge* edge) noexcept nogil:
    """Let memory begin to send what is below an edge, a node with its first edges or a fan: two cache lines."""
    cdef const Edge* below = &tree.edges[edge.child & ~<uint32_t>IS_FAN]
    aiplay_fetch(below)
    aiplay_fetch(below + 2)


cdef inline Branch* branch_at(const Fan* fan, uint32_t place) noexcept nogil:
    return <Branch*>(fan + 1) + place


cdef inline uint32_t count_children(const Tree* tree, const Edge* edge) noexcept nogil:
    """Number of nodes below an edge."""
    return fan_below(tree, edge).n if edge.child >= IS_FAN else edge.child != 0


cdef inline uint32_t child_at(const Tree* tree, const Edge* edge, uint32_t i) noexcept nogil:
    """Node number i below an edge: the first one that was added, then the others, the newest first."""
    cdef const Fan* fan = fan_below(tree, edge)
    if fan == NULL:
        return edge.child
    return branch_at(fan, fan.n - i if i else 0).node


cdef inline uint32_t find_child(const Tree* tree, uint32_t edge, uint64_t key) noexcept nogil:
    """The node below an edge that is reached under `key`, or NO_NODE."""
    cdef uint32_t child = tree.edges[edge].child
    if child >= IS_FAN:
        return find_in_fan(tree, fan_below(tree, &tree.edges[edge]), key)
    return child if child and tree.nodes[child].key == key else NO_NODE


cdef inline uint32_t child_below(Tree* tree, uint32_t edge, uint64_t key) noexcept nogil:
    """The node below an edge that is reached under `key`, made if need be; NO_NODE if memory is used up."""
    cdef uint32_t child = find_child(tree, edge, key)
    return add_child(tree, edge, key) if child == NO_NODE else child


cdef inline uint32_t only_edge(Tree* tree, uint32_t* node, uint32_t above) noexcept nogil:
    """The single edge of an observed decision, made as by `add_only_edge` if need be; NO_NODE if memory is used up."""
    return tree.nodes[node[0]].edges if tree.nodes[node[0]].n_edges else add_only_edge(tree, node, above)


cdef inline uint32_t present_index(const Tree* tree, uint32_t node) noexcept nogil:
    """The index of a node that has been noted, and may have moved since."""
    return tree.nodes[node].edges if tree.nodes[node].marks & IS_MOVED else node
