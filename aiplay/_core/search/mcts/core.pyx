"""Monte Carlo tree search as Python sees it: one `TreeSearch` is one independent tree (or one for each seat)."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from aiplay._core.contract cimport (
    GameOps, imagine_world, perceive_move, sample_outcome, state_copy, state_hash,
)
from aiplay._core.game cimport Game, State, View, make_state
from aiplay._core.rng cimport Rng, rng_below, rng_from_seed
from aiplay._core.search.common.control cimport Clock, StopFlag, clock_start
from aiplay._core.search.common.promise cimport raise_broken
from aiplay._core.search.mcts.chance cimport run_key
from aiplay._core.search.mcts.iteration cimport Goal, root_lead, run_slice
from aiplay._core.search.mcts.reuse cimport find_next_root, keep_part
from aiplay._core.search.mcts.root cimport RootMove, RootMoves
from aiplay._core.search.mcts.search cimport (
    MAX_RUN, RootSum, Search, Step, count_nodes, late_count, own_tree,
)
from aiplay._core.search.mcts.starts cimport split_trees
from aiplay._core.search.mcts.tree cimport (
    NO_NODE, ROOT, Edge, Node, Tree, add_node, child_at, copy_run, count_children, find_child, free_tree, tree_bytes,
)
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, TERMINAL, move_t, seat_t

cdef enum:
    PATH_STEPS = 4096       # longest path in the tree; deeper, the playout takes over
    HIDING_GAMES = 8        # random games in which hidden moves are looked for


cdef class TreeSearch:
    """One independent search; the player merges several of them, with different seeds, at the root.

    One thread at a time may use it.
    """
    def __init__(
        self, View view not None, *, bint is_one_world, uint64_t seed, int trees, size_t memory,
        Network value=None, **params
    ):
        """Prepare a search of `view`, or of one world of it as an open game.

        `trees`: one, or one for each seat; `memory`: bytes for them; `value`: values positions instead of the game;
        `params`: the members of MctsParams.
        """
        cdef Search* search = &self.search
        cdef int t
        self.game = view.game
        self.view = view
        self.origin = _imagined(view, seed) if is_one_world else _as_state(view)
        self.value = value
        search.ops = &self.game.ops
        search.buffers.judge = &value.judge if value is not None else NULL
        search.params = params
        search.seat = view.seat
        search.root = self.origin.data
        search.has_worlds = not is_one_world and search.ops.determinise != NULL
        search.seed = seed
        search.n_trees = trees
        search.n_partners = 1
        self._allocate()
        search.n_view_moves = view.options_now(search.view_moves)
        if search.has_worlds and trees > 1:
            split_trees(search)
            self.game.raise_failure()
        memory //= trees + search.has_imagined
        for t in range(trees):
            _plant(&search.trees[t], memory, t if trees > 1 else search.seat)
        if search.has_imagined:
            _plant(&search.imagined, memory, search.seat)

    def _allocate(self):
        cdef Search* search = &self.search
        search.room_path = PATH_STEPS
        search.path = <Step*>malloc(PATH_STEPS * sizeof(Step))
        search.buffers.moves = <move_t*>malloc(search.ops.max_moves * sizeof(move_t))
        search.buffers.weights = <double*>malloc(search.ops.max_moves * sizeof(double))
        search.buffers.state = calloc(1, search.ops.state_size)
        search.buffers.scratch = calloc(1, search.ops.state_size)
        search.view_moves = <move_t*>malloc(MAX_MOVES * sizeof(move_t))
        search.root_sums = <RootSum*>calloc(search.ops.max_moves, sizeof(RootSum))
        if not (
            search.path and search.view_moves and search.root_sums and search.buffers.moves and search.buffers.weights
            and search.buffers.state and search.buffers.scratch
        ):
            raise MemoryError()

    def __dealloc__(self):
        cdef Search* search = &self.search
        cdef int t
        for t in range(MAX_SEATS):
            free_tree(&search.trees[t])
        free_tree(&search.imagined)
        free(search.path)
        free(search.next_roots)
        free(search.view_moves)
        free(search.root_sums)
        free(search.buffers.moves)
        free(search.buffers.weights)
        free(search.buffers.state)
        free(search.buffers.scratch)

    def run(
        self, StopFlag stop not None, double deadline, double pause, uint64_t iterations, uint64_t nodes,
        bint is_choosing,
    ):
        """Iterate up to `iterations` in all, `nodes` new nodes, the deadline or the pause; True if there is more to do.

        `is_choosing`: also end when no other move can get more visits than the first.
        """
        cdef Clock clock
        cdef Goal goal
        cdef bint has_more
        goal.iterations, goal.nodes, goal.is_choosing = iterations, nodes, is_choosing
        clock_start(&clock, deadline, pause, &stop.is_set)
        with nogil:
            has_more = run_slice(&self.search, &clock, &goal)
        self.game.raise_failure()
        if self.search.is_broken:
            raise_broken(self.view)
        return has_more

    # ---- Results ----------------------------------------------------------------------------------------------

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
        return sum([tree_bytes(&self.search.trees[t]) for t in range(self.search.n_trees)]) + tree_bytes(
            &self.search.imagined
        )

    @property
    def lead(self):
        """Lead in visits of the first root move over the second; -1 if visits cannot decide."""
        return root_lead(&self.search)

    def root_moves(self):
        """Return a copy of the statistics of the root moves."""
        cdef const Tree* tree = own_tree(&self.search)
        cdef RootMoves found = RootMoves.__new__(RootMoves)
        cdef int i
        found.reserve(self.view, tree.nodes[ROOT].n_edges)
        found.iterations, found.nodes = self.search.n_iterations, count_nodes(&self.search)
        for i in range(found.n):
            self._copy_edge(&tree.edges[tree.nodes[ROOT].edges + <uint32_t>i], &found.moves[i])
            found.moves[i].sums = self.search.root_sums[i]
            found.moves[i].late = late_count(&self.search.root_sums[i])
        return found

    cdef void _copy_edge(self, const Edge* edge, RootMove* move) noexcept:
        cdef const Tree* tree = &self.search.trees[0]       # the only one that has proofs
        cdef int seat
        move.move, move.visits, move.reward = edge.move, edge.visits, edge.value
        move.is_proven = edge.proof >= 0
        if move.is_proven:
            for seat in range(self.game.ops.seats):
                move.proof[seat] = tree.proofs[tree.nodes[edge.child].proof - 1 + seat]

    def moves_after(self, *steps):
        """Return (move, visits, sum of rewards) for every move known after these steps.

        A step is a sequence of keys of `perceive`: of a move, and of the outcomes of chance that follow it.
        """
        cdef const Tree* tree = own_tree(&self.search)
        cdef uint32_t node = ROOT
        cdef uint32_t edge, i
        cdef uint64_t key
        for first, *outcomes in steps:
            edge = _edge_of(tree, node, first)
            key = first
            for outcome in outcomes:
                key = run_key(key, outcome)
            node = NO_NODE if edge == NO_NODE else find_child(tree, edge, key)
            if node == NO_NODE:
                return []
        edge = tree.nodes[node].edges
        return [
            (tree.edges[i].move, tree.edges[i].visits, tree.edges[i].value)
            for i in range(edge, edge + tree.nodes[node].n_edges)
        ]

    def line(self, move_t first, int longest):
        """Return the moves that the search expects, `first` first, as notation, up to where the tree ends."""
        cdef Search* search = &self.search
        cdef Tree* tree = own_tree(search)
        cdef State world = _imagined(self.view, search.seed) if search.has_worlds else self.origin.copy()
        cdef uint32_t node = ROOT
        texts = []
        move = first
        while len(texts) < longest and move is not None:
            texts.append(world.move_text(move))
            edge = _edge_of(tree, node, move)
            key = move if search.params.is_open else world.perceive(move, tree.owner)
            world.play(move)
            if edge == NO_NODE:
                break
            node = _expected_run(tree, edge, world, texts) if world.to_move == CHANCE else find_child(tree, edge, key)
            if node == NO_NODE:
                break
            move = _expected_move(tree, node, world)
        return texts[:longest]

    # ---- Reuse -----------------------------------------------------------------------------------------------

    def adopt(self, TreeSearch old not None):
        """Go on with the part of an earlier search that led to this view; True if there is one.

        The earlier search loses its trees: its memory is that of this search, or given back.
        """
        self.is_adopted = old is not self and self._take_trees(old)
        old._release()
        return self.is_adopted

    cdef bint _take_trees(self, TreeSearch old) except -1:
        cdef Search* search = &self.search
        cdef Search* other = &old.search
        cdef const uint32_t* nodes
        cdef int t, own = own_tree(search) - search.trees
        if old.game != self.game or other.seat != search.seat or other.n_trees != search.n_trees:
            return False
        nodes = find_next_root(other, state_hash(search.ops, self.origin.data))
        if nodes == NULL or not self._has_moves_of(&other.trees[own], nodes[own]):
            return False
        with nogil:
            for t in range(search.n_trees):
                # The views of a split tree have changed: it grows anew.
                if t == own or not (nodes[t] == NO_NODE or search.is_split[t] or other.is_split[t]):
                    take_tree(&search.trees[t], &other.trees[t], nodes[t], search.ops.seats)
        search.n_adopted = count_nodes(search)
        return search.trees[own].n_nodes > 1 or search.trees[own].nodes[ROOT].n_edges > 0

    cdef int _release(self) except -1:
        """Give back the memory of the trees; their roots are as in the beginning."""
        cdef Search* search = &self.search
        cdef int t
        free(search.next_roots)
        search.next_roots = NULL
        search.n_next = search.room_next = 0
        for t in range(search.n_trees):
            _plant(&search.trees[t], search.trees[t].memory, search.trees[t].owner)
        if search.has_imagined:
            _plant(&search.imagined, search.imagined.memory, search.seat)
        return 0

    cdef bint _has_moves_of(self, const Tree* tree, uint32_t node) except -1:
        """True if the legal moves are those of a node. Different views of games in Python may have the same hash."""
        cdef const Edge* edges = &tree.edges[tree.nodes[node].edges]
        cdef const move_t* moves = self.search.buffers.moves
        cdef int i, n
        n = self.search.ops.legal_moves(self.search.ops.rules, self.search.root, self.search.buffers.moves)
        self.game.raise_failure()
        if tree.nodes[node].n_edges != n:
            return False
        for i in range(n):
            if edges[i].move != moves[i]:
                return False
        return True


cdef void take_tree(Tree* tree, Tree* old, uint32_t node, int seats) noexcept nogil:
    """Make a part of another tree this one, if it fits into the memory; the two are exchanged."""
    cdef Tree taken
    if not keep_part(old, node, seats) or tree_bytes(old) > tree.memory:
        return
    taken = old[0]
    old[0] = tree[0]
    old.memory = taken.memory
    taken.memory, taken.owner = tree.memory, tree.owner
    tree[0] = taken


cdef int _plant(Tree* tree, size_t memory, seat_t owner) except -1:
    """Make a tree a root alone, and give back the memory of what it was."""
    free_tree(tree)
    tree.memory, tree.owner = memory, owner
    if add_node(tree, 0) == NO_NODE:
        raise MemoryError()
    return 0


cdef State _as_state(View view):
    """The bytes of a view as a state, for a search to start from."""
    cdef State state = make_state(view.game)
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
    """The edge of a move, or the single one of an observed decision; NO_NODE for none."""
    cdef uint32_t i
    for i in range(tree.nodes[node].edges, tree.nodes[node].edges + tree.nodes[node].n_edges):
        if tree.edges[i].move == move or tree.edges[i].move < 0:
            return i
    return NO_NODE


cdef uint32_t _expected_run(const Tree* tree, uint32_t edge, State world, list texts) except? 0:
    """Let the most visited run of chance below an edge happen in this world, as notation; NO_NODE if it cannot."""
    cdef uint32_t child, k, best = NO_NODE
    cdef move_t outcomes[MAX_RUN]
    cdef int i
    for k in range(count_children(tree, &tree.edges[edge])):
        child = child_at(tree, &tree.edges[edge], k)
        if tree.nodes[child].run and (best == NO_NODE or tree.nodes[child].visits > tree.nodes[best].visits):
            best = child
    if best == NO_NODE:
        return NO_NODE
    for i in range(copy_run(tree, tree.nodes[best].run, outcomes)):
        outcome = outcomes[i]
        if world.to_move != CHANCE or outcome not in world.legal_moves():
            return NO_NODE
        texts.append(world.move_text(outcome))
        world.play(outcome)
    return NO_NODE if world.to_move == CHANCE else best


cdef object _expected_move(const Tree* tree, uint32_t node, State world):
    """The move that the search expects at a node in this world, or None.

    The best proven one if the node is proven, else the most visited one.
    """
    cdef const Node* here = &tree.nodes[node]
    cdef const Edge* edges = &tree.edges[here.edges]
    cdef uint32_t child, i, k
    cdef double most = 0, score
    legal = set(world.legal_moves())
    best = None
    for i in range(here.n_edges):
        if edges[i].move >= 0:
            score = 1.0 + edges[i].proof if here.proof else edges[i].visits
            if score > most and edges[i].move in legal:
                most, best = score, edges[i].move
            continue
        for k in range(count_children(tree, &edges[i])):
            child = child_at(tree, &edges[i], k)    # observed: the key of a move that is seen is the move
            if tree.nodes[child].visits > most and tree.nodes[child].key in legal:
                most, best = tree.nodes[child].visits, tree.nodes[child].key
    return best


def has_few_views(View view not None):
    """True if another seat has so few possible views now that its tree would be split (see starts.pyx)."""
    cdef Search search
    cdef int t
    memset(&search, 0, sizeof(Search))
    search.ops = &view.game.ops
    search.seat, search.root, search.n_trees = view.seat, view.data, view.game.ops.seats
    search.buffers.state = calloc(1, search.ops.state_size)
    search.buffers.scratch = calloc(1, search.ops.state_size)
    try:
        if search.buffers.state == NULL or search.buffers.scratch == NULL:
            raise MemoryError()
        split_trees(&search)
        view.game.raise_failure()
    finally:
        free(search.buffers.state)
        free(search.buffers.scratch)
    return any([search.is_split[t] for t in range(search.n_trees)])


def hides_moves(Game game not None):
    """True if seats see some move differently; looked for in a few random games."""
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
    """Play random moves to the end; True at the first one that the seats see differently."""
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
