"""The search tree of MCTS: nodes, edges and fans in one growing array."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memmove, memset

from aiplay._core.typedefs cimport move_t

cdef enum:
    MOST_ENTRIES = 0x7FFFFFFF   # of an array
    CACHE_LINE = 64             # bytes
    FIRST_PROOFS = 64           # numbers that the first proof makes room for, at least
    FIRST_RUNS = 64             # the same for outcomes and the first run
    FIRST_FAN = 1               # size of the first fan of an edge: the results of a die fit
    HASHED_ROOM = 62            # fans with room for this number of nodes, or more, have a hash table
    MOST_SPARE = 255            # edges reserved
    MOST_EDGES = 0x7FFF         # of a node


cdef size_t tree_bytes(const Tree* tree) noexcept nogil:
    return (
        <size_t>tree.room_cells * sizeof(Node)
        + <size_t>tree.room_proofs * sizeof(double)
        + <size_t>tree.room_runs * sizeof(move_t)
    )


cdef void free_tree(Tree* tree) noexcept nogil:
    cdef int i
    for i in range(N_ARRAYS):
        free(tree.blocks[i])
    memset(tree, 0, sizeof(Tree))


# ---- Arrays that grow --------------------------------------------------------------------------------------

cdef void* enlarged(
    Tree* tree, int which, uint32_t* room, uint32_t needed, size_t size
) noexcept nogil:
    """An array of the tree with room for `needed` entries of `size` bytes: twice the old room if memory allows.

    It begins with a cache line, so that no entry of 32 bytes is in two of them. NULL if memory is used up; the array is
    then unchanged.
    """
    cdef size_t free_bytes = tree.memory - min(tree_bytes(tree), tree.memory)
    cdef size_t most = min(room[0] + free_bytes // size, <size_t>MOST_ENTRIES)
    cdef size_t wanted = min(max(2 * <size_t>room[0], <size_t>needed), most)
    if needed > most or needed == MOST_ENTRIES:
        return NULL
    return resized(tree, which, room, wanted, size)


cdef void* resized(Tree* tree, int which, uint32_t* room, size_t wanted, size_t size) noexcept nogil:
    """An array with room for `wanted` entries, more or fewer than before; NULL if there is no memory."""
    cdef char* block = <char*>realloc(tree.blocks[which], wanted * size + CACHE_LINE)
    cdef size_t start
    if block == NULL:
        return NULL
    start = CACHE_LINE - <size_t>block % CACHE_LINE
    if start != tree.starts[which]:
        memmove(block + start, block + tree.starts[which], min(<size_t>room[0], wanted) * size)
    tree.blocks[which], tree.starts[which] = block, <uint32_t>start
    room[0] = <uint32_t>wanted
    return block + start


cdef uint32_t count_entries(const Tree* tree, int which) noexcept nogil:
    if which == CELLS:
        return tree.n_cells
    return tree.n_proofs if which == PROOFS else tree.n_runs


cdef void use_cells(Tree* tree, void* cells) noexcept nogil:
    tree.nodes = <Node*>cells
    tree.edges = <Edge*>cells


cdef void shrink_tree(Tree* tree, const uint32_t* n_left) noexcept nogil:
    cdef void* cells = resized(tree, CELLS, &tree.room_cells, n_left[CELLS], sizeof(Node))
    cdef void* proofs = resized(tree, PROOFS, &tree.room_proofs, n_left[PROOFS], sizeof(double))
    cdef void* runs = resized(tree, RUNS, &tree.room_runs, n_left[RUNS], sizeof(move_t))
    if cells != NULL:           # a block that could not be made smaller stays as it is
        use_cells(tree, cells)
    if proofs != NULL:
        tree.proofs = <double*>proofs
    if runs != NULL:
        tree.runs = <move_t*>runs
    tree.n_cells, tree.n_proofs, tree.n_runs = n_left[CELLS], n_left[PROOFS], n_left[RUNS]
    tree.free_cells = 0
    memset(tree.free_fans, 0, sizeof(tree.free_fans))


cdef inline void free_cell(Tree* tree, uint32_t cell) noexcept nogil:
    (<Fan*>&tree.edges[cell]).n = tree.free_cells
    tree.free_cells = cell


cdef uint32_t add_cells(Tree* tree, uint32_t n) noexcept nogil:
    """The first of n new cells in a row; NO_NODE if memory is used up.

    An even number begins with a cache line, so that it takes as few of them as possible.
    """
    cdef uint32_t n_skipped = tree.n_cells & 1 if n % 2 == 0 else 0
    cdef void* moved
    if tree.n_cells + n_skipped + n > tree.room_cells:
        moved = enlarged(tree, CELLS, &tree.room_cells, tree.n_cells + n_skipped + n, sizeof(Node))
        if moved == NULL:
            return NO_NODE
        use_cells(tree, moved)
    if n_skipped:
        free_cell(tree, tree.n_cells)
    tree.n_cells += n_skipped + n
    return tree.n_cells - n


cdef uint32_t add_node(Tree* tree, uint64_t key) noexcept nogil:
    cdef uint32_t node = tree.free_cells
    if node:
        tree.free_cells = (<Fan*>&tree.edges[node]).n
    else:
        node = add_cells(tree, 1)
    if node == NO_NODE:
        return NO_NODE
    memset(&tree.nodes[node], 0, sizeof(Node))
    tree.nodes[node].key = key
    tree.n_nodes += 1
    return node


cdef uint32_t add_proof(Tree* tree, const double* values, int seats) noexcept nogil:
    cdef uint32_t needed = tree.n_proofs + max(seats, FIRST_PROOFS)
    cdef void* moved
    if tree.n_proofs + seats > tree.room_proofs:
        moved = enlarged(tree, PROOFS, &tree.room_proofs, needed, sizeof(double))
        if moved == NULL:
            return 0
        tree.proofs = <double*>moved
    memcpy(&tree.proofs[tree.n_proofs], values, seats * sizeof(double))
    tree.n_proofs += seats
    return 1 + tree.n_proofs - seats


cdef uint32_t add_run(Tree* tree, const move_t* outcomes, int n) noexcept nogil:
    cdef uint32_t needed = tree.n_runs + max(n + 1, FIRST_RUNS)
    cdef void* moved
    if n == 1:
        return IS_OUTCOME + <uint32_t>outcomes[0]
    if tree.n_runs + n + 1 > tree.room_runs:
        moved = enlarged(tree, RUNS, &tree.room_runs, needed, sizeof(move_t))
        if moved == NULL:
            return 0
        tree.runs = <move_t*>moved
    tree.runs[tree.n_runs] = n
    memcpy(&tree.runs[tree.n_runs + 1], outcomes, n * sizeof(move_t))
    tree.n_runs += n + 1
    return tree.n_runs - n


cdef int copy_run(const Tree* tree, uint32_t run, move_t* outcomes) noexcept nogil:
    if run >= IS_OUTCOME:
        outcomes[0] = <move_t>(run - IS_OUTCOME)
        return 1
    memcpy(outcomes, &tree.runs[run], tree.runs[run - 1] * sizeof(move_t))
    return tree.runs[run - 1]


# ---- Nodes below an edge -----------------------------------------------------------------------------------
# A fan of size k takes 2**k cells, or twice that with its hash table.

cdef inline uint32_t tag_of(uint64_t key) noexcept nogil:
    return <uint32_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 32)


cdef inline bint is_hashed(const Fan* fan) noexcept nogil:
    return fan.room >= HASHED_ROOM


cdef inline uint32_t* slots_of(const Fan* fan) noexcept nogil:
    """The hash table of a fan: 1 + the place of a branch, or 0."""
    return <uint32_t*>branch_at(fan, fan.room)


cdef inline uint32_t last_slot(const Fan* fan) noexcept nogil:
    return 2 * (fan.room + 2) - 1


cdef Branch* branch_of(const Tree* tree, const Fan* fan, uint64_t key) noexcept nogil:
    """The branch of the node of a fan with this key, or NULL."""
    cdef uint32_t tag = tag_of(key)
    cdef Branch* branch
    cdef const uint32_t* slots
    cdef uint32_t i
    if not is_hashed(fan):
        for i in range(fan.n):
            branch = branch_at(fan, i)
            if branch.tag == tag and tree.nodes[branch.node].key == key:
                return branch
        return NULL
    slots = slots_of(fan)
    i = tag & last_slot(fan)
    while slots[i]:
        branch = branch_at(fan, slots[i] - 1)
        if branch.tag == tag and tree.nodes[branch.node].key == key:
            return branch
        i = (i + 1) & last_slot(fan)
    return NULL


cdef uint32_t find_in_fan(const Tree* tree, const Fan* fan, uint64_t key) noexcept nogil:
    cdef const Branch* branch = branch_of(tree, fan, key)
    return NO_NODE if branch == NULL else branch.node


cdef inline void add_branch(Fan* fan, uint32_t tag, uint32_t node) noexcept nogil:
    cdef Branch* branch = branch_at(fan, fan.n)
    cdef uint32_t* slots
    cdef uint32_t i
    branch.tag, branch.node = tag, node
    fan.n += 1
    if is_hashed(fan):
        slots = slots_of(fan)
        i = tag & last_slot(fan)
        while slots[i]:
            i = (i + 1) & last_slot(fan)
        slots[i] = fan.n


cdef inline uint32_t room_of(int size) noexcept nogil:
    """Nodes that a fan of this size has room for."""
    return (<uint32_t>4 << size) - 2


cdef uint32_t fan_size(const Fan* fan) noexcept nogil:
    return (fan.room + 2) // 4 * (2 if is_hashed(fan) else 1)


cdef uint32_t new_fan(Tree* tree, int size) noexcept nogil:
    """An empty fan; NO_NODE if memory is used up."""
    cdef uint32_t room = room_of(size)
    cdef uint32_t start, n
    if size >= N_FAN_SIZES:
        return NO_NODE
    n = <uint32_t>(2 if room >= HASHED_ROOM else 1) << size
    start = tree.free_fans[size]
    if start:
        tree.free_fans[size] = (<Fan*>&tree.edges[start]).n
    else:
        start = add_cells(tree, n)
    if start != NO_NODE:
        memset(&tree.edges[start], 0, n * sizeof(Edge))
        (<Fan*>&tree.edges[start]).room = room
    return start


cdef bint enlarge_fan(Tree* tree, uint32_t edge) noexcept nogil:
    """Move the nodes below an edge to a larger fan, or to their first one; False if memory is used up."""
    cdef uint32_t old = tree.edges[edge].child
    cdef Fan* fan = fan_below(tree, &tree.edges[edge])
    cdef int size = FIRST_FAN
    cdef uint32_t start, i
    cdef Fan* larger
    while fan != NULL and room_of(size) <= fan.room:
        size += 1
    start = new_fan(tree, size)
    if start == NO_NODE:
        return False
    larger = <Fan*>&tree.edges[start]
    tree.edges[edge].child = IS_FAN + start
    if old < IS_FAN:
        add_branch(larger, tag_of(tree.nodes[old].key), old)
        return True
    fan = <Fan*>&tree.edges[old - IS_FAN]
    larger.cursor, larger.served = fan.cursor, fan.served
    for i in range(fan.n):
        add_branch(larger, branch_at(fan, i).tag, branch_at(fan, i).node)
    fan.n = tree.free_fans[size - 1]
    tree.free_fans[size - 1] = old - IS_FAN
    return True


cdef uint32_t add_child(Tree* tree, uint32_t edge, uint64_t key) noexcept nogil:
    cdef Fan* fan = fan_below(tree, &tree.edges[edge])
    cdef uint32_t child
    if tree.edges[edge].child and (fan == NULL or fan.n == fan.room) and not enlarge_fan(tree, edge):
        return NO_NODE
    child = add_node(tree, key)
    if child == NO_NODE:
        return NO_NODE
    if tree.edges[edge].child:
        add_branch(fan_below(tree, &tree.edges[edge]), tag_of(key), child)
    else:
        tree.edges[edge].child = child
    return child


# ---- Edges of a node ---------------------------------------------------------------------------------------

cdef inline void move_node(Tree* tree, uint32_t node, uint32_t above, uint32_t place) noexcept nogil:
    """Move a node below an edge to another cell. Where it was noted, it leaves the way to there."""
    cdef Fan* fan = fan_below(tree, &tree.edges[above])
    tree.nodes[place] = tree.nodes[node]
    if fan == NULL:
        tree.edges[above].child = place
    else:
        branch_of(tree, fan, tree.nodes[node].key).node = place
    if tree.nodes[node].marks & IS_NOTED:
        tree.nodes[node].marks = IS_MOVED
        tree.nodes[node].edges = place
    else:
        free_cell(tree, node)


cdef bint add_edges(Tree* tree, uint32_t* node, uint32_t above, uint32_t n) noexcept nogil:
    """Give a node without edges n of them, and a cell right before them; False if memory is used up."""
    cdef uint32_t place = add_cells(tree, n if above == NO_NODE else 1 + n)
    cdef Node* here
    if place == NO_NODE:
        return False
    if above != NO_NODE:
        move_node(tree, node[0], above, place)
        node[0] = place
        place += 1
    memset(&tree.edges[place], 0, n * sizeof(Edge))
    here = &tree.nodes[node[0]]
    here.edges, here.n_edges, here.n_spare = place, <uint16_t>n, 0
    return True


cdef uint32_t add_only_edge(Tree* tree, uint32_t* node, uint32_t above) noexcept nogil:
    cdef Edge* edge
    if not add_edges(tree, node, above, 1):
        return NO_NODE
    edge = &tree.edges[tree.nodes[node[0]].edges]
    edge.move = -1
    edge.proof = -1
    return tree.nodes[node[0]].edges


cdef bint ensure_edges(Tree* tree, uint32_t* node, uint32_t above, const move_t* moves, int n) noexcept nogil:
    cdef const Edge* edges = &tree.edges[tree.nodes[node[0]].edges]
    cdef int n_old = tree.nodes[node[0]].n_edges
    cdef int n_new = 0, i, k = 0
    if n_old == 0:
        return first_edges(tree, node, above, moves, n)
    for i in range(n):
        while k < n_old and edges[k].move < moves[i]:
            k += 1
        if k == n_old or edges[k].move != moves[i]:
            n_new += 1
    if n_new == 0:
        return True
    if n_old + n_new > MOST_EDGES:
        return False
    if n_new <= tree.nodes[node[0]].n_spare:
        tree.nodes[node[0]].n_spare -= n_new
    elif not make_room(tree, node[0], n_new):
        return False
    merge_edges(tree, node[0], moves, n, n_new)
    return True


cdef bint first_edges(Tree* tree, uint32_t* node, uint32_t above, const move_t* moves, int n) noexcept nogil:
    """Give a node without edges one for each of n moves."""
    cdef Edge* edges
    cdef int i
    if not add_edges(tree, node, above, n):
        return False
    edges = &tree.edges[tree.nodes[node[0]].edges]
    for i in range(n):
        edges[i].move = moves[i]
        edges[i].proof = -1
    tree.nodes[node[0]].marks &= ~HAS_PRIORS    # an adopted node may have lost its edges, not this mark
    return True


cdef bint make_room(Tree* tree, uint32_t node, int n_new) noexcept nogil:
    """Move the edges of a node to a block with room for n_new more, and spare room: it is likely to grow again."""
    cdef int n_spare = min(n_new, MOST_SPARE)
    cdef uint32_t n_old = tree.nodes[node].n_edges
    cdef uint32_t start = add_cells(tree, n_old + n_new + n_spare)
    cdef uint32_t cell, old = tree.nodes[node].edges
    if start == NO_NODE:
        return False
    memset(&tree.edges[start], 0, (n_old + n_new + n_spare) * sizeof(Edge))
    memcpy(&tree.edges[start], &tree.edges[old], n_old * sizeof(Edge))
    for cell in range(old, old + n_old + tree.nodes[node].n_spare):
        free_cell(tree, cell)
    tree.nodes[node].edges = start
    tree.nodes[node].n_spare = <uint8_t>n_spare
    return True


cdef void merge_edges(Tree* tree, uint32_t node, const move_t* moves, int n, int n_new) noexcept nogil:
    """Add edges for the n_new of n moves that have none, from the back, so that every edge moves once."""
    cdef Edge* edges = &tree.edges[tree.nodes[node].edges]
    cdef int k = tree.nodes[node].n_edges - 1
    cdef int i = n - 1, place = k + n_new
    tree.nodes[node].n_edges += n_new
    tree.nodes[node].marks &= ~HAS_PRIORS
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
