"""The evaluation of Magic Rabbit: the chance of a perfect team (chances.pyx) that has lost a few turns.

Turns are lost if doves are in the way, or if a seat does not know what its team mates know. Without an hourglass turns
are not short: then the value falls a little with every turn that is left to play, so that players finish and say so.
"""

from libc.math cimport fabs

from aiplay._core.bits cimport pop_lowest, popcount
from aiplay._core.games.magic_rabbit.chances cimport Unknowns, chance_of, reduce
from aiplay._core.games.magic_rabbit.insight cimport (
    NOBODY, Insight, Tasks, blocked_tasks, count_work, lifters, list_tasks, see_all, state_switches,
)
from aiplay._core.games.magic_rabbit.state cimport DOVE, MagicRabbitRules, MagicRabbitState, turns_left
from aiplay._core.typedefs cimport uint32_t


# The share of the value that goes by the turns to spare: it tells moves apart if the team is sure to succeed or fail.
cdef double BY_SLACK = 0.04


cdef double expected_waste(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k
) noexcept nogil:
    """Turns that doves and private knowledge will probably cost."""
    cdef Tasks tasks
    cdef uint32_t doves = s.doves
    cdef uint32_t blocked
    cdef int i, seat, work, n_private = 0
    cdef double waste = 0.0, weight = 0.5
    list_tasks(r, s, k, NOBODY, &tasks)
    blocked = blocked_tasks(&tasks, doves)
    if s.phase == DOVE:
        weight = 0.2                            # a dove may move first
    seat = s.seat
    for i in range(min(r.seats, 2)):
        if s.phase == DOVE or i > 0:
            seat = seat + 1 if seat + 1 < r.seats else 0
        work = count_work(&tasks, blocked, seat)
        waste += weight * (1.0 if work == 0 else 0.1 / (work * work))
        weight *= 0.4
    while doves:
        waste += 0.005 * tasks.weights[pop_lowest(&doves)]
    for i in range(r.piles):
        if k.lifted >> i & 1 and not k.shown >> i & 1:
            n_private += r.seats - popcount(k.lifters[i])
    return waste + 0.01 * n_private / r.seats + 0.015 * k.n_fresh + 0.5 * k.n_misleading


cdef double unhurried(const MagicRabbitRules* r, const MagicRabbitState* s, double needed) noexcept nogil:
    """The value without an hourglass if `needed` turns are left; rabbits that seats have not seen count a little."""
    cdef int i, n_unseen = 0
    for i in range(r.piles):
        n_unseen += r.seats - popcount(lifters(s, i))
    return 1.0 - 0.004 * (needed + 0.1 * n_unseen / r.seats)


cdef void magic_rabbit_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    cdef Insight k
    cdef Unknowns u
    cdef double waste = 0.0, slack, value
    cdef int i
    if s.n_dealt < 2 * r.piles:                 # before the deal is complete: about the average of all deals
        slack = r.turns - 1.35 * r.piles - (r.piles - 1)
        value = min(max(0.66 + 0.17 * slack, 0.0), 1.0)
    elif turns_left(r, s) == 0:                 # only a dove is left to move
        value = 1.0 if state_switches(r, s) == 0 else 0.0
    else:
        see_all(r, s, &k)
        reduce(r, s, &k, &u)
        if u.n > 0 or u.least > 0:
            waste = expected_waste(r, s, &k)
        slack = turns_left(r, s) - u.least - waste
        value = (1.0 - BY_SLACK) * chance_of(&u, slack) + 0.5 * BY_SLACK * (1.0 + slack / (1.0 + fabs(slack)))
        if r.may_end:
            value = min(value, unhurried(r, s, state_switches(r, s) + max(k.n_fresh - 1, 0) + waste))
    for i in range(r.seats):
        out[i] = value
