"""Monte Carlo tree search over any game: one `TreeSearch` is one independent tree (or one tree for each seat).

An iteration has four steps: sample a world, descend by upper confidence bounds, play on from the leaf, back up the
rewards. What differs between the modes is small:

    open     everything is seen: nodes are positions, chance nodes sample their outcome, results can be proven
    single   hidden information: a fresh world per iteration, one tree over what the searching seat notices, moves that
             are not legal in every world compete by how often they were available (SO-ISMCTS)
    several  the same with one tree for each seat, descended together; the seat to move chooses by its own (MO-ISMCTS)

Iteration i of a search with seed s draws all its random numbers from the stream (s, i): a search is reproducible and
does not depend on how it is cut into slices or spread over threads.
"""

import threading

from libc.math cimport INFINITY, log, sqrt
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from aiplay._core.contract cimport (
    GameOps, imagine_world, perceive_move, sample_outcome, state_copy, state_drop, state_hash,
)
from aiplay._core.game cimport Game, State, View
from aiplay._core.rng cimport Rng, derive_seed, rng_below, rng_from_seed
from aiplay._core.search.control cimport Clock, StopFlag, clock_is_due, clock_start, read_flag
from aiplay._core.search.params cimport PRIOR_VALUES, MctsParams
from aiplay._core.search.rollout cimport rewards_at_end, rollout, value_after
from aiplay._core.search.tree cimport (
    NO_NODE, ROOT, Edge, Node, Tree, add_edges, add_node, add_proof, child_below, ensure_edges, free_tree, only_edge,
    tree_bytes,
)
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, TERMINAL, move_t, seat_t

cdef enum:
    PATH_STEPS = 4096       # longest path that is followed in the tree; deeper, the playout takes over
    LOGS = 4096             # logarithms kept in a table

cdef double LOG[LOGS]       # written once at import


def _fill_logs():
    cdef int i
    LOG[0] = 0.0
    for i in range(1, LOGS):
        LOG[i] = log(i)


_fill_logs()


cdef inline double log_of(uint32_t n) noexcept nogil:
    return LOG[n] if n < LOGS else log(n)


# ---- Selection ---------------------------------------------------------------------------------------------------------

cdef inline double edge_score(const MctsParams* params, const Edge* edge, double log_n, bint has_priors) noexcept nogil:
    """Upper confidence bound of an edge: its mean, what is unknown about it, and what the game thinks of it."""
    cdef double visits = edge.visits
    cdef double value = edge.value
    cdef double bonus = 0.0
    if edge.proof >= 0:
        return edge.proof
    if has_priors:
        if params.prior == PRIOR_VALUES:
            value += params.prior_weight * edge.prior
            visits += params.prior_weight
        else:
            bonus = params.prior_weight * edge.prior / (1.0 + visits)
    if visits == 0:
        return params.fpu + params.exploration * sqrt(log_n) + bonus
    return value / visits + params.exploration * sqrt(log_n / visits) + bonus


cdef void fill_priors(Search* g, Tree* tree, uint32_t node, seat_t seat) noexcept nogil:
    """Ask the game what it thinks of every move of a node, given the world of this iteration."""
    cdef const GameOps* ops = g.ops
    cdef int n = tree.nodes[node].n_edges
    cdef Edge* edges = &tree.edges[tree.nodes[node].edges]
    cdef double largest = 0.0
    cdef int i
    if g.params.prior == PRIOR_VALUES:
        for i in range(n):
            edges[i].prior = <float>value_after(ops, g.buffers.state, edges[i].move, seat, g.buffers.scratch)
    else:
        for i in range(n):
            g.buffers.moves[i] = edges[i].move
        ops.priors(ops.rules, g.buffers.state, g.buffers.moves, n, g.buffers.weights)
        for i in range(n):
            largest = max(largest, g.buffers.weights[i])
        for i in range(n):
            edges[i].prior = <float>(g.buffers.weights[i] / largest) if largest > 0 else 0
    tree.nodes[node].has_priors = 1


cdef uint32_t select_open(Search* g, Tree* tree, uint32_t node, seat_t seat, Rng* rng) noexcept nogil:
    """The edge to take where the legal moves of a node never change."""
    cdef int n = tree.nodes[node].n_edges
    cdef Edge* edges
    cdef double log_n, score, best_score = -INFINITY
    cdef bint has_priors
    cdef int i, k, best, start
    if n == 0:
        n = g.ops.legal_moves(g.ops.rules, g.buffers.state, g.buffers.moves)
        if not ensure_edges(tree, node, g.buffers.moves, n):
            return NO_NODE
    if not tree.nodes[node].has_priors and g.params.prior and tree.nodes[node].visits >= g.params.prior_visits:
        fill_priors(g, tree, node, seat)
    has_priors = tree.nodes[node].has_priors
    edges = &tree.edges[tree.nodes[node].edges]
    log_n = log_of(tree.nodes[node].visits)
    best = start = k = rng_below(rng, n)
    for i in range(n):
        score = edge_score(&g.params, &edges[k], log_n, has_priors)
        if score > best_score:
            best_score = score
            best = k
        k += 1
        if k == n:
            k = 0
    return tree.nodes[node].edges + best


cdef uint32_t select_hidden(Search* g, Tree* tree, uint32_t node, seat_t seat, Rng* rng) noexcept nogil:
    """The edge to take among the moves that are legal in this world; each counts how often it was available."""
    cdef move_t* moves = g.buffers.moves
    cdef int n = g.ops.legal_moves(g.ops.rules, g.buffers.state, moves)
    cdef Edge* edges
    cdef Edge* edge
    cdef double score, best_score = -INFINITY
    cdef bint has_priors
    cdef int i, k, best = 0, start, n_edges
    if not ensure_edges(tree, node, moves, n):
        return NO_NODE
    n_edges = tree.nodes[node].n_edges
    edges = &tree.edges[tree.nodes[node].edges]
    # 1. Replace the moves in the buffer by the places of their edges.
    k = 0
    for i in range(n):
        while edges[k].move != moves[i]:
            k += 1
        moves[i] = k
        edges[k].available += 1
    # 2. Priors: weights and opinions of this world (kept until the node gets a new move). With a world of other
    #    cards they would differ a little; refreshing them each time would cost more than it tells.
    if not tree.nodes[node].has_priors and g.params.prior and tree.nodes[node].visits >= g.params.prior_visits:
        if n == n_edges:
            fill_priors(g, tree, node, seat)
            for i in range(n):
                moves[i] = i
    has_priors = tree.nodes[node].has_priors
    # 3. The best of them, in a random round so that equals have equal chances.
    start = rng_below(rng, n)
    for i in range(n):
        k = moves[start + i if start + i < n else start + i - n]
        edge = &edges[k]
        score = edge_score(&g.params, edge, log_of(edge.available), has_priors)
        if score > best_score:
            best_score = score
            best = k
    return tree.nodes[node].edges + best


# ---- One iteration ------------------------------------------------------------------------------------------------------

cdef inline void note_next_root(Search* g, uint32_t node) noexcept nogil:
    """Remember that the tree goes on at `node` when the seat sees what it sees now (for the next search)."""
    cdef NextRoot* moved
    cdef void* view = g.buffers.scratch
    if g.n_next == g.room_next:
        if g.room_next >= 1 << 20:
            return
        moved = <NextRoot*>realloc(g.next_roots, 2 * (g.room_next + 32) * sizeof(NextRoot))
        if moved == NULL:
            return
        g.next_roots = moved
        g.room_next = 2 * (g.room_next + 32)
    state_copy(g.ops, view, g.buffers.state)
    if g.ops.conceal != NULL:
        g.ops.conceal(g.ops.rules, view, g.seat)
    g.next_roots[g.n_next].view = state_hash(g.ops, view)
    g.next_roots[g.n_next].node = node
    g.n_next += 1
    state_drop(g.ops, view)


cdef inline bint use_proof(Search* g, Tree* tree, uint32_t node) noexcept nogil:
    """Take the rewards from a node that is proven; whether it was."""
    if tree.nodes[node].proof == 0:
        return False
    memcpy(g.rewards, &tree.proofs[tree.nodes[node].proof - 1], g.ops.seats * sizeof(double))
    return True


cdef inline void follow(Search* g, uint32_t* nodes, int decider, uint32_t edge, seat_t seat, move_t move) noexcept nogil:
    """Let every tree take note of the move that is about to be made, and step down to what it leads to."""
    cdef Tree* tree
    cdef Step* step
    cdef uint64_t key
    cdef uint32_t taken
    cdef int t
    for t in range(g.n_trees):
        if nodes[t] == NO_NODE:
            continue
        tree = &g.trees[t]
        taken = edge if t == decider else only_edge(tree, nodes[t])
        if taken == NO_NODE:
            nodes[t] = NO_NODE
            continue
        step = &g.path[g.n_path]
        g.n_path += 1
        step.tree = t
        step.node = nodes[t]
        step.edge = taken
        step.seat = seat if t == decider else -1
        key = <uint64_t>move if g.params.is_open else perceive_move(g.ops, g.buffers.state, move, tree.owner)
        nodes[t] = child_below(tree, taken, key)


cdef void descend(Search* g, Rng* rng) noexcept nogil:
    """Walk from the root to a leaf and write the rewards that it leads to."""
    cdef const GameOps* ops = g.ops
    cdef void* s = g.buffers.state
    cdef uint32_t nodes[MAX_SEATS]
    cdef uint32_t edge, node
    cdef Tree* tree
    cdef seat_t seat
    cdef move_t move
    cdef int decider, t
    for t in range(g.n_trees):
        nodes[t] = ROOT
    while True:
        seat = ops.to_move(ops.rules, s)
        if seat == TERMINAL:
            rewards_at_end(ops, s, g.rewards)
            if g.params.has_solver and nodes[0] != NO_NODE and g.trees[0].nodes[nodes[0]].proof == 0:
                g.trees[0].nodes[nodes[0]].proof = add_proof(&g.trees[0], g.rewards, ops.seats)
            return
        if g.n_path + g.n_trees > g.room_path:
            rollout(ops, &g.params, &g.buffers, rng, g.rewards)
            return
        if seat == CHANCE:
            decider, edge = -1, NO_NODE
            move = sample_outcome(ops, s, rng, g.buffers.moves, g.buffers.weights)
        else:
            decider = seat if g.n_trees > 1 else 0
            node = nodes[decider]
            tree = &g.trees[decider]
            # A leaf: out of memory, proven, or seen for the first time.
            if node == NO_NODE:
                rollout(ops, &g.params, &g.buffers, rng, g.rewards)
                return
            if g.params.has_solver and use_proof(g, tree, node):
                return
            if g.params.keeps_next and seat == g.seat and g.n_own == 1 and not tree.nodes[node].is_noted:
                tree.nodes[node].is_noted = 1
                note_next_root(g, node)
            if tree.nodes[node].visits == 0 and node != ROOT:
                tree.nodes[node].visits = 1
                rollout(ops, &g.params, &g.buffers, rng, g.rewards)
                return
            if g.params.is_open:
                edge = select_open(g, tree, node, seat, rng)
            else:
                edge = select_hidden(g, tree, node, seat, rng)
            if edge == NO_NODE:
                rollout(ops, &g.params, &g.buffers, rng, g.rewards)
                return
            move = tree.edges[edge].move
            g.n_own += seat == g.seat
        follow(g, nodes, decider, edge, seat, move)
        ops.play(ops.rules, s, move)


cdef inline bint prove(Search* g, Tree* tree, const Step* step) noexcept nogil:
    """After an edge led to a proven node: whether that proves the node above it too."""
    cdef Node* node = &tree.nodes[step.node]
    cdef Edge* edges = &tree.edges[node.edges]
    cdef Edge* taken = &tree.edges[step.edge]
    cdef uint32_t child = taken.child
    cdef Edge* best = taken
    cdef int i
    taken.proof = <float>tree.proofs[tree.nodes[child].proof - 1 + step.seat]
    if taken.proof < 1.0:
        for i in range(node.n_edges):
            if edges[i].proof < 0:
                return False
            if edges[i].proof > best.proof:
                best = &edges[i]
    node.proof = tree.nodes[best.child].proof
    return True


cdef void back_up(Search* g) noexcept nogil:
    """Add the rewards to every step of the path; carry proofs upwards while they last."""
    cdef bint is_proving = g.params.has_solver
    cdef Step* step
    cdef Tree* tree
    cdef Edge* edge
    cdef int i, k
    for i in range(g.n_path - 1, -1, -1):
        step = &g.path[i]
        tree = &g.trees[step.tree]
        edge = &tree.edges[step.edge]
        tree.nodes[step.node].visits += 1
        edge.visits += 1
        if step.seat >= 0:
            edge.value += g.rewards[step.seat]
        if is_proving:
            is_proving = (
                step.seat >= 0 and edge.child != 0 and tree.nodes[edge.child].proof != 0
                and (tree.nodes[step.node].proof != 0 or prove(g, tree, step))
            )
    for i in range(g.ops.seats):
        g.totals[i] += g.rewards[i]
    # The root's decision is the first step of its own tree.
    for i in range(min(g.n_path, g.n_trees)):
        step = &g.path[i]
        if step.node == ROOT and step.seat >= 0:
            k = step.edge - g.trees[step.tree].nodes[ROOT].edges
            g.root_sum[k] += g.rewards[step.seat]
            g.root_squares[k] += g.rewards[step.seat] * g.rewards[step.seat]
            g.root_count[k] += 1
    if is_proving and g.n_path:
        g.is_proven = g.trees[0].nodes[ROOT].proof != 0


cdef void iterate(Search* g) noexcept nogil:
    cdef Rng rng = rng_from_seed(derive_seed(g.seed, g.n_iterations))
    state_copy(g.ops, g.buffers.state, g.root)
    if g.has_worlds:
        imagine_world(g.ops, g.buffers.state, g.seat, &rng)
    g.n_path = 0
    g.n_own = 0
    descend(g, &rng)
    back_up(g)
    state_drop(g.ops, g.buffers.state)
    g.n_iterations += 1


cdef bint cannot_change(const Search* g, double left) noexcept nogil:
    """Whether the most visited root move stays so, however the `left` iterations are spent."""
    cdef const Tree* tree = &g.trees[g.seat if g.n_trees > 1 else 0]
    cdef const Edge* edges = &tree.edges[tree.nodes[ROOT].edges]
    cdef double first = 0, second = 0
    cdef int i
    for i in range(tree.nodes[ROOT].n_edges):
        if edges[i].visits > first:
            second = first
            first = edges[i].visits
        elif edges[i].visits > second:
            second = edges[i].visits
    return first - second > left


cdef int run_slice(Search* g, Clock* clock, uint64_t goal, bint is_choosing) noexcept nogil:
    """Iterate until the goal, the clock or a proof ends it; whether there is more to do after a pause."""
    cdef const GameOps* ops = g.ops
    while g.n_iterations < goal:
        iterate(g)
        if g.is_proven or (ops.failed != NULL and ops.failed(ops.rules)):
            return False
        if is_choosing and (g.n_iterations & 63) == 0 and cannot_change(g, <double>(goal - g.n_iterations)):
            return False
        if clock_is_due(clock):
            return not read_flag(clock.stop) and clock.last < clock.deadline
    return False


# ---- The Python face --------------------------------------------------------------------------------------------------------

cdef class TreeSearch:
    """One independent search; several of them, with seeds of their own, are merged at the root by the player."""

    def __cinit__(self):
        self.lock = threading.Lock()

    def __init__(self, View view, *, world, uint64_t seed, int trees, size_t memory, **params):
        """Search `view`, or the open game of one `world` of it; `params` are the members of MctsParams."""
        cdef Search* g = &self.search
        cdef size_t size = view.game.ops.state_size
        cdef int t
        self.game = view.game
        self.view = view
        self.origin = _as_state(view) if world is None else world
        g.ops = &self.game.ops
        g.params = params
        g.seat = view.seat
        g.root = self.origin.data
        g.has_worlds = world is None and g.ops.determinise != NULL
        g.seed = seed
        g.n_trees = trees
        g.room_path = PATH_STEPS
        g.path = <Step*>malloc(PATH_STEPS * sizeof(Step))
        g.buffers.moves = <move_t*>malloc(g.ops.max_moves * sizeof(move_t))
        g.buffers.weights = <double*>malloc(g.ops.max_moves * sizeof(double))
        g.buffers.state = calloc(1, size)
        g.buffers.scratch = calloc(1, size)
        if not (g.path and g.buffers.moves and g.buffers.weights and g.buffers.state and g.buffers.scratch):
            raise MemoryError()
        for t in range(trees):
            g.trees[t].memory = memory // trees
            g.trees[t].owner = t if trees > 1 else g.seat
            if add_node(&g.trees[t], 0) == NO_NODE:
                raise MemoryError()

    def __dealloc__(self):
        cdef Search* g = &self.search
        cdef int t
        for t in range(MAX_SEATS):
            free_tree(&g.trees[t])
        free(g.path)
        free(g.next_roots)
        free(g.buffers.moves)
        free(g.buffers.weights)
        free(g.buffers.state)
        free(g.buffers.scratch)

    def run(self, StopFlag stop not None, double deadline, double pause, uint64_t goal, bint is_choosing):
        """Iterate up to `goal` iterations in all, to the deadline or the pause; whether there is more to do."""
        cdef Clock clock
        cdef bint has_more
        clock_start(&clock, deadline, pause, &stop.is_set)
        with self.lock:
            with nogil:
                has_more = run_slice(&self.search, &clock, goal, is_choosing)
            self.game.raise_failure()
        return has_more

    @property
    def iterations(self):
        """Iterations made."""
        return self.search.n_iterations

    @property
    def is_proven(self):
        """Whether the value of the position is known for certain."""
        return bool(self.search.is_proven)

    @property
    def has_one_world(self):
        """Whether all iterations share one world."""
        return not self.search.has_worlds

    def some_world(self):
        """A world to show the best line in."""
        return self.origin.copy() if self.has_one_world else self.view.sample_world(self.search.seed)

    @property
    def nodes(self):
        """Nodes in memory."""
        cdef int t
        return sum([self.search.trees[t].n_nodes for t in range(self.search.n_trees)])

    @property
    def bytes(self):
        """Bytes allocated for the tree."""
        cdef int t
        return sum([tree_bytes(&self.search.trees[t]) for t in range(self.search.n_trees)])

    def totals(self):
        """Sums of the rewards of all iterations, for every seat."""
        return [self.search.totals[i] for i in range(self.game.ops.seats)]

    def root_moves(self):
        """(move, visits, sum of rewards, proven value or -1, and count, sum, sum of squares of this search alone)."""
        cdef Search* g = &self.search
        cdef Tree* tree = &g.trees[g.seat if g.n_trees > 1 else 0]
        cdef Edge* edges = &tree.edges[tree.nodes[ROOT].edges]
        cdef int i
        return [
            (
                edges[i].move, edges[i].visits, edges[i].value, edges[i].proof,
                g.root_count[i], g.root_sum[i], g.root_squares[i],
            )
            for i in range(tree.nodes[ROOT].n_edges)
        ]

    def line(self, State world, move_t first, int longest):
        """The moves that the search expects in `world` after `first`: (notation, ...); it ends where the tree is thin."""
        cdef Search* g = &self.search
        cdef Tree* tree = &g.trees[g.seat if g.n_trees > 1 else 0]
        cdef uint32_t node = ROOT
        cdef uint32_t edge
        texts = []
        move = first
        while len(texts) < longest and move is not None:
            edge = _edge_of(tree, node, move if g.n_trees == 1 or world.to_move == g.seat else -1)
            if edge == NO_NODE:
                break
            key = move if g.params.is_open else world.perceive(move, tree.owner)
            texts.append(world.move_text(move))
            world.play(move)
            node = _child_of(tree, edge, key)
            if node == NO_NODE:
                break
            move = _expected_move(tree, node, world)
        return texts

    def adopt(self, TreeSearch old not None):
        """Go on with the part of an earlier search that this search's view leads to; whether there is one."""
        cdef Search* g = &self.search
        cdef uint64_t wanted = state_hash(g.ops, self.origin.data)
        cdef uint32_t node = NO_NODE
        cdef int i
        for i in range(old.search.n_next):
            if old.search.next_roots[i].view == wanted:
                node = old.search.next_roots[i].node
        if node == NO_NODE or old.game != self.game or old.search.n_trees != 1 or g.n_trees != 1:
            return False
        return _graft(&old.search.trees[0], node, &g.trees[0], g.ops.seats)


cdef State _as_state(View view):
    """A view's bytes as a state, for searches that start from them."""
    cdef State state = State.__new__(State)
    state.reserve(view.game)
    state_copy(&view.game.ops, state.data, view.data)
    return state


cdef uint32_t _edge_of(Tree* tree, uint32_t node, move_t move) noexcept:
    cdef uint32_t i
    for i in range(tree.nodes[node].edges, tree.nodes[node].edges + tree.nodes[node].n_edges):
        if tree.edges[i].move == move or tree.edges[i].move < 0:
            return i
    return NO_NODE


cdef uint32_t _child_of(Tree* tree, uint32_t edge, uint64_t key) noexcept:
    cdef uint32_t child = tree.edges[edge].child
    while child and tree.nodes[child].key != key:
        child = tree.nodes[child].next
    return child if child else NO_NODE


cdef object _expected_move(Tree* tree, uint32_t node, State world):
    """The most visited move below a node that is possible in the world; None where there is none to tell."""
    cdef Node* here = &tree.nodes[node]
    cdef Edge* edges = &tree.edges[here.edges]
    cdef uint32_t child, most = 0
    cdef uint32_t i
    legal = set(world.legal_moves())
    best = None
    for i in range(here.n_edges):
        if edges[i].move >= 0:
            if edges[i].visits > most and edges[i].move in legal:
                most, best = edges[i].visits, edges[i].move
            continue
        child = edges[i].child
        while child:
            if tree.nodes[child].visits > most and tree.nodes[child].key in legal:
                most, best = tree.nodes[child].visits, tree.nodes[child].key
            child = tree.nodes[child].next
    return best


cdef bint _graft(const Tree* source, uint32_t start, Tree* target, int seats) except -1:
    """Copy the part of a tree below `start` over the root of an empty one; False if it does not fit."""
    cdef Node root = source.nodes[start]
    cdef uint32_t child, copied, below, edges, i
    root.next = root.is_noted = 0
    root.key = 0
    target.nodes[ROOT] = root
    waiting = [ROOT]
    while waiting:
        copied = waiting.pop()
        # A copied node still points to its old edges and proof.
        if target.nodes[copied].proof:
            target.nodes[copied].proof = add_proof(target, &source.proofs[target.nodes[copied].proof - 1], seats)
        if target.nodes[copied].n_edges == 0:
            continue
        edges = _copy_edges(source, &target.nodes[copied], target)
        if edges == NO_NODE:
            target.nodes[copied].n_edges = target.nodes[copied].capacity = 0
            continue
        target.nodes[copied].edges = edges
        for i in range(edges, edges + target.nodes[copied].n_edges):
            child = target.edges[i].child
            target.edges[i].child = 0
            while child:
                below = add_node(target, 0)
                if below == NO_NODE:
                    break
                target.nodes[below] = source.nodes[child]
                target.nodes[below].next = target.edges[i].child
                target.nodes[below].is_noted = 0
                target.edges[i].child = below
                waiting.append(below)
                child = source.nodes[child].next
    return target.nodes[ROOT].n_edges > 0


cdef uint32_t _copy_edges(const Tree* source, const Node* node, Tree* target) noexcept:
    cdef uint32_t n = node.n_edges
    cdef uint32_t old = node.edges
    cdef uint32_t start = add_edges(target, node.capacity)
    if start != NO_NODE:
        memcpy(&target.edges[start], &source.edges[old], n * sizeof(Edge))
    return start


def hides_moves(Game game not None):
    """Whether some seat sees moves of another differently from the one who makes them (found in random games)."""
    cdef GameOps* ops = &game.ops
    cdef State state
    cdef move_t moves[MAX_MOVES]
    cdef double p[MAX_MOVES]
    cdef Rng rng
    cdef seat_t seat, other
    cdef move_t move
    cdef int i, depth
    if ops.perceive == NULL:
        return False
    for i in range(8):
        rng = rng_from_seed(i)
        state = game.new_state()
        for depth in range(ops.max_depth):
            seat = ops.to_move(ops.rules, state.data)
            if seat == TERMINAL:
                break
            if seat == CHANCE:
                move = sample_outcome(ops, state.data, &rng, moves, p)
            else:
                move = moves[rng_below(&rng, ops.legal_moves(ops.rules, state.data, moves))]
                for other in range(ops.seats):
                    if perceive_move(ops, state.data, move, other) != perceive_move(ops, state.data, move, seat):
                        return True
            ops.play(ops.rules, state.data, move)
        game.raise_failure()
    return False
