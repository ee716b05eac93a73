"""Connect four: seven columns of six, drop a stone, four in a row win.

Seats: 2. Options: none. A move is a column, 0-6. A full board without four in a row is a draw. The winner
gets 1, the loser -1, a draw is 0 (the convention of OpenSpiel, which this game is compared with).

The board is one 49-bit set per seat with an empty bit above every column, so that shifts find four in a row.
"""

import numpy as np

from aiplay._core.bits cimport popcount
from aiplay._core.contract cimport ABI_VERSION, PLAY_TO_THE_END, GameOps
from aiplay._core.game cimport Game
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport TERMINAL, move_t, seat_t, uint64_t

cdef enum:
    COLUMNS = 7
    ROWS = 6
    CELLS = 42
    N_LINES = 69            # ways to have four in a row

# Every line of four, as a bit set; read by `evaluate`, written once at import.
cdef uint64_t LINES[N_LINES]


cdef inline bint has_four(uint64_t stones) noexcept nogil:
    """Whether four stones stand in a row: vertically, diagonally down, horizontally, diagonally up."""
    cdef uint64_t pairs
    pairs = stones & (stones >> 1)
    if pairs & (pairs >> 2):
        return True
    pairs = stones & (stones >> 6)
    if pairs & (pairs >> 12):
        return True
    pairs = stones & (stones >> 7)
    if pairs & (pairs >> 14):
        return True
    pairs = stones & (stones >> 8)
    return (pairs & (pairs >> 16)) != 0


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
        n += not (taken >> (7 * column + ROWS - 1)) & 1
    return n


cdef void connect_four_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef ConnectFourState* s = <ConnectFourState*>state
    cdef uint64_t taken = s.stones[0] | s.stones[1]
    cdef int seat = s.n_stones & 1
    # Adding the bottom bit of the column carries to its lowest empty cell.
    s.stones[seat] |= (taken + (<uint64_t>1 << (7 * move))) & (<uint64_t>0x3F << (7 * move))
    s.n_stones += 1
    if has_four(s.stones[seat]):
        s.winner = 1 + seat


cdef void connect_four_returns(const void* rules, const void* state, double* out) noexcept nogil:
    cdef const ConnectFourState* s = <const ConnectFourState*>state
    out[0] = (s.winner == 1) - (s.winner == 2)
    out[1] = -out[0]


cdef void connect_four_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Lines that one seat still can complete, weighted by how many of its stones they hold."""
    cdef const ConnectFourState* s = <const ConnectFourState*>state
    cdef int score = 0
    cdef int i, mine, theirs
    for i in range(N_LINES):
        mine = popcount(s.stones[0] & LINES[i])
        theirs = popcount(s.stones[1] & LINES[i])
        if theirs == 0:
            score += mine * mine * mine
        elif mine == 0:
            score -= theirs * theirs * theirs
    out[0] = 0.5 + 0.5 * score / (60.0 + (score if score > 0 else -score))
    out[1] = 1.0 - out[0]


def _fill_lines():
    cdef int n = 0
    for column in range(COLUMNS):
        for row in range(ROWS):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if column + 3 * dx < COLUMNS and 0 <= row + 3 * dy < ROWS:
                    LINES[n] = sum(1 << (7 * (column + i * dx) + row + i * dy) for i in range(4))
                    n += 1
    assert n == N_LINES


_fill_lines()


cdef int connect_four_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    return playout_loop(
        connect_four_to_move, connect_four_legal_moves, NULL, connect_four_play, rules, state, rng, limit
    )


cdef class ConnectFourCore(Game):
    """The native half of connect four."""

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        cdef ConnectFourState layout
        self.dtype = np.asarray(<ConnectFourState[:1]>&layout).dtype
        ops.abi_version = ABI_VERSION
        ops.state_size = sizeof(ConnectFourState)
        ops.max_moves = COLUMNS
        ops.move_space = COLUMNS
        ops.max_depth = CELLS
        ops.seats = 2
        ops.min_return = -1.0
        ops.max_return = 1.0
        ops.playout_depth = PLAY_TO_THE_END     # from some 10,000 iterations on the end says more
        ops.setup = connect_four_setup
        ops.to_move = connect_four_to_move
        ops.legal_moves = connect_four_legal_moves
        ops.play = connect_four_play
        ops.returns = connect_four_returns
        ops.evaluate = connect_four_evaluate
        ops.random_playout = connect_four_random_playout
