# Whether a world keeps a promise of the contract on which every search relies: a seat has the same moves in all worlds
# that fit its view. A game that breaks it gets an error; without the check, a search would run out of its buffers.

from libc.string cimport memcmp

from aiplay._core.contract cimport GameOps
from aiplay._core.game cimport Game, View
from aiplay._core.typedefs cimport move_t, seat_t


cdef inline bint are_moves(const move_t* moves, int n, const move_t* wanted, int n_wanted) noexcept nogil:
    return n == n_wanted and memcmp(moves, wanted, <size_t>n * sizeof(move_t)) == 0


cdef inline bint keeps_moves(
    const GameOps* ops, const void* world, seat_t seat, const move_t* wanted, int n_wanted, move_t* buffer
) noexcept nogil:
    """True if `seat` is to move in a world and has the wanted moves; `buffer` has room for max_moves."""
    if ops.to_move(ops.rules, world) != seat:
        return False
    return are_moves(buffer, ops.legal_moves(ops.rules, world, buffer), wanted, n_wanted)


# Raises the ContractError about a world in which the seat of a view has other moves.
cdef int raise_broken(View view) except -1

# Raises the ContractError about positions that look the same to a seat, with different numbers of moves.
cdef int raise_uneven(Game game) except -1

# Raises the ContractError about a position that was different when it was reached again.
cdef int raise_unsteady(View view) except -1
