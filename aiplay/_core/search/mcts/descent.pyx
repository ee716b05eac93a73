"""From the root of the trees to a leaf: selection by UCB1 (UCT), or by PUCT if the game weighs its moves.

With N visits of a node, and n of an edge with mean reward q, the edge with the largest score is taken:

    UCB1    q + c * sqrt(log(N) / n)                Auer, Cesa-Bianchi and Fischer 2002; Kocsis and Szepesvári 2006
    PUCT    q + c * prior * sqrt(N) / (1 + n)       Rosin 2011; in this form Silver et al. 2016

An untried move counts as `fpu` under UCB1 (first-play urgency, Gelly and Wang 2006), as the mean of its node under
PUCT. If the game evaluates moves, that value counts like `prior_weight` visits (Gelly and Silver 2007). If the legal
moves differ between worlds, N is the number of visits at which the move was available (Cowling, Powley and Whitehouse
2012). A proven edge counts as its proven value (Winands, Björnsson and Saito 2008).

Neither formula alone is safe: rewards that hardly vary shrink c, a small prior shrinks PUCT, and a move that looks bad
once may never be tried again. So a move with n visits among K is overdue, and comes first, when

    2 * K * n**2 < M   or   64 * K**2 * n**3 < M**2,   M = N - 32 * K

Every move that is not proven is then tried again and again: about (N / K)**(2 / 3) / 4 times in the end.

At the root the choice itself counts, not the rewards on the way to it (simple regret: Tolpin and Shimony 2012). A move
whose answers have not been found yet looks worse, or better, than it is, and log(N) grows too slowly to find out. So
sqrt(log(N)) is N**0.25 / 2 at the root once that is more, from about 700 visits on, and at least root_exploration *
sqrt(N): then a move that seems worse by d keeps a share of (c * root_exploration / d)**2 of the visits, more or less.
"""

from libc.math cimport INFINITY, log, sqrt
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from aiplay._core.contract cimport PLAY_TO_THE_END, GameOps, perceive_move
from aiplay._core.playout cimport random_playout
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.search.common.leaf cimport position_values, returns_values
from aiplay._core.search.common.promise cimport are_moves
from aiplay._core.search.common.rollout cimport PLAYOUT_RANDOM, policy_playout
from aiplay._core.search.mcts.chance cimport play_chance, step_down
from aiplay._core.search.mcts.expansion cimport expand_node, wants_priors
from aiplay._core.search.mcts.misjudge cimport misjudge_rewards
from aiplay._core.search.mcts.params cimport PRIOR_WEIGHTS, MctsParams
from aiplay._core.search.mcts.reuse cimport note_next_root
from aiplay._core.search.mcts.search cimport Step, view_hash
from aiplay._core.search.mcts.tree cimport (
    HAS_PRIORS, IS_NOTED, NO_NODE, ROOT, Edge, Node, Tree, add_proof, fetch_below, only_edge,
)
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, TERMINAL, move_t, seat_t

cdef enum:
    N_ROOTS = 4096          # square roots that are computed once
    FEW_EDGES = 4           # nodes with no more: memory is asked for all that may be needed next
    OVERDUE_AFTER = 32      # visits of a node, for each move, before a move can be overdue
    OVERDUE_FACTOR = 2
    OVERDUE_CUBE = 64       # a move has a quarter of (N / K) ** (2 / 3) visits at least
    OVERDUE_BONUS = 4       # more than any score differs from another

cdef double ROOT_OF_LOG[N_ROOTS]    # sqrt(log(n)); both filled at import
cdef double INVERSE_ROOT[N_ROOTS]   # 1 / sqrt(n)


def _fill_roots():
    cdef int n
    ROOT_OF_LOG[0] = INVERSE_ROOT[0] = 0.0
    for n in range(1, N_ROOTS):
        ROOT_OF_LOG[n] = sqrt(log(n))
        INVERSE_ROOT[n] = 1.0 / sqrt(n)


_fill_roots()


cdef inline double root_of_log(uint32_t n) noexcept nogil:
    return ROOT_OF_LOG[n] if n < N_ROOTS else sqrt(log(n))


cdef inline double eagerness(const MctsParams* params, uint32_t n, bint is_root) noexcept nogil:
    """The growth of exploration with the visits of a node."""
    cdef double slow = root_of_log(n), root
    if not is_root:
        return slow
    root = sqrt(n)
    return max(slow, 0.5 * sqrt(root), params.root_exploration * root)


cdef inline double inverse_root(uint32_t n) noexcept nogil:
    return INVERSE_ROOT[n] if n < N_ROOTS else 1.0 / sqrt(n)


cdef inline double visits_beyond(uint32_t n_visits, int n_edges) noexcept nogil:
    """M, which decides whether a move is overdue, at a node with n_visits and n_edges moves."""
    return <double>n_visits - OVERDUE_AFTER * n_edges


cdef inline bint is_overdue(uint32_t n, double beyond, int n_edges) noexcept nogil:
    """True if a move with n visits is overdue; `beyond` is M."""
    cdef double square = <double>n * n
    return beyond > 0 and (
        OVERDUE_FACTOR * n_edges * square < beyond
        or OVERDUE_CUBE * n_edges * n_edges * (square * n) < beyond * beyond
    )


# ---- Scores ------------------------------------------------------------------------------------------------

ctypedef struct Weight:     # of the priors of a node in UCB1
    double visits           # that they count for, 0 without priors
    int whole               # the same as an integer, -1 if it is not whole


cdef inline Weight weight_of_priors(const MctsParams* params, const Node* node) noexcept nogil:
    cdef Weight found
    found.visits = params.prior_weight if node.marks & HAS_PRIORS else 0.0
    found.whole = <int>found.visits if found.visits < N_ROOTS else -1
    if found.whole != found.visits:
        found.whole = -1
    return found


cdef inline double ucb_score(const Edge* edge, Weight weight, double unknown, double untried) noexcept nogil:
    """UCB1; `unknown` is c * sqrt(log(N)), `untried` the score of a move without visits."""
    cdef double root
    if edge.proof >= 0:
        return edge.proof
    if weight.whole < 0:
        root = 1.0 / sqrt(edge.visits + weight.visits)
    elif edge.visits + <uint32_t>weight.whole == 0:
        return untried
    else:
        root = inverse_root(edge.visits + <uint32_t>weight.whole)
    return (edge.value + weight.visits * edge.prior) * root * root + unknown * root


cdef inline double puct_score(
    const MctsParams* params, const Edge* edge, double mean, double root_of_visits
) noexcept nogil:
    """PUCT; `mean` is that of the node, `root_of_visits` is sqrt(N)."""
    if edge.proof >= 0:
        return edge.proof
    if edge.visits > 0:
        mean = edge.value / edge.visits
    return mean + params.prior_weight * edge.prior * root_of_visits / (1.0 + edge.visits)


cdef double mean_of(const Edge* edges, int n) noexcept nogil:
    """The mean reward over all visits of n edges."""
    cdef double value = 0.0
    cdef uint64_t visits = 0
    cdef int i
    for i in range(n):
        value += edges[i].value
        visits += edges[i].visits
    return value / visits if visits else 0.5


# ---- The best edge; of equal ones the first, counted from a random start ------------------------------------

cdef inline uint32_t select_edge(
    Search* search, Tree* tree, uint32_t node, seat_t seat, int n, Rng* rng
) noexcept nogil:
    """The edge that `seat` takes at an expanded node with n >= 1 moves to choose from (see expansion.pxd).

    What is below it is on the way from memory: if there are few edges, below all of them, while scores are computed.
    """
    cdef const Node* here = &tree.nodes[node]
    cdef const Edge* edges = &tree.edges[here.edges]
    cdef int start = rng_below(rng, n)
    cdef int i, best
    if here.n_edges <= FEW_EDGES:
        for i in range(here.n_edges):
            fetch_below(tree, &edges[i])
    if here.marks & HAS_PRIORS and search.params.prior == PRIOR_WEIGHTS:
        best = best_by_weights(search, here, edges, n, start, node == ROOT)
    elif search.params.is_open:
        best = best_of_all(search, here, edges, seat, start, node == ROOT)
    else:
        best = best_of_available(search, here, edges, seat, n, start, node == ROOT)
    if here.n_edges > FEW_EDGES:
        fetch_below(tree, &edges[best])
    return here.edges + <uint32_t>best


cdef inline int best_of_all(
    const Search* search, const Node* node, const Edge* edges, seat_t seat, int start, bint is_root
) noexcept nogil:
    """The place of the best edge by UCB1 if the legal moves of a node never change."""
    cdef double unknown = search.exploration[seat] * eagerness(&search.params, node.visits, is_root)
    cdef double untried = search.params.fpu + unknown
    cdef double beyond = visits_beyond(node.visits, node.n_edges)
    cdef double score, best_score = -INFINITY
    cdef Weight weight = weight_of_priors(&search.params, node)
    cdef int _half, k, first = start, end = node.n_edges, best = start
    for _half in range(2):          # from the start to the last one, then those before
        for k in range(first, end):
            score = ucb_score(&edges[k], weight, unknown, untried)
            if edges[k].proof >= 0:
                score -= 2.0 * is_root      # there is nothing more to learn about a proven one
            elif is_overdue(edges[k].visits, beyond, node.n_edges):
                score += OVERDUE_BONUS
            if score > best_score:
                best_score = score
                best = k
        first, end = 0, start
    return best


cdef inline int best_of_available(
    const Search* search, const Node* node, const Edge* edges, seat_t seat, int n, int start, bint is_root
) noexcept nogil:
    """The place of the best edge by UCB1 among the n that are listed in the buffer."""
    cdef const move_t* places = search.buffers.moves
    cdef uint32_t available = 0     # of the last edge; usually that of the next one, too
    cdef double unknown = 0.0, untried = 0.0, beyond = 0.0
    cdef double score, best_score = -INFINITY
    cdef Weight weight = weight_of_priors(&search.params, node)
    cdef const Edge* edge
    cdef int i, k, best = places[start]
    for i in range(n):
        k = places[start + i if start + i < n else start + i - n]
        edge = &edges[k]
        if edge.available != available:
            available = edge.available
            unknown = search.exploration[seat] * eagerness(&search.params, available, is_root)
            untried = search.params.fpu + unknown
            beyond = visits_beyond(available, n)
        score = ucb_score(edge, weight, unknown, untried)
        if is_overdue(edge.visits, beyond, n):
            score += OVERDUE_BONUS
        if score > best_score:
            best_score = score
            best = k
    return best


cdef int best_by_weights(
    const Search* search, const Node* node, const Edge* edges, int n, int start, bint is_root
) noexcept nogil:
    """The place of the best edge by PUCT: of all, or of the n that are listed in the buffer."""
    cdef const move_t* places = NULL if search.params.is_open else search.buffers.moves
    cdef double mean = mean_of(edges, node.n_edges)
    cdef uint32_t available = node.visits       # if information is hidden, of the last edge: as in best_of_available
    cdef double root_of_visits = sqrt(available), beyond = visits_beyond(available, n)
    cdef double score, best_score = -INFINITY
    cdef int i, k, best = start if places == NULL else places[start]
    for i in range(n):
        k = start + i if start + i < n else start + i - n
        if places != NULL:
            k = places[k]
            if edges[k].available != available:
                available = edges[k].available
                root_of_visits, beyond = sqrt(available), visits_beyond(available, n)
        score = puct_score(&search.params, &edges[k], mean, root_of_visits)
        if edges[k].proof >= 0:
            score -= 2.0 * is_root          # there is nothing more to learn about a proven one
        elif is_overdue(edges[k].visits, beyond, n):
            score += OVERDUE_BONUS
        if score > best_score:
            best_score = score
            best = k
    return best


# ---- Leaves ------------------------------------------------------------------------------------------------

cdef void rollout(Search* search, Rng* rng) noexcept nogil:
    """Play the position on to its end or to the playout depth, and write the rewards."""
    cdef const GameOps* ops = search.ops
    cdef void* s = search.buffers.state
    cdef int limit = search.params.playout_depth
    cdef bint is_blurred = search.params.blur > 0
    cdef uint64_t seen = view_hash(search, search.seat) if is_blurred else 0
    if limit == PLAY_TO_THE_END:
        limit = ops.max_depth
    if search.params.playout == PLAYOUT_RANDOM:
        random_playout(ops, s, rng, limit)
    else:
        policy_playout(ops, search.params.playout, search.params.epsilon, &search.buffers, rng, limit)
    position_values(ops, search.buffers.judge, s, ops.to_move(ops.rules, s), search.rewards)
    if is_blurred:
        misjudge_rewards(search, seen)


cdef inline void finish(Search* search, uint32_t node) noexcept nogil:
    """The game is over: write the rewards, which prove the node in an open game."""
    cdef Tree* tree = &search.trees[0]
    returns_values(search.ops, search.buffers.state, search.rewards)
    if search.params.has_solver and node != NO_NODE and tree.nodes[node].proof == 0:
        tree.nodes[node].proof = add_proof(tree, search.rewards, search.ops.seats)


cdef inline bint use_proof(Search* search, const Tree* tree, uint32_t node) noexcept nogil:
    """Write the rewards of a proven node; False if it is not proven."""
    if not search.params.has_solver or tree.nodes[node].proof == 0:
        return False
    memcpy(search.rewards, &tree.proofs[tree.nodes[node].proof - 1], search.ops.seats * sizeof(double))
    return True


# ---- From the root to a leaf -------------------------------------------------------------------------------

cdef inline bint is_new(Tree* tree, uint32_t node) noexcept nogil:
    """True at the first visit of a node below the root, which is counted."""
    if tree.nodes[node].visits > 0 or node == ROOT:
        return False
    tree.nodes[node].visits = 1
    return True


cdef inline int moves_at(Search* search, Tree* tree, uint32_t* node, uint32_t above, seat_t seat) noexcept nogil:
    """Number of moves to choose from at a node, which is expanded if need be (see `expand_node`); 0 if that fails."""
    cdef const Node* here = &tree.nodes[node[0]]
    cdef bint is_expanded = here.n_edges > 0
    cdef int n
    if is_expanded and search.params.is_open and not wants_priors(search, here):
        return here.n_edges
    n = search.ops.legal_moves(search.ops.rules, search.buffers.state, search.buffers.moves)
    if is_expanded and n == here.n_edges:
        # Only a world that has all moves of a node can give it priors.
        if not wants_priors(search, here) and are_all_available(tree, here, search.buffers.moves, n):
            return n
    elif is_expanded and n < here.n_edges and are_some_available(tree, here, search.buffers.moves, n):
        return n
    if node[0] == ROOT and not are_moves(search.buffers.moves, n, search.view_moves, search.n_view_moves):
        search.is_broken = 1
        return 0
    return n if n > 0 and expand_node(search, tree, node, above, seat, n) else 0


cdef inline bint are_all_available(Tree* tree, const Node* node, move_t* moves, int n) noexcept nogil:
    """True if the n legal moves are those of the edges. The usual case, done as `expand_node` would."""
    cdef Edge* edges = &tree.edges[node.edges]
    cdef int i
    for i in range(n):
        if edges[i].move != moves[i]:
            return False
    for i in range(n):
        edges[i].available += 1
        moves[i] = i
    return True


cdef bint are_some_available(Tree* tree, const Node* node, move_t* moves, int n) noexcept nogil:
    """True if each of the n legal moves has an edge, as with most hands of another seat; done as by `expand_node`."""
    cdef Edge* edges = &tree.edges[node.edges]
    cdef int places[MAX_MOVES]
    cdef int i, k = 0
    for i in range(n):
        while k < node.n_edges and edges[k].move != moves[i]:
            k += 1
        if k == node.n_edges:
            return False
        places[i] = k
        k += 1
    for i in range(n):
        edges[places[i]].available += 1
        moves[i] = places[i]
    return True


cdef inline uint32_t decide(
    Search* search, uint32_t* nodes, const uint32_t* above, int decider, seat_t seat, Rng* rng
) noexcept nogil:
    """The edge that the seat to move takes in its tree; NO_NODE at a leaf, with the rewards written.

    `above`: the edges that lead to the nodes. A node that gets edges moves.
    """
    cdef Tree* tree = &search.trees[decider]
    cdef uint32_t node = nodes[decider]
    cdef int n
    if node != NO_NODE:
        if use_proof(search, tree, node):
            return NO_NODE
        if search.params.keeps_next and seat == search.seat and search.n_own == 1 and not search.is_imagined:
            if not tree.nodes[node].marks & IS_NOTED:
                tree.nodes[node].marks |= IS_NOTED
                note_next_root(search, nodes)
        if not is_new(tree, node):
            n = moves_at(search, tree, &nodes[decider], above[decider], seat)
            if n > 0:
                return select_edge(search, tree, nodes[decider], seat, n, rng)
    rollout(search, rng)
    return NO_NODE


cdef inline void take_edges(
    Search* search, uint32_t* nodes, uint32_t* edges, uint64_t* keys, int decider, uint32_t edge, seat_t seat,
    move_t move,
) noexcept nogil:
    """Let every tree note the move that is about to be made: the edge that it takes, and the key of the move.

    `edges` are those that lead to the nodes before.
    """
    cdef Tree* tree
    cdef Step* step
    cdef int t
    for t in range(search.n_trees):
        tree = &search.trees[t]
        if nodes[t] == NO_NODE:
            edges[t] = NO_NODE
        else:
            edges[t] = edge if t == decider else only_edge(tree, &nodes[t], edges[t])
        if edges[t] == NO_NODE:
            continue
        step = &search.path[search.n_path]
        search.n_path += 1
        step.tree = t
        step.node = nodes[t]
        step.edge = edges[t]
        step.seat = seat if t == decider else -1
        if search.params.is_open:
            keys[t] = <uint64_t>move
        else:
            keys[t] = perceive_move(search.ops, search.buffers.state, move, tree.owner)


cdef void descend(Search* search, Rng* rng) noexcept nogil:
    """Walk from the root to a leaf and write the rewards that it leads to."""
    cdef const GameOps* ops = search.ops
    cdef void* s = search.buffers.state
    cdef uint32_t nodes[MAX_SEATS]
    cdef uint32_t edges[MAX_SEATS]
    cdef uint64_t keys[MAX_SEATS]
    cdef uint32_t edge
    cdef seat_t seat
    cdef move_t move
    cdef int decider, t
    for t in range(search.n_trees):
        nodes[t] = search.starts[t]
        edges[t] = NO_NODE if nodes[t] == ROOT else search.trees[t].nodes[ROOT].edges
    seat = ops.to_move(ops.rules, s)
    search.is_broken |= seat != search.seat
    while not search.is_broken:
        if seat == TERMINAL:
            finish(search, nodes[0])
            return
        if search.n_path + search.n_trees > search.room_path or seat == CHANCE:
            rollout(search, rng)
            return
        if search.params.follows_game and seat != search.seat:
            decider, edge = -1, NO_NODE
            move = ops.playout_move(ops.rules, s, rng)
        else:
            decider = seat if search.n_trees > 1 else 0
            edge = decide(search, nodes, edges, decider, seat, rng)
            if edge == NO_NODE:
                return
            move = search.trees[decider].edges[edge].move
            search.n_own += seat == search.seat
        take_edges(search, nodes, edges, keys, decider, edge, seat, move)
        ops.play(ops.rules, s, move)
        seat = ops.to_move(ops.rules, s)
        if seat == CHANCE:
            play_chance(search, nodes, edges, keys, max(decider, 0), rng)
            seat = ops.to_move(ops.rules, s)
        else:
            step_down(search, nodes, edges, keys)
