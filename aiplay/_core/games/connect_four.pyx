"""Connect four: drop stones into seven columns of six; four in a row win.

Seats: 2. Options: none. A move is a column, 0-6. A full board without four in a row is a draw. The winner
gets 1, the loser -1, both get 0 for a draw (as in OpenSpiel, which the tests compare this game with).

The stones of a seat are one 49-bit set. The bit above every column stays empty, so shifts find four in a row.
"""

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.contract cimport ABI_VERSION, ADVISE_NONE, PLAY_TO_THE_END, GameOps
from aiplay._core.game cimport Game
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport TERMINAL, move_t, seat_t, uint64_t

from aiplay.layout import Layout

# The four directions of a row as steps between bits, and for each the cells on which four in a row can start, with
# the lowest bit first; written once at import.
cdef int STEPS[N_DIRECTIONS]
cdef uint64_t STARTS[N_DIRECTIONS]

cdef extern from *:
    """
    #define CONNECT_FOUR_BOTTOMS 0x40810204081ULL
    #define CONNECT_FOUR_BOARD (CONNECT_FOUR_BOTTOMS * 0x3F)
    """
    const uint64_t BOTTOMS "CONNECT_FOUR_BOTTOMS"   # the lowest cell of every column
    const uint64_t BOARD "CONNECT_FOUR_BOARD"       # all cells

cdef enum:                  # what one, two or three stones are worth in a four that the other seat has not blocked
    ONE = 1
    TWO = 8
    THREE = 27


cdef inline bint is_four(uint64_t stones, int step) noexcept nogil:
    """True if four stones follow each other, `step` bits apart."""
    cdef uint64_t pairs = stones & (stones >> step)
    return (pairs & (pairs >> (2 * step))) != 0


cdef inline bint has_four(uint64_t stones) noexcept nogil:
    """True if four stones are in a row: vertically, diagonally down, horizontally or diagonally up."""
    return (
        is_four(stones, 1) or is_four(stones, COLUMN_BITS - 1) or is_four(stones, COLUMN_BITS)
        or is_four(stones, COLUMN_BITS + 1)
    )


cdef void connect_four_setup(const void* rules, void* state) noexcept nogil:
    pass                    # an empty board is all zeros


cdef seat_t connect_four_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const ConnectFourState* s = <const ConnectFourState*>state
    if s.winner or s.n_stones == CELLS:
        return TERMINAL
    return s.n_stones & 1


cdef int connect_four_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const ConnectFourState* s = <const ConnectFourState*>state
    cdef uint64_t taken = s.stones[0] | s.stones[1]
    cdef int n = 0
    cdef int column
    for column in range(COLUMNS):
        out[n] = column
        n += not (taken >> (COLUMN_BITS * column + ROWS - 1)) & 1
    return n


cdef void connect_four_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef ConnectFourState* s = <ConnectFourState*>state
    cdef uint64_t taken = s.stones[0] | s.stones[1]
    cdef int seat = s.n_stones & 1
    cdef int bottom = COLUMN_BITS * move
    # Adding the bottom bit of the column carries to its lowest empty cell.
    s.stones[seat] |= (taken + (<uint64_t>1 << bottom)) & (<uint64_t>FULL_COLUMN << bottom)
    s.n_stones += 1
    if has_four(s.stones[seat]):
        s.winner = 1 + seat


cdef void connect_four_returns(const void* rules, const void* state, double* out) noexcept nogil:
    cdef const ConnectFourState* s = <const ConnectFourState*>state
    out[0] = (s.winner == 1) - (s.winner == 2)
    out[1] = -out[0]


cdef inline int open_fours(uint64_t mine, uint64_t theirs, int step, uint64_t starts) noexcept nogil:
    """The worth of all fours of one direction that only one seat has stones in.

    All of them are counted at once: bit i of `ones` and `twos` is the number of stones in the four that starts at i.
    """
    cdef uint64_t first = mine ^ (mine >> step), first_carry = mine & (mine >> step)
    cdef uint64_t ones = first ^ (first >> (2 * step))
    cdef uint64_t twos = first_carry ^ (first_carry >> (2 * step)) ^ (first & (first >> (2 * step)))
    cdef uint64_t blocked = theirs | (theirs >> step)
    cdef uint64_t is_open = starts & ~(blocked | (blocked >> (2 * step)))
    return (
        ONE * popcount(ones & ~twos & is_open) + TWO * popcount(twos & ~ones & is_open)
        + THREE * popcount(ones & twos & is_open)
    )


cdef void connect_four_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Sum up the fours that only one seat can still complete; three stones weigh more than three single ones."""
    cdef const ConnectFourState* s = <const ConnectFourState*>state
    cdef int score = 0
    cdef int i
    for i in range(N_DIRECTIONS):
        score += open_fours(s.stones[0], s.stones[1], STEPS[i], STARTS[i])
        score -= open_fours(s.stones[1], s.stones[0], STEPS[i], STARTS[i])
    out[0] = 0.5 + 0.5 * score / (60.0 + (score if score > 0 else -score))
    out[1] = 1.0 - out[0]


cdef inline uint64_t ends_and_gaps(uint64_t stones, int step) noexcept nogil:
    """The places at an end of three stones in a row, or in a gap of such a row, `step` bits apart."""
    cdef uint64_t above = (stones << step) & (stones << (2 * step))
    cdef uint64_t below = (stones >> step) & (stones >> (2 * step))
    return (
        above & ((stones << (3 * step)) | (stones >> step))
        | below & ((stones >> (3 * step)) | (stones << step))
    )


cdef inline uint64_t completing(uint64_t stones) noexcept nogil:
    """The cells where one more stone makes four in a row, taken ones as well."""
    return BOARD & (
        (stones << 1) & (stones << 2) & (stones << 3)       # a column fills from below
        | ends_and_gaps(stones, COLUMN_BITS - 1) | ends_and_gaps(stones, COLUMN_BITS)
        | ends_and_gaps(stones, COLUMN_BITS + 1)
    )


cdef inline uint64_t sensible_places(uint64_t places, uint64_t wins, uint64_t threats) noexcept nogil:
    """Of the places that are free now, those that win at once, else those that stop the other seat from winning next,
    else those that do not let it win above them, else all. `wins` and `threats` complete a four of the seat to move,
    and of the other one.
    """
    cdef uint64_t stops = threats & places
    cdef uint64_t safe = places & ~(threats >> 1)
    wins &= places
    if safe:
        places = safe
    if stops:
        places = stops
    return wins if wins else places


cdef inline uint64_t free_places(const ConnectFourState* s) noexcept nogil:
    """The lowest empty cell of every column that has one."""
    return ((s.stones[0] | s.stones[1]) + BOTTOMS) & BOARD


cdef inline uint64_t random_bit(uint64_t places, Rng* rng) noexcept nogil:
    """One of 1 to 7 bits."""
    cdef int n = rng_below(rng, popcount(places))
    cdef int i
    for i in range(COLUMNS - 1):        # no branch that a processor would have to guess
        places &= places - (i < n)
    return places & (~places + 1)


cdef move_t connect_four_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil:
    """A decisive move, or else a sensible one at random (Teytaud and Teytaud 2010)."""
    cdef const ConnectFourState* s = <const ConnectFourState*>state
    cdef int seat = s.n_stones & 1
    cdef uint64_t wins = completing(s.stones[seat]), threats = completing(s.stones[1 - seat])
    return lowest_bit(random_bit(sensible_places(free_places(s), wins, threats), rng)) // COLUMN_BITS


cdef int connect_four_policy_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    """The same until the end. What completes a four changes only for the seat that has moved."""
    cdef ConnectFourState* s = <ConnectFourState*>state
    cdef uint64_t wins = completing(s.stones[s.n_stones & 1]), threats = completing(s.stones[~s.n_stones & 1])
    cdef uint64_t place
    cdef int seat, n_played = 0
    while n_played < limit and not s.winner and s.n_stones < CELLS:
        seat = s.n_stones & 1
        place = random_bit(sensible_places(free_places(s), wins, threats), rng)
        s.stones[seat] |= place
        s.n_stones += 1
        n_played += 1
        if place & wins:
            s.winner = 1 + seat
        wins, threats = threats, completing(s.stones[seat])
    return n_played


def _fill_starts():
    for i, (dx, dy) in enumerate(((0, 1), (1, -1), (1, 0), (1, 1))):
        STEPS[i] = COLUMN_BITS * dx + dy
        STARTS[i] = sum(
            1 << (COLUMN_BITS * column + row)
            for column in range(COLUMNS - 3 * dx)
            for row in range(ROWS)
            if 0 <= row + 3 * dy < ROWS
        )


_fill_starts()


cdef int connect_four_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    return playout_loop(
        connect_four_to_move, connect_four_legal_moves, NULL, connect_four_play, rules, state, rng, limit
    )


cdef class ConnectFourCore(Game):
    """The native half of connect four."""

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        cdef ConnectFourState state
        self.layout = Layout.of(<ConnectFourState[:1]>&state)
        ops.abi_version = ABI_VERSION
        ops.state_size = sizeof(ConnectFourState)
        ops.max_moves = COLUMNS
        ops.move_space = COLUMNS
        ops.max_depth = CELLS
        ops.seats = SEATS
        ops.min_return = -1.0
        ops.max_return = 1.0
        ops.playout_depth = PLAY_TO_THE_END     # better than evaluating from about 10,000 iterations on
        ops.setup = connect_four_setup
        ops.to_move = connect_four_to_move
        ops.legal_moves = connect_four_legal_moves
        ops.play = connect_four_play
        ops.returns = connect_four_returns
        ops.evaluate = connect_four_evaluate
        ops.playout_move = connect_four_playout_move
        ops.random_playout = connect_four_random_playout
        ops.policy_playout = connect_four_policy_playout
        # Priors cost more time than they are worth: without them 64 % (60 to 68) of 400 games at 0.02 s per move
        # against `prior=evaluate` (docs/search_figures.md, Advice of the games).
        ops.advice.prior = ADVISE_NONE
