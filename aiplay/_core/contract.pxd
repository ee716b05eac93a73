# The contract between a game and everything that plays it.
#
# A game is one `GameOps`: a few bounds, and the C functions that implement its rules (its operations). Tables, players,
# search and the Python face know a game only through this struct, and a game knows nothing of them. To add a native
# game, write the functions, fill the struct in a subclass of `Game` (see _core/games/connect_four.pyx, the shortest
# example) and give it a Python face (aiplay/games/connect_four.py).
#
# Words
#   state     the truth about a position: one plain C struct without pointers or random numbers, its padding zero.
#             Copying is memcpy, equality is memcmp. (Games written in Python differ: see `copy` and `drop`.)
#   view      what one seat knows: the same struct after `conceal`, hidden fields blanked.
#   world     a full state that fits a view, made by `determinise`.
#   decision  a state in which a seat, or CHANCE, has to choose a move.
#
# Rules for every function
#   * `noexcept nogil`: it does not raise, does not allocate, and touches nothing but its arguments.
#   * Its first argument is `GameOps.rules`: the game's own constant data (cards, boards, options), shared by all
#     threads and unchanged as long as the game lives.
#   * It trusts its caller: `play` gets only legal moves, `legal_moves` only decisions of a seat. The Python face
#     (`State`) checks once, before it calls.
#   * Randomness comes in through an `Rng*`: the same state and the same stream give the same result.
#
# Why function pointers and not virtual methods: a function with the wrong exception signature does not compile (a
# forgotten `noexcept` makes calls five times slower, silently), calls need no object and no GIL, and new functions can
# be added at the end of the struct: games of other packages then have to be recompiled, but not changed.

from libc.stdint cimport int16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from aiplay._core.rng cimport Rng, mix64, rng_double
from aiplay._core.typedefs cimport move_t, seat_t

cpdef enum:
    ABI_VERSION = 6                 # increased when compiled games have to be recompiled
    PLAY_TO_THE_END = -1            # a `playout_depth`: playouts end with the game, `evaluate` is not called
    PERCEIVE_HIDDEN = 0x40000000    # first key for moves that a seat does not see; moves are smaller
    MAX_FEATURES = 512              # most numbers of `features`
    FEATURE_ONE = 256               # a feature of 1

cpdef enum:                         # `SearchAdvice.prior`
    ADVISE_NOTHING = 0
    ADVISE_NONE = 1                 # search without priors
    ADVISE_GAME = 2                 # use the game's `priors`
    ADVISE_EVALUATE = 3             # use the game's `evaluate`


# Types of the functions that `playout_loop` takes one by one.
ctypedef seat_t (*to_move_t)(const void* rules, const void* s) noexcept nogil
ctypedef int (*legal_moves_t)(const void* rules, const void* s, move_t* out) noexcept nogil
ctypedef move_t (*sample_chance_t)(const void* rules, const void* s, Rng* rng) noexcept nogil
ctypedef void (*play_t)(const void* rules, void* s, move_t move) noexcept nogil


# Options of `mcts` that are better for this game than the usual defaults; a zeroed struct advises nothing. An option
# given to the player always wins. Advise only what a duel at equal time has shown, and write the result beside it.
# (The advice for `cutoff` is `GameOps.playout_depth`.)
ctypedef struct SearchAdvice:
    double exploration      # weight of exploration; 0: no advice
    double root_exploration # the least exploration at the root; 0: no advice
    int prior               # source of priors: ADVISE_*
    int prior_visits        # visits of a node before its priors are computed; 0: no advice


ctypedef struct GameOps:
    # ---- The struct itself ---------------------------------------------------------------------------------
    uint32_t abi_version    # ABI_VERSION when the game was compiled; the game is refused if it differs
    uint32_t is_cooperative # 1: all seats win or lose together
    const void* rules       # first argument of every function below; may be NULL

    # ---- Bounds: search sizes its buffers with them, check_game verifies them ------------------------------
    size_t state_size       # bytes of a state; aim for 256 or fewer
    int max_moves           # most legal moves, or chance outcomes, of any state; at most MAX_MOVES
    int move_space          # moves of seats are below this; used to size arrays. 0: unknown
    int chance_space        # chance outcomes are below this; used to size arrays. 0: unknown, or no chance
    int max_depth           # most moves of a game, chance included. If dice can repeat without end: a number that
                            # is exceeded with negligible probability (below 1e-9)
    int seats               # 1 .. MAX_SEATS
    double min_return       # lowest entry of `returns`; search maps it to 0
    double max_return       # highest entry of `returns`; search maps it to 1
    int playout_depth       # moves of a playout before `evaluate` is called: 0 if the evaluation is better than
                            # random moves, PLAY_TO_THE_END if the end of the game is better than the evaluation.
                            # Ignored without `evaluate`: playouts then always run to the end

    # ---- Required ------------------------------------------------------------------------------------------

    # Writes the state before the first decision (often one of chance: the deal).
    # Before: `s` is state_size zero bytes.
    void (*setup)(const void* rules, void* s) noexcept nogil

    # Returns the seat that decides now, CHANCE, or TERMINAL. Reads public fields only: the result on a view is the
    # same.
    seat_t (*to_move)(const void* rules, const void* s) noexcept nogil

    # Writes the legal moves of the seat to move, ascending and without repeats; returns their number, at least 1.
    # Reads only what that seat sees: the result on its view is the same.
    # Before: to_move(s) >= 0; `out` has room for max_moves.
    int (*legal_moves)(const void* rules, const void* s, move_t* out) noexcept nogil

    # Makes a legal move, or a chance outcome, in place. Automatic consequences are part of the move that causes
    # them.
    void (*play)(const void* rules, void* s, move_t move) noexcept nogil

    # Writes the returns of every seat. Before: to_move(s) == TERMINAL; `out` has room for `seats`.
    void (*returns)(const void* rules, const void* s, double* out) noexcept nogil

    # ---- Chance: NULL in games without it ------------------------------------------------------------------

    # Writes the possible outcomes, ascending, and their probabilities, all positive, with sum 1; returns their
    # number. Split a decision with more than a few hundred outcomes into several smaller ones.
    # Before: to_move(s) == CHANCE; `out` and `p` have room for max_moves.
    int (*chance_outcomes)(const void* rules, const void* s, move_t* out, double* p) noexcept nogil

    # Optional. Samples one outcome with exactly these probabilities, faster than listing them all.
    # Before: to_move(s) == CHANCE.
    move_t (*sample_chance)(const void* rules, const void* s, Rng* rng) noexcept nogil

    # ---- Hidden information: NULL in games where every seat sees everything --------------------------------

    # Returns a key for what `seat` notices of `move`, made in `s` (called before `play`): moves with equal keys look
    # the same to it. By convention the key of a move that it sees completely is the move itself, and the key of a
    # hidden move is PERCEIVE_HIDDEN plus whatever part of it the seat does see.
    uint64_t (*perceive)(const void* rules, const void* s, move_t move, seat_t seat) noexcept nogil

    # Turns a state into the view of `seat`, in place: everything that the seat cannot know becomes a fixed blank.
    # States that the seat cannot tell apart become the same bytes. Concealing a view again changes nothing.
    void (*conceal)(const void* rules, void* s, seat_t seat) noexcept nogil

    # Turns the view of `seat` into a world, in place: fills every blank with a sample of the possible values, as
    # probable as the view makes them. The view is all it has: it cannot know the truth.
    # After: concealing the world gives the view again.
    void (*determinise)(const void* rules, void* s, seat_t seat, Rng* rng) noexcept nogil

    # ---- Optional: NULL if the default is good enough ------------------------------------------------------

    # Writes an estimate of the returns of every seat, mapped to 0 .. 1, without search. Works at every decision,
    # chance included. Before: the game is not over. Default: 0.5 for every seat.
    void (*evaluate)(const void* rules, const void* s, double* out) noexcept nogil

    # Writes the value to `seat` of the position after each of n legal moves: to the bit what `play` and `evaluate`
    # give, or the returns, mapped, if the game is then over. For games that save time by looking at all moves at once.
    # Before: to_move(s) >= 0. Default: one after the other.
    void (*evaluate_moves)(
        const void* rules, const void* s, const move_t* moves, int n, seat_t seat, double* out
    ) noexcept nogil

    # Writes how promising each of the n legal moves looks: weights >= 0, not all 0. Reads only what the seat to move
    # sees. Default: equal weights.
    void (*priors)(const void* rules, const void* s, const move_t* moves, int n, double* out) noexcept nogil

    # Returns a move for a playout: better than a random one, and still cheap. Reads only what the seat to move sees.
    # Before: to_move(s) >= 0. Default: a uniformly random legal move.
    move_t (*playout_move)(const void* rules, const void* s, Rng* rng) noexcept nogil

    # Plays uniformly random moves in place until the game is over or `limit` moves are made; returns their number.
    # Has to make the same moves from the same stream as the default, which calls the functions above through their
    # pointers. A game that passes its own functions to `playout_loop` (playout.pxd) gets one compiled loop, up to
    # twice as fast.
    int (*random_playout)(const void* rules, void* s, Rng* rng, int limit) noexcept nogil

    # Returns a hash of the state; equal states have equal hashes. Default: a hash of the bytes.
    uint64_t (*hash)(const void* rules, const void* s) noexcept nogil

    # For games whose states are not plain bytes (games written in Python). Default: memcpy, and nothing to drop.
    void (*copy)(const void* rules, void* target, const void* source) noexcept nogil  # `target` is raw memory
    void (*drop)(const void* rules, void* s) noexcept nogil                           # `s` becomes raw memory

    # Returns 1 if a function of this game has failed (a Python method raised) and the exception has not been raised
    # yet. Until then the functions return harmless values. Default: never.
    int (*failed)(const void* rules) noexcept nogil

    # Like `determinise`, but weights the worlds by how well they explain the moves of the other seats, assuming that
    # these play sensibly. For players that imagine what is hidden (`imagine_world`), never for a referee.
    # Default: `determinise`.
    void (*believe)(const void* rules, void* s, seat_t seat, Rng* rng) noexcept nogil

    # ---- Advice --------------------------------------------------------------------------------------------
    SearchAdvice advice     # for players that search

    # ---- Learning: see docs/learn.md -----------------------------------------------------------------------
    int n_features          # numbers that `features` writes; 0 without it, at most MAX_FEATURES

    # Writes what a trained value sees of a state or a world: numbers from 0 to FEATURE_ONE. Whatever belongs to a seat
    # comes in the order of the seats from `first` on, so that one value serves them all. Before: the game is not over.
    # Default: the fields of the state.
    void (*features)(const void* rules, const void* s, seat_t first, int16_t* out) noexcept nogil

    # ---- Faster playouts by a policy -----------------------------------------------------------------------

    # Plays on by `playout_move` in place until the game is over or `limit` moves are made; returns their number. Has
    # to make the same moves from the same stream as calls of `playout_move` would. For policies that draw at random
    # themselves: `mcts` then adds no random moves, unless it is asked to (`epsilon`).
    # Default: one move after the other.
    int (*policy_playout)(const void* rules, void* s, Rng* rng, int limit) noexcept nogil


# ---- Calls that every user of a game needs, with the defaults ----------------------------------------------

cdef inline void state_copy(const GameOps* ops, void* target, const void* source) noexcept nogil:
    """Copy `source` into raw memory."""
    if ops.copy == NULL:
        memcpy(target, source, ops.state_size)
    else:
        ops.copy(ops.rules, target, source)


cdef inline void state_drop(const GameOps* ops, void* s) noexcept nogil:
    """Release what a state owns; its memory may then be reused or freed."""
    if ops.drop != NULL:
        ops.drop(ops.rules, s)


cdef inline void imagine_world(const GameOps* ops, void* s, seat_t seat, Rng* rng) noexcept nogil:
    """Turn the view of `seat` into a world for a player: by `believe` if the game has it."""
    if ops.believe != NULL:
        ops.believe(ops.rules, s, seat, rng)
    elif ops.determinise != NULL:
        ops.determinise(ops.rules, s, seat, rng)


cdef inline uint64_t perceive_move(
    const GameOps* ops, const void* s, move_t move, seat_t seat
) noexcept nogil:
    """The key of a move as `seat` notices it: the move itself in games that hide nothing."""
    if ops.perceive == NULL:
        return <uint64_t>move
    return ops.perceive(ops.rules, s, move, seat)


cdef inline move_t pick_outcome(const move_t* outcomes, const double* p, int n, Rng* rng) noexcept nogil:
    """Sample one of n outcomes with probabilities p (>= 0, with sum 1)."""
    cdef double left = rng_double(rng)
    cdef int i
    for i in range(n - 1):
        left -= p[i]
        if left < 0:
            return outcomes[i]
    return outcomes[n - 1]


cdef inline move_t sample_outcome(
    const GameOps* ops, const void* s, Rng* rng, move_t* outcomes, double* p
) noexcept nogil:
    """Sample a chance outcome; both buffers have room for max_moves."""
    if ops.sample_chance != NULL:
        return ops.sample_chance(ops.rules, s, rng)
    return pick_outcome(outcomes, p, ops.chance_outcomes(ops.rules, s, outcomes, p), rng)


cdef inline uint64_t state_hash(const GameOps* ops, const void* s) noexcept nogil:
    """Hash of a state: the game's own, or that of its bytes."""
    if ops.hash != NULL:
        return ops.hash(ops.rules, s)
    return hash_bytes(<const unsigned char*>s, ops.state_size)


cdef inline uint64_t hash_bytes(const unsigned char* data, size_t size) noexcept nogil:
    """Hash of some bytes; the last word is padded with zeros.

    Search treats positions with equal hashes as equal. States differ in a few small fields, whose differences could
    cancel each other in a weaker hash, so every word is mixed completely before the next one is added. Two
    alternating accumulators keep the processor's pipeline busy.
    """
    cdef uint64_t h[2]
    cdef uint64_t word
    cdef size_t i = 0
    cdef int half = 0
    h[0] = <uint64_t>0xCBF29CE484222325 ^ size
    h[1] = <uint64_t>0x9FB21C651E98DF25
    while i + 8 <= size:
        memcpy(&word, data + i, 8)
        h[half] = mix64(h[half] ^ word)
        half ^= 1
        i += 8
    if i < size:
        word = 0
        memcpy(&word, data + i, size - i)
        h[half] = mix64(h[half] ^ word)
    return mix64(h[0] + <uint64_t>0x9E3779B97F4A7C15 * h[1])
