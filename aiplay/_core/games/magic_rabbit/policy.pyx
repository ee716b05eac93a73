"""Magic Rabbit, the judgement: what actions tell, what is worth doing, and how good a position is.

A turn is well spent on one of two things. A rabbit that nobody knows is lifted: all but one have to be, the last is
what remains. Or a switch makes the arrangement one switch shorter, and any switch does that which brings a rabbit
home or gives a rabbit at home its hat. With S switches and L lifts to go, a team that never wastes a turn needs S +
L turns: `slack` is what it has beyond that, and the turns that are lost are lost because somebody does not know
what a team mate knows. So what counts is:

  * Actions speak. Who has lifted a pile and then moves it shows that it is home now; who gives it the hat of its place
    shows that it was home already. Such a pile is `shown`, and from then on everybody can work on it.
  * Rabbits that only I know first: that shows them. Then lifts, so that the others do not run out of work that all know
    of; switches that anybody could make last.
  * Of the last two unknown rabbits one is lifted, if there is a turn to spare; else the team has to guess, which
    succeeds half the time. The same rule at three.
  * Doves go where nothing is left to do, so that the next seats find work.
"""

from libc.math cimport INFINITY, exp
from libc.string cimport memcpy, memset

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.magic_rabbit.state cimport (
    DOVE, LIFT, MOST_PILES, MOVE_DOVE, STAY, SWITCH_HATS, SWITCH_PILES, MagicRabbitRules,
    MagicRabbitState, all_piles, free_piles, seat_of_turn, turns_left,
)
from aiplay._core.rng cimport Rng, rng_below, rng_double
from aiplay._core.typedefs cimport int8_t, move_t, seat_t, uint8_t, uint32_t

cdef enum:
    UNKNOWN = -1
    NOBODY = -1
    MOST_GUESSED = 5        # unknown rabbits whose arrangements are all looked at: 120
    MOST_FRESH = 4          # the same, if nobody has lifted any of them: a guess among more is hopeless

cdef enum:                  # scores of `plan_action`: what comes first
    PRIVATE = 500           # bonus: only this seat can do it, and doing it shows the rabbit to all
    LIFT_FRESH = 800        # a rabbit that nobody knows
    SWITCH = 700            # a switch that brings a rabbit home or gives it its hat
    LIFT_LATE = 690         # the last lift, while it is better to know more before deciding about it
    GUESS = 600             # a switch that is right if the guess is
    LIFT_KNOWN = 500        # a rabbit that a team mate knows
    LIFT_LAST = 450         # the one that the team can work out
    EARLY_HAT = 300         # the right hat for a rabbit that is not home: right, but it tells nothing
    IDLE = 0                # lift something again
    BRINGS_HOME = 50        # bonus over a switch of hats
    SETTLES_TWO = 20        # bonus of a switch that does good to both


# ---- What a seat knows -------------------------------------------------------------------------------------

cdef inline bint knew(const MagicRabbitState* s, int pile, int seat, int turn) noexcept nogil:
    """Whether the seat had lifted what lies on this pile before that turn."""
    return 0 < s.lifted[pile][seat] < turn


cdef inline bint is_doubtful(
    const MagicRabbitRules* r, const MagicRabbitState* s, int pile, int actor, int turn, seat_t me
) noexcept nogil:
    """Whether the switch that brought the pile here may have been made for the sake of the other pile.

    `me` can tell if it has lifted the other one and it is not home.
    """
    cdef int i
    for i in range(r.piles):
        if i != pile and s.switched[i] == turn and knew(s, i, actor, turn):
            return me == NOBODY or s.lifted[i][me] == 0 or s.rabbits[i] == i + 1
    return False


cdef inline bint is_shown(
    const MagicRabbitRules* r, const MagicRabbitState* s, int pile, seat_t me
) noexcept nogil:
    """Whether somebody who knew the rabbit brought it here, or gave it the hat of this place."""
    cdef int turn = s.switched[pile]
    cdef int actor
    if turn:
        actor = seat_of_turn(r, s, turn)
        if knew(s, pile, actor, turn) and not is_doubtful(r, s, pile, actor, turn, me):
            return True
    turn = s.rehatted[pile]
    if turn > s.switched[pile] and s.hats[pile] == pile + 1:
        return knew(s, pile, seat_of_turn(r, s, turn), turn)
    return False


cdef void look(const MagicRabbitRules* r, const MagicRabbitState* s, seat_t me, Insight* k) noexcept nogil:
    """What seat `me` knows or believes. Reads no rabbit that it has not lifted."""
    cdef uint32_t numbers = 0, unknown = 0
    cdef uint32_t by_all
    cdef int i
    k.shown = k.lifted = 0
    for i in range(r.piles):
        memcpy(&by_all, s.lifted[i], 4)
        if by_all:
            k.lifted |= 1 << i
        k.home[i] = UNKNOWN
        if s.lifted[i][me]:
            k.home[i] = <int8_t>(s.rabbits[i] - 1)
            numbers |= 1 << k.home[i]
    for i in range(r.piles):
        if k.lifted >> i & 1 and is_shown(r, s, i, me):
            if k.home[i] == UNKNOWN and not numbers >> i & 1:
                k.home[i] = <int8_t>i
                numbers |= 1 << i
            if k.home[i] == i:
                k.shown |= 1 << i
        if k.home[i] == UNKNOWN:
            unknown |= 1 << i
    if popcount(unknown) == 1:                  # Rules: who knows all but one knows the last
        k.home[lowest_bit(unknown)] = <int8_t>lowest_bit(all_piles(r) & ~numbers)
        unknown = 0
    k.n_unknown = popcount(unknown)
    k.n_fresh = popcount(unknown & ~k.lifted)
    k.n_misleading = 0


cdef void magic_rabbit_believe(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    """A world as likely as what the team did makes it: rabbits that were shown are home, but for one in 64.

    Where a switch may have been made for either of its piles, a coin decides which of them is home.
    """
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef MagicRabbitState* s = <MagicRabbitState*>state
    cdef uint8_t rabbits[MOST_PILES]
    cdef uint8_t numbers[MOST_PILES]
    cdef uint32_t seen = 0
    cdef int n_rabbits = min(max(s.n_dealt - r.piles, 0), r.piles)
    cdef int i, k, n = 0
    memcpy(rabbits, s.rabbits, MOST_PILES)
    for i in range(n_rabbits):
        seen |= <uint32_t>1 << rabbits[i]
    # 1. Believe what was shown, as far as it does not contradict what the seat has seen.
    for i in range(n_rabbits):
        if rabbits[i] == 0 and not seen >> (i + 1) & 1 and is_believed(r, s, i, seat, rabbits, rng):
            rabbits[i] = <uint8_t>(i + 1)
            seen |= <uint32_t>1 << (i + 1)
    # 2. Deal the rest.
    for i in range(1, r.piles + 1):
        if not seen >> i & 1:
            numbers[n] = <uint8_t>i
            n += 1
    for i in range(n_rabbits):
        if rabbits[i] == 0:
            k = <int>rng_below(rng, n)
            rabbits[i] = numbers[k]
            n -= 1
            numbers[k] = numbers[n]
    memcpy(s.rabbits, rabbits, MOST_PILES)


cdef inline bint is_believed(
    const MagicRabbitRules* r, const MagicRabbitState* s, int pile, seat_t me, const uint8_t* rabbits, Rng* rng
) noexcept nogil:
    """Whether a world should have this pile at home because of what was done to it.

    `rabbits` are those of the world as far as it goes: the seat's own, and those of earlier piles.
    """
    cdef int turn = s.switched[pile]
    cdef int i
    if rng_below(rng, 64) == 0:
        return False
    if is_shown(r, s, pile, me):
        return True
    if turn == 0 or not knew(s, pile, seat_of_turn(r, s, turn), turn):
        return False
    for i in range(r.piles):                    # the other pile of a switch that was made for one of two
        if i != pile and s.switched[i] == turn:
            return s.lifted[i][me] == 0 and (rabbits[i] != i + 1 if i < pile else rng_below(rng, 2) == 0)
    return False


# ---- How far it is -----------------------------------------------------------------------------------------

cdef inline int count_cycles(const int8_t* to, int n) noexcept nogil:
    cdef uint32_t left = (<uint32_t>1 << n) - 1
    cdef int i, count = 0
    while left:
        i = lowest_bit(left)
        count += 1
        while left >> i & 1:
            left &= ~(<uint32_t>1 << i)
            i = to[i]
    return count


cdef int fewest_switches(const int8_t* home, const uint8_t* hats, int n) noexcept nogil:
    """Switches of piles bring rabbits home, one cycle at a time; switches of hats bring hats to their rabbits."""
    cdef int8_t place[MOST_PILES]               # of each rabbit
    cdef int8_t to[MOST_PILES]                  # where the hat of a pile belongs now
    cdef int i
    memset(place, 0, MOST_PILES)
    memset(to, 0, MOST_PILES)
    for i in range(n):
        place[home[i]] = <int8_t>i
    for i in range(n):
        to[i] = place[hats[i] - 1]
    return 2 * n - count_cycles(home, n) - count_cycles(to, n)


cdef int state_switches(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil:
    """The fewest switches of a state, all its rabbits known."""
    cdef int8_t home[MOST_PILES]
    cdef int i
    memset(home, 0, MOST_PILES)
    for i in range(r.piles):
        home[i] = <int8_t>(s.rabbits[i] - 1)
    return fewest_switches(home, s.hats, r.piles)


cdef bint next_order(int8_t* numbers, int n) noexcept nogil:
    """The next permutation in lexicographic order; False after the last."""
    cdef int8_t kept
    cdef int i = n - 2
    cdef int k = n - 1
    while i >= 0 and numbers[i] > numbers[i + 1]:
        i -= 1
    if i < 0:
        return False
    while numbers[k] < numbers[i]:
        k -= 1
    kept = numbers[i]
    numbers[i] = numbers[k]
    numbers[k] = kept
    i += 1
    k = n - 1
    while i < k:
        kept = numbers[i]
        numbers[i] = numbers[k]
        numbers[k] = kept
        i += 1
        k -= 1
    return True


cdef int reduce(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Unknowns* u
) noexcept nogil:
    """What the known rabbits leave of the two permutations behind `fewest_switches`: see `Unknowns`."""
    cdef int8_t place[MOST_PILES]               # of each known rabbit
    cdef int8_t rank[MOST_PILES]                # of each unknown pile, and of each unknown number
    cdef uint32_t numbers = all_piles(r)
    cdef int i, at
    memset(place, UNKNOWN, MOST_PILES)
    memcpy(u.home, k.home, MOST_PILES)
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
        u.numbers[i] = <int8_t>lowest_bit(numbers)
        u.home[u.piles[i]] = u.numbers[i]
        numbers &= numbers - 1
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
    """Try every arrangement of the rabbits that the seat does not know. Before: 1 .. MOST_GUESSED are unknown."""
    cdef Unknowns u
    cdef int8_t order[MOST_GUESSED]             # of the unknown numbers, on the unknown piles
    cdef int8_t inverse[MOST_GUESSED]
    cdef int8_t rabbits[MOST_GUESSED]
    cdef int8_t hats[MOST_GUESSED]
    cdef int budget = turns_left(r, s)
    cdef int most = reduce(r, s, k, &u)         # switches, if the unknown ones made no cycle
    cdef int i, switches
    for i in range(u.n):
        order[i] = <int8_t>i
    out.least = 2 * MOST_PILES
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
            memcpy(out.home, u.home, MOST_PILES)
        if not next_order(order, u.n):
            return


# ---- What to do --------------------------------------------------------------------------------------------

cdef inline void add(Plan* plan, move_t move, int score) noexcept nogil:
    plan.moves[plan.n] = move
    plan.scores[plan.n] = score
    plan.n += 1


cdef inline move_t pair(int base, int i, int k) noexcept nogil:
    return base + 10 * (i + 1) + k + 1 if i < k else base + 10 * (k + 1) + i + 1


cdef inline void place_hats(const MagicRabbitRules* r, const MagicRabbitState* s, int8_t* hat_at) noexcept nogil:
    """The pile on which each hat lies."""
    cdef int i
    memset(hat_at, 0, MOST_PILES)
    for i in range(r.piles):
        hat_at[s.hats[i] - 1] = <int8_t>i


cdef void plan_switches(
    const MagicRabbitRules* r, const MagicRabbitState* s, const int8_t* home, uint32_t shown,
    const int8_t* hat_at, int base, int private, Plan* plan,
) noexcept nogil:
    """Switches of free piles that bring a rabbit home (a little better) or give one at home its hat.

    A switch that settles two at once is a little better too.
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
    """The score of lifting a fresh pile; adds the switches of a guess to the plan where it comes to that.

    Only at the end it matters whether there is time: a team that does not lift one of the last two guesses.
    """
    cdef Outlook outlook
    if k.n_fresh < 2:
        return LIFT_LAST
    if k.n_fresh > 2 and (k.n_unknown > k.n_fresh or k.n_unknown > MOST_FRESH):
        return LIFT_FRESH
    if k.n_unknown > MOST_GUESSED:
        return LIFT_LATE
    look_ahead(r, s, k, &outlook)
    if k.n_unknown > k.n_fresh:
        # A team mate knows some of them. Lifting now succeeds in n_early cases, not lifting in half of all.
        return LIFT_FRESH if 2 * outlook.n_early >= outlook.n_early + outlook.n_just else LIFT_LATE
    if outlook.least != turns_left(r, s):
        return LIFT_FRESH
    plan_switches(r, s, outlook.home, 0, hat_at, GUESS, 0, plan)
    return LIFT_LAST


cdef void plan_action(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Plan* plan
) noexcept nogil:
    """Actions worth thinking of, scored; at least one."""
    cdef int8_t hat_at[MOST_PILES]
    cdef uint32_t free = free_piles(r, s)
    cdef int fresh = LIFT_LAST
    cdef int i
    plan.n = 0
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

cdef inline void add_task(Tasks* tasks, uint32_t places, uint32_t seats) noexcept nogil:
    tasks.places[tasks.n] = places
    tasks.seats[tasks.n] = seats
    tasks.n += 1


cdef inline uint32_t lifters(const MagicRabbitRules* r, const MagicRabbitState* s, int pile) noexcept nogil:
    """The seats that have lifted what lies on this pile."""
    cdef uint32_t seats = 0
    cdef int seat
    for seat in range(r.seats):
        seats |= <uint32_t>(s.lifted[pile][seat] != 0) << seat
    return seats


cdef uint32_t deducers(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k
) noexcept nogil:
    """The seats that know all rabbits but one, and so the last."""
    cdef uint32_t seats = 0
    cdef int seat, i, n_known
    for seat in range(r.seats):
        n_known = 0
        for i in range(r.piles):
            n_known += (s.lifted[i][seat] != 0) | (k.shown >> i & 1)
        seats |= <uint32_t>(n_known >= r.piles - 1) << seat
    return seats


cdef void list_tasks(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, seat_t me, Tasks* tasks
) noexcept nogil:
    """What is still to do as far as `me` knows, by whom, and on which piles.

    `me` can do whatever it knows about; NOBODY knows everything but does nothing.
    """
    cdef int8_t hat_at[MOST_PILES]
    cdef uint32_t everybody = (<uint32_t>1 << r.seats) - 1
    cdef uint32_t own = 0 if me == NOBODY else <uint32_t>1 << me
    cdef uint32_t who
    cdef int i, h
    tasks.n = 0
    for i in range(r.piles):
        tasks.weights[i] = 0.0
    place_hats(r, s, hat_at)
    for i in range(r.piles):
        h = k.home[i]
        who = everybody if k.shown >> i & 1 else lifters(r, s, i) | own
        if who == 0:
            who = deducers(r, s, k)
        if h == UNKNOWN:
            tasks.weights[i] += 2.0 if k.lifted >> i & 1 else 1.5
            if k.lifted >> i & 1:
                add_task(tasks, 1 << i, lifters(r, s, i))
            elif k.n_fresh >= 2:
                add_task(tasks, 1 << i, everybody)
        elif h != i:
            tasks.weights[i] += 2.0
            tasks.weights[h] += 2.0
            add_task(tasks, 1 << i | 1 << h, who)
        elif s.hats[i] != i + 1:
            tasks.weights[i] += 1.0
            tasks.weights[hat_at[i]] += 1.0
            add_task(tasks, 1 << i | 1 << hat_at[i], who)


cdef inline int count_work(const Tasks* tasks, uint32_t doves, int seat) noexcept nogil:
    """How many tasks a seat can do now."""
    cdef int i, count = 0
    for i in range(tasks.n):
        if tasks.seats[i] >> seat & 1 and tasks.places[i] & doves == 0:
            count += 1
    return count


cdef double* POWERS = [1.0, 0.4, 0.16, 0.064, 0.0256, 0.01024, 0.004096, 0.0016384, 0.00065536, 0.000262144]


cdef inline double find_work(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Tasks* tasks, uint32_t doves
) noexcept nogil:
    """How likely it seems that the next seats have nothing to do, the first of them above all."""
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
    """How good a move of a dove is: it hinders little, and the next seats find work. Exact if above `bound`."""
    cdef int start = move % 100 // 10 - 1
    cdef int end = move % 10 - 1
    cdef double score
    if move == STAY:
        return 0.05 - find_work(r, s, tasks, s.doves)       # a move has to be worth it
    score = 0.15 * (tasks.weights[start] - tasks.weights[end])
    return score if score <= bound else score - find_work(r, s, tasks, s.doves ^ (1 << start) ^ (1 << end))


cdef move_t best_dove_move(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Rng* rng
) noexcept nogil:
    """The move with the best score, equals in random order."""
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
            move = MOVE_DOVE + 10 * doves[i] + free[m]
            score = dove_score(r, s, &tasks, move, best_score - 0.001)
            if score > best_score - 0.001:
                score += 0.001 * rng_double(rng)
                if score > best_score:
                    best_score = score
                    best = move
    return best


# ---- What the contract asks --------------------------------------------------------------------------------

cdef move_t magic_rabbit_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil:
    """The best move by the reasoning above; equals are chosen from at random."""
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
    """The scores of the same reasoning, as weights."""
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
    """Half the weight for every hundred below the best score; what is not in the plan gets next to nothing."""
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


cdef double chance_of(double slack, int n_fresh) noexcept nogil:
    """The share of games that a team wins with so many turns to spare, measured where it is not obvious.

    A team that lacks turns can save them only by not lifting: with one missing it guesses between two.
    """
    cdef double low, high
    if slack >= 0:
        return 1.0 - 0.01 / (1.0 + 4.0 * slack)
    low = 0.46 if n_fresh >= 2 else 0.02
    if slack >= -1:
        return 0.99 + slack * (0.99 - low)
    high = low
    low = 0.02 if n_fresh >= 3 else 0.01
    if slack >= -2:
        return high + (slack + 1.0) * (high - low)
    return low / (1.0 + (-2.0 - slack))


cdef void see_all(const MagicRabbitRules* r, const MagicRabbitState* s, Insight* k) noexcept nogil:
    """The truth, and what of it is shown."""
    cdef uint32_t by_all
    cdef int i
    k.shown = k.lifted = 0
    k.n_misleading = 0
    for i in range(r.piles):
        k.home[i] = <int8_t>(s.rabbits[i] - 1)
        memcpy(&by_all, s.lifted[i], 4)
        if by_all:
            k.lifted |= 1 << i
            if is_shown(r, s, i, NOBODY):
                if k.home[i] == i:
                    k.shown |= 1 << i
                else:
                    k.n_misleading += 1
    k.n_fresh = r.piles - popcount(k.lifted)
    k.n_unknown = k.n_fresh
    if k.n_fresh >= 2:                          # nobody can work on a rabbit that nobody knows
        for i in range(r.piles):
            if not k.lifted >> i & 1:
                k.home[i] = UNKNOWN


cdef double expected_waste(
    const MagicRabbitRules* r, const MagicRabbitState* s, Insight* k
) noexcept nogil:
    """Turns that doves and private knowledge will probably cost."""
    cdef Tasks tasks
    cdef uint32_t doves = s.doves
    cdef int i, seat, work, n_private = 0
    cdef double waste = 0.0, weight = 0.5
    list_tasks(r, s, k, NOBODY, &tasks)
    if s.phase == DOVE:
        weight = 0.2                            # a dove may move first
    seat = s.seat
    for i in range(min(r.seats, 2)):
        if s.phase == DOVE or i > 0:
            seat = seat + 1 if seat + 1 < r.seats else 0
        work = count_work(&tasks, doves, seat)
        waste += weight * (1.0 if work == 0 else 0.1 / (work * work))
        weight *= 0.4
    while doves:
        waste += 0.005 * tasks.weights[lowest_bit(doves)]
        doves &= doves - 1
    for i in range(r.piles):
        if k.lifted >> i & 1 and not k.shown >> i & 1:
            n_private += r.seats - popcount(lifters(r, s, i))
    return waste + 0.01 * n_private / r.seats + 0.015 * k.n_fresh + 0.5 * k.n_misleading


cdef void magic_rabbit_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """How likely the team is to succeed: turns to spare after the switches and lifts that are needed."""
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    cdef Insight k
    cdef double slack, value
    cdef int i, switches
    if s.n_dealt < 2 * r.piles:                 # not dealt: as many switches as usual
        slack = r.turns - 1.35 * r.piles - (r.piles - 1)
        value = chance_of(slack, r.piles)
    elif turns_left(r, s) == 0:                 # only a dove is left to move
        value = 1.0 if state_switches(r, s) == 0 else 0.0
    else:
        switches = state_switches(r, s)
        see_all(r, s, &k)
        slack = turns_left(r, s) - switches - max(k.n_fresh - 1, 0)
        if switches > 0:
            slack -= expected_waste(r, s, &k)
        value = chance_of(slack, k.n_fresh)
    for i in range(r.seats):
        out[i] = value
