# Shared by the two searches of expectimax: memory for every ply, limits, leaves, chance, and the best line.
#
# A search goes down the plies of one open game (the game itself, or a sampled world of it). The state at a ply belongs
# to the node that is searched there: made by the parent, used up by the node, dropped by the parent. A decision with at
# least two legal moves costs one of the depth; chance and forced moves cost nothing.
#
# A search can pause before any node: everything returns at once with `is_paused`, no state is dropped, and a Node at
# every ply knows how far it was. Called again with the same arguments, the search goes on there.

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from aiplay._core.contract cimport GameOps, hash_bytes, state_copy, state_drop, state_hash
from aiplay._core.rng cimport derive_seed, mix64
from aiplay._core.search.common.control cimport Clock, clock_is_due, read_flag
from aiplay._core.search.common.leaf cimport Judge, position_values
from aiplay._core.search.common.states cimport StateStack, states_at
from aiplay._core.search.expectimax.cache cimport DOUBT_EVALUATION, Cache
from aiplay._core.search.expectimax.params cimport ExpectimaxParams
from aiplay._core.typedefs cimport MAX_SEATS, TERMINAL, move_t, seat_t

cdef enum:
    LINE = 24               # longest best line
    HISTORY = 4096          # counters of the history heuristic; a power of two

cdef enum:
    GOAL_LEAD = 0           # two seats: the lead over the other one, who wants the opposite
    GOAL_OWN = 1            # the hero's own return; some seats want it too, some the opposite


ctypedef struct Luck:
    uint64_t seed           # of the samples from here to the next decision
    int room                # samples that may still be made until then; 0: all outcomes are tried


ctypedef struct Window:
    double alpha            # the value already guaranteed to the hero
    double beta             # the value that the others can already hold the hero to


ctypedef struct Node:       # with at least two moves or outcomes, while it is searched
    int is_begun            # 1: it is under way, and what follows is set
    int is_waiting          # 1: the search of its child has paused; the state of that is still there
    seat_t seat             # who decides; CHANCE
    int n                   # moves, or outcomes
    int i                   # the one that is searched
    int n_forced            # forced moves at the beginning of its line
    int is_sampled          # 1: the outcomes are a sample
    int is_probing          # 1: the outcomes are probed (Star2)
    int room                # samples left after each outcome, if the outcomes are not sampled
    int earlier             # DOUBT_*, of chance that was played in place before it
    int cached              # DOUBT_*, of the bounds from the cache
    int doubt               # DOUBT_*, of the moves or outcomes so far
    move_t best_move        # so far
    Luck luck               # of a chance node
    uint64_t key            # in the cache; 0: there is none
    Window window           # in which it is searched, narrowed by the cache at a decision
    double alpha            # of a decision: the value that the next move has to beat, for the seat that decides
    double best             # of a decision: the best value so far, for that seat
    double low              # of a chance node: its value is at least this
    double high             # and at most this
    double values[MAX_SEATS]    # of max^n: of the best move, or of all outcomes so far


ctypedef struct Lookahead:
    const GameOps* ops
    const Judge* judge      # values positions; NULL: the game's evaluation

    # ---- The question ------------------------------------------------------------------------------------------
    ExpectimaxParams params
    seat_t hero             # whose value it is
    int goal                # GOAL_*
    int maximises[MAX_SEATS]    # 1: this seat wants what the hero wants
    uint64_t seed           # of the samples
    uint64_t playout_seed   # of the moves beyond the depth, in the world that is searched
    int horizon             # decisions to look ahead from the root in this iteration

    # ---- Limits ------------------------------------------------------------------------------------------------
    Clock clock
    uint64_t node_limit
    uint64_t n_nodes        # nodes visited
    uint64_t n_leaves       # positions valued without search
    int is_aborted          # 1: the values that are returned mean nothing, leave at once
    int wants_pause         # 1: pause before the next node
    int is_paused           # 1: the same as is_aborted, but the search will go on

    # ---- Memory ------------------------------------------------------------------------------------------------
    int n_plies             # plies allocated below
    StateStack states       # one for each ply
    Node* nodes             # one for each ply
    move_t* moves           # max_moves for each ply: legal moves, or outcomes of chance
    double* scores          # the same: how promising the moves look, or the probabilities of the outcomes
    double* low             # the same: lower bounds of the values of outcomes
    double* high            # the same: upper bounds
    int* counts             # the same: how often each outcome was sampled
    move_t* lines           # LINE for each ply: the best line from there
    int* line_lengths       # for each ply
    move_t* killers         # two for each ply: moves that refuted a neighbour
    uint32_t history[HISTORY]   # how often a move was best, weighted by the depth below it
    Cache cache

    # ---- With every value that is returned ---------------------------------------------------------------------
    int doubt               # DOUBT_*: what the value relies on; 0: it is certain


# Allocates the memory of all plies; -1 if there is none. Before: `ops` is set, everything else is 0.
cdef int lookahead_reserve(Lookahead* search) noexcept nogil

# Frees the memory, that of the cache too.
cdef void lookahead_free(Lookahead* search) noexcept nogil

# Plays the forced move that is listed at a ply, and all that follow, in place; returns as `open_node` does.
cdef int play_free_moves(
    Lookahead* search, int ply, int depth, Luck* luck, seat_t* seat, int* doubt
) noexcept nogil

# Lists one sampled outcome at a ply; returns 1.
cdef int sample_one(Lookahead* search, int ply, Luck* luck, int* doubt) noexcept nogil

# Replaces the n outcomes at a ply by a sample of them with counts and probabilities; returns how many are left.
cdef int sample_outcomes(Lookahead* search, int ply, const Luck* luck, int n) noexcept nogil

# Lets the game's policy play on from the position at a ply, in place.
cdef void play_on(Lookahead* search, int ply) noexcept nogil


# ---- Limits --------------------------------------------------------------------------------------------------------

cdef inline bint goes_on(Lookahead* search) noexcept nogil:
    """False if the search has to end; looks at the clock."""
    if clock_is_due(&search.clock):
        if read_flag(search.clock.stop) or search.clock.last >= search.clock.deadline:
            search.is_aborted = 1
        else:
            search.wants_pause = 1
    if search.ops.failed != NULL and search.ops.failed(search.ops.rules):
        search.is_aborted = 1
    return not search.is_aborted


cdef inline bint enter_node(Lookahead* search) noexcept nogil:
    """Count a node; False if the search has to end."""
    search.n_nodes += 1
    if search.n_nodes > search.node_limit:
        search.is_aborted = 1
        return False
    return goes_on(search)


# ---- Pauses --------------------------------------------------------------------------------------------------------

cdef inline bint has_to_leave(Lookahead* search) noexcept nogil:
    """True if the search pauses before the next node."""
    if search.wants_pause:
        search.is_paused = not search.is_aborted
        return True
    return False


cdef inline void make_child(Lookahead* search, Node* node, int ply, move_t move) noexcept nogil:
    """Make the state after a move of the node at a ply, unless it is there since a pause."""
    cdef const GameOps* ops = search.ops
    cdef void* child = states_at(&search.states, ply + 1)
    if node.is_waiting:
        node.is_waiting = 0
    else:
        state_copy(ops, child, states_at(&search.states, ply))
        ops.play(ops.rules, child, move)


cdef inline bint has_left(Lookahead* search, Node* node, int ply) noexcept nogil:
    """True if the search of a child has paused or was aborted; the state of the child is dropped unless it paused."""
    if search.is_paused:
        node.is_waiting = 1
        return True
    state_drop(search.ops, states_at(&search.states, ply + 1))
    return search.is_aborted


# ---- Nodes ---------------------------------------------------------------------------------------------------------

cdef inline int list_moves(
    Lookahead* search, int ply, int depth, Luck* luck, seat_t* seat, int* doubt
) noexcept nogil:
    """List the moves or outcomes at a ply; how many, 0 where the search ends."""
    cdef const GameOps* ops = search.ops
    cdef void* s = states_at(&search.states, ply)
    cdef move_t* moves = search.moves + ply * ops.max_moves
    seat[0] = ops.to_move(ops.rules, s)
    if not enter_node(search) or seat[0] == TERMINAL or ply + 3 >= search.n_plies:
        return 0
    if seat[0] >= 0:
        return ops.legal_moves(ops.rules, s, moves) if depth > 0 else 0
    if luck.room == 1:
        return sample_one(search, ply, luck, doubt)
    return ops.chance_outcomes(ops.rules, s, moves, search.scores + ply * ops.max_moves)


cdef inline int open_node(
    Lookahead* search, int ply, int depth, Luck* luck, seat_t* seat, int* doubt
) noexcept nogil:
    """List the moves or outcomes of `seat` at a ply, at least two, and return how many; 0 where the search ends.

    Before that, forced moves and chance that is down to a single sample are played in place; they cost no depth.
    `doubt` becomes DOUBT_SAMPLE if something was sampled. The search ends with the game or the depth, or if it is
    aborted.
    """
    cdef int n
    search.line_lengths[ply] = 0
    n = list_moves(search, ply, depth, luck, seat, doubt)
    return n if n != 1 else play_free_moves(search, ply, depth, luck, seat, doubt)


# ---- Positions -----------------------------------------------------------------------------------------------------

cdef inline void leaf_values(Lookahead* search, int ply, seat_t seat, double* out) noexcept nogil:
    """The values of the position at a ply without search; it is used up. `seat`: the answer of to_move."""
    cdef void* s = states_at(&search.states, ply)
    search.n_leaves += 1
    search.doubt = 0 if seat == TERMINAL else DOUBT_EVALUATION
    if seat != TERMINAL and search.params.playout_depth > 0:
        play_on(search, ply)
        seat = search.ops.to_move(search.ops.rules, s)
    position_values(search.ops, search.judge, s, seat, out)


cdef inline uint64_t position_hash(const Lookahead* search, const void* s) noexcept nogil:
    """A hash of a position: of its bytes if a state is plain bytes, even if the game has another hash.

    Positions with equal hashes would share their values.
    """
    if search.ops.copy == NULL:
        return hash_bytes(<const unsigned char*>s, search.ops.state_size)
    return state_hash(search.ops, s)


cdef inline uint64_t position_key(
    const Lookahead* search, const void* s, int depth, const Luck* luck
) noexcept nogil:
    """The key of a position in the cache, never 0; `luck` of a chance node, NULL for a decision.

    Worlds share the cache: they differ in the state. If chance is sampled, the value also depends on the number of
    decisions before, and that of a chance node on its luck; if the game plays on, on the luck of that.
    """
    cdef uint64_t h = position_hash(search, s)
    if search.params.width > 0:
        h = mix64(h) + <uint64_t>(search.horizon - depth)
        if luck != NULL:
            h = mix64(h) + luck.seed + <uint64_t>luck.room
    if search.params.playout_depth > 0:
        h = mix64(h) + search.playout_seed
    h = mix64(h)
    return h if h != 0 else 1


# ---- Chance: sparse sampling (Kearns, Mansour and Ng 2002) with the same luck for all moves ------------------------

cdef inline Luck fresh_luck(const Lookahead* search, int depth) noexcept nogil:
    """The luck after a decision; the same after all decisions with the same number of decisions before.

    So moves are compared under the same luck, and a node that is searched again, in the next iteration too, has the
    same sample.
    """
    cdef Luck luck
    luck.room = search.params.width
    luck.seed = 0
    if luck.room > 0:
        luck.seed = derive_seed(search.seed, (<uint64_t>1 << 63) + <uint64_t>(search.horizon - depth))
    return luck


cdef inline Luck luck_after(const Luck* luck, int i, int room) noexcept nogil:
    """The luck after outcome i of a chance node, with `room` samples left."""
    cdef Luck below
    below.room = room
    below.seed = derive_seed(luck.seed, <uint64_t>i) if luck.room > 0 else 0
    return below


# ---- The best line -------------------------------------------------------------------------------------------------

cdef inline void line_append(Lookahead* search, int ply, move_t move) noexcept nogil:
    """Append a forced move to the line at a ply."""
    if search.line_lengths[ply] < LINE:
        search.lines[ply * LINE + search.line_lengths[ply]] = move
        search.line_lengths[ply] += 1


cdef inline void line_update(Lookahead* search, int ply, int n_forced, move_t move) noexcept nogil:
    """The line at a ply: its n_forced forced moves, then this move, then the line of the next ply."""
    cdef int room
    search.line_lengths[ply] = n_forced
    line_append(search, ply, move)
    room = min(LINE - search.line_lengths[ply], search.line_lengths[ply + 1])
    memcpy(
        search.lines + ply * LINE + search.line_lengths[ply], search.lines + (ply + 1) * LINE, room * sizeof(move_t)
    )
    search.line_lengths[ply] += room
