"""Adopting the part of a tree that is still of use after a move."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from aiplay._core.bits cimport popcount
from aiplay._core.search.mcts.search cimport NextRoot, Search, own_tree, view_hash
from aiplay._core.search.mcts.tree cimport (
    CELLS, IS_ADOPTED, IS_FAN, IS_NOTED, IS_OUTCOME, N_ARRAYS, NO_NODE, PROOFS, ROOT, RUNS, Fan, Node, Tree, branch_at,
    count_entries, fan_below, fan_size, present_index, shrink_tree,
)
from aiplay._core.typedefs cimport move_t

cdef enum:
    NEXT_SHARE = 16         # part of the memory of a tree that noted roots may take


# ---- Where the next search may start -----------------------------------------------------------------------

cdef bint has_room(Search* search) noexcept nogil:
    """Make room for one more noted root; False if there is none."""
    cdef int room = 2 * search.room_next + 32
    cdef NextRoot* moved
    if search.n_next < search.room_next:
        return True
    if room * sizeof(NextRoot) > own_tree(search).memory // NEXT_SHARE:
        return False
    moved = <NextRoot*>realloc(search.next_roots, <size_t>room * sizeof(NextRoot))
    if moved == NULL:
        return False
    search.next_roots = moved
    search.room_next = room
    return True


cdef void note_next_root(Search* search, const uint32_t* nodes) noexcept nogil:
    cdef int t
    if not has_room(search):
        return
    search.next_roots[search.n_next].view = view_hash(search, search.seat)
    memcpy(search.next_roots[search.n_next].nodes, nodes, search.n_trees * sizeof(uint32_t))
    search.n_next += 1
    for t in range(search.n_trees):
        if nodes[t] != NO_NODE:
            search.trees[t].nodes[nodes[t]].marks |= IS_NOTED


cdef uint32_t* find_next_root(Search* search, uint64_t view) noexcept nogil:
    cdef const Tree* tree = own_tree(search)
    cdef NextRoot* root
    cdef NextRoot* best = NULL
    cdef uint32_t own = tree - search.trees
    cdef int i
    for i in range(search.n_next):
        root = &search.next_roots[i]
        if root.view == view:
            update_indices(search, root)
            if best == NULL or tree.nodes[root.nodes[own]].visits > tree.nodes[best.nodes[own]].visits:
                best = root
    return NULL if best == NULL else best.nodes


cdef void update_indices(Search* search, NextRoot* root) noexcept nogil:
    cdef int t
    for t in range(search.n_trees):
        if root.nodes[t] != NO_NODE:
            root.nodes[t] = present_index(&search.trees[t], root.nodes[t])


# ---- Keeping a part of a tree ------------------------------------------------------------------------------
# The part is moved to the front of the arrays, in order, so that no second tree is needed. A node with edges comes
# after the one above it: a single pass from the first cell to the last finds everything that belongs to the part.

ctypedef struct Kept:       # entries of an array that stay
    uint64_t* bits          # one for each entry
    uint32_t* before        # for each word of them, how many stay before it


cdef bint open_kept(Kept* kept, uint32_t n) noexcept nogil:
    kept.bits = <uint64_t*>calloc(n // 64 + 1, sizeof(uint64_t))
    kept.before = <uint32_t*>calloc(n // 64 + 2, sizeof(uint32_t))
    return kept.bits != NULL and kept.before != NULL


cdef void close_kept(Kept* kept) noexcept nogil:
    free(kept.bits)
    free(kept.before)


cdef inline bint stays(const Kept* kept, uint32_t i) noexcept nogil:
    return (kept.bits[i // 64] >> (i % 64)) & 1


cdef inline void keep(Kept* kept, uint32_t start, uint32_t n) noexcept nogil:
    cdef uint32_t i
    for i in range(start, start + n):
        kept.bits[i // 64] |= <uint64_t>1 << (i % 64)


cdef uint32_t count_kept(Kept* kept, uint32_t n) noexcept nogil:
    """Count the entries that stay before every word; return how many stay of n."""
    cdef uint32_t word
    for word in range(n // 64 + 1):
        kept.before[word + 1] = kept.before[word] + <uint32_t>popcount(kept.bits[word])
    return kept.before[n // 64 + 1]


cdef inline uint32_t new_place(const Kept* kept, uint32_t i) noexcept nogil:
    """Where an entry that stays is moved to."""
    return kept.before[i // 64] + <uint32_t>popcount(kept.bits[i // 64] & ((<uint64_t>1 << (i % 64)) - 1))


cdef void mark_below(const Tree* tree, uint32_t node, Kept* kept, Kept* heads) noexcept nogil:
    """Keep the edges of a node, their fans, and the nodes right below."""
    cdef const Node* here = &tree.nodes[node]
    cdef const Fan* fan
    cdef uint32_t edge, i
    keep(&kept[CELLS], here.edges, here.n_edges + here.n_spare)
    for edge in range(here.edges, here.edges + here.n_edges):
        fan = fan_below(tree, &tree.edges[edge])
        if fan != NULL:
            keep(&kept[CELLS], tree.edges[edge].child - IS_FAN, fan_size(fan))
            for i in range(fan.n):
                keep(heads, branch_at(fan, i).node, 1)
        elif tree.edges[edge].child:
            keep(heads, tree.edges[edge].child, 1)


cdef void mark_node(const Tree* tree, uint32_t node, Kept* kept, int seats) noexcept nogil:
    """Keep a node itself, its proof and its run."""
    cdef const Node* here = &tree.nodes[node]
    keep(&kept[CELLS], node, 1)
    if here.proof:
        keep(&kept[PROOFS], here.proof - 1, seats)
    if here.run and here.run < IS_OUTCOME:
        keep(&kept[RUNS], here.run - 1, tree.runs[here.run - 1] + 1)


cdef void redirect_node(Tree* tree, uint32_t node, const Kept* kept) noexcept nogil:
    """Let a node, its edges and fans, which have not been moved yet, refer to the new places."""
    cdef Node* here = &tree.nodes[node]
    cdef Fan* fan
    cdef uint32_t edge, i
    here.marks = (here.marks & ~IS_NOTED) | IS_ADOPTED
    if here.proof:
        here.proof = 1 + new_place(&kept[PROOFS], here.proof - 1)
    if here.run and here.run < IS_OUTCOME:
        here.run = 1 + new_place(&kept[RUNS], here.run - 1)
    for edge in range(here.edges, here.edges + here.n_edges):
        fan = fan_below(tree, &tree.edges[edge])
        if fan != NULL:
            fan.cursor = fan.served = 0
            for i in range(fan.n):
                branch_at(fan, i).node = new_place(&kept[CELLS], branch_at(fan, i).node)
            tree.edges[edge].child = IS_FAN + new_place(&kept[CELLS], tree.edges[edge].child - IS_FAN)
        elif tree.edges[edge].child:
            tree.edges[edge].child = new_place(&kept[CELLS], tree.edges[edge].child)
    here.edges = new_place(&kept[CELLS], here.edges) if here.n_edges else 0


cdef void close_up(char* entries, uint32_t n, size_t size, const Kept* kept) noexcept nogil:
    """Move the entries that stay to the front."""
    cdef uint32_t i, place = 0
    for i in range(n):
        if stays(kept, i):
            if i != place:
                memcpy(entries + place * size, entries + i * size, size)
            place += 1


cdef bint keep_part(Tree* tree, uint32_t start, int seats) noexcept nogil:
    cdef Kept kept[N_ARRAYS]
    cdef Kept heads         # the cells that are nodes
    cdef int i
    cdef bint is_open = open_kept(&heads, tree.n_cells)
    memset(kept, 0, sizeof(kept))
    for i in range(N_ARRAYS):
        is_open = is_open and open_kept(&kept[i], count_entries(tree, i))
    if is_open:
        tree.nodes[ROOT] = tree.nodes[start]
        mark_part(tree, kept, &heads, seats)
        move_kept(tree, kept, &heads)
    for i in range(N_ARRAYS):
        close_kept(&kept[i])
    close_kept(&heads)
    return is_open


cdef void mark_part(const Tree* tree, Kept* kept, Kept* heads, int seats) noexcept nogil:
    """Mark everything that is reached from the root; a node without edges may lie before the one above it."""
    cdef uint32_t node
    keep(heads, ROOT, 1)
    for node in range(tree.n_cells):
        if stays(heads, node) and tree.nodes[node].n_edges:
            mark_below(tree, node, kept, heads)
    for node in range(tree.n_cells):
        if stays(heads, node):
            mark_node(tree, node, kept, seats)


cdef void move_kept(Tree* tree, Kept* kept, Kept* heads) noexcept nogil:
    """Throw away everything but the marked entries, and give back the memory of the rest."""
    cdef uint32_t n_left[N_ARRAYS]
    cdef uint32_t node
    cdef int i
    for i in range(N_ARRAYS):
        n_left[i] = count_kept(&kept[i], count_entries(tree, i))
    for node in range(tree.n_cells):
        if stays(heads, node):
            redirect_node(tree, node, kept)
    tree.n_nodes = count_kept(heads, tree.n_cells)
    close_up(<char*>tree.nodes, tree.n_cells, sizeof(Node), &kept[CELLS])
    close_up(<char*>tree.proofs, tree.n_proofs, sizeof(double), &kept[PROOFS])
    close_up(<char*>tree.runs, tree.n_runs, sizeof(move_t), &kept[RUNS])
    shrink_tree(tree, n_left)
