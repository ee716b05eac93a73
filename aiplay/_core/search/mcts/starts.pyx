"""Where an iteration enters the trees: the other seats know their own cards.

With one root for all worlds, a seat plays the same moves whatever it holds: an opponent at poker bets as if it had not
looked at its card. So the tree of a seat is split at the root: one node for each view that the seat may have now. This
needs views that come up again and again. If they are many (a hand of six cards has thousands), every iteration would
enter at a new node, and the seat keeps one root for all.

And the other seats do not know our cards. If we always held those that we hold, they would learn to answer just these:
a bluff would never work, and a bet would tell everything. So if all views are few, an iteration has a second part: a
seat that sees what another one sees in a sampled world samples a world for itself (compare Cowling, Whitehouse and
Powley 2015). There we may hold anything, and play by a tree that has an entry for each of our views. What is found
there counts for the other seats, not for our choice.
"""

from libc.stdint cimport uint32_t, uint64_t

from aiplay._core.contract cimport imagine_world, state_copy, state_drop
from aiplay._core.rng cimport Rng, derive_seed, rng_below, rng_from_seed
from aiplay._core.search.mcts.search cimport view_hash
from aiplay._core.search.mcts.tree cimport NO_NODE, ROOT, Tree, child_below, only_edge
from aiplay._core.typedefs cimport seat_t

cdef enum:
    N_SAMPLES = 64          # worlds in which the views of the other seats are counted
    MAX_VIEWS = 16          # among them: a tree with more is not split

# Keeps the streams of these worlds apart from those of the iterations.
cdef uint64_t SPLIT_STREAM = int.from_bytes(b"split", "big")
cdef uint64_t IMAGINED_STREAM = int.from_bytes(b"imagined", "big")


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
    search.has_imagined = search.ops.seats > 1 and all_split(search) and has_few_own_views(search)


cdef bint all_split(const Search* search) noexcept nogil:
    """True if the trees of all other seats are split."""
    cdef int t
    for t in range(search.n_trees):
        if t != search.seat and not search.is_split[t]:
            return False
    return True


cdef bint has_few_own_views(Search* search) noexcept nogil:
    """True if the searching seat has a few views in the worlds that others believe in; notes the one that it has."""
    cdef uint64_t views[MAX_VIEWS]
    cdef int i = 0, n = 0
    cdef bint has_few = True
    cdef Rng rng = rng_from_seed(derive_seed(search.seed, IMAGINED_STREAM))
    while has_few and i < N_SAMPLES:
        state_copy(search.ops, search.buffers.state, search.root)
        imagine_world(search.ops, search.buffers.state, search.seat, &rng)
        search.own_view = view_hash(search, search.seat)
        imagine_as_another(search, &rng)
        has_few = add_view(views, &n, view_hash(search, search.seat))
        state_drop(search.ops, search.buffers.state)
        i += 1
    return has_few and n > 1


# ---- Worlds that another seat believes in -------------------------------------------------------------------

cdef void imagine_as_another(Search* search, Rng* rng) noexcept nogil:
    """Let one of the other seats sample a world: it keeps what that seat sees."""
    cdef seat_t seat = (search.seat + 1 + <seat_t>rng_below(rng, search.ops.seats - 1)) % search.ops.seats
    if search.ops.conceal != NULL:
        search.ops.conceal(search.ops.rules, search.buffers.state, seat)
    imagine_world(search.ops, search.buffers.state, seat, rng)


cdef inline void change_places(Search* search) noexcept nogil:
    cdef Tree tree = search.trees[search.seat]
    search.trees[search.seat] = search.imagined
    search.imagined = tree
    search.is_split[search.seat] = search.is_imagined


cdef bint imagine_own(Search* search, Rng* rng) noexcept nogil:
    imagine_as_another(search, rng)
    search.is_imagined = view_hash(search, search.seat) != search.own_view
    if search.is_imagined:
        change_places(search)
    return search.is_imagined


cdef void end_imagined(Search* search) noexcept nogil:
    search.is_imagined = 0
    change_places(search)


# ---- Entries -----------------------------------------------------------------------------------------------

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
