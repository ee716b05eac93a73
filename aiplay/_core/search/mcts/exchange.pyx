"""Several trees of one position share what they find in their upper nodes.

Independent trees that are merged at the root only are hardly stronger than one of them: each has to find the good
replies for itself. So the searches pause after the same number of iterations (see crew.pyx), and each adds to the edges
of its upper nodes the visits and rewards that the others have found since the last time (compare Bourki et al. 2010).

A search writes what it has found into a log (`tell`), and the others read it before they go on (`hear`). Nodes of
different trees are matched by their keys on the path from the root; a node that a tree lacks is made. For every edge
that takes part a search notes how much of it the others know, their own part included, so nothing is counted twice.
What was adopted from the last move is in all trees already, and counts as known.

A node takes part from a few visits on (`least`), and again after as many new ones; but below an edge where chance has
many results each search has nodes of its own (chance.pyx), and the edge itself carries what they are worth. The result
depends on the iterations of the searches only, not on threads or time.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from aiplay._core.search.mcts.chance cimport MIN_NODES
from aiplay._core.search.mcts.search cimport MAX_RUN, Search
from aiplay._core.search.mcts.tree cimport (
    IS_ADOPTED, IS_FAN, NO_NODE, ROOT, Tree, add_child, add_proof, add_run, child_at, copy_run, count_children,
    ensure_edges, find_child,
)
from aiplay._core.typedefs cimport MAX_SEATS, move_t

cdef enum:
    LEAST_ADOPTED = 4       # visits of an adopted node whose statistics are noted
    DEEPEST = 64            # moves from the root to the deepest node that takes part
    SPARE = 4               # edges of a node that are reserved when it grows
    CELLS_OF_SLOT = 4       # of a tree: a node has about as many, with its edges


# ---- The trees -----------------------------------------------------------------------------------------------------

cdef inline Count read_edge(const Tree* tree, uint32_t edge) noexcept nogil:
    cdef Count found
    found.value = tree.edges[edge].value
    found.visits = tree.edges[edge].visits
    found.available = tree.edges[edge].available
    return found


cdef inline void add_to_edge(Tree* tree, uint32_t edge, const Count* more) noexcept nogil:
    tree.edges[edge].value += more.value
    tree.edges[edge].visits += more.visits
    tree.edges[edge].available += more.available


cdef inline void add_to(Count* target, const Count* more) noexcept nogil:
    target.value += more.value
    target.visits += more.visits
    target.available += more.available


cdef inline Count difference(const Count* count, const Count* less) noexcept nogil:
    cdef Count found
    found.value = count.value - less.value
    found.visits = count.visits - less.visits
    found.available = count.available - less.available
    return found


cdef inline uint32_t edge_with(const Tree* tree, uint32_t node, move_t move) noexcept nogil:
    """The edge of a move at a node, or NO_NODE."""
    cdef uint32_t i
    for i in range(tree.nodes[node].edges, tree.nodes[node].edges + tree.nodes[node].n_edges):
        if tree.edges[i].move == move:
            return i
    return NO_NODE


# ---- Memory --------------------------------------------------------------------------------------------------------

cdef bint has_room(void** array, uint32_t* room, uint32_t needed, size_t size) noexcept nogil:
    """Make room for `needed` entries of `size` bytes in an array; False if memory is used up."""
    cdef size_t wanted = max(2 * <size_t>room[0], <size_t>needed)
    cdef void* moved
    if needed <= room[0]:
        return True
    if wanted >= NO_NODE:
        return False
    moved = realloc(array[0], wanted * size)
    if moved == NULL:
        return False
    array[0] = moved
    room[0] = <uint32_t>wanted
    return True


cdef bint open_partner(Partner* partner, Search* search, int n, size_t memory) noexcept nogil:
    cdef int t
    partner.search = search
    search.n_partners = n
    partner.memory = memory
    for t in range(search.n_trees):
        if search.n_adopted:
            search.trees[t].nodes[ROOT].marks |= IS_ADOPTED     # also one of a tree that was not worth adopting
    tell(partner, 0, LEAST_ADOPTED)     # what has been adopted is noted as known
    for t in range(2):
        partner.logs[t].n_nodes = 0
    return True


cdef void close_partner(Partner* partner) noexcept nogil:
    cdef int t
    for t in range(MAX_SEATS):
        free(partner.known[t].slots)
        free(partner.known[t].nodes)
        free(partner.known[t].edges)
    for t in range(2):
        free(partner.logs[t].nodes)
        free(partner.logs[t].edges)
        free(partner.logs[t].proofs)
        free(partner.logs[t].runs)
    free(partner.places)
    free(partner.moves)
    memset(partner, 0, sizeof(Partner))


cdef bint is_affordable(const Partner* partner, uint32_t n_nodes, uint32_t n_edges) noexcept nogil:
    """True if a tree may have this number of known nodes and edges, with room for as many again."""
    cdef size_t used = 2 * (n_nodes * sizeof(KnownNode) + n_edges * sizeof(KnownEdge))
    return used <= partner.memory // partner.search.n_trees


cdef bint has_slots(Known* known, const Tree* tree) noexcept nogil:
    """Make room for slots for all cells of the tree; False if memory is used up."""
    cdef uint32_t n = known.n_slots
    if not has_room(<void**>&known.slots, &known.n_slots, tree.n_cells // CELLS_OF_SLOT + 1, sizeof(uint32_t)):
        return False
    if known.n_slots > n:
        memset(known.slots + n, 0, (known.n_slots - n) * sizeof(uint32_t))
    return True


# ---- What the others know of a node --------------------------------------------------------------------------------

cdef uint32_t entry_of(const Known* known, uint32_t node) noexcept nogil:
    """The entry of a node, or NO_NODE."""
    cdef uint32_t slot = node // CELLS_OF_SLOT
    cdef uint32_t entry = known.slots[slot] if slot < known.n_slots else 0
    while entry and known.nodes[entry - 1].node != node:
        entry = known.nodes[entry - 1].next
    return entry - 1 if entry else NO_NODE


cdef uint32_t add_entry(Partner* partner, Known* known, uint32_t node) noexcept nogil:
    """A new entry for a node, without edges; NO_NODE if memory is used up."""
    cdef uint32_t* slot = &known.slots[node // CELLS_OF_SLOT]
    if not is_affordable(partner, known.n_nodes + 1, known.n_edges):
        return NO_NODE
    if not has_room(<void**>&known.nodes, &known.room_nodes, known.n_nodes + 1, sizeof(KnownNode)):
        return NO_NODE
    memset(&known.nodes[known.n_nodes], 0, sizeof(KnownNode))
    known.nodes[known.n_nodes].node = node
    known.nodes[known.n_nodes].next = slot[0]
    known.n_nodes += 1
    slot[0] = known.n_nodes
    return known.n_nodes - 1


cdef uint32_t known_node(Partner* partner, int tree, uint32_t node) noexcept nogil:
    """The entry of a node with an edge for each of its edges, made if need be; NO_NODE if memory is used up."""
    cdef Known* known = &partner.known[tree]
    cdef const Tree* own = &partner.search.trees[tree]
    cdef uint32_t entry
    if not has_slots(known, own):
        return NO_NODE
    entry = entry_of(known, node)
    if entry == NO_NODE:
        entry = add_entry(partner, known, node)
    if entry == NO_NODE:
        return NO_NODE
    if known.nodes[entry].n_edges != own.nodes[node].n_edges and not take_edges(partner, tree, node, entry):
        return NO_NODE
    return entry


cdef bint take_edges(Partner* partner, int tree, uint32_t node, uint32_t entry) noexcept nogil:
    """Give an entry an edge for each edge of its node; both ascend by move. False if memory is used up."""
    cdef Known* known = &partner.known[tree]
    cdef const Tree* own = &partner.search.trees[tree]
    cdef uint32_t n = own.nodes[node].n_edges, n_old = known.nodes[entry].n_edges
    cdef uint32_t start = known.nodes[entry].edges, first = own.nodes[node].edges
    cdef uint32_t capacity = n + SPARE * (n_old > 0)
    cdef uint32_t i, k = n_old
    cdef bint is_base = own.nodes[node].marks & IS_ADOPTED and n_old == 0
    if n > known.nodes[entry].capacity:
        if not is_affordable(partner, known.n_nodes, known.n_edges + capacity):
            return False
        if not has_room(<void**>&known.edges, &known.room_edges, known.n_edges + capacity, sizeof(KnownEdge)):
            return False
        memcpy(&known.edges[known.n_edges], &known.edges[start], n_old * sizeof(KnownEdge))
        start = known.n_edges
        known.n_edges += capacity
        known.nodes[entry].edges = start
        known.nodes[entry].capacity = <unsigned short>capacity
    for i in range(n, 0, -1):           # from the back, so that every edge moves once
        if k > 0 and known.edges[start + k - 1].move == own.edges[first + i - 1].move:
            known.edges[start + i - 1] = known.edges[start + k - 1]
            k -= 1
            continue
        memset(&known.edges[start + i - 1], 0, sizeof(KnownEdge))
        known.edges[start + i - 1].move = own.edges[first + i - 1].move
        if is_base:
            known.edges[start + i - 1].known = read_edge(own, first + i - 1)
            known.edges[start + i - 1].fresh = own.edges[first + i - 1].visits
    known.nodes[entry].n_edges = <unsigned short>n
    return True


# ---- Telling -------------------------------------------------------------------------------------------------------

cdef void tell(Partner* partner, int which, uint32_t least) noexcept nogil:
    cdef Log* log = &partner.logs[which]
    cdef int tree
    partner.least = least
    log.n_nodes = log.n_edges = log.n_proofs = log.n_runs = 0
    for tree in range(partner.search.n_trees):
        if partner.search.trees[tree].nodes[ROOT].n_edges:
            tell_node(partner, log, tree, ROOT, NO_NODE, 0, 0)


cdef void tell_node(
    Partner* partner, Log* log, int tree, uint32_t node, uint32_t above, move_t move, int depth
) noexcept nogil:
    """Write what is new at a node, and at those below it that have enough new visits."""
    cdef Known* known = &partner.known[tree]
    cdef const Tree* own = &partner.search.trees[tree]
    cdef uint32_t entry = known_node(partner, tree, node)
    cdef uint32_t n = own.nodes[node].n_edges
    cdef uint32_t i, edge
    cdef LogNode* told
    if entry == NO_NODE or not has_room(<void**>&log.nodes, &log.room_nodes, log.n_nodes + 1, sizeof(LogNode)):
        return
    if not has_room(<void**>&log.edges, &log.room_edges, log.n_edges + n, sizeof(LogEdge)):
        return
    told = &log.nodes[log.n_nodes]
    told.key, told.above, told.move, told.tree = own.nodes[node].key, above, move, <unsigned char>tree
    told.edges, told.n_edges = log.n_edges, <unsigned short>n
    tell_run(log, own, node, told)
    above = log.n_nodes
    log.n_nodes += 1
    log.n_edges += n
    for i in range(n):
        edge = known.nodes[entry].edges + i
        tell_edge(partner, log, own, own.nodes[node].edges + i, told.edges + i, &known.edges[edge])
    known.nodes[entry].visits = own.nodes[node].visits
    if depth == DEEPEST:
        return
    for i in range(n):
        edge = known.nodes[entry].edges + i
        if known.edges[edge].fresh >= partner.least:
            known.edges[edge].fresh = 0
            tell_below(partner, log, tree, own.nodes[node].edges + i, above, depth)


cdef void tell_run(Log* log, const Tree* own, uint32_t node, LogNode* told) noexcept nogil:
    """Write the run of chance that leads to a node."""
    cdef int n
    told.run = told.n_run = 0
    told.draws = own.nodes[node].draws
    if own.nodes[node].run and has_room(<void**>&log.runs, &log.room_runs, log.n_runs + MAX_RUN, sizeof(move_t)):
        n = copy_run(own, own.nodes[node].run, &log.runs[log.n_runs])
        told.n_run = <unsigned char>n
        told.run = 1 + log.n_runs
        log.n_runs += <uint32_t>n


cdef inline void tell_edge(
    Partner* partner, Log* log, const Tree* own, uint32_t edge, uint32_t place, KnownEdge* known
) noexcept nogil:
    """Write what is new at an edge to a place of the log."""
    cdef Count now = read_edge(own, edge)
    cdef LogEdge* told = &log.edges[place]
    cdef int seats = partner.search.ops.seats
    cdef const double* values
    told.found = difference(&now, &known.known)
    told.move = own.edges[edge].move
    told.proof = 0
    known.known = now
    known.fresh += told.found.visits
    if own.edges[edge].proof >= 0 and not known.is_proof_known:
        if has_room(<void**>&log.proofs, &log.room_proofs, log.n_proofs + <uint32_t>seats, sizeof(double)):
            values = &own.proofs[own.nodes[own.edges[edge].child].proof - 1]
            memcpy(&log.proofs[log.n_proofs], values, seats * sizeof(double))
            told.proof = 1 + log.n_proofs
            log.n_proofs += <uint32_t>seats
            known.is_proof_known = 1


cdef void tell_below(
    Partner* partner, Log* log, int tree, uint32_t edge, uint32_t above, int depth
) noexcept nogil:
    """Write what is new at the nodes below an edge, unless they are so many that each search has its own."""
    cdef const Known* known = &partner.known[tree]
    cdef const Tree* own = &partner.search.trees[tree]
    cdef uint32_t i, child, entry, before
    cdef uint32_t n = count_children(own, &own.edges[edge])
    if n > MIN_NODES:
        return
    for i in range(n):
        child = child_at(own, &own.edges[edge], i)
        if own.nodes[child].n_edges == 0:
            continue
        entry = entry_of(known, child)
        before = 0 if entry == NO_NODE else known.nodes[entry].visits
        if own.nodes[child].visits >= before + partner.least:
            tell_node(partner, log, tree, child, above, own.edges[edge].move, depth + 1)


# ---- Hearing -------------------------------------------------------------------------------------------------------

cdef void hear(Partner* partner, const Log* log) noexcept nogil:
    cdef uint32_t i
    if not has_room(<void**>&partner.places, &partner.room_places, log.n_nodes, sizeof(uint32_t)):
        return
    for i in range(log.n_nodes):
        partner.places[i] = place_of(partner, log, &log.nodes[i])
        if partner.places[i] != NO_NODE:
            hear_node(partner, log, &log.nodes[i], partner.places[i])


cdef uint32_t place_of(Partner* partner, const Log* log, const LogNode* told) noexcept nogil:
    """The own node for one of a log, with edges for its moves, made if need be; NO_NODE if that is impossible."""
    cdef Tree* own = &partner.search.trees[told.tree]
    cdef uint32_t above, edge = NO_NODE, node = ROOT
    cdef int i, n = told.n_edges
    if told.above != NO_NODE:
        above = partner.places[told.above]
        if above == NO_NODE:
            return NO_NODE
        edge = edge_with(own, above, told.move)
        if edge == NO_NODE:
            return NO_NODE
        node = find_child(own, edge, told.key)
        if node == NO_NODE:
            node = add_told_node(own, edge, log, told)
        if node == NO_NODE:
            return NO_NODE
    if not has_room(<void**>&partner.moves, &partner.room_moves, told.n_edges, sizeof(move_t)):
        return NO_NODE
    for i in range(n):
        partner.moves[i] = log.edges[told.edges + <uint32_t>i].move
    if own.nodes[node].n_edges == 0 or not partner.search.params.is_open:
        if not ensure_edges(own, &node, edge, partner.moves, n):
            return NO_NODE
    return node


cdef uint32_t add_told_node(Tree* own, uint32_t edge, const Log* log, const LogNode* told) noexcept nogil:
    """A new node below an edge as it was told, without edges; NO_NODE if memory is used up, or its run is unknown."""
    cdef uint32_t node
    if told.draws and told.run == 0:
        return NO_NODE
    node = add_child(own, edge, told.key)
    if node == NO_NODE:
        return NO_NODE
    own.nodes[node].visits = 1
    own.nodes[node].draws = told.draws
    if told.run:
        own.nodes[node].run = add_run(own, &log.runs[told.run - 1], told.n_run)
    return node


cdef void hear_node(Partner* partner, const Log* log, const LogNode* told, uint32_t node) noexcept nogil:
    """Add what another search has found at a node."""
    cdef Tree* own = &partner.search.trees[told.tree]
    cdef Known* known = &partner.known[told.tree]
    cdef uint32_t entry = known_node(partner, told.tree, node)
    cdef uint32_t i, k = 0
    cdef uint32_t edge, noted
    cdef const LogEdge* heard
    if entry == NO_NODE:
        return
    for i in range(told.n_edges):
        heard = &log.edges[told.edges + i]
        while k < own.nodes[node].n_edges and own.edges[own.nodes[node].edges + k].move != heard.move:
            k += 1
        if k == own.nodes[node].n_edges:
            return
        edge, noted = own.nodes[node].edges + k, known.nodes[entry].edges + k
        add_to_edge(own, edge, &heard.found)
        add_to(&known.edges[noted].known, &heard.found)
        own.nodes[node].visits += heard.found.visits
        known.nodes[entry].visits += heard.found.visits
        if heard.proof:
            hear_proof(partner.search, own, edge, &log.proofs[heard.proof - 1])


cdef void hear_proof(Search* search, Tree* own, uint32_t edge, const double* values) noexcept nogil:
    """Note the proven values of the node below an edge; the next visit proves the edge by them."""
    cdef uint32_t child = own.edges[edge].child
    if child >= IS_FAN:         # chance follows: what it decides proves nothing
        return
    if child == 0:
        child = add_child(own, edge, <uint64_t>own.edges[edge].move)    # only open games have proofs: keys are moves
        if child == NO_NODE:
            return
        own.nodes[child].visits = 1
    if own.edges[edge].proof < 0 and own.nodes[child].proof == 0 and own.nodes[child].draws == 0:
        own.nodes[child].proof = add_proof(own, values, search.ops.seats)
