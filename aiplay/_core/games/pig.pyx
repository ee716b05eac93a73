"""Pig: roll a die as often as you dare; a 1 loses the points of this turn, holding banks them.

Seats: 2-6. Options: players (2), target (100), horizon (1,000 decisions, after which nobody wins). Moves: 0 roll,
1 hold; a chance move is the face of the die minus 1. A seat with enough points to win can only hold. The first to bank
the target gets 1, and the others lose that in equal parts; at the horizon everybody gets 0 (as in OpenSpiel, which the
tests compare this game with).
"""

from libc.math cimport exp, sqrt

from aiplay._core.contract cimport ABI_VERSION, GameOps
from aiplay._core.game cimport Game
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, MAX_SEATS, TERMINAL, move_t, seat_t

from aiplay.layout import Layout

# By the points that a seat still needs; written once at import (make_tables).
cdef double STRENGTH[MAX_TARGET + 1]        # seats win in proportion to it
cdef double PASS[MAX_TARGET + 1]            # what a turn of this seat leaves of the strength of the seats after it
cdef double REACH[MAX_TARGET + 1]           # chance to roll so many points or more before a 1

cdef double TEMPERATURE = 0.02              # a move that is worse by this weighs 1 / e


cdef void make_tables() noexcept:
    """Fill the tables; python bench/pig_evaluation.py fits the constants to the exact values of two seats."""
    cdef int points, face
    for points in range(MAX_TARGET + 1):
        # One point needs as good a roll as two.
        STRENGTH[points] = exp(-0.7348 * sqrt(max(points, 2) + 34.23))
        PASS[points] = exp(-10.68 / (max(points, 2) + 3.27))
        REACH[points] = 1.0 if points == 0 else 0.0
        if points:
            for face in range(2, FACES + 1):
                REACH[points] += REACH[max(points - face, 0)] / FACES


make_tables()


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


cdef double in_time(int points, int decisions) noexcept nogil:
    """The chance that rolls without a 1 give so many points, and one decision is left to hold; a rough line."""
    cdef int rolls = decisions - 1
    if points <= 2 * rolls:
        return 1.0
    return (6.0 * rolls + 1.0 - points) / (4.0 * rolls + 1.0) if points <= 6 * rolls else 0.0


cdef double banked_chance(const PigEstimate* e, int remaining, int decisions) noexcept nogil:
    """The chance of the seat in turn to win if its turn ends with so many points to go, and decisions left."""
    if remaining <= 0:
        return 1.0
    cdef double strength = e.passed * STRENGTH[remaining]
    return strength / (strength + e.rivals) * in_time(remaining, decisions - e.others)


cdef double roll_chance(const PigEstimate* e, int remaining, int turn_total, int decisions) noexcept nogil:
    """The chance of the seat in turn to win if it rolls: until that wins, or until HOLD_AT, at least once."""
    cdef int needed = max(remaining - turn_total, 1)        # a position may be set up so that this roll is for nothing
    cdef int gain = max(HOLD_AT - turn_total, 2)
    cdef int landed = gain + 2                              # a roll that is not a 1 gives 4 on average
    cdef double lost = banked_chance(e, remaining, decisions - 1)
    cdef double banked = banked_chance(e, needed - landed, decisions - 1 - landed // 4)
    cdef double to_the_end = REACH[needed] * in_time(needed, decisions)
    return lost + max(to_the_end * (1.0 - lost), REACH[gain] * (banked - lost))


cdef double turn_chance(const PigEstimate* e, int remaining, int turn_total, int decisions) noexcept nogil:
    """The chance of the seat in turn to win if it decides now."""
    if turn_total >= remaining:
        return 1.0
    cdef double best = STRENGTH[remaining] / (STRENGTH[remaining] + PASS[remaining] * e.rivals)
    best *= in_time(remaining, decisions)
    if turn_total == 0:
        return best
    # Points at risk do no harm: the turn is worth no less than at its beginning.
    best = max(best, roll_chance(e, remaining, turn_total, decisions))
    return max(best, banked_chance(e, remaining - turn_total, decisions - 1))


cdef PigEstimate estimate_rivals(const PigRules* r, const PigState* s, double* chances) noexcept nogil:
    """Fill in the strengths of the other seats when the turn has ended."""
    cdef PigEstimate e
    cdef int seat = s.seat, remaining
    e.rivals = 0.0
    e.passed = 1.0
    e.others = TURN * (r.seats - 1)
    for _ in range(r.seats - 1):
        seat = seat + 1 if seat + 1 < r.seats else 0
        remaining = r.target - s.scores[seat]
        chances[seat] = e.passed * STRENGTH[remaining]
        e.rivals += chances[seat]
        e.passed *= PASS[remaining]
    return e


cdef void pig_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Chances to win, mapped like the returns; what is left of them is that of a game that nobody wins."""
    cdef const PigRules* r = <const PigRules*>rules
    cdef const PigState* s = <const PigState*>state
    cdef PigEstimate e = estimate_rivals(r, s, out)
    cdef int left = r.horizon - s.n_decisions, after = left - TURN
    cdef int remaining = r.target - s.scores[s.seat], seat = s.seat
    cdef double share = 0.5 / (r.seats - 1)                 # of the others in what a winner gets
    cdef double p, total
    if s.is_rolling and s.turn_total:
        p = roll_chance(&e, remaining, s.turn_total, left + 1)
    else:
        p = turn_chance(&e, remaining, s.turn_total, left + s.is_rolling)
    total = p
    for _ in range(r.seats - 1):
        seat = seat + 1 if seat + 1 < r.seats else 0
        out[seat] *= (1.0 - p) / e.rivals * in_time(r.target - s.scores[seat], after)
        total += out[seat]
        after -= TURN
    out[s.seat] = p
    for seat in range(r.seats):
        out[seat] = 0.5 + 0.5 * out[seat] - share * (total - out[seat])


cdef void pig_priors(const void* rules, const void* state, const move_t* moves, int n, double* out) noexcept nogil:
    """Weigh moves by what they are worth, close to the better one: searches of few iterations need no more."""
    cdef const PigRules* r = <const PigRules*>rules
    cdef const PigState* s = <const PigState*>state
    cdef double chances[MAX_SEATS]
    cdef PigEstimate e
    cdef int left = r.horizon - s.n_decisions, remaining = r.target - s.scores[s.seat]
    cdef double better
    if n == 1:
        out[0] = 1.0
        return
    e = estimate_rivals(r, s, chances)
    better = roll_chance(&e, remaining, s.turn_total, left)
    better -= banked_chance(&e, remaining - s.turn_total, left - 1)
    out[ROLL] = 1.0 / (1.0 + exp(-better / TEMPERATURE))
    out[HOLD] = 1.0 - out[ROLL]


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
        ops.priors = pig_priors
        ops.random_playout = pig_random_playout
