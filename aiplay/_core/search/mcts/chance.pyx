"""Chance in MCTS: runs of outcomes, and progressive widening.

Throws and draws in a row are one run, with one node for each run that an observer can tell apart. Where runs are many
(twenty dice have millions of results) every visit would find a new node, and no node would ever be visited twice: the
value of the move would stay that of the evaluation right after the throw. So an edge with n visits gets at most
`widening * sqrt(n)` nodes (progressive widening, Couëtoux et al. 2011). When it has them all, most visits go to known
nodes in turn, each as often as chance has drawn it; every DRAW_EVERY-th visit draws afresh, so that the shares go on
approaching the true probabilities. As the number of nodes grows without bound, values converge to the exact ones.

Searches that exchange statistics share these nodes out: each has its part of them. As long as they are few, a search
hears of those of the others; later each goes on with its own, which the others never visit (exchange.pyx).

With hidden information a known run is repeated only if it is possible in the world of the iteration.
"""

from libc.math cimport sqrt
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from aiplay._core.contract cimport perceive_move, sample_outcome, state_copy, state_drop
from aiplay._core.rng cimport Rng
from aiplay._core.search.mcts.search cimport MAX_RUN
from aiplay._core.search.mcts.tree cimport (
    IS_FAN, NO_NODE, Edge, Fan, Tree, add_run, branch_at, child_below, copy_run, fan_below, find_child,
)
from aiplay._core.typedefs cimport CHANCE, MAX_SEATS, move_t

cdef enum:
    DRAW_EVERY = 8          # visits of an edge with all its nodes between two fresh draws
    TRIES = 4               # known runs that are tried in a world, before a fresh draw is accepted


cdef inline void play_outcome(Search* search, const uint32_t* edges, uint64_t* keys, move_t outcome) noexcept nogil:
    """Make an outcome, and add it to the keys under which the trees know the run."""
    cdef uint64_t key
    cdef int t
    for t in range(search.n_trees):
        if edges[t] != NO_NODE:
            key = <uint64_t>outcome
            if not search.params.is_open:
                key = perceive_move(search.ops, search.buffers.state, outcome, search.trees[t].owner)
            keys[t] = run_key(keys[t], key)
    search.ops.play(search.ops.rules, search.buffers.state, outcome)


cdef inline bint is_chance(const Search* search) noexcept nogil:
    return search.ops.to_move(search.ops.rules, search.buffers.state) == CHANCE


cdef int draw_run(Search* search, const uint32_t* edges, uint64_t* keys, Rng* rng) noexcept nogil:
    """Draw outcomes until a seat has to decide; return how many. The first MAX_RUN are kept in `search.run`.

    A game in which chance decides for ever is broken; the run of its outcomes ends after max_depth of them.
    """
    cdef int n = 0
    cdef move_t outcome
    while n < search.ops.max_depth and is_chance(search):
        outcome = sample_outcome(search.ops, search.buffers.state, rng, search.buffers.moves, search.buffers.weights)
        play_outcome(search, edges, keys, outcome)
        if n < MAX_RUN:
            search.run[n] = outcome
        n += 1
    return n


# ---- Known runs --------------------------------------------------------------------------------------------

cdef inline bint is_full(const Search* search, const Tree* tree, const Edge* edge) noexcept nogil:
    """True if the edge may have no more nodes at its present number of visits."""
    cdef double n
    if search.params.widening <= 0 or edge.child < IS_FAN:
        return False
    n = <double>fan_below(tree, edge).n * search.n_partners
    return n >= MIN_NODES and n >= search.params.widening * sqrt(edge.visits)


cdef uint32_t next_known(Tree* tree, const Edge* edge) noexcept nogil:
    """The node of a fan whose turn it is: each in a row as often as chance has drawn it, the first one, then back from
    the newest.
    """
    cdef Fan* fan = fan_below(tree, edge)
    cdef uint32_t node
    if fan.cursor:
        node = branch_at(fan, fan.cursor - 1).node
        if fan.served < tree.nodes[node].draws:
            fan.served += 1
            return node
        fan.cursor = fan.n if fan.cursor == 1 else fan.cursor - 1
    else:
        fan.cursor = 1
    fan.served = 1
    return branch_at(fan, fan.cursor - 1).node


cdef bint is_possible(Search* search, move_t outcome) noexcept nogil:
    """True if chance can decide this now."""
    cdef int n, i
    if not is_chance(search):
        return False
    n = search.ops.chance_outcomes(search.ops.rules, search.buffers.state, search.buffers.moves, search.buffers.weights)
    for i in range(n):
        if search.buffers.moves[i] == outcome:
            return True
    return False


cdef bint repeat_run(
    Search* search, const Tree* tree, uint32_t node, const uint32_t* edges, uint64_t* keys
) noexcept nogil:
    """Play the run of a node again; False if that is not possible in this world."""
    cdef int i
    if tree.nodes[node].run == 0:
        return False
    for i in range(copy_run(tree, tree.nodes[node].run, search.run)):
        if not search.params.is_open and not is_possible(search, search.run[i]):
            return False
        play_outcome(search, edges, keys, search.run[i])
    return search.params.is_open or not is_chance(search)


cdef bint repeat_known(
    Search* search, Tree* tree, uint32_t edge, const uint32_t* edges, uint64_t* keys
) noexcept nogil:
    """Play a known run of an edge; False if a few that were tried are not possible in this world.

    `search.buffers.scratch` holds the state before the run, before and after.
    """
    cdef uint64_t before[MAX_SEATS]
    cdef int _try
    memcpy(before, keys, search.n_trees * sizeof(uint64_t))
    for _try in range(1 if search.params.is_open else TRIES):
        if repeat_run(search, tree, next_known(tree, &tree.edges[edge]), edges, keys):
            return True
        state_drop(search.ops, search.buffers.state)
        state_copy(search.ops, search.buffers.state, search.buffers.scratch)
        memcpy(keys, before, search.n_trees * sizeof(uint64_t))
    return False


# ---- One run -----------------------------------------------------------------------------------------------

cdef void keep_run(Search* search, Tree* tree, uint32_t node, int n) noexcept nogil:
    """Note at a node that chance has drawn its run, and keep the run of a new one."""
    tree.nodes[node].draws += 1
    if tree.nodes[node].draws == 1 and n <= MAX_RUN:
        tree.nodes[node].run = add_run(tree, search.run, n)


cdef void draw_limited(
    Search* search, Tree* tree, uint32_t edge, const uint32_t* edges, uint64_t* keys, Rng* rng
) noexcept nogil:
    """Let chance decide at an edge that may have no more nodes: a known run, unless a fresh draw gives one."""
    cdef uint64_t before[MAX_SEATS]
    cdef uint32_t node
    cdef int n
    cdef bint is_fresh = tree.edges[edge].visits % DRAW_EVERY == 0
    state_copy(search.ops, search.buffers.scratch, search.buffers.state)
    memcpy(before, keys, search.n_trees * sizeof(uint64_t))
    if is_fresh:
        draw_run(search, edges, keys, rng)
        node = find_child(tree, edge, keys[tree - search.trees])
        if node != NO_NODE:
            tree.nodes[node].draws += 1
        else:
            state_drop(search.ops, search.buffers.state)
            state_copy(search.ops, search.buffers.state, search.buffers.scratch)
            memcpy(keys, before, search.n_trees * sizeof(uint64_t))
            is_fresh = False
    if not is_fresh and not repeat_known(search, tree, edge, edges, keys):
        n = draw_run(search, edges, keys, rng)
        node = child_below(tree, edge, keys[tree - search.trees])
        if node != NO_NODE:
            keep_run(search, tree, node, n)
    state_drop(search.ops, search.buffers.scratch)


cdef void play_chance(
    Search* search, uint32_t* nodes, const uint32_t* edges, uint64_t* keys, int decider, Rng* rng
) noexcept nogil:
    cdef Tree* tree
    cdef int n
    if decider < 0 or edges[decider] == NO_NODE:
        draw_run(search, edges, keys, rng)
        step_down(search, nodes, edges, keys)
        return
    tree = &search.trees[decider]
    if is_full(search, tree, &tree.edges[edges[decider]]):
        draw_limited(search, tree, edges[decider], edges, keys, rng)
        step_down(search, nodes, edges, keys)
        return
    n = draw_run(search, edges, keys, rng)
    step_down(search, nodes, edges, keys)
    if nodes[decider] != NO_NODE:
        keep_run(search, tree, nodes[decider], n)
