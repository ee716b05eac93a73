"""Shared by the two searches of expectimax: memory, moves without a choice, samples of chance, playouts."""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from aiplay._core.contract cimport GameOps, sample_outcome
from aiplay._core.rng cimport Rng, rng_from_seed
from aiplay._core.search.common.leaf cimport spread_outcomes
from aiplay._core.search.common.rollout cimport PLAYOUT_GAME, Buffers, policy_playout
from aiplay._core.search.common.states cimport states_at, states_free, states_reserve
from aiplay._core.search.expectimax.cache cimport DOUBT_SAMPLE, cache_free
from aiplay._core.typedefs cimport move_t, seat_t

cdef enum:
    MAX_PLIES = 256         # plies of a search, forced moves not counted; the last one is evaluated
    MAX_FREE = 10_000       # forced moves in a row before the evaluation


# ---- Memory --------------------------------------------------------------------------------------------------------

cdef int lookahead_reserve(Lookahead* search) noexcept nogil:
    cdef size_t room
    cdef int i
    search.n_plies = min(search.ops.max_depth, MAX_PLIES) + 4
    room = <size_t>search.n_plies * search.ops.max_moves
    search.nodes = <Node*>calloc(search.n_plies, sizeof(Node))
    search.moves = <move_t*>malloc(room * sizeof(move_t))
    search.scores = <double*>malloc(room * sizeof(double))
    search.low = <double*>malloc(room * sizeof(double))
    search.high = <double*>malloc(room * sizeof(double))
    search.counts = <int*>malloc(room * sizeof(int))
    search.lines = <move_t*>malloc(search.n_plies * LINE * sizeof(move_t))
    search.line_lengths = <int*>malloc(search.n_plies * sizeof(int))
    search.killers = <move_t*>malloc(2 * search.n_plies * sizeof(move_t))
    if states_reserve(&search.states, search.ops, search.n_plies) < 0 or not (
        search.moves and search.scores and search.low and search.high and search.counts
        and search.lines and search.line_lengths and search.killers and search.nodes
    ):
        return -1
    memset(search.line_lengths, 0, search.n_plies * sizeof(int))
    for i in range(2 * search.n_plies):
        search.killers[i] = -1
    return 0


cdef void lookahead_free(Lookahead* search) noexcept nogil:
    states_free(&search.states)
    cache_free(&search.cache)
    free(search.nodes)
    free(search.moves)
    free(search.scores)
    free(search.low)
    free(search.high)
    free(search.counts)
    free(search.lines)
    free(search.line_lengths)
    free(search.killers)


# ---- Moves without a choice ----------------------------------------------------------------------------------------

cdef int play_free_moves(
    Lookahead* search, int ply, int depth, Luck* luck, seat_t* seat, int* doubt
) noexcept nogil:
    cdef const GameOps* ops = search.ops
    cdef const move_t* moves = search.moves + ply * ops.max_moves
    cdef int n, _i
    for _i in range(MAX_FREE):
        if doubt[0] == 0:
            line_append(search, ply, moves[0])
        ops.play(ops.rules, states_at(&search.states, ply), moves[0])
        n = list_moves(search, ply, depth, luck, seat, doubt)
        if n != 1:
            return n
    return 0


# ---- Chance --------------------------------------------------------------------------------------------------------

cdef int sample_one(Lookahead* search, int ply, Luck* luck, int* doubt) noexcept nogil:
    cdef const GameOps* ops = search.ops
    cdef move_t* moves = search.moves + ply * ops.max_moves
    cdef Rng rng = rng_from_seed(luck.seed)
    moves[0] = sample_outcome(
        ops, states_at(&search.states, ply), &rng, moves, search.scores + ply * ops.max_moves
    )
    luck[0] = luck_after(luck, 0, 1)
    doubt[0] = DOUBT_SAMPLE
    return 1


cdef int sample_outcomes(Lookahead* search, int ply, const Luck* luck, int n) noexcept nogil:
    cdef move_t* moves = search.moves + ply * search.ops.max_moves
    cdef double* p = search.scores + ply * search.ops.max_moves
    cdef int* counts = search.counts + ply * search.ops.max_moves
    cdef Rng rng = rng_from_seed(luck.seed)
    cdef int i, kept = 0
    spread_outcomes(p, n, counts, luck.room, &rng)
    for i in range(n):
        if counts[i] > 0:
            moves[kept] = moves[i]
            counts[kept] = counts[i]
            p[kept] = <double>counts[i] / luck.room
            kept += 1
    return kept


# ---- Beyond the depth ----------------------------------------------------------------------------------------------

cdef void play_on(Lookahead* search, int ply) noexcept nogil:
    """So that the evaluation comes when something is finished, not in the middle of it.

    The luck is the same for all positions of a world: moves are compared under the same luck, and a position has the
    same value however the search reaches it.
    """
    cdef Buffers buffers
    cdef Rng rng = rng_from_seed(search.playout_seed)
    buffers.judge = search.judge
    buffers.moves = search.moves + ply * search.ops.max_moves
    buffers.weights = search.scores + ply * search.ops.max_moves
    buffers.state = states_at(&search.states, ply)
    buffers.scratch = NULL
    policy_playout(search.ops, PLAYOUT_GAME, 0.0, &buffers, &rng, search.params.playout_depth)
