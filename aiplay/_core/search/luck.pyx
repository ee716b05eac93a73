"""The luck of a finished game: at every outcome of chance, the value of what fell minus its expectation.

The values are those of a cheap function V of the state: the game's evaluation, the best evaluation after a move of the
seat whose turn it is, or a trained value. Given the state before an outcome, V(after) - sum of p V(after) has mean zero
exactly, whatever V is (control variates at chance nodes, as in AIVAT: Burch, Schmid, Moravcik, Morrill and Bowling
2018).
"""

from libc.string cimport memset

from aiplay._core.contract cimport GameOps, state_copy, state_drop
from aiplay._core.game cimport Game, State
from aiplay._core.search.common.leaf cimport Judge, position_values
from aiplay._core.search.common.states cimport StateStack, states_at, states_free, states_reserve
from aiplay._core.search.common.value cimport Network
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, move_t, seat_t

cdef enum:
    AFTER                   # levels of the stack: the state after an outcome, and after a move that follows it
    CHILD
    N_LEVELS
    FLAT = 0                # kinds of value
    DEEP = 1
    TRAINED = 2
    N_KINDS = 3


cdef void quick_values(
    const GameOps* ops, const Judge* judge, StateStack* states, double out[][MAX_SEATS]
) noexcept nogil:
    """All values of the state at level AFTER for every seat; the trained one only with a judge."""
    cdef void* s = states_at(states, AFTER)
    cdef void* child = states_at(states, CHILD)
    cdef seat_t seat = ops.to_move(ops.rules, s)
    cdef move_t moves[MAX_MOVES]
    cdef double values[MAX_SEATS]
    cdef int i, k, n
    position_values(ops, NULL, s, seat, out[<int>FLAT])
    if judge != NULL:
        position_values(ops, judge, s, seat, out[<int>TRAINED])
    if seat < 0:
        position_values(ops, NULL, s, seat, out[<int>DEEP])
        return
    n = ops.legal_moves(ops.rules, s, moves)
    for i in range(n):
        state_copy(ops, child, s)
        ops.play(ops.rules, child, moves[i])
        position_values(ops, NULL, child, ops.to_move(ops.rules, child), values)
        state_drop(ops, child)
        if i == 0 or values[seat] > out[<int>DEEP][seat]:
            for k in range(ops.seats):
                out[<int>DEEP][k] = values[k]


cdef void add_luck(
    const GameOps* ops, const Judge* judge, const void* s, move_t fallen, StateStack* states, double luck[][MAX_SEATS]
) noexcept nogil:
    """Add the luck of the outcome that fell in `s`: its value minus the mean over all outcomes."""
    cdef move_t outcomes[MAX_MOVES]
    cdef double p[MAX_MOVES]
    cdef double values[N_KINDS][MAX_SEATS]
    cdef double weight
    cdef int i, k, kind
    cdef int n_kinds = N_KINDS if judge != NULL else TRAINED
    cdef int n = ops.chance_outcomes(ops.rules, s, outcomes, p)
    for i in range(n):
        if n == 1:
            break                                   # nothing is left to chance
        state_copy(ops, states_at(states, AFTER), s)
        ops.play(ops.rules, states_at(states, AFTER), outcomes[i])
        quick_values(ops, judge, states, values)
        state_drop(ops, states_at(states, AFTER))
        weight = (1.0 if outcomes[i] == fallen else 0.0) - p[i]
        for kind in range(n_kinds):
            for k in range(ops.seats):
                luck[kind][k] += weight * values[kind][k]


def game_luck(Game game not None, moves, Network value=None):
    """Return the luck of every seat in a game of these moves: by the evaluation, by looking one move ahead, and by
    a trained value, if there is one.

    Before: the moves are those of a record of the game, and the value is bound to it.
    """
    cdef GameOps* ops = &game.ops
    cdef State state = game.new_state()
    cdef const Judge* judge = NULL if value is None else &value.judge
    cdef int n_kinds = N_KINDS if judge != NULL else TRAINED
    cdef StateStack states
    cdef double luck[N_KINDS][MAX_SEATS]
    cdef move_t move
    cdef int kind, k
    memset(luck, 0, sizeof(luck))
    if ops.chance_outcomes == NULL or (ops.evaluate == NULL and judge == NULL):
        return ((0.0,) * ops.seats,) * n_kinds
    if states_reserve(&states, ops, N_LEVELS) < 0:
        raise MemoryError()
    try:
        for move in moves:
            if ops.to_move(ops.rules, state.data) == CHANCE:
                with nogil:
                    add_luck(ops, judge, state.data, move, &states, luck)
                game.raise_failure()
            ops.play(ops.rules, state.data, move)
    finally:
        states_free(&states)
    return tuple([tuple([luck[kind][k] for k in range(ops.seats)]) for kind in range(n_kinds)])
