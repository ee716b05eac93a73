"""Illusio: what a position is worth to every seat.

A seat is worth its prestige, the tricks it displays, and what it is working on: the objectives it has taken and the
best ones of the Contest, each with the points it will pay, discounted by the actions that it still costs. Components
count where they are needed, more so in the Backstage than in the hand and more so when they are exact. The chances to
win follow from the differences, which weigh more the nearer the leader is to the goal.
"""

from libc.math cimport exp, sqrt
from libc.string cimport memcpy

from aiplay._core.bits cimport lowest_bit
from aiplay._core.games.illusio.state cimport (
    DISPLAYED, HIDDEN, IN_CONTEST, N_COMPONENT_KINDS, N_GROUPS, PHASE_DEAL, PHASE_DRAW, PHASE_EXCHANGE,
    PHASE_SWAP, PHASE_TAKE, PHASE_TRANSFORM, PHASE_VALIDATE, REALISING, TRANSFORM, UNSPENT, W_BACKSTAGE,
    W_CONTEST, W_CONTEST_2, W_DISPLAY, W_DRAW, W_ENCORE, W_HAND, W_NEXT_DRAW, W_SCALE, W_SLACK, W_SPECIAL, W_SPREAD,
    W_TEMPO, IllusioRules, IllusioState,
)
from aiplay._core.games.illusio.legal cimport illusio_legal_moves
from aiplay._core.games.illusio.rules cimport illusio_play
from aiplay._core.games.illusio.stock cimport Stock, count_stock, work_value
from aiplay._core.games.illusio.components cimport exact_count, kept_domains, objectives_at
from aiplay._core.typedefs cimport MAX_SEATS, move_t, uint32_t

cdef inline double contest_value(
    const IllusioRules* r, const IllusioState* s, int seat, Stock* stock, int domains, double most
) noexcept nogil:
    """The best objective of the Contest, and a part of the best one after it."""
    cdef Stock trial, rest
    cdef uint32_t contest = objectives_at(s, IN_CONTEST)
    cdef uint32_t left = contest
    cdef double value, best = 0.0, second = 0.0
    cdef int chosen = -1
    while left:
        trial = stock[0]
        value = work_value(r, s, seat, &trial, lowest_bit(left), domains, most)
        if value > best:
            best = value
            chosen = lowest_bit(left)
            rest = trial
        left &= left - 1
    if chosen < 0:
        return 0.0
    left = contest & ~(<uint32_t>1 << chosen)
    while left:
        trial = rest
        value = work_value(r, s, seat, &trial, lowest_bit(left), domains, most)
        second = max(second, value)
        left &= left - 1
    return r.weights[W_CONTEST] * best + r.weights[W_CONTEST_2] * second


cdef double displayed_value(const IllusioRules* r, const IllusioState* s, int seat, int* domains) noexcept nogil:
    """What the tricks on display will pay; they add their domains. A round later it is worth a little less."""
    cdef uint32_t tricks = objectives_at(s, DISPLAYED + seat)
    cdef double value = 0.0, points
    cdef int trick
    while tricks:
        trick = lowest_bit(tricks)
        points = r.level[trick] + exact_count(s, trick) + r.bonus[s.magicians[seat]][trick]
        points += (domains[0] >> r.domain[trick] & 1) + 2 * (s.marks[trick] >> 4) - (s.marks[trick] & 15)
        if points > 0:
            value += points * r.weights[W_ENCORE if s.encores[trick] & UNSPENT else W_DISPLAY]
        domains[0] |= 1 << r.domain[trick]
        tricks &= tricks - 1
    return value


cdef inline double hand_value(const IllusioRules* r, const IllusioState* s, int seat) noexcept nogil:
    """Special actions by kind; every component, and every card about to be drawn, has some value of its own."""
    cdef double value = 0.0
    cdef int i, kind
    for i in range(s.n_hand[seat]):
        kind = s.hands[seat][i]
        if kind < N_COMPONENT_KINDS:
            value += r.weights[W_HAND]
        elif kind < HIDDEN:
            value += r.weights[W_SPECIAL + kind - TRANSFORM]
    if seat == s.seat and (s.phase == PHASE_DRAW or s.phase == PHASE_EXCHANGE or s.phase == PHASE_DEAL):
        value += s.pending * r.weights[W_DRAW]
    elif seat == s.seat and (s.phase == PHASE_TAKE or s.phase == PHASE_VALIDATE):
        value += r.weights[W_DRAW]
    return value


cdef inline double tempo_value(const IllusioRules* r, const IllusioState* s, int seat) noexcept nogil:
    """The actions that a seat has before it has waited a whole round, and the cards that it draws for them.

    Who is on the move has drawn already. If the others' draws did not count, ending a turn would seem to cost
    something, and a search would look for ways to put it off.
    """
    cdef int wait = seat - s.seat
    if wait == 0:
        return 0.5 * s.actions * r.weights[W_TEMPO]
    if wait < 0:
        wait += r.seats
    return (r.weights[W_TEMPO] + r.weights[W_NEXT_DRAW]) * (r.seats - wait) / r.seats


cdef double seat_value(const IllusioRules* r, const IllusioState* s, int seat, double* secured) noexcept nogil:
    """What a seat has and will have, in prestige; `secured` is the part that is certain, nearly."""
    cdef Stock stock
    cdef uint32_t works = objectives_at(s, REALISING + seat)
    cdef int domains = kept_domains(r, s, seat)
    cdef double value, gained, most
    cdef int group
    value = s.scores[seat] + displayed_value(r, s, seat, &domains)
    secured[0] = value
    most = max(r.goal - value, 0.0) + r.weights[W_SLACK]
    count_stock(r, s, seat, &stock)
    while works:
        gained = work_value(r, s, seat, &stock, lowest_bit(works), domains, most)
        value += gained
        # Once what is begun reaches the goal, more is worth little: else a seat begins ever more and finishes nothing.
        most = max(most - gained, r.weights[W_SLACK])
        works &= works - 1
    for group in range(N_GROUPS):
        value += stock.back_of[group] * r.weights[W_BACKSTAGE]
    value += contest_value(r, s, seat, &stock, domains, most)
    return value + hand_value(r, s, seat) + tempo_value(r, s, seat)


cdef void value_seats(const IllusioRules* r, const IllusioState* s, double* out) noexcept nogil:
    """Chances to win: shares of exp(value), sharper the nearer the leader is to the goal."""
    cdef double secured, scale
    cdef double left = r.goal
    cdef double best = 0.0, total = 0.0
    cdef int seat
    for seat in range(r.seats):
        out[seat] = seat_value(r, s, seat, &secured)
        left = min(left, max(r.goal - secured, 0.0))
        best = max(best, out[seat])
    scale = r.weights[W_SCALE] / sqrt(r.weights[W_SPREAD] + left)
    for seat in range(r.seats):
        out[seat] = exp(scale * (out[seat] - best))
        total += out[seat]
    for seat in range(r.seats):
        out[seat] /= total


cdef void illusio_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """In the middle of a Transform, a morph or a swap: the value after the best way to complete it."""
    cdef const IllusioRules* r = <const IllusioRules*>rules
    cdef const IllusioState* s = <const IllusioState*>state
    cdef IllusioState trial
    cdef double values[MAX_SEATS]
    cdef move_t moves[64]
    cdef int i, n
    if s.phase < PHASE_TRANSFORM or s.phase > PHASE_SWAP:
        value_seats(r, s, out)
        return
    n = illusio_legal_moves(rules, state, moves)
    for i in range(n):
        trial = s[0]
        illusio_play(rules, &trial, moves[i])
        value_seats(r, &trial, values)
        if i == 0 or values[s.seat] > out[s.seat]:
            memcpy(out, values, r.seats * sizeof(double))
