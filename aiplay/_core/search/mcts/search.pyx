"""Monte Carlo tree search as Python sees it: one `TreeSearch` is one independent tree (or one for each seat)."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from aiplay._core.contract cimport (
    GameOps, imagine_world, perceive_move, sample_outcome, state_copy, state_hash,
)
from aiplay._core.game cimport Game, State, View
from aiplay._core.rng cimport Rng, rng_below, rng_from_seed
from aiplay._core.search.common.control cimport Clock, StopFlag, clock_start
from aiplay._core.search.mcts.reuse cimport graft, has_edges
from aiplay._core.search.mcts.tree cimport NO_NODE, ROOT, Edge, Node, Tree, add_node, free_tree, tree_bytes
from aiplay._core.search.mcts.uct cimport Goal, RootSum, Search, Step, count_nodes, own_tree, root_lead, run_slice
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, TERMINAL, move_t, seat_t

cdef enum:
    PATH_STEPS = 4096       # longest path that is followed in the tree; deeper, the playout takes over
    HIDING_GAMES = 8        # random games in which hidden moves are looked for


cdef class TreeSearch:
    """One independent search; several of them, with seeds of their own, are merged at the root by the player.

    One thread at a time may use it.
    """

    def __init__(
        self, View view not None, *, bint is_one_world, uint64_t seed, int trees, size_t memory, **params
    ):
        """Search `view`, or the open game of one world of it; `params` are the members of MctsParams."""
        cdef Search* g = &self.search
        cdef int t
        self.game = view.game
        self.view = view
        self.origin = _imagined(view, seed) if is_one_world else _as_state(view)
        g.ops = &self.game.ops
        g.params = params
        g.seat = view.seat
        g.root = self.origin.data
        g.has_worlds = not is_one_world and g.ops.determinise != NULL
        g.seed = seed
        g.n_trees = trees
        self._allocate()
        for t in range(trees):
            g.trees[t].memory = memory // trees
            g.trees[t].owner = t if trees > 1 else g.seat
            if add_node(&g.trees[t], 0) == NO_NODE:
                raise MemoryError()

    def _allocate(self):
        cdef Search* g = &self.search
        g.room_path = PATH_STEPS
        g.path = <Step*>malloc(PATH_STEPS * sizeof(Step))
        g.buffers.moves = <move_t*>malloc(g.ops.max_moves * sizeof(move_t))
        g.buffers.weights = <double*>malloc(g.ops.max_moves * sizeof(double))
        g.buffers.state = calloc(1, g.ops.state_size)
        g.buffers.scratch = calloc(1, g.ops.state_size)
        g.root_sums = <RootSum*>calloc(g.ops.max_moves, sizeof(RootSum))
        if not (
            g.path and g.buffers.moves and g.buffers.weights and g.buffers.state and g.buffers.scratch
            and g.root_sums
        ):
            raise MemoryError()

    def __dealloc__(self):
        cdef Search* g = &self.search
        cdef int t
        for t in range(MAX_SEATS):
            free_tree(&g.trees[t])
        free(g.path)
        free(g.next_roots)
        free(g.root_sums)
        free(g.buffers.moves)
        free(g.buffers.weights)
        free(g.buffers.state)
        free(g.buffers.scratch)

    def run(
        self, StopFlag stop not None, double deadline, double pause, uint64_t iterations, uint64_t nodes,
        bint is_choosing,
    ):
        """Iterate up to `iterations` in all, `nodes` new ones, the deadline or the pause; whether there is more."""
        cdef Clock clock
        cdef Goal goal
        cdef bint has_more
        goal.iterations, goal.nodes, goal.is_choosing = iterations, nodes, is_choosing
        clock_start(&clock, deadline, pause, &stop.is_set)
        with nogil:
            has_more = run_slice(&self.search, &clock, &goal)
        self.game.raise_failure()
        return has_more

    # ---- What it has found -----------------------------------------------------------------------------------

    @property
    def iterations(self):
        """Iterations made."""
        return self.search.n_iterations

    @property
    def nodes(self):
        """Nodes in memory."""
        return count_nodes(&self.search)

    @property
    def bytes(self):
        """Bytes allocated for the tree."""
        cdef int t
        return sum([tree_bytes(&self.search.trees[t]) for t in range(self.search.n_trees)])

    @property
    def lead(self):
        """Visits that the first root move has more than the second; -1 while visits cannot decide."""
        return root_lead(&self.search)

    def root_moves(self):
        """For every move: (move, visits, sum of rewards, proven values or None; count, sums, sum of squares).

        Proven values and sums are lists with a number for each seat. The last three are of this search alone,
        the first ones include what it has adopted.
        """
        cdef Search* g = &self.search
        cdef Tree* tree = own_tree(g)
        cdef Edge* edges = &tree.edges[tree.nodes[ROOT].edges]
        cdef RootSum* sums = g.root_sums
        cdef int i
        return [
            (
                edges[i].move, edges[i].visits, edges[i].value,
                self._proof(edges[i].child) if edges[i].proof >= 0 else None,
                sums[i].count, [sums[i].totals[seat] for seat in range(g.ops.seats)], sums[i].squares,
            )
            for i in range(tree.nodes[ROOT].n_edges)
        ]

    def moves_after(self, *keys):
        """(move, visits, sum of rewards) for every move that the search knows after these keys of `perceive`."""
        cdef const Tree* tree = own_tree(&self.search)
        cdef uint32_t node = ROOT
        cdef uint32_t edge, i
        for key in keys:
            edge = _edge_of(tree, node, key)
            node = NO_NODE if edge == NO_NODE else _child_of(tree, edge, key)
            if node == NO_NODE:
                return []
        edge = tree.nodes[node].edges
        return [
            (tree.edges[i].move, tree.edges[i].visits, tree.edges[i].value)
            for i in range(edge, edge + tree.nodes[node].n_edges)
        ]

    def _proof(self, uint32_t node):
        """The proven values of a node, for every seat."""
        cdef Tree* tree = &self.search.trees[0]
        cdef uint32_t first = tree.nodes[node].proof - 1
        return [tree.proofs[first + i] for i in range(self.game.ops.seats)]

    def line(self, move_t first, int longest):
        """The moves that the search expects after `first`, as notation; it ends where the tree is thin."""
        cdef Search* g = &self.search
        cdef Tree* tree = own_tree(g)
        cdef State world = _imagined(self.view, g.seed) if g.has_worlds else self.origin.copy()
        cdef uint32_t node = ROOT
        texts = []
        move = first
        while len(texts) < longest and move is not None:
            texts.append(world.move_text(move))
            edge = _edge_of(tree, node, move)
            key = move if g.params.is_open else world.perceive(move, tree.owner)
            world.play(move)
            node = NO_NODE if edge == NO_NODE else _child_of(tree, edge, key)
            if node == NO_NODE:
                break
            move = _expected_move(tree, node, world)
        return texts

    # ---- Reuse -----------------------------------------------------------------------------------------------

    def adopt(self, TreeSearch old not None):
        """Go on with the part of an earlier search that this search's view leads to; whether there is one."""
        cdef Search* g = &self.search
        cdef Search* other = &old.search
        cdef const Tree* tree = &other.trees[0]
        cdef uint64_t wanted = state_hash(g.ops, self.origin.data)
        cdef uint32_t found, node = NO_NODE
        cdef int i, n
        if old.game != self.game or other.seat != g.seat or other.n_trees != 1 or g.n_trees != 1:
            return False
        for i in range(other.n_next):
            found = other.next_roots[i].node
            if other.next_roots[i].view == wanted:
                # Several ways may lead to the same view: the one that is known best.
                if node == NO_NODE or tree.nodes[found].visits > tree.nodes[node].visits:
                    node = found
        if node == NO_NODE:
            return False
        # Views of games written in Python may differ and have the same hash: at least the moves have to fit.
        n = g.ops.legal_moves(g.ops.rules, g.root, g.buffers.moves)
        self.game.raise_failure()
        if not has_edges(tree, node, g.buffers.moves, n):
            return False
        with nogil:
            graft(tree, node, &g.trees[0], g.ops.seats)
        g.n_adopted = count_nodes(g)
        return True


cdef State _as_state(View view):
    """A view's bytes as a state, for searches that start from them."""
    cdef State state = State.__new__(State)
    state.reserve(view.game)
    state_copy(&view.game.ops, state.data, view.data)
    return state


cdef State _imagined(View view, uint64_t seed):
    """A world that fits the view."""
    cdef State world = _as_state(view)
    cdef Rng rng = rng_from_seed(seed)
    imagine_world(&view.game.ops, world.data, view.seat, &rng)
    view.game.raise_failure()
    return world


cdef uint32_t _edge_of(const Tree* tree, uint32_t node, move_t move) noexcept:
    """The edge of a move, or the only one where the tree just observes."""
    cdef uint32_t i
    for i in range(tree.nodes[node].edges, tree.nodes[node].edges + tree.nodes[node].n_edges):
        if tree.edges[i].move == move or tree.edges[i].move < 0:
            return i
    return NO_NODE


cdef uint32_t _child_of(const Tree* tree, uint32_t edge, uint64_t key) noexcept:
    cdef uint32_t child = tree.edges[edge].child
    while child and tree.nodes[child].key != key:
        child = tree.nodes[child].next
    return child if child else NO_NODE


cdef object _expected_move(const Tree* tree, uint32_t node, State world):
    """The move below a node that the search expects in the world; None where there is none to tell.

    The best proven one where the node is proven, else the most visited one.
    """
    cdef const Node* here = &tree.nodes[node]
    cdef const Edge* edges = &tree.edges[here.edges]
    cdef uint32_t child, i
    cdef double most = 0, score
    legal = set(world.legal_moves())
    best = None
    for i in range(here.n_edges):
        if edges[i].move >= 0:
            score = 1.0 + edges[i].proof if here.proof else edges[i].visits
            if score > most and edges[i].move in legal:
                most, best = score, edges[i].move
            continue
        child = edges[i].child
        while child:
            if tree.nodes[child].visits > most and tree.nodes[child].key in legal:
                most, best = tree.nodes[child].visits, tree.nodes[child].key
            child = tree.nodes[child].next
    return best


def hides_moves(Game game not None):
    """Whether a seat sees moves of another differently from the one who makes them (looked for in random games)."""
    cdef State state
    cdef Rng rng
    cdef int i
    if game.ops.perceive == NULL:
        return False
    for i in range(HIDING_GAMES):
        rng = rng_from_seed(i)
        state = game.new_state()
        is_found = _plays_hidden(&game.ops, state.data, &rng)
        game.raise_failure()
        if is_found:
            return True
    return False


cdef bint _plays_hidden(const GameOps* ops, void* s, Rng* rng) noexcept:
    """Play random moves to the end; True at the first one that is not seen alike by all seats."""
    cdef move_t moves[MAX_MOVES]
    cdef double p[MAX_MOVES]
    cdef uint64_t key
    cdef seat_t seat, other
    cdef move_t move
    cdef int _depth
    for _depth in range(ops.max_depth):
        seat = ops.to_move(ops.rules, s)
        if seat == TERMINAL:
            break
        if seat == CHANCE:
            move = sample_outcome(ops, s, rng, moves, p)
        else:
            move = moves[rng_below(rng, max(1, ops.legal_moves(ops.rules, s, moves)))]
            key = perceive_move(ops, s, move, seat)
            for other in range(ops.seats):
                if perceive_move(ops, s, move, other) != key:
                    return True
        ops.play(ops.rules, s, move)
    return False
