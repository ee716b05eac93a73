"""Connect four: drop stones into seven columns of six; four in a row win.

Seats: 2. Options: none. A move is a column, 0-6. A full board without four in a row is a draw. The winner
gets 1, the loser -1, both get 0 for a draw (as in OpenSpiel, which the tests compare this game with).

The stones of a seat are one 49-bit set. The bit above every column stays empty, so shifts find four in a row.
"""

import numpy as np

from aiplay._core.bits cimport popcount
from aiplay._core.contract cimport ABI_VERSION, PLAY_TO_THE_END, GameOps
from aiplay._core.game cimport Game
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport TERMINAL, move_t, seat_t, uint64_t

# Every four in a row, as a bit set; written once at import, read by `evaluate`.
cdef uint64_t FOURS[N_FOURS]


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


cdef void connect_four_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Fours that only one seat can still complete, weighted by the cube of the stones it has in them."""
    cdef const ConnectFourState* s = <const ConnectFourState*>state
    cdef int score = 0
    cdef int i, mine, theirs
    for i in range(N_FOURS):
        mine = popcount(s.stones[0] & FOURS[i])
        theirs = popcount(s.stones[1] & FOURS[i])
        if theirs == 0:
            score += mine * mine * mine
        elif mine == 0:
            score -= theirs * theirs * theirs
    out[0] = 0.5 + 0.5 * score / (60.0 + (score if score > 0 else -score))
    out[1] = 1.0 - out[0]


def _fill_fours():
    cdef int n = 0
    for column in range(COLUMNS):
        for row in range(ROWS):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if column + 3 * dx < COLUMNS and 0 <= row + 3 * dy < ROWS:
                    FOURS[n] = sum(1 << (COLUMN_BITS * (column + i * dx) + row + i * dy) for i in range(4))
                    n += 1
    assert n == N_FOURS


_fill_fours()


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
        ops.random_playout = connect_four_random_playout
