"""Pig: roll a die as often as you dare; a 1 loses the points of this turn, holding banks them.

Seats: 2-6. Options: players (2), target (100), horizon (1,000 decisions, after which nobody wins). Moves: 0 roll,
1 hold; a chance move is the face of the die minus 1. A seat with enough points to win can only hold. The first to bank
the target gets 1, and the others lose that in equal parts; at the horizon everybody gets 0 (as in OpenSpiel, which the
tests compare this game with).
"""

from aiplay._core.contract cimport ABI_VERSION, GameOps
from aiplay._core.game cimport Game
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, move_t, seat_t

from aiplay.layout import Layout


cdef void pig_setup(const void* rules, void* state) noexcept nogil:
    pass                    # nobody has points, and seat 0 begins


cdef seat_t pig_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const PigState* s = <const PigState*>state
    if s.winner or s.n_decisions >= (<const PigRules*>rules).horizon:
        return TERMINAL
    return CHANCE if s.is_rolling else s.seat


cdef int pig_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const PigState* s = <const PigState*>state
    if s.scores[s.seat] + s.turn_total >= (<const PigRules*>rules).target:
        out[0] = HOLD                           # rolling again could only lose
        return 1
    out[0] = ROLL
    out[1] = HOLD
    return 2


cdef int pig_chance_outcomes(const void* rules, const void* state, move_t* out, double* p) noexcept nogil:
    cdef int face
    for face in range(FACES):
        out[face] = face
        p[face] = 1.0 / FACES
    return FACES


cdef move_t pig_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil:
    return rng_below(rng, FACES)


cdef void pig_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const PigRules* r = <const PigRules*>rules
    cdef PigState* s = <PigState*>state
    if not s.is_rolling:
        s.n_decisions += 1
        if move == ROLL:
            s.is_rolling = 1
            return
        s.scores[s.seat] += s.turn_total
        if s.scores[s.seat] >= r.target:
            s.winner = s.seat + 1
    else:
        s.is_rolling = 0
        if move > 0:
            s.turn_total += move + 1
            return
    s.turn_total = 0
    s.seat = s.seat + 1 if s.seat + 1 < r.seats else 0


cdef void pig_returns(const void* rules, const void* state, double* out) noexcept nogil:
    cdef int seats = (<const PigRules*>rules).seats
    cdef int winner = (<const PigState*>state).winner
    cdef int seat
    for seat in range(seats):
        out[seat] = 0.0 if winner == 0 else 1.0 if seat + 1 == winner else -1.0 / (seats - 1)


cdef void pig_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Closer to the target is better; points at risk count for 3/4, and fully if they win."""
    cdef const PigRules* r = <const PigRules*>rules
    cdef const PigState* s = <const PigState*>state
    cdef double total = 0.0
    cdef int seat
    for seat in range(r.seats):
        out[seat] = s.scores[seat]
        if seat == s.seat:
            out[seat] += 0.75 * s.turn_total if s.turn_total + s.scores[seat] < r.target else s.turn_total
        out[seat] = 1.0 / (1.0 + 8.0 * (r.target - out[seat]) / r.target) if out[seat] < r.target else 1.0
        total += out[seat]
    for seat in range(r.seats):
        out[seat] /= total


cdef int pig_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    return playout_loop(
        pig_to_move, pig_legal_moves, pig_sample_chance, pig_play, rules, state, rng, limit
    )


cdef class PigCore(Game):
    """The native half of pig."""

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        cdef PigState state
        self.layout = Layout.of(<PigState[:1]>&state)
        self.rules = PigRules(self.options["players"], self.options["target"], self.options["horizon"])
        ops.abi_version = ABI_VERSION
        ops.rules = &self.rules
        ops.state_size = sizeof(PigState)
        ops.max_moves = FACES
        ops.move_space = HOLD + 1
        ops.chance_space = FACES
        ops.max_depth = 2 * self.rules.horizon
        ops.seats = self.rules.seats
        ops.min_return = -1.0
        ops.max_return = 1.0
        ops.setup = pig_setup
        ops.to_move = pig_to_move
        ops.legal_moves = pig_legal_moves
        ops.chance_outcomes = pig_chance_outcomes
        ops.sample_chance = pig_sample_chance
        ops.play = pig_play
        ops.returns = pig_returns
        ops.evaluate = pig_evaluate
        ops.random_playout = pig_random_playout
