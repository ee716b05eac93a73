# Playouts by a policy: the game's own moves, or those with the best evaluation, with some random ones among them.

from aiplay._core.contract cimport GameOps, state_copy, state_drop
from aiplay._core.rng cimport Rng
from aiplay._core.search.common.leaf cimport Judge, position_values
from aiplay._core.typedefs cimport MAX_SEATS, move_t, seat_t

cpdef enum:
    PLAYOUT_RANDOM = 0      # any legal move
    PLAYOUT_GAME = 1        # the game's `playout_move`
    PLAYOUT_GREEDY = 2      # the move with the best evaluation after it


ctypedef struct Buffers:
    const Judge* judge      # values positions; NULL: the game's evaluation
    move_t* moves           # max_moves entries
    double* weights         # max_moves entries
    void* state             # one state: the position that is played on
    void* scratch           # memory for one state: to try a move


cdef inline double value_after(
    const GameOps* ops, const Judge* judge, const void* s, move_t move, seat_t seat, void* scratch
) noexcept nogil:
    """The value of the position after a move for `seat`, without search."""
    cdef double values[MAX_SEATS]
    state_copy(ops, scratch, s)
    ops.play(ops.rules, scratch, move)
    position_values(ops, judge, scratch, ops.to_move(ops.rules, scratch), values)
    state_drop(ops, scratch)
    return values[seat]


# Plays `buffers.state` on, in place, for at most `limit` moves, by PLAYOUT_GAME or PLAYOUT_GREEDY; a share `epsilon`
# of the moves is random. Before: the game has what the policy needs; GREEDY alone uses `scratch`.
cdef void policy_playout(
    const GameOps* ops, int policy, double epsilon, const Buffers* buffers, Rng* rng, int limit
) noexcept nogil
