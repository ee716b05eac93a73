"""Monte Carlo tree search over any game, the part without Python.

An iteration has four steps: sample a world, descend by upper confidence bounds, play on from the leaf, back up
the rewards. What differs between the modes is small:

    open     everything is seen: nodes are positions, chance nodes sample their outcome, results can be proven
    single   hidden information: a fresh world per iteration, one tree over what the searching seat notices,
             moves that are not legal in every world compete by how often they were available (SO-ISMCTS)
    several  the same with one tree for each seat, descended together; the seat to move chooses by its own
             (MO-ISMCTS)
    team     the tree of `single`, in which the searching seat alone chooses: the others move as playouts do

Iteration i of a search with seed s draws all its random numbers from the stream (s, i): a search is
reproducible and does not depend on how it is cut into slices or spread over threads.
"""

from libc.math cimport INFINITY, log, sqrt
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memcmp, memcpy

from aiplay._core.contract cimport (
    GameOps, imagine_world, perceive_move, sample_outcome, state_copy, state_drop, state_hash,
)
from aiplay._core.rng cimport Rng, derive_seed, rng_below, rng_from_seed
from aiplay._core.search.common.control cimport Clock, clock_is_due, read_flag
from aiplay._core.search.common.leaf cimport returns_values
from aiplay._core.search.mcts.params cimport PRIOR_VALUES, PRIOR_WEIGHTS, MctsParams
from aiplay._core.search.mcts.rollout cimport rollout, value_after
from aiplay._core.search.mcts.tree cimport (
    NO_NODE, ROOT, Edge, Node, Tree, add_proof, child_below, ensure_edges, only_edge,
)
from aiplay._core.typedefs cimport CHANCE, MAX_SEATS, TERMINAL, move_t, seat_t

cdef enum:
    TABLE = 4096            # numbers whose roots are kept in tables
    MAX_NEXT_ROOTS = 1 << 20
    FIRST_REWARDS = 8       # rewards, half of them 0 and half 1, that are imagined before the first
    RESCALE = 16            # iterations between two looks at how much rewards vary

# Exploration shrinks to this at most: rewards that are all alike, because the search has settled on one line, do not
# prove that the other moves are no better.
cdef double LEAST_SCALE = 0.1

cdef double ROOT_OF_LOG[TABLE]      # sqrt(log(n)); both written once at import
cdef double INVERSE_ROOT[TABLE]     # 1 / sqrt(n)


def _fill_tables():
    cdef int n
    ROOT_OF_LOG[0] = INVERSE_ROOT[0] = 0.0
    for n in range(1, TABLE):
        ROOT_OF_LOG[n] = sqrt(log(n))
        INVERSE_ROOT[n] = 1.0 / sqrt(n)


_fill_tables()


cdef inline double root_of_log(uint32_t n) noexcept nogil:
    return ROOT_OF_LOG[n] if n < TABLE else sqrt(log(n))


cdef inline double inverse_root(uint32_t n) noexcept nogil:
    return INVERSE_ROOT[n] if n < TABLE else 1.0 / sqrt(n)


# ---- Selection ---------------------------------------------------------------------------------------------

cdef inline double edge_score(
    const MctsParams* params, const Edge* edge, double unknown, bint has_priors
) noexcept nogil:
    """Upper confidence bound of an edge (UCB1): its mean, and what is unknown about it after its n visits:
    exploration * sqrt(log(N) / n), where `unknown` is that for n = 1; and the value that the game gives the move.
    """
    cdef double visits, root
    if edge.proof >= 0:
        return edge.proof
    if has_priors:
        visits = edge.visits + params.prior_weight
        if visits > 0:
            root = 1.0 / sqrt(visits)
            return (edge.value + params.prior_weight * edge.prior) * root * root + unknown * root
    if edge.visits == 0:
        return params.fpu + unknown
    root = inverse_root(edge.visits)
    return edge.value * root * root + unknown * root


cdef inline double guided_score(
    const MctsParams* params, const Edge* edge, double mean, double reach
) noexcept nogil:
    """Where the game weighs the moves (PUCT): the mean of an edge, or that of all moves before it is tried, and
    the share of its weight, as long as it has few of the visits; `reach` is the square root of all visits.
    """
    if edge.proof >= 0:
        return edge.proof
    if edge.visits > 0:
        mean = edge.value / edge.visits
    return mean + params.prior_weight * edge.prior * reach / (1.0 + edge.visits)


cdef double mean_of(const Edge* edges, int n) noexcept nogil:
    """The mean of all visits of a node's edges."""
    cdef double value = 0.0
    cdef uint64_t visits = 0
    cdef int i
    for i in range(n):
        value += edges[i].value
        visits += edges[i].visits
    return value / visits if visits else 0.5


cdef void fill_priors(Search* g, Tree* tree, uint32_t node, seat_t seat) noexcept nogil:
    """Ask the game what it thinks of every move of a node, given the world of this iteration."""
    cdef const GameOps* ops = g.ops
    cdef int n = tree.nodes[node].n_edges
    cdef Edge* edges = &tree.edges[tree.nodes[node].edges]
    cdef double total = 0.0
    cdef int i
    if g.params.prior == PRIOR_VALUES:
        for i in range(n):
            edges[i].prior = <float>value_after(
                ops, g.buffers.state, edges[i].move, seat, g.buffers.scratch
            )
    else:
        for i in range(n):
            g.buffers.moves[i] = edges[i].move
        ops.priors(ops.rules, g.buffers.state, g.buffers.moves, n, g.buffers.weights)
        for i in range(n):
            total += g.buffers.weights[i]
        for i in range(n):
            edges[i].prior = <float>(g.buffers.weights[i] / total) if total > 0 else 0
    tree.nodes[node].has_priors = 1


cdef inline bint wants_priors(const Search* g, const Node* node) noexcept nogil:
    return g.params.prior and not node.has_priors and node.visits >= <uint32_t>g.params.prior_visits


cdef uint32_t select_open(Search* g, Tree* tree, uint32_t node, seat_t seat, Rng* rng) noexcept nogil:
    """The edge to take where the legal moves of a node never change; NO_NODE when there is none."""
    cdef int n = tree.nodes[node].n_edges
    cdef Edge* edges
    cdef double unknown, score, best_score = -INFINITY
    cdef double mean = 0.0, reach = 0.0
    cdef bint has_priors, is_guided
    cdef int _i, k, best
    cdef bint is_root = node == ROOT
    if n == 0:
        n = g.ops.legal_moves(g.ops.rules, g.buffers.state, g.buffers.moves)
        if n == 0 or not ensure_edges(tree, node, g.buffers.moves, n):
            return NO_NODE                              # the game has failed, or memory is used up
    if wants_priors(g, &tree.nodes[node]):
        fill_priors(g, tree, node, seat)
    has_priors = tree.nodes[node].has_priors
    edges = &tree.edges[tree.nodes[node].edges]
    unknown = g.exploration[seat] * root_of_log(tree.nodes[node].visits)
    is_guided = has_priors and g.params.prior == PRIOR_WEIGHTS
    if is_guided:
        mean = mean_of(edges, n)
        reach = sqrt(tree.nodes[node].visits)
    # The best of them, in a random round so that equals have equal chances.
    best = k = rng_below(rng, n)
    for _i in range(n):
        if is_guided:
            score = guided_score(&g.params, &edges[k], mean, reach)
        else:
            score = edge_score(&g.params, &edges[k], unknown, has_priors)
        if is_root and edges[k].proof >= 0:
            score -= 2.0            # there is nothing more to learn about it
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
    cdef double unknown, score, best_score = -INFINITY
    cdef double mean = 0.0
    cdef bint has_priors, is_guided
    cdef int i, k, best = 0, start
    if n == 0 or not ensure_edges(tree, node, moves, n):
        return NO_NODE                                  # the game has failed, or memory is used up
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
    if n == tree.nodes[node].n_edges and wants_priors(g, &tree.nodes[node]):
        fill_priors(g, tree, node, seat)
        for i in range(n):
            moves[i] = i
    has_priors = tree.nodes[node].has_priors
    is_guided = has_priors and g.params.prior == PRIOR_WEIGHTS
    if is_guided:
        mean = mean_of(edges, tree.nodes[node].n_edges)
    # 3. The best of them, in a random round so that equals have equal chances.
    start = rng_below(rng, n)
    for i in range(n):
        k = moves[start + i if start + i < n else start + i - n]
        edge = &edges[k]
        if is_guided:
            score = guided_score(&g.params, edge, mean, sqrt(edge.available))
        else:
            unknown = g.exploration[seat] * root_of_log(edge.available)
            score = edge_score(&g.params, edge, unknown, has_priors)
        if score > best_score:
            best_score = score
            best = k
    return tree.nodes[node].edges + best


# ---- One iteration -----------------------------------------------------------------------------------------

cdef void note_next_root(Search* g, uint32_t node) noexcept nogil:
    """Remember that the tree goes on at `node` when the seat sees what it sees now (for the next search)."""
    cdef NextRoot* moved
    cdef void* view = g.buffers.scratch
    cdef int room
    if g.n_next == g.room_next:
        room = 2 * g.room_next + 32
        if room > MAX_NEXT_ROOTS:
            return
        moved = <NextRoot*>realloc(g.next_roots, <size_t>room * sizeof(NextRoot))
        if moved == NULL:
            return
        g.next_roots = moved
        g.room_next = room
    state_copy(g.ops, view, g.buffers.state)
    if g.ops.conceal != NULL:
        g.ops.conceal(g.ops.rules, view, g.seat)
    g.next_roots[g.n_next].view = state_hash(g.ops, view)
    g.next_roots[g.n_next].node = node
    g.n_next += 1
    state_drop(g.ops, view)


cdef inline bint use_proof(Search* g, const Tree* tree, uint32_t node) noexcept nogil:
    """Take the rewards from a node that is proven; whether it was."""
    if tree.nodes[node].proof == 0:
        return False
    memcpy(g.rewards, &tree.proofs[tree.nodes[node].proof - 1], g.ops.seats * sizeof(double))
    return True


cdef inline void follow(
    Search* g, uint32_t* nodes, int decider, uint32_t edge, seat_t seat, move_t move
) noexcept nogil:
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
        if g.params.is_open:
            key = <uint64_t>move
        else:
            key = perceive_move(g.ops, g.buffers.state, move, tree.owner)
        nodes[t] = child_below(tree, taken, key)


cdef inline void finish(Search* g, uint32_t node) noexcept nogil:
    """The game is over: take the rewards, which prove the node in an open game."""
    cdef Tree* tree = &g.trees[0]
    returns_values(g.ops, g.buffers.state, g.rewards)
    if g.params.has_solver and node != NO_NODE and tree.nodes[node].proof == 0:
        tree.nodes[node].proof = add_proof(tree, g.rewards, g.ops.seats)


cdef inline uint32_t select_edge(Search* g, Tree* tree, uint32_t node, seat_t seat, Rng* rng) noexcept nogil:
    """The edge that the seat to move takes; NO_NODE at a leaf, where the rewards are known or played for."""
    if node != NO_NODE:
        if g.params.has_solver and use_proof(g, tree, node):
            return NO_NODE
        if g.params.keeps_next and seat == g.seat and g.n_own == 1 and not tree.nodes[node].is_noted:
            tree.nodes[node].is_noted = 1
            note_next_root(g, node)
        if tree.nodes[node].visits == 0 and node != ROOT:
            tree.nodes[node].visits = 1
            node = NO_NODE
        elif g.params.is_open:
            node = select_open(g, tree, node, seat, rng)
        else:
            node = select_hidden(g, tree, node, seat, rng)
    if node == NO_NODE:
        rollout(g.ops, &g.params, &g.buffers, rng, g.rewards)
    return node


cdef void descend(Search* g, Rng* rng) noexcept nogil:
    """Walk from the root to a leaf and write the rewards that it leads to."""
    cdef const GameOps* ops = g.ops
    cdef void* s = g.buffers.state
    cdef uint32_t nodes[MAX_SEATS]
    cdef uint32_t edge
    cdef seat_t seat
    cdef move_t move
    cdef int decider, t
    for t in range(g.n_trees):
        nodes[t] = ROOT
    while True:
        seat = ops.to_move(ops.rules, s)
        if seat == TERMINAL:
            finish(g, nodes[0])
            return
        if g.n_path + g.n_trees > g.room_path:
            rollout(ops, &g.params, &g.buffers, rng, g.rewards)
            return
        if seat == CHANCE:
            decider, edge = -1, NO_NODE
            move = sample_outcome(ops, s, rng, g.buffers.moves, g.buffers.weights)
        elif g.params.follows_game and seat != g.seat:
            decider, edge = -1, NO_NODE
            move = ops.playout_move(ops.rules, s, rng)
        else:
            decider = seat if g.n_trees > 1 else 0
            edge = select_edge(g, &g.trees[decider], nodes[decider], seat, rng)
            if edge == NO_NODE:
                return
            move = g.trees[decider].edges[edge].move
            g.n_own += seat == g.seat
        follow(g, nodes, decider, edge, seat, move)
        ops.play(ops.rules, s, move)


# ---- Proofs ------------------------------------------------------------------------------------------------

cdef inline bint is_decisive(const GameOps* ops, const double* values, seat_t seat) noexcept nogil:
    """Whether nothing else that a seat could choose matters: it gets the most, the others the least."""
    cdef int other
    if values[seat] < 1.0:
        return False
    for other in range(ops.seats):
        if values[other] > 0 and other != seat and not ops.is_cooperative:
            return False
    return True


cdef bint prove(Search* g, Tree* tree, const Step* step) noexcept nogil:
    """After an edge led to a proven node: whether that proves the node above it too.

    It does if the edge is decisive, or if every edge is proven and the best ones agree: where they do not, the
    seat is free to choose between other seats, and nobody knows how it will. (At the root it is our own choice.)
    """
    cdef Node* node = &tree.nodes[step.node]
    cdef Edge* edges = &tree.edges[node.edges]
    cdef Edge* best = &tree.edges[step.edge]
    cdef size_t size = g.ops.seats * sizeof(double)
    cdef const double* values = &tree.proofs[tree.nodes[best.child].proof - 1]
    cdef int i
    best.proof = <float>values[step.seat]
    if not is_decisive(g.ops, values, step.seat):
        for i in range(node.n_edges):
            if edges[i].proof < 0:
                return False
            if edges[i].proof > best.proof:
                best = &edges[i]
        values = &tree.proofs[tree.nodes[best.child].proof - 1]
        for i in range(node.n_edges):
            if edges[i].proof == best.proof and step.node != ROOT:
                if memcmp(values, &tree.proofs[tree.nodes[edges[i].child].proof - 1], size) != 0:
                    return False
    node.proof = tree.nodes[best.child].proof
    return True


# ---- After an iteration ------------------------------------------------------------------------------------

cdef void back_up(Search* g) noexcept nogil:
    """Add the rewards to every step of the path; carry proofs upwards while they last."""
    cdef bint is_proving = g.params.has_solver
    cdef Step* step
    cdef Tree* tree
    cdef Edge* edge
    cdef int i
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
    # The root's decision is the first step of its own tree.
    for i in range(min(g.n_path, g.n_trees)):
        step = &g.path[i]
        if step.node == ROOT and step.seat >= 0:
            add_root_sum(g, &g.root_sums[step.edge - g.trees[step.tree].nodes[ROOT].edges])
    if is_proving:
        g.is_proven = g.trees[0].nodes[ROOT].proof != 0


cdef inline void add_root_sum(Search* g, RootSum* sums) noexcept nogil:
    cdef int seat
    for seat in range(g.ops.seats):
        sums.totals[seat] += g.rewards[seat]
    sums.squares += g.rewards[g.seat] * g.rewards[g.seat]
    sums.count += 1


cdef void scale_exploration(Search* g) noexcept nogil:
    """Weigh exploration by how much the rewards of each seat vary.

    The means of a sample are as uncertain as its values vary: by 0.5 where all rewards are 0 or 1, by a tenth of that
    where a game's careful opinions are. Exploring the second as widely as the first is random play. Until there are
    some rewards, the largest deviation is believed.
    """
    cdef double n = g.n_iterations + FIRST_REWARDS
    cdef double mean, variance
    cdef int seat
    for seat in range(g.ops.seats):
        g.exploration[seat] = g.params.exploration
        if g.params.is_scaled:
            mean = (g.reward_sums[seat] + 0.5 * FIRST_REWARDS) / n
            variance = (g.reward_squares[seat] + 0.5 * FIRST_REWARDS) / n - mean * mean
            g.exploration[seat] *= max(LEAST_SCALE, 2.0 * sqrt(max(variance, 0.0)))


cdef inline void note_rewards(Search* g) noexcept nogil:
    cdef int seat
    for seat in range(g.ops.seats):
        g.reward_sums[seat] += g.rewards[seat]
        g.reward_squares[seat] += g.rewards[seat] * g.rewards[seat]


cdef void iterate(Search* g) noexcept nogil:
    cdef Rng rng = rng_from_seed(derive_seed(g.seed, g.n_iterations))
    state_copy(g.ops, g.buffers.state, g.root)
    if g.has_worlds:
        imagine_world(g.ops, g.buffers.state, g.seat, &rng)
    g.n_path = 0
    g.n_own = 0
    if g.n_iterations % RESCALE == 0:
        scale_exploration(g)
    descend(g, &rng)
    back_up(g)
    note_rewards(g)
    state_drop(g.ops, g.buffers.state)
    g.n_iterations += 1


cdef double root_lead(const Search* g) noexcept nogil:
    cdef const Tree* tree = &g.trees[g.seat if g.n_trees > 1 else 0]
    cdef const Edge* edges = &tree.edges[tree.nodes[ROOT].edges]
    cdef double first = 0, second = 0
    cdef int i
    for i in range(tree.nodes[ROOT].n_edges):
        if edges[i].proof > 0:
            return -1
        if edges[i].proof == 0:
            continue
        if edges[i].visits > first:
            second = first
            first = edges[i].visits
        elif edges[i].visits > second:
            second = edges[i].visits
    return first - second


cdef bint run_slice(Search* g, Clock* clock, const Goal* goal) noexcept nogil:
    cdef const GameOps* ops = g.ops
    while g.n_iterations < goal.iterations:
        iterate(g)
        if g.is_proven or count_nodes(g) - g.n_adopted >= goal.nodes:
            return False
        if ops.failed != NULL and ops.failed(ops.rules):
            return False
        if goal.is_choosing and (g.n_iterations & 63) == 0:
            if root_lead(g) > <double>(goal.iterations - g.n_iterations):
                return False
        if clock_is_due(clock):
            return not read_flag(clock.stop) and clock.last < clock.deadline
    return False
