"""Monte Carlo tree search over any game (Coulom 2006), the part without Python.

An iteration has four steps: sample a world, descend by upper confidence bounds and play on from the leaf (both in
descent.pyx), back up the rewards. Where views are few it does all of that again, in a world that another seat believes
in. Every seat goes for its own reward, as in max^n (Sturtevant 2008). The modes differ in little:

    open     nothing is hidden: nodes are positions, results are proven
    single   a fresh world per iteration, one tree over what the searching seat notices (SO-ISMCTS, Cowling, Powley
             and Whitehouse 2012)
    several  the same with one tree for each seat, descended together; the seat to move chooses by its own (MO-ISMCTS,
             same paper); a seat with few possible views knows which one it has, and the others do not (starts.pyx)
    team     the tree of `single`, in which only the searching seat chooses: the others move as in playouts

PIMC (perfect information Monte Carlo: Levy 1989, Ginsberg 2001) is several open searches of one world each, merged by
the player.

Iteration i of a search with seed s draws all its random numbers from the stream (s, i): a search is reproducible and
does not depend on how it is cut into slices or spread over threads.
"""

from libc.math cimport sqrt
from libc.string cimport memcmp

from aiplay._core.contract cimport GameOps, imagine_world, state_copy, state_drop
from aiplay._core.rng cimport Rng, derive_seed, rng_from_seed
from aiplay._core.search.common.control cimport Clock, clock_is_due, read_flag
from aiplay._core.search.mcts.descent cimport descend
from aiplay._core.search.mcts.search cimport RootSum, Search, Step, count_nodes, late_count, own_tree
from aiplay._core.search.mcts.starts cimport end_imagined, find_starts, imagine_own
from aiplay._core.search.mcts.tree cimport IS_FAN, ROOT, Edge, Node, Tree
from aiplay._core.typedefs cimport seat_t

cdef enum:
    FIRST_REWARDS = 8       # imagined rewards before the first, half of them 0 and half 1
    RESCALE = 16            # iterations between two estimates of the deviation of rewards

# Smallest factor of exploration: rewards that are all alike, because the search has settled on one line, do not prove
# that the other moves are no better.
cdef double LEAST_SCALE = 0.1


# ---- Proofs: MCTS-Solver (Winands, Björnsson and Saito 2008), for any number of seats ----------------------

cdef inline bint is_decisive(const GameOps* ops, const double* values, seat_t seat) noexcept nogil:
    """True if no other choice of the seat can matter: it gets the most, the others the least."""
    cdef int other
    if values[seat] < 1.0:
        return False
    for other in range(ops.seats):
        if values[other] > 0 and other != seat and not ops.is_cooperative:
            return False
    return True


cdef bint prove(Search* search, Tree* tree, const Step* step) noexcept nogil:
    """Prove the edge of a step, which leads to a proven node; True if that proves the node above it as well.

    It does if the edge is decisive, or if every edge is proven and the best ones agree. If they do not, the seat is
    free to choose between other seats, and its choice is unknown. (At the root it is our own.)
    """
    cdef Node* node = &tree.nodes[step.node]
    cdef Edge* edges = &tree.edges[node.edges]
    cdef Edge* best = &tree.edges[step.edge]
    cdef size_t size = search.ops.seats * sizeof(double)
    cdef const double* values = &tree.proofs[tree.nodes[best.child].proof - 1]
    cdef int i
    best.proof = <float>values[step.seat]
    if not is_decisive(search.ops, values, step.seat):
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


# ---- Back to the root --------------------------------------------------------------------------------------

cdef void back_up(Search* search) noexcept nogil:
    """Add the rewards to every step of the path; carry proofs upwards as far as they reach."""
    cdef bint is_proving = search.params.has_solver
    cdef Step* step
    cdef Tree* tree
    cdef Edge* edge
    cdef int i
    for i in range(search.n_path - 1, -1, -1):
        step = &search.path[i]
        tree = &search.trees[step.tree]
        edge = &tree.edges[step.edge]
        tree.nodes[step.node].visits += 1
        edge.visits += 1
        if step.seat >= 0:
            edge.value += search.rewards[step.seat]
        if is_proving:
            is_proving = (
                step.seat >= 0 and 0 < edge.child < IS_FAN and tree.nodes[edge.child].proof != 0
                and tree.nodes[edge.child].draws == 0       # what chance decides proves nothing
                and (tree.nodes[step.node].proof != 0 or prove(search, tree, step))
            )
    # The root's decision is the first step of its own tree.
    for i in range(min(search.n_path, search.n_trees)):
        step = &search.path[i]
        if step.node == ROOT and step.seat >= 0:
            add_root_sum(search, &search.root_sums[step.edge - search.trees[step.tree].nodes[ROOT].edges])
    if is_proving:
        search.is_proven = search.trees[0].nodes[ROOT].proof != 0


cdef inline void add_root_sum(Search* search, RootSum* sums) noexcept nogil:
    cdef int seat
    for seat in range(search.ops.seats):
        sums.totals[seat] += search.rewards[seat]
    sums.squares += search.rewards[search.seat] * search.rewards[search.seat]
    sums.count += 1


cdef void note_counts(Search* search) noexcept nogil:
    """Begin to count anew which root moves are taken of late."""
    cdef const Tree* tree = own_tree(search)
    cdef RootSum* sums
    cdef int i
    for i in range(tree.nodes[ROOT].n_edges):
        sums = &search.root_sums[i]
        sums.before, sums.half = sums.half, sums.count


cdef void scale_exploration(Search* search) noexcept nogil:
    """Weigh exploration by the standard deviation of the rewards of each seat.

    A mean is as uncertain as its samples vary (compare UCB1-tuned in Auer, Cesa-Bianchi and Fischer 2002): by 0.5 if
    all rewards are 0 or 1, by a tenth of that if they are careful evaluations. Exploring the second as widely as the
    first is random play. Before the first rewards the deviation is taken for the largest possible.
    """
    cdef double n = search.n_iterations + FIRST_REWARDS
    cdef double mean, variance
    cdef int seat
    for seat in range(search.ops.seats):
        search.exploration[seat] = search.params.exploration
        if search.params.is_scaled:
            mean = (search.reward_sums[seat] + 0.5 * FIRST_REWARDS) / n
            variance = (search.reward_squares[seat] + 0.5 * FIRST_REWARDS) / n - mean * mean
            search.exploration[seat] *= max(LEAST_SCALE, 2.0 * sqrt(max(variance, 0.0)))


cdef inline void note_rewards(Search* search) noexcept nogil:
    cdef int seat
    for seat in range(search.ops.seats):
        search.reward_sums[seat] += search.rewards[seat]
        search.reward_squares[seat] += search.rewards[seat] * search.rewards[seat]


# ---- The loop ----------------------------------------------------------------------------------------------

cdef inline void sample_world(Search* search, Rng* rng) noexcept nogil:
    state_copy(search.ops, search.buffers.state, search.root)
    if search.has_worlds:
        imagine_world(search.ops, search.buffers.state, search.seat, rng)


cdef inline void play_world(Search* search, Rng* rng) noexcept nogil:
    """Descend in the world that has been sampled, and back up what it leads to."""
    find_starts(search)
    search.n_path = 0
    search.n_own = 0
    descend(search, rng)
    back_up(search)
    state_drop(search.ops, search.buffers.state)


cdef void iterate(Search* search) noexcept nogil:
    cdef Rng rng = rng_from_seed(derive_seed(search.seed, search.n_iterations))
    if search.n_iterations % RESCALE == 0:
        scale_exploration(search)
    sample_world(search, &rng)
    play_world(search, &rng)
    note_rewards(search)
    search.n_iterations += 1
    if search.n_iterations & (search.n_iterations - 1) == 0:
        note_counts(search)
    if search.has_imagined:
        sample_world(search, &rng)
        if imagine_own(search, &rng):
            play_world(search, &rng)
            end_imagined(search)
        else:
            state_drop(search.ops, search.buffers.state)


cdef double root_lead(Search* search) noexcept nogil:
    cdef const Tree* tree = own_tree(search)
    cdef const Edge* edges = &tree.edges[tree.nodes[ROOT].edges]
    cdef double first = 0, second = 0
    cdef uint64_t late = 0
    cdef int i, most = 0, latest = 0
    for i in range(tree.nodes[ROOT].n_edges):
        if edges[i].proof > 0:
            return -1
        if edges[i].proof == 0:
            continue
        if edges[i].visits > first:
            second = first
            first = edges[i].visits
            most = i
        elif edges[i].visits > second:
            second = edges[i].visits
        if late_count(&search.root_sums[i]) > late:
            late = late_count(&search.root_sums[i])
            latest = i
    return first - second if latest == most else -1


cdef bint run_slice(Search* search, Clock* clock, const Goal* goal) noexcept nogil:
    cdef const GameOps* ops = search.ops
    while search.n_iterations < goal.iterations:
        iterate(search)
        if search.is_proven or search.is_broken or count_nodes(search) - search.n_adopted >= goal.nodes:
            return False
        if ops.failed != NULL and ops.failed(ops.rules):
            return False
        if goal.is_choosing and (search.n_iterations & 63) == 0:
            if root_lead(search) > <double>(goal.iterations - search.n_iterations):
                return False
        if clock_is_due(clock):
            return not read_flag(clock.stop) and clock.last < clock.deadline
    return False
