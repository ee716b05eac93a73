"""The policy of Magic Rabbit: what is worth doing, by the knowledge of the seat to move.

A turn is well spent on one of two things. It lifts a rabbit that nobody knows: all but one have to be lifted. Or it
switches hats or piles so that one switch fewer is left: it brings a rabbit home, or gives a rabbit at home its hat.
Turns are wasted if a seat does not know what its team mates know. Hence:

  * Work on rabbits that only this seat knows comes first: it shows them to the others. Then come lifts, which leave the
    others the work that everybody knows of. Switches that anybody could make come last.
  * It matters which of the last four fresh rabbits is lifted: chances.pyx knows the best choice. A seat that
    cannot make it yet, because a dove is in the way or its only team mate knows more, switches first.
  * The last fresh rabbits are lifted as long as there is a turn to spare; otherwise the team has to guess.
  * Doves go where nothing is left to do, so that the next seats find work.
  * Without an hourglass, a seat that knows that everything is done says so.
"""

from libc.math cimport INFINITY, exp

from aiplay._core.bits cimport pop_lowest
from aiplay._core.games.magic_rabbit.chances cimport MAX_GUESSED, Unknowns, count_within, guess, loss_of_lift, reduce
from aiplay._core.games.magic_rabbit.insight cimport (
    Insight, Tasks, blocked_tasks, count_work, list_tasks, look, place_hats, unsettled_piles,
)
from aiplay._core.games.magic_rabbit.state cimport (
    DONE, DOVE, FIRST_PILE, LIFT, MAX_PILES, MOVE_DOVE, STAY, SWITCH_HATS, SWITCH_PILES, MagicRabbitRules,
    MagicRabbitState, first_pile, free_piles, second_pile, turns_left,
)
from aiplay._core.rng cimport Rng, rng_double
from aiplay._core.typedefs cimport int8_t, move_t, uint32_t

cdef enum:
    MAX_PLAN = 64           # moves of a plan
    FEW_FRESH = 4           # so few fresh rabbits that it matters which is lifted next
    SMALL_LOSS = 1          # of a lift, in thousandths: not worth waiting for a dove to go

cdef enum:                  # scores of `plan_action`, the highest comes first
    FINISHED = 2000         # everything is done, and there is no hourglass to wait for
    PRIVATE = 500           # bonus: only this seat can do it, and doing it shows the rabbit to all
    LIFT_FRESH = 900        # a rabbit that nobody knows, less `loss_of_lift`
    SWITCH = 700            # a switch that brings a rabbit home or gives it its hat
    LIFT_LATE = 690         # the same lift, if it is better to decide about it later
    GUESS = 600             # a switch that is right if the guess is
    EARLY_HAT = 550         # the right hat for a rabbit that is not home: useful, but it tells nothing
    LIFT_KNOWN = 500        # a rabbit that a team mate knows
    LIFT_LAST = 450         # the last unknown rabbit, which the team can deduce
    IDLE = 0                # lift a pile again
    BRINGS_HOME = 50        # bonus over a switch of hats
    SETTLES_TWO = 20        # bonus for a switch that is right for both


cdef struct Plan:                       # moves worth trying
    int n
    move_t moves[MAX_PLAN]
    int scores[MAX_PLAN]                # the higher, the better


# ---- What to do --------------------------------------------------------------------------------------------

cdef inline void add(Plan* plan, move_t move, int score) noexcept nogil:
    plan.moves[plan.n] = move
    plan.scores[plan.n] = score
    plan.n += 1


cdef inline move_t pair(int kind, int i, int k) noexcept nogil:
    """The move that switches two piles or their hats."""
    return kind + FIRST_PILE * (i + 1) + k + 1 if i < k else kind + FIRST_PILE * (k + 1) + i + 1


cdef void plan_switches(
    const MagicRabbitRules* r, const MagicRabbitState* s, const int8_t* home, uint32_t unsettled, uint32_t shown,
    const int8_t* hat_at, int base, int private, Plan* plan,
) noexcept nogil:
    """Add switches of free piles that bring a rabbit home, or give a rabbit at home its hat.

    The former are a little better, and so are switches that are right for both piles.
    """
    cdef uint32_t free = free_piles(r, s)
    cdef uint32_t left = unsettled & free
    cdef int i, k, score
    while left:
        i = pop_lowest(&left)
        score = base if shown >> i & 1 else base + private
        if home[i] != i:
            k = home[i]
            if free >> k & 1:
                add(plan, pair(SWITCH_PILES, i, k), score + BRINGS_HOME + SETTLES_TWO * (home[k] == i))
        else:
            k = hat_at[i]
            if free >> k & 1:
                score += SETTLES_TWO * (home[k] == k and s.hats[i] == k + 1)
                add(plan, pair(SWITCH_HATS, i, k), score)


cdef int score_lifts(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, const Unknowns* u
) noexcept nogil:
    """Return the score of lifting the best fresh pile: LIFT_FRESH, LIFT_LATE, or LIFT_LAST if the team has to guess."""
    cdef int left = turns_left(r, s)
    if k.n_fresh < 2:
        return LIFT_LAST
    if k.n_unknown == k.n_fresh:                # the seat knows what the team knows
        return LIFT_FRESH if u.least != left else LIFT_LAST
    if k.n_fresh > 2:
        # A team mate knows some of them. Of two seats, it can show them before the lifts that matter.
        return LIFT_LATE if k.n_fresh <= FEW_FRESH and r.seats == 2 else LIFT_FRESH
    if k.n_unknown > MAX_GUESSED:
        return LIFT_LATE
    # Lifting now succeeds in the cases with a turn to spare, not lifting in half of all cases.
    return LIFT_FRESH if 2 * count_within(u, left - 1) >= count_within(u, left) else LIFT_LATE


cdef void plan_lifts(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, const int8_t* hat_at, Plan* plan
) noexcept nogil:
    """Add lifts of free piles with a rabbit that the seat does not know; if the team has to guess, add its switches.

    If a dove is on the pile that should be lifted next, a switch is better than another lift.
    """
    cdef Unknowns u
    cdef uint32_t free = free_piles(r, s)
    cdef int i, slack, loss, fresh, score
    reduce(r, s, k, &u)
    slack = turns_left(r, s) - u.least + k.n_unknown - k.n_fresh        # team mates have lifted some
    fresh = score_lifts(r, s, k, &u)
    for i in range(u.n):
        if not free >> u.piles[i] & 1:
            continue
        score = LIFT_KNOWN if k.lifted >> u.piles[i] & 1 else fresh
        if score > LIFT_KNOWN:
            loss = loss_of_lift(&u, i, slack)
            score = (LIFT_LATE if loss > SMALL_LOSS else fresh) - loss
        add(plan, LIFT + u.piles[i] + 1, score)
    if fresh == LIFT_LAST and k.n_fresh >= 2:
        guess(&u)
        plan_switches(r, s, u.home, unsettled_piles(u.home, s.hats, r.piles), 0, hat_at, GUESS, 0, plan)


cdef void plan_early_hats(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, const int8_t* hat_at, Plan* plan
) noexcept nogil:
    """Add switches that give a known rabbit its hat before it is home."""
    cdef uint32_t free = free_piles(r, s)
    cdef uint32_t left = free & k.unsettled
    cdef int i
    while left:
        i = pop_lowest(&left)
        if k.home[i] != i and s.hats[i] != k.home[i] + 1 and free >> hat_at[k.home[i]] & 1:
            add(plan, pair(SWITCH_HATS, i, hat_at[k.home[i]]), EARLY_HAT)


cdef void plan_action(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Plan* plan
) noexcept nogil:
    """List actions worth trying with their scores; at least one."""
    cdef int8_t hat_at[MAX_PILES]
    cdef uint32_t free = free_piles(r, s)
    plan.n = 0
    if r.may_end and k.n_unknown == 0 and k.unsettled == 0:
        add(plan, DONE, FINISHED)
        return
    place_hats(r, s, hat_at)
    plan_switches(r, s, k.home, k.unsettled, k.shown, hat_at, SWITCH, PRIVATE, plan)
    if k.n_unknown > 0:
        plan_lifts(r, s, k, hat_at, plan)
    plan_early_hats(r, s, k, hat_at, plan)
    if plan.n > 0:
        return
    while free:
        add(plan, LIFT + pop_lowest(&free) + 1, IDLE)


# ---- Doves -------------------------------------------------------------------------------------------------

# 0.4 ** n, for n tasks
cdef double* POWERS = [1.0, 0.4, 0.16, 0.064, 0.0256, 0.01024, 0.004096, 0.0016384, 0.00065536, 0.000262144]


cdef inline double less_idleness(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Tasks* tasks, uint32_t blocked, double score,
    double bound,
) noexcept nogil:
    """A score less a penalty for next seats that find little to do, of whom the first counts most.

    Exact if above `bound`.
    """
    cdef double idle = 0.0, weight = 1.0
    cdef int _i, seat = s.seat
    for _i in range(r.seats):
        seat = seat + 1 if seat + 1 < r.seats else 0
        idle += weight * POWERS[count_work(tasks, blocked, seat)]
        if score - idle <= bound:
            break
        weight *= 0.7
    return score - idle


cdef inline double stay_score(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Tasks* tasks
) noexcept nogil:
    """Score of leaving the doves where they are: a move has to be worth it."""
    return less_idleness(r, s, tasks, blocked_tasks(tasks, s.doves), 0.05, -INFINITY)


cdef inline double dove_score(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Tasks* tasks, uint32_t others, int start, int end,
    double bound,
) noexcept nogil:
    """Score a move of a dove: it should hinder little, and let the next seats find work. Exact if above `bound`.

    `others` are the tasks that the other doves block.
    """
    cdef double score = 0.15 * (tasks.weights[start] - tasks.weights[end])
    if score <= bound:
        return score
    return less_idleness(r, s, tasks, others | tasks.on_pile[end], score, bound)


cdef move_t best_dove_move(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Rng* rng
) noexcept nogil:
    """The move with the best score; ties are broken at random."""
    cdef Tasks tasks
    cdef uint32_t doves = s.doves
    cdef uint32_t others, ends
    cdef move_t best = STAY
    cdef double score, best_score
    cdef int start, end
    if s.doves == 0:
        return STAY
    list_tasks(r, s, k, s.seat, &tasks)
    best_score = stay_score(r, s, &tasks)
    while doves:
        start = pop_lowest(&doves)
        others = blocked_tasks(&tasks, s.doves ^ (<uint32_t>1 << start))
        ends = free_piles(r, s)
        while ends:
            end = pop_lowest(&ends)
            score = dove_score(r, s, &tasks, others, start, end, best_score - 0.001)
            if score > best_score - 0.001:
                score += 0.001 * rng_double(rng)
                if score > best_score:
                    best_score = score
                    best = MOVE_DOVE + FIRST_PILE * (start + 1) + end + 1
    return best


# ---- The contract ------------------------------------------------------------------------------------------

cdef move_t magic_rabbit_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil:
    """The best move of the policy; ties are broken at random."""
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    cdef Insight k
    cdef Plan plan
    cdef double score, best_score = -1.0
    cdef int i, best = 0
    look(r, s, s.seat, &k)
    if s.phase == DOVE:
        return best_dove_move(r, s, &k, rng)
    plan_action(r, s, &k, &plan)
    for i in range(plan.n):
        score = plan.scores[i] + rng_double(rng)
        if score > best_score:
            best_score = score
            best = i
    return plan.moves[best]


cdef void magic_rabbit_priors(
    const void* rules, const void* state, const move_t* moves, int n, double* out
) noexcept nogil:
    """The scores of the policy as weights."""
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    cdef Insight k
    look(r, s, s.seat, &k)
    if s.phase == DOVE:
        weigh_doves(r, s, &k, moves, n, out)
    else:
        weigh_actions(r, s, &k, moves, n, out)


cdef void weigh_actions(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, const move_t* moves, int n, double* out
) noexcept nogil:
    """Halve the weight for every hundred below the best score; moves outside the plan get almost nothing."""
    cdef Plan plan
    cdef int i, m, best = 0
    plan_action(r, s, k, &plan)
    for i in range(plan.n):
        best = max(best, plan.scores[i])
    for m in range(n):
        out[m] = 0.01
        for i in range(plan.n):
            if plan.moves[i] == moves[m]:
                out[m] = max(out[m], exp(0.007 * (plan.scores[i] - best)))


cdef void weigh_doves(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, const move_t* moves, int n, double* out
) noexcept nogil:
    cdef Tasks tasks
    cdef uint32_t others
    cdef double best = -1e9
    cdef int m, start, end
    list_tasks(r, s, k, s.seat, &tasks)
    for m in range(n):
        start, end = first_pile(moves[m]), second_pile(moves[m])
        if moves[m] == STAY:
            out[m] = stay_score(r, s, &tasks)
        else:
            others = blocked_tasks(&tasks, s.doves ^ (<uint32_t>1 << start))
            out[m] = dove_score(r, s, &tasks, others, start, end, -INFINITY)
        best = max(best, out[m])
    for m in range(n):
        out[m] = exp(6.0 * (out[m] - best))
