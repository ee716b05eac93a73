# The contract between a game and everything that plays it.
#
# A game is one `GameOps`: a few numbers that bound it and a table of C functions. Tables, players, search and
# the Python face know games only through this struct, and a game knows nothing of them. To add a native game,
# write the functions, fill the struct in a subclass of `Game` (see _core/games/connect_four.pyx, the shortest
# example) and give it a Python face (aiplay/games/connect_four.py).
#
# Words
#   state     the truth about a position: one plain C struct. No pointers, no randomness, no padding that is
#             not zero, so that copying is memcpy and equality is memcmp. (Games written in Python are the
#             exception: see `copy` and `drop`.)
#   view      what one seat knows: the same struct after `conceal`, hidden fields blanked.
#   world     a full state that fits a view, made by `determinise`.
#   decision  a state in which a seat, or CHANCE, has to choose a move.
#
# Rules for every function
#   * `noexcept nogil`: it cannot raise, it does not allocate, and it touches nothing but its arguments.
#   * The first argument is `rules`, the game's own read-only tables (cards, boards, options):
#     `GameOps.rules`. They are shared by all threads and never change while the game lives.
#   * It trusts its caller: `play` gets only legal moves, `legal_moves` only decisions of a seat. The checks
#     are in the Python face (`State`), once, and not here.
#   * Randomness comes in through an `Rng*`. The same state and the same stream give the same result.
#
# Why a table of functions and not virtual methods: a function whose exception signature is wrong does not
# compile (a forgotten `noexcept` costs a factor of five and is invisible otherwise), calls need no object and
# no GIL, and new functions can join at the end of the struct: a game outside then needs no change, only to be
# compiled again.

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from aiplay._core.rng cimport Rng, mix64, rng_double
from aiplay._core.typedefs cimport move_t, seat_t, TERMINAL

cpdef enum:
    ABI_VERSION = 1         # raised when a compiled game has to be compiled again
    PLAY_TO_THE_END = -1    # a `playout_depth`: search never asks `evaluate` in a playout


# The types of the functions that are also handed around on their own.
ctypedef seat_t (*to_move_t)(const void* rules, const void* s) noexcept nogil
ctypedef int (*legal_moves_t)(const void* rules, const void* s, move_t* out) noexcept nogil
ctypedef move_t (*sample_chance_t)(const void* rules, const void* s, Rng* rng) noexcept nogil
ctypedef void (*play_t)(const void* rules, void* s, move_t move) noexcept nogil


ctypedef struct GameOps:
    # ---- Identity of the table itself ----------------------------------------------------------------------
    uint32_t abi_version    # ABI_VERSION at the time the game was compiled; refused when it differs
    uint32_t is_cooperative # 1: all seats win or lose together
    const void* rules       # handed to every function below as its first argument; may be NULL

    # ---- Bounds: search allocates by these, check_game verifies them ---------------------------------------
    size_t state_size       # bytes of a state; aim at 256 or fewer
    int max_moves           # most legal moves, or chance outcomes, of any state; at most MAX_MOVES
    int move_space          # the moves of seats are numbers below this; learners and other libraries make room by
    int chance_space        # it. Likewise for the outcomes of chance. 0: the game does not say
    int max_depth           # most moves in a game, chance included. Where dice may repeat without end, a
                            # number that is exceeded with a probability too small to meet (below 1e-9)
    int seats               # 1 .. MAX_SEATS
    double min_return       # smallest and largest entry that `returns` can give; search maps
    double max_return       # this range to 0 .. 1
    int playout_depth       # moves that a search plays on from a new position before it asks `evaluate`: 0 if the
                            # guess says more than a random move, PLAY_TO_THE_END if the end says more than a
                            # guess. A game without `evaluate` is always played to the end

    # ---- Required ------------------------------------------------------------------------------------------

    # Writes the state before the first decision (often a chance decision: the deal).
    # Before: `s` is state_size zero bytes.
    void (*setup)(const void* rules, void* s) noexcept nogil

    # The seat that decides now, CHANCE, or TERMINAL. Reads only public fields: it gives the same answer on a
    # view.
    seat_t (*to_move)(const void* rules, const void* s) noexcept nogil

    # Writes the legal moves of the seat to move, ascending and without repeats, and returns how many: at
    # least 1. Reads only what that seat can see: it gives the same answer on that seat's view.
    # Before: to_move(s) >= 0; `out` has room for max_moves.
    int (*legal_moves)(const void* rules, const void* s, move_t* out) noexcept nogil

    # Makes a legal move, or a chance outcome, in place. Moves without a decision (automatic consequences) are
    # part of the move that causes them.
    void (*play)(const void* rules, void* s, move_t move) noexcept nogil

    # Writes what every seat got. Before: to_move(s) == TERMINAL; `out` has room for `seats`.
    void (*returns)(const void* rules, const void* s, double* out) noexcept nogil

    # ---- Chance: NULL in games without it ------------------------------------------------------------------

    # Writes the possible outcomes, ascending, with probabilities that are positive and sum to 1; returns how
    # many. A decision with more than a few hundred outcomes is split into several smaller ones.
    # Before: to_move(s) == CHANCE.
    int (*chance_outcomes)(const void* rules, const void* s, move_t* out, double* p) noexcept nogil

    # Optional. One outcome with exactly those probabilities, faster than listing them all.
    move_t (*sample_chance)(const void* rules, const void* s, Rng* rng) noexcept nogil

    # ---- Hidden information: NULL in games where every seat sees everything --------------------------------

    # What `seat` notices when `move` is made in `s` (called before `play`): equal keys look the same to it. A
    # seat that sees the whole move gets a key of its own for every move, by convention the move itself; moves
    # it cannot tell apart share one, by convention PERCEIVE_HIDDEN plus whatever it does see of them.
    uint64_t (*perceive)(const void* rules, const void* s, move_t move, seat_t seat) noexcept nogil

    # Turns a state into the view of `seat`, in place: everything that seat cannot know becomes a fixed blank
    # value. Two states that `seat` cannot tell apart become the same bytes. Concealing a view again changes
    # nothing.
    void (*conceal)(const void* rules, void* s, seat_t seat) noexcept nogil

    # Turns the view of `seat` into a world, in place: every blank is filled with a sample from what may be
    # there, with the probabilities that the view allows. It has nothing but the view: it cannot know the
    # truth.
    # After: concealing the world again gives the view.
    void (*determinise)(const void* rules, void* s, seat_t seat, Rng* rng) noexcept nogil

    # ---- Optional: NULL when the game has nothing better than the default ----------------------------------

    # A guess of the returns from here, each mapped to 0 .. 1, without any search. Default: 0.5 for everybody.
    # Before: the game is not over. Works in every decision, chance included.
    void (*evaluate)(const void* rules, const void* s, double* out) noexcept nogil

    # How promising each of the n legal moves looks: weights of at least 0, not all 0. May use only what the
    # seat to move can see. Default: all alike.
    void (*priors)(const void* rules, const void* s, const move_t* moves, int n, double* out) noexcept nogil

    # One move for a playout, better than a uniformly random one and still quick. May use only what the seat
    # to move can see. Before: to_move(s) >= 0. Default: a uniformly random legal move.
    move_t (*playout_move)(const void* rules, const void* s, Rng* rng) noexcept nogil

    # Play uniformly random moves in place until the game is over or `limit` moves are made; return how many. The same
    # moves from the same stream as the default, which calls the functions above through this table; a game that hands
    # its own functions to `playout_loop` (playout.pxd) gets the loop compiled as one piece, up to twice as fast.
    int (*random_playout)(const void* rules, void* s, Rng* rng, int limit) noexcept nogil

    # A hash of the state: equal states have equal hashes. Default: a hash of the bytes.
    uint64_t (*hash)(const void* rules, const void* s) noexcept nogil

    # For games whose states are not plain bytes (games written in Python). Default: memcpy, and nothing to
    # drop.
    void (*copy)(const void* rules, void* target, const void* source) noexcept nogil  # `target` is raw memory
    void (*drop)(const void* rules, void* s) noexcept nogil                           # `s` becomes raw memory

    # Whether a function of this game has failed since it was last asked (a Python method that raised). After
    # a failure the functions return harmless values until the loop that called them notices. Default: never.
    int (*failed)(const void* rules) noexcept nogil

    # Like `determinise`, with worlds as likely as the moves of the other seats make them if these play sensibly:
    # what is left to a player's judgement. Whoever imagines what is hidden asks for such a world, see
    # `imagine_world`; a referee never does. Default: `determinise`.
    void (*believe)(const void* rules, void* s, seat_t seat, Rng* rng) noexcept nogil


cdef enum:
    PERCEIVE_HIDDEN = 0x40000000    # base of the keys for moves that a seat does not see; above any move


# ---- The few calls that every user of the table needs, written once ----------------------------------------

cdef inline void state_copy(const GameOps* ops, void* target, const void* source) noexcept nogil:
    """Copy `source` into raw memory."""
    if ops.copy == NULL:
        memcpy(target, source, ops.state_size)
    else:
        ops.copy(ops.rules, target, source)


cdef inline void state_drop(const GameOps* ops, void* s) noexcept nogil:
    """Give back what a state owns; its memory may then be reused or freed."""
    if ops.drop != NULL:
        ops.drop(ops.rules, s)


cdef inline void imagine_world(const GameOps* ops, void* s, seat_t seat, Rng* rng) noexcept nogil:
    """Turn the view of `seat` into a world, as a player who thinks about it should."""
    if ops.believe != NULL:
        ops.believe(ops.rules, s, seat, rng)
    elif ops.determinise != NULL:
        ops.determinise(ops.rules, s, seat, rng)


cdef inline uint64_t perceive_move(
    const GameOps* ops, const void* s, move_t move, seat_t seat
) noexcept nogil:
    """The key under which `seat` files the move: the move itself where everything is seen."""
    if ops.perceive == NULL:
        return <uint64_t>move
    return ops.perceive(ops.rules, s, move, seat)


cdef inline move_t pick_outcome(const move_t* outcomes, const double* p, int n, Rng* rng) noexcept nogil:
    """One of n weighted outcomes (weights of at least 0 that sum to 1)."""
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
    """Let chance decide; the two buffers have room for max_moves."""
    if ops.sample_chance != NULL:
        return ops.sample_chance(ops.rules, s, rng)
    return pick_outcome(outcomes, p, ops.chance_outcomes(ops.rules, s, outcomes, p), rng)


cdef inline uint64_t state_hash(const GameOps* ops, const void* s) noexcept nogil:
    """Hash of a state, by the game or by its bytes."""
    if ops.hash != NULL:
        return ops.hash(ops.rules, s)
    return hash_bytes(<const unsigned char*>s, ops.state_size)


cdef inline uint64_t hash_bytes(const unsigned char* data, size_t size) noexcept nogil:
    """A hash of bytes; the last word is padded with zeros.

    Search takes positions with equal hashes for equal, so every bit of a word has to reach every bit of the hash
    before the next word comes: states differ in a few small fields, and with less mixing the difference of one
    field can cancel that of another. Two halves, by turns, keep the processor busy.
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
