"""The policy of Magic Rabbit: what is worth doing, by the knowledge of the seat to move.

A turn is well spent on one of two things. It lifts a rabbit that nobody knows: all but one have to be lifted. Or it
switches hats or piles so that one switch fewer is left: it brings a rabbit home, or gives a rabbit at home its hat.
Turns are wasted if a seat does not know what its team mates know. Hence:

  * Work on rabbits that only this seat knows comes first: it shows them to the others. Then come lifts, which leave the
    others the work that everybody knows of. Switches that anybody could make come last.
  * Of the last two unknown rabbits one is lifted if there is a turn to spare; otherwise the team has to guess, which
    succeeds half the time. The same goes for the last three.
  * Doves go where nothing is left to do, so that the next seats find work.
  * Without an hourglass, a seat that knows that everything is done says so.
"""

from libc.math cimport INFINITY, exp
from libc.string cimport memcpy, memset

from aiplay._core.bits cimport pop_lowest
from aiplay._core.games.magic_rabbit.insight cimport (
    UNKNOWN, Insight, Tasks, count_cycles, count_work, fewest_switches, list_tasks, look, place_hats,
)
from aiplay._core.games.magic_rabbit.state cimport (
    DONE, DOVE, FIRST_PILE, LIFT, MAX_PILES, MOVE_DOVE, STAY, SWITCH_HATS, SWITCH_PILES, MagicRabbitRules,
    MagicRabbitState, all_piles, first_pile, free_piles, second_pile, turns_left,
)
from aiplay._core.rng cimport Rng, rng_double
from aiplay._core.typedefs cimport int8_t, move_t, uint8_t, uint32_t

cdef enum:
    MAX_GUESSED = 5         # unknown rabbits of which all arrangements are tried: 120
    MAX_FRESH = 4           # the same if nobody has lifted any of them: a guess among more is hopeless
    MAX_PLAN = 64           # moves of a plan

cdef enum:                  # scores of `plan_action`, the highest comes first
    FINISHED = 2000         # everything is done, and there is no hourglass to wait for
    PRIVATE = 500           # bonus: only this seat can do it, and doing it shows the rabbit to all
    LIFT_FRESH = 800        # a rabbit that nobody knows
    SWITCH = 700            # a switch that brings a rabbit home or gives it its hat
    LIFT_LATE = 690         # the last lift, if it is better to decide about it later
    GUESS = 600             # a switch that is right if the guess is
    LIFT_KNOWN = 500        # a rabbit that a team mate knows
    LIFT_LAST = 450         # the last unknown rabbit, which the team can deduce
    EARLY_HAT = 300         # the right hat for a rabbit that is not home: useful, but it tells nothing
    IDLE = 0                # lift a pile again
    BRINGS_HOME = 50        # bonus over a switch of hats
    SETTLES_TWO = 20        # bonus for a switch that is right for both


cdef struct Outlook:                    # all arrangements of the rabbits that a seat does not know
    int least                           # fewest switches of any of them
    int n_early                         # arrangements that can be sorted with a turn to spare
    int n_just                          # arrangements that need the last turn
    int8_t home[MAX_PILES]              # the first arrangement with the fewest switches


cdef struct Unknowns:                   # the rabbits that a seat does not know, and the known ones between them
    int n
    int8_t piles[MAX_PILES]             # piles with an unknown rabbit, ascending
    int8_t numbers[MAX_PILES]           # unknown rabbits, ascending
    int8_t home[MAX_PILES]              # homes of all rabbits, with numbers[i] on piles[i]
    int8_t after_number[MAX_PILES]      # index of the first unknown pile, going from numbers[i] along known homes
    int8_t after_pile[MAX_PILES]        # index of the first unknown number, going from piles[i] along known hats


cdef struct Plan:                       # moves worth trying
    int n
    move_t moves[MAX_PLAN]
    int scores[MAX_PLAN]                # the higher, the better


# ---- The rabbits that the seat does not know -----------------------------------------------------------------

cdef inline void swap(int8_t* numbers, int i, int k) noexcept nogil:
    cdef int8_t kept = numbers[i]
    numbers[i] = numbers[k]
    numbers[k] = kept


cdef bint next_order(int8_t* numbers, int n) noexcept nogil:
    """Make the next permutation in lexicographic order; return False after the last."""
    cdef int i = n - 2
    cdef int k = n - 1
    while i >= 0 and numbers[i] > numbers[i + 1]:
        i -= 1
    if i < 0:
        return False
    while numbers[k] < numbers[i]:
        k -= 1
    swap(numbers, i, k)
    i += 1
    k = n - 1
    while i < k:
        swap(numbers, i, k)
        i += 1
        k -= 1
    return True


cdef int reduce(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Unknowns* u
) noexcept nogil:
    """Reduce the two permutations of `fewest_switches` to the unknown rabbits.

    Return the switches that would be needed if the unknown rabbits made no cycle. Each cycle saves one, so for every
    arrangement of the unknown rabbits only the cycles of two short permutations have to be counted.
    """
    cdef int8_t place[MAX_PILES]                # of each known rabbit
    cdef int8_t rank[MAX_PILES]                 # of each unknown pile, and of each unknown number
    cdef uint32_t numbers = all_piles(r)
    cdef int i, at
    memset(place, UNKNOWN, MAX_PILES)
    memcpy(u.home, k.home, MAX_PILES)
    u.n = 0
    for i in range(r.piles):
        if k.home[i] == UNKNOWN:
            u.piles[u.n] = <int8_t>i
            rank[i] = <int8_t>u.n
            u.n += 1
        else:
            place[k.home[i]] = <int8_t>i
            numbers &= ~(<uint32_t>1 << k.home[i])
    for i in range(u.n):
        u.numbers[i] = <int8_t>pop_lowest(&numbers)
        u.home[u.piles[i]] = u.numbers[i]
        at = u.numbers[i]
        while k.home[at] != UNKNOWN:
            at = k.home[at]
        u.after_number[i] = rank[at]
    for i in range(u.n):
        rank[u.numbers[i]] = <int8_t>i
    for i in range(u.n):
        at = u.piles[i]
        while place[s.hats[at] - 1] != UNKNOWN:
            at = place[s.hats[at] - 1]
        u.after_pile[i] = rank[s.hats[at] - 1]
    return (
        fewest_switches(u.home, s.hats, r.piles)
        + count_cycles(u.after_number, u.n) + count_cycles(u.after_pile, u.n)
    )


cdef void look_ahead(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Outlook* out
) noexcept nogil:
    """Try every arrangement of the rabbits that the seat does not know. Before: there are 1 .. MAX_GUESSED."""
    cdef Unknowns u
    cdef int8_t order[MAX_GUESSED]              # of the unknown numbers, on the unknown piles
    cdef int8_t inverse[MAX_GUESSED]
    cdef int8_t rabbits[MAX_GUESSED]
    cdef int8_t hats[MAX_GUESSED]
    cdef int budget = turns_left(r, s)
    cdef int most = reduce(r, s, k, &u)         # switches if the unknown rabbits made no cycle
    cdef int i, switches
    for i in range(u.n):
        order[i] = <int8_t>i
    out.least = 2 * MAX_PILES
    out.n_early = out.n_just = 0
    while True:
        for i in range(u.n):
            inverse[order[i]] = <int8_t>i
        for i in range(u.n):
            rabbits[i] = u.after_number[order[i]]
            hats[i] = inverse[u.after_pile[i]]
        switches = most - count_cycles(rabbits, u.n) - count_cycles(hats, u.n)
        out.n_early += switches < budget
        out.n_just += switches == budget
        if switches < out.least:
            out.least = switches
            for i in range(u.n):
                u.home[u.piles[i]] = u.numbers[order[i]]
            memcpy(out.home, u.home, MAX_PILES)
        if not next_order(order, u.n):
            return


# ---- What to do --------------------------------------------------------------------------------------------

cdef inline void add(Plan* plan, move_t move, int score) noexcept nogil:
    plan.moves[plan.n] = move
    plan.scores[plan.n] = score
    plan.n += 1


cdef inline move_t pair(int kind, int i, int k) noexcept nogil:
    """The move that switches two piles or their hats."""
    return kind + FIRST_PILE * (i + 1) + k + 1 if i < k else kind + FIRST_PILE * (k + 1) + i + 1


cdef void plan_switches(
    const MagicRabbitRules* r, const MagicRabbitState* s, const int8_t* home, uint32_t shown,
    const int8_t* hat_at, int base, int private, Plan* plan,
) noexcept nogil:
    """Add switches of free piles that bring a rabbit home, or give a rabbit at home its hat.

    The former are a little better, and so are switches that are right for both piles.
    """
    cdef uint32_t free = free_piles(r, s)
    cdef int i, k, score
    for i in range(r.piles):
        if not free >> i & 1 or home[i] == UNKNOWN:
            continue
        score = base if shown >> i & 1 else base + private
        if home[i] != i:
            k = home[i]
            if free >> k & 1:
                add(plan, pair(SWITCH_PILES, i, k), score + BRINGS_HOME + SETTLES_TWO * (home[k] == i))
        elif s.hats[i] != i + 1:
            k = hat_at[i]
            if free >> k & 1:
                score += SETTLES_TWO * (home[k] == k and s.hats[i] == k + 1)
                add(plan, pair(SWITCH_HATS, i, k), score)


cdef int plan_last_lift(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, const int8_t* hat_at, Plan* plan
) noexcept nogil:
    """Return the score of lifting a fresh pile; if the team has to guess, add the switches of the guess.

    Near the end there may be no time to lift one of the last two rabbits. Then the team guesses.
    """
    cdef Outlook outlook
    if k.n_fresh < 2:
        return LIFT_LAST
    if k.n_fresh > 2 and (k.n_unknown > k.n_fresh or k.n_unknown > MAX_FRESH):
        return LIFT_FRESH
    if k.n_unknown > MAX_GUESSED:
        return LIFT_LATE
    look_ahead(r, s, k, &outlook)
    if k.n_unknown > k.n_fresh:
        # A team mate knows some of them. Lifting now succeeds in n_early cases, not lifting in half of all cases.
        return LIFT_FRESH if 2 * outlook.n_early >= outlook.n_early + outlook.n_just else LIFT_LATE
    if outlook.least != turns_left(r, s):
        return LIFT_FRESH
    plan_switches(r, s, outlook.home, 0, hat_at, GUESS, 0, plan)
    return LIFT_LAST


cdef bint is_finished(const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k) noexcept nogil:
    """True if the seat knows that every rabbit is home, under its hat."""
    cdef int i
    for i in range(r.piles):
        if k.home[i] != i or s.hats[i] != i + 1:
            return False
    return True


cdef void plan_action(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Plan* plan
) noexcept nogil:
    """List actions worth trying with their scores; at least one."""
    cdef int8_t hat_at[MAX_PILES]
    cdef uint32_t free = free_piles(r, s)
    cdef int fresh = LIFT_LAST
    cdef int i
    plan.n = 0
    if r.may_end and is_finished(r, s, k):
        add(plan, DONE, FINISHED)
        return
    place_hats(r, s, hat_at)
    plan_switches(r, s, k.home, k.shown, hat_at, SWITCH, PRIVATE, plan)
    if k.n_unknown > 0:
        fresh = plan_last_lift(r, s, k, hat_at, plan)
    for i in range(r.piles):
        if free >> i & 1 and k.home[i] == UNKNOWN:
            add(plan, LIFT + i + 1, LIFT_KNOWN if k.lifted >> i & 1 else fresh)
    if plan.n > 0:
        return
    for i in range(r.piles):
        if free >> i & 1:
            add(plan, LIFT + i + 1, IDLE)
            if k.home[i] != UNKNOWN and s.hats[i] != k.home[i] + 1 and free >> hat_at[k.home[i]] & 1:
                add(plan, pair(SWITCH_HATS, i, hat_at[k.home[i]]), EARLY_HAT)


# ---- Doves -------------------------------------------------------------------------------------------------

# 0.4 ** n, for n tasks
cdef double* POWERS = [1.0, 0.4, 0.16, 0.064, 0.0256, 0.01024, 0.004096, 0.0016384, 0.00065536, 0.000262144]


cdef inline double idleness(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Tasks* tasks, uint32_t doves
) noexcept nogil:
    """A penalty for next seats that find little to do; the first of them counts most."""
    cdef double idle = 0.0, weight = 1.0
    cdef int _i, seat = s.seat
    for _i in range(r.seats):
        seat = seat + 1 if seat + 1 < r.seats else 0
        idle += weight * POWERS[count_work(tasks, doves, seat)]
        weight *= 0.7
    return idle


cdef double dove_score(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Tasks* tasks, move_t move, double bound
) noexcept nogil:
    """Score a move of a dove: it should hinder little, and let the next seats find work. Exact if above `bound`."""
    cdef int start = first_pile(move)
    cdef int end = second_pile(move)
    cdef double score
    if move == STAY:
        return 0.05 - idleness(r, s, tasks, s.doves)       # a move has to be worth it
    score = 0.15 * (tasks.weights[start] - tasks.weights[end])
    return score if score <= bound else score - idleness(r, s, tasks, s.doves ^ (1 << start) ^ (1 << end))


cdef move_t best_dove_move(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Rng* rng
) noexcept nogil:
    """The move with the best score; ties are broken at random."""
    cdef Tasks tasks
    cdef const uint8_t* free = r.members[free_piles(r, s)]
    cdef const uint8_t* doves = r.members[s.doves]
    cdef move_t move, best = STAY
    cdef double score, best_score
    cdef int i, m
    if s.doves == 0:
        return STAY
    list_tasks(r, s, k, s.seat, &tasks)
    best_score = dove_score(r, s, &tasks, STAY, -INFINITY)
    for i in range(r.piles - r.n_free):
        for m in range(r.n_free):
            move = MOVE_DOVE + FIRST_PILE * doves[i] + free[m]
            score = dove_score(r, s, &tasks, move, best_score - 0.001)
            if score > best_score - 0.001:
                score += 0.001 * rng_double(rng)
                if score > best_score:
                    best_score = score
                    best = move
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
    cdef double best = -1e9
    cdef int m
    list_tasks(r, s, k, s.seat, &tasks)
    for m in range(n):
        out[m] = dove_score(r, s, &tasks, moves[m], -INFINITY)
        best = max(best, out[m])
    for m in range(n):
        out[m] = exp(6.0 * (out[m] - best))
