"""Where an iteration enters the trees: the other seats know their own cards.

With one root for all worlds, a seat plays the same moves whatever it holds: an opponent at poker bets as if it had not
looked at its card. So the tree of a seat is split at the root: one node for each view that the seat may have now. This
needs views that come up again and again. If they are many (a hand of six cards has thousands), every iteration would
enter at a new node, and the seat keeps one root for all.
"""

from libc.stdint cimport uint32_t, uint64_t

from aiplay._core.contract cimport imagine_world, state_copy, state_drop
from aiplay._core.rng cimport Rng, derive_seed, rng_from_seed
from aiplay._core.search.mcts.search cimport view_hash
from aiplay._core.search.mcts.tree cimport NO_NODE, ROOT, Tree, child_below, only_edge

cdef enum:
    N_SAMPLES = 64          # worlds in which the views of the other seats are counted
    MAX_VIEWS = 16          # among them: a tree with more is not split

# Keeps the streams of these worlds apart from those of the iterations.
cdef uint64_t SPLIT_STREAM = int.from_bytes(b"split", "big")


cdef bint add_view(uint64_t* views, int* n, uint64_t view) noexcept nogil:
    """Add a view to the n different ones; False if there are too many."""
    cdef int i
    for i in range(n[0]):
        if views[i] == view:
            return True
    if n[0] == MAX_VIEWS:
        return False
    views[n[0]] = view
    n[0] += 1
    return True


cdef void split_trees(Search* search) noexcept nogil:
    cdef uint64_t views[MAX_VIEWS]
    cdef int t, i, n
    cdef Rng rng
    for t in range(search.n_trees):
        search.is_split[t] = t != search.seat
        n = i = 0
        while search.is_split[t] and i < N_SAMPLES:
            rng = rng_from_seed(derive_seed(derive_seed(search.seed, SPLIT_STREAM), i))
            state_copy(search.ops, search.buffers.state, search.root)
            imagine_world(search.ops, search.buffers.state, search.seat, &rng)
            search.is_split[t] = add_view(views, &n, view_hash(search, t))
            state_drop(search.ops, search.buffers.state)
            i += 1


cdef void find_starts(Search* search) noexcept nogil:
    cdef Tree* tree
    cdef uint32_t edge, node, root = ROOT
    cdef int t
    for t in range(search.n_trees):
        search.starts[t] = ROOT
        if search.is_split[t]:
            tree = &search.trees[t]
            edge = only_edge(tree, &root, NO_NODE)
            node = NO_NODE if edge == NO_NODE else child_below(tree, edge, view_hash(search, t))
            if node != NO_NODE:
                tree.nodes[ROOT].visits += 1
                tree.edges[edge].visits += 1
                if tree.nodes[node].visits == 0:
                    tree.nodes[node].visits = 1     # an entry is never a leaf
            search.starts[t] = node
