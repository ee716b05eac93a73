# What the two searches of expectimax share: memory for every ply, limits, leaves, and the order of moves.
#
# A search goes down the plies of one open game (the game itself, or a sampled world of it). The state at a ply
# belongs to the node that is being searched there: it is made by the parent, used up by the node, dropped by the
# parent. Decisions with at least two legal moves cost one of the depth; chance and forced moves cost nothing.

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from aiplay._core.contract cimport GameOps, hash_bytes, sample_outcome, state_hash
from aiplay._core.rng cimport Rng, derive_seed, mix64, rng_from_seed
from aiplay._core.search.common.control cimport Clock, clock_is_due, read_flag
from aiplay._core.search.common.leaf cimport position_values, spread_outcomes
from aiplay._core.search.common.states cimport StateStack, states_at
from aiplay._core.search.expectimax.cache cimport DOUBT_GUESS, DOUBT_SAMPLE, Table
from aiplay._core.typedefs cimport CHANCE, MAX_SEATS, TERMINAL, move_t, seat_t

cdef enum:
    MAX_PLIES = 256         # plies of a search, forced moves not counted; at the last one the game guesses
    MAX_FREE = 10_000       # forced moves in a row before the game guesses
    LINE = 24               # moves of a best line
    HISTORY = 4096          # entries of the history table; a power of two

cdef enum:
    PRUNE_NONE = 0          # search everything
    PRUNE_ALPHABETA = 1     # alpha-beta between the chance nodes
    PRUNE_STAR1 = 2         # and bounds on the children of chance nodes
    PRUNE_STAR2 = 3         # and probing of these children

cdef enum:
    GOAL_LEAD = 0           # two seats: how far ahead of the other one; the other wants the opposite
    GOAL_OWN = 1            # its own return; some seats want it too, some the opposite


ctypedef struct Luck:
    uint64_t seed           # of the samples from here to the next decision
    int room                # how many samples may still be made until then; 0: all outcomes are tried


ctypedef struct Lookahead:
    const GameOps* ops

    # ---- What is searched --------------------------------------------------------------------------------------
    seat_t hero             # whose value it is
    int goal                # GOAL_*
    int maximises[MAX_SEATS]    # 1: this seat wants what the hero wants
    int pruning             # PRUNE_*
    int is_ordered          # 1: promising moves are tried first
    int width               # outcomes of chance between two decisions; more are sampled. 0: all are tried
    int playout_depth       # moves of the game's `playout_move` where the depth ends, before it guesses
    uint64_t playout_seed   # of these moves, in the world that is searched
    uint64_t seed           # of the samples
    int horizon             # decisions to look ahead from the root in this iteration

    # ---- Limits ------------------------------------------------------------------------------------------------
    Clock clock
    uint64_t node_limit
    uint64_t n_nodes        # nodes visited
    uint64_t n_leaves       # positions valued by the game
    int is_aborted          # 1: what is being searched has no value any more, leave at once
    void (*pause)(Lookahead* search) noexcept nogil     # called when the clock wants a pause
    void* owner             # for `pause`

    # ---- Memory ------------------------------------------------------------------------------------------------
    int n_plies             # what is allocated below
    StateStack states       # one for each ply
    move_t* moves           # max_moves for each ply: legal moves, or outcomes of chance
    double* scores          # the same: how promising the moves look, or the probabilities of the outcomes
    double* low             # the same: bounds of the values of outcomes
    double* high
    int* counts             # the same: how often each outcome was sampled
    move_t* lines           # LINE for each ply: the best line from there
    int* line_lengths       # for each ply
    move_t* killers         # two for each ply: moves that refuted a neighbour
    uint32_t history[HISTORY]   # how often a move was best, weighted by the depth below it
    Table table

    # ---- With every value that is returned ------------------------------------------------------------------------
    int doubt               # DOUBT_*: what the value relies on; 0: it is certain


cdef inline bint goes_on(Lookahead* search) noexcept nogil:
    """Look at the clock now and then; False when the search has to end."""
    if clock_is_due(&search.clock):
        if read_flag(search.clock.stop) or search.clock.last >= search.clock.deadline:
            search.is_aborted = 1
        else:
            search.pause(search)
    if search.ops.failed != NULL and search.ops.failed(search.ops.rules):
        search.is_aborted = 1
    return not search.is_aborted


cdef inline bint enter_node(Lookahead* search) noexcept nogil:
    """Count a node; False when the search has to end."""
    search.n_nodes += 1
    if search.n_nodes > search.node_limit:
        search.is_aborted = 1
        return False
    return goes_on(search)


cdef inline double hero_value(const Lookahead* search, const double* values) noexcept nogil:
    """The values of all seats as the one number that is maximised, within 0 .. 1 whatever the game says."""
    cdef double value = values[search.hero]
    if search.goal == GOAL_LEAD:
        value = 0.5 * (value + 1.0 - values[1 - search.hero])
    if not value > 0.0:
        return 0.0
    return value if value < 1.0 else 1.0


cdef inline uint64_t position_hash(const Lookahead* search, const void* s) noexcept nogil:
    """A hash of a position: of the bytes where a state is plain bytes, even if the game has a hash of its own. Two
    positions that a hash confuses would get each other's values.
    """
    if search.ops.copy == NULL:
        return hash_bytes(<const unsigned char*>s, search.ops.state_size)
    return state_hash(search.ops, s)


cdef inline void play_on(Lookahead* search, int ply) noexcept nogil:
    """Let the game play on for a few moves, so that it guesses where something is finished, not in the middle of it.

    The luck is the same for all positions of a world: moves are compared under the same one, and however the search
    comes to a position, it is worth the same.
    """
    cdef const GameOps* ops = search.ops
    cdef void* s = states_at(&search.states, ply)
    cdef move_t* moves = search.moves + ply * ops.max_moves
    cdef double* p = search.scores + ply * ops.max_moves
    cdef Rng rng = rng_from_seed(search.playout_seed)
    cdef int _i
    cdef seat_t seat
    for _i in range(search.playout_depth):
        seat = ops.to_move(ops.rules, s)
        if seat == TERMINAL:
            return
        if seat == CHANCE:
            ops.play(ops.rules, s, sample_outcome(ops, s, &rng, moves, p))
        else:
            ops.play(ops.rules, s, ops.playout_move(ops.rules, s, &rng))


cdef inline void leaf_values(Lookahead* search, int ply, seat_t seat, double* out) noexcept nogil:
    """The values of the position at a ply, which is not searched on and used up; `seat` is what to_move said."""
    cdef void* s = states_at(&search.states, ply)
    search.n_leaves += 1
    search.doubt = 0 if seat == TERMINAL else DOUBT_GUESS
    if seat != TERMINAL and search.playout_depth > 0:
        play_on(search, ply)
        seat = search.ops.to_move(search.ops.rules, s)
    position_values(search.ops, s, seat, out)


cdef inline double leaf_value(Lookahead* search, int ply, seat_t seat) noexcept nogil:
    """The same for the hero alone."""
    cdef double values[MAX_SEATS]
    leaf_values(search, ply, seat, values)
    return hero_value(search, values)


cdef inline uint64_t position_key(
    const Lookahead* search, const void* s, int depth, const Luck* luck
) noexcept nogil:
    """The key of a position in the table, never 0; `luck` of a chance node, NULL for a decision.

    Worlds share the table: what differs between them is in the state. Where chance is sampled, the value also
    depends on how many decisions lie before, and that of a chance node on the luck that is left to it; where the
    game plays on, on the luck of that.
    """
    cdef uint64_t h = position_hash(search, s)
    if search.width > 0:
        h = mix64(h) + <uint64_t>(search.horizon - depth)
        if luck != NULL:
            h = mix64(h) + luck.seed + <uint64_t>luck.room
    if search.playout_depth > 0:
        h = mix64(h) + search.playout_seed
    h = mix64(h)
    return h if h != 0 else 1


cdef inline Luck fresh_luck(const Lookahead* search, int depth) noexcept nogil:
    """The luck after a decision: the same after all decisions that as many decisions lie before.

    So moves are compared under the same luck, and searching a node again, in the next iteration too, finds the
    same sample.
    """
    cdef Luck luck
    luck.room = search.width
    luck.seed = 0
    if search.width > 0:
        luck.seed = derive_seed(search.seed, (<uint64_t>1 << 63) + <uint64_t>(search.horizon - depth))
    return luck


cdef inline Luck luck_after(const Luck* luck, int i, int room) noexcept nogil:
    """The luck after outcome i of a chance node, with `room` samples left."""
    cdef Luck below
    below.room = room
    below.seed = derive_seed(luck.seed, <uint64_t>i) if luck.room > 0 else 0
    return below


cdef inline int sample_outcomes(Lookahead* search, int ply, const Luck* luck, int n) noexcept nogil:
    """Replace the n outcomes at a ply by a sample of them, and note how often each fell; how many there are now."""
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


# ---- The best line -------------------------------------------------------------------------------------------------

cdef inline void line_append(Lookahead* search, int ply, move_t move) noexcept nogil:
    """Put a forced move at the end of the line at a ply."""
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


# ---- Moves without a choice -----------------------------------------------------------------------------------------

cdef inline int play_free_moves(
    Lookahead* search, int ply, int depth, Luck* luck, seat_t* seat, int* doubt
) noexcept nogil:
    """Play forced moves, and chance that is down to a single sample, in place; they cost no depth.

    Returns how many moves or outcomes, at least two, are listed at the ply for whom `seat` says; 0 where the search
    ends: at the end of the game or of the depth, or when it is aborted. `doubt` tells of samples.
    """
    cdef const GameOps* ops = search.ops
    cdef void* s = states_at(&search.states, ply)
    cdef move_t* moves = search.moves + ply * ops.max_moves
    cdef double* p = search.scores + ply * ops.max_moves
    cdef Rng rng
    cdef int n, n_free = 0
    search.line_lengths[ply] = 0
    while True:
        seat[0] = ops.to_move(ops.rules, s)
        if not enter_node(search) or seat[0] == TERMINAL or (seat[0] >= 0 and depth <= 0):
            return 0
        if ply + 3 >= search.n_plies or n_free >= MAX_FREE:
            return 0
        if seat[0] >= 0:
            n = ops.legal_moves(ops.rules, s, moves)
        elif luck.room == 1:
            rng = rng_from_seed(luck.seed)
            moves[0] = sample_outcome(ops, s, &rng, moves, p)
            n = 1
            doubt[0] = DOUBT_SAMPLE
            luck[0] = luck_after(luck, 0, 1)
        else:
            n = ops.chance_outcomes(ops.rules, s, moves, p)
        if n != 1:
            return n if n > 0 else 0
        if doubt[0] == 0:
            line_append(search, ply, moves[0])
        ops.play(ops.rules, s, moves[0])
        n_free += 1


# ---- The order of moves --------------------------------------------------------------------------------------------

cdef inline uint32_t* history_of(Lookahead* search, seat_t seat, move_t move) noexcept nogil:
    return &search.history[mix64((<uint64_t>move << 4) + <uint64_t>seat) & (HISTORY - 1)]


cdef inline void note_good_move(Lookahead* search, int ply, int depth, seat_t seat, move_t move) noexcept nogil:
    """Remember a move that was best or refuted the position, for the order of its neighbours."""
    cdef move_t* killers = search.killers + 2 * ply
    cdef uint32_t* count = history_of(search, seat, move)
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move
    count[0] += <uint32_t>(depth * depth)
    if count[0] > 1 << 30:
        count[0] >>= 1


cdef inline void score_moves(
    Lookahead* search, int ply, int depth, seat_t seat, int n, move_t table_move
) noexcept nogil:
    """How promising the n moves at a ply look: the move of the table, then by value, killers and history."""
    cdef move_t* moves = search.moves + ply * search.ops.max_moves
    cdef double* scores = search.scores + ply * search.ops.max_moves
    cdef const move_t* killers = search.killers + 2 * ply
    cdef int i
    for i in range(n):
        if not search.is_ordered:
            scores[i] = 0.0
        elif moves[i] == table_move:
            scores[i] = 4e9
        elif moves[i] == killers[0] or moves[i] == killers[1]:
            scores[i] = 3e9
        else:
            scores[i] = history_of(search, seat, moves[i])[0]


cdef inline move_t next_move(Lookahead* search, int ply, int i, int n) noexcept nogil:
    """The most promising of the moves number i to n - 1, brought to place i."""
    cdef move_t* moves = search.moves + ply * search.ops.max_moves
    cdef double* scores = search.scores + ply * search.ops.max_moves
    cdef int j, best = i
    cdef move_t move
    cdef double score
    for j in range(i + 1, n):
        if scores[j] > scores[best]:
            best = j
    move, score = moves[best], scores[best]
    # Shift, not swap: equally promising moves keep their order.
    for j in range(best, i, -1):
        moves[j], scores[j] = moves[j - 1], scores[j - 1]
    moves[i], scores[i] = move, score
    return move
