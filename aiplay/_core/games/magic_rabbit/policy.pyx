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
    UNKNOWN, Insight, Tasks, blocked_tasks, count_cycles, count_work, fewest_switches, list_tasks, look, place_hats,
    unsettled_piles,
)
from aiplay._core.games.magic_rabbit.state cimport (
    DONE, DOVE, FIRST_PILE, LIFT, MAX_GUESSED, MAX_PILES, MOVE_DOVE, N_CYCLE_SUMS, STAY, SWITCH_HATS, SWITCH_PILES,
    MagicRabbitRules, MagicRabbitState, all_piles, first_pile, free_piles, second_pile, turns_left,
)
from aiplay._core.rng cimport Rng, rng_double
from aiplay._core.typedefs cimport int8_t, move_t, uint8_t, uint32_t

cdef enum:
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


cdef struct Unknowns:                   # the rabbits that a seat does not know, and the known ones between them
    int n
    int most                            # switches that would be needed if the unknown rabbits made no cycle
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


cdef void reduce(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Unknowns* u
) noexcept nogil:
    """Reduce the two permutations of `fewest_switches` to the unknown rabbits.

    Each cycle saves a switch, so for every arrangement of the unknown rabbits only the cycles of two short permutations
    have to be counted.
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
    u.most = fewest_switches(u.home, s.hats, r.piles)
    u.most += count_cycles(u.after_number, u.n) + count_cycles(u.after_pile, u.n)


cdef inline int cycles_of(const Unknowns* u, const int8_t* order) noexcept nogil:
    """Cycles of both permutations with the unknown numbers in this order on the unknown piles."""
    cdef int8_t inverse[MAX_GUESSED]
    cdef int8_t rabbits[MAX_GUESSED]
    cdef int8_t hats[MAX_GUESSED]
    cdef int i
    for i in range(u.n):
        inverse[order[i]] = <int8_t>i
    for i in range(u.n):
        rabbits[i] = u.after_number[order[i]]
        hats[i] = inverse[u.after_pile[i]]
    return count_cycles(rabbits, u.n) + count_cycles(hats, u.n)


cdef int cycle_type(const int8_t* to, int n, int* n_cycles) noexcept nogil:
    """The sum of the squared lengths of the cycles of a permutation, which tells their lengths if n <= MAX_GUESSED."""
    cdef uint32_t left = (<uint32_t>1 << n) - 1
    cdef int i, length, total = 0
    n_cycles[0] = 0
    while left:
        i = pop_lowest(&left)
        length = 1
        while left >> to[i] & 1:
            i = to[i]
            left &= ~(<uint32_t>1 << i)
            length += 1
        total += length * length
        n_cycles[0] += 1
    return total


cdef void look_ahead(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Unknowns* u, Outlook* out
) noexcept nogil:
    """Count the arrangements of the rabbits that the seat does not know. Before: there are 1 .. MAX_GUESSED.

    With A = after_number, B = after_pile and an order q, the two permutations are Aq and the inverse of q times B. The
    latter has the cycles of the inverse of AB times Aq. While q takes all values, so does Aq: the number of orders with
    so many cycles depends on AB alone, and only on the lengths of its cycles. It is in `MagicRabbitRules.orders`. The
    most cycles are those of Aq = 1.
    """
    cdef int8_t both[MAX_GUESSED]
    cdef const uint8_t* orders
    cdef int i, n_cycles, n_needed = u.most - turns_left(r, s)
    for i in range(u.n):
        both[i] = u.after_number[u.after_pile[i]]
    orders = r.orders[u.n][cycle_type(both, u.n, &n_cycles)]
    out.least = u.most - u.n - n_cycles
    out.n_early = orders[min(max(n_needed + 1, 0), N_CYCLE_SUMS - 1)]
    out.n_just = orders[min(max(n_needed, 0), N_CYCLE_SUMS - 1)] - out.n_early


cdef void guess(Unknowns* u, int least) noexcept nogil:
    """Arrange the unknown rabbits so that they need `least` switches; of several such orders in the first."""
    cdef int8_t order[MAX_GUESSED]
    cdef int i
    for i in range(u.n):
        order[i] = <int8_t>i
    while u.most - cycles_of(u, order) != least and next_order(order, u.n):
        pass
    for i in range(u.n):
        u.home[u.piles[i]] = u.numbers[order[i]]


cdef void add_orders(const Unknowns* u, uint8_t* orders) noexcept nogil:
    """Count every order of the unknown rabbits under all numbers of cycles that it reaches."""
    cdef int8_t order[MAX_GUESSED]
    cdef int i, n_cycles
    cdef bint is_valid = True
    for i in range(u.n):
        order[i] = <int8_t>i
    while is_valid:
        for n_cycles in range(cycles_of(u, order) + 1):
            orders[n_cycles] += 1
        is_valid = next_order(order, u.n)


cdef void count_orders(MagicRabbitRules* r) noexcept nogil:
    cdef Unknowns u
    cdef int i, n_cycles
    cdef uint8_t* orders
    cdef bint is_valid
    memset(r.orders, 0, sizeof(r.orders))
    for u.n in range(1, MAX_GUESSED + 1):
        for i in range(u.n):
            u.after_number[i] = u.after_pile[i] = <int8_t>i
        is_valid = True
        while is_valid:
            orders = r.orders[u.n][cycle_type(u.after_pile, u.n, &n_cycles)]
            if orders[0] == 0:                  # the first permutation of its type
                add_orders(&u, orders)
            is_valid = next_order(u.after_pile, u.n)


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


cdef int plan_last_lift(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, const int8_t* hat_at, Plan* plan
) noexcept nogil:
    """Return the score of lifting a fresh pile; if the team has to guess, add the switches of the guess.

    Near the end there may be no time to lift one of the last two rabbits. Then the team guesses.
    """
    cdef Outlook outlook
    cdef Unknowns u
    if k.n_fresh < 2:
        return LIFT_LAST
    if k.n_fresh > 2 and (k.n_unknown > k.n_fresh or k.n_unknown > MAX_FRESH):
        return LIFT_FRESH
    if k.n_unknown > MAX_GUESSED:
        return LIFT_LATE
    reduce(r, s, k, &u)
    look_ahead(r, s, &u, &outlook)
    if k.n_unknown > k.n_fresh:
        # A team mate knows some of them. Lifting now succeeds in n_early cases, not lifting in half of all cases.
        return LIFT_FRESH if 2 * outlook.n_early >= outlook.n_early + outlook.n_just else LIFT_LATE
    if outlook.least != turns_left(r, s):
        return LIFT_FRESH
    guess(&u, outlook.least)
    plan_switches(r, s, u.home, unsettled_piles(u.home, s.hats, r.piles), 0, hat_at, GUESS, 0, plan)
    return LIFT_LAST


cdef void plan_action(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Plan* plan
) noexcept nogil:
    """List actions worth trying with their scores; at least one."""
    cdef int8_t hat_at[MAX_PILES]
    cdef uint32_t free = free_piles(r, s)
    cdef uint32_t left
    cdef int fresh, i
    plan.n = 0
    if r.may_end and k.n_unknown == 0 and k.unsettled == 0:
        add(plan, DONE, FINISHED)
        return
    place_hats(r, s, hat_at)
    plan_switches(r, s, k.home, k.unsettled, k.shown, hat_at, SWITCH, PRIVATE, plan)
    if k.n_unknown > 0:
        fresh = plan_last_lift(r, s, k, hat_at, plan)
        left = free & ~k.known
        while left:
            i = pop_lowest(&left)
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
