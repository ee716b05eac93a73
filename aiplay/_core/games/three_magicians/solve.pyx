"""Two small games inside The Three Magicians, solved for `evaluate` when a board is loaded.

The duel is solved exactly (to the precision of a double) by iterating the value of starting over. The solo game
asks how many turns a seat needs for its missing cards if no other seat plays: a stochastic shortest path over
missing cards, Power token, Magician and Apprentice. It is solved approximately, one set of missing cards after the
other, by a few sweeps of value iteration (Bertsekas and Tsitsiklis, "An analysis of stochastic shortest path
problems", 1991).
"""

from libc.string cimport memcpy

from aiplay._core.bits cimport pop_lowest, popcount
from aiplay._core.games.three_magicians.state cimport (
    COUNT_BITS, COUNT_MASK, LABYRINTH, MAX_POINTS, MAX_SPOTS, N_NOTCHES, N_PLACES, N_SETS, N_TAROT, N_WANDS,
    SYMBOL_ARROW, SYMBOL_EMPTY, SYMBOL_STAR, TRIPLE_0, Chances, ThreeMagiciansRules, all_notches, is_triplet,
    own_notches, solo_turns,
)
from aiplay._core.typedefs cimport move_t, uint8_t, uint64_t

cdef enum:
    DUEL_ROUNDS = 60            # each multiplies the error of the duel's value by the chance to start over
    SWEEPS = 4                  # of the solo game for one set of cards

cdef float FAR = 1e9            # turns to something that cannot be reached


# ---- The duel ----------------------------------------------------------------------------------------------

cdef double stop_value(
    const ThreeMagiciansRules* r, int goal, int goal_throws, int n_throws, int points
) noexcept nogil:
    """The thrower's chance to win if it stops; goal_throws is 0 for the first thrower."""
    if not goal_throws:
        return 1.0 - r.second_wins[points][n_throws][0][0][0]
    if points == goal and n_throws == goal_throws:
        return r.first_wins[0][0][0]            # the duel starts over, and the second thrower is first
    return 1.0 if points >= goal else 0.0


cdef double keep_value(
    const ThreeMagiciansRules* r, int goal, int goal_throws, int n_throws, int n_kept, int kept, const int* thrown
) noexcept nogil:
    cdef double best = stop_value(r, goal, goal_throws, n_throws, kept + thrown[1] + 2 * thrown[2])
    cdef double value
    cdef int limit = goal_throws if goal_throws else N_WANDS
    cdef int zeros, ones, twos, n
    if n_throws >= limit:
        return best
    for twos in range(thrown[2] + 1):
        for ones in range(thrown[1] + 1):
            for zeros in range(thrown[0] + 1):
                n = zeros + ones + twos
                if 0 < n < N_WANDS - n_kept:
                    if goal_throws:
                        value = r.second_wins[goal][goal_throws][n_throws][n_kept + n][kept + ones + 2 * twos]
                    else:
                        value = r.first_wins[n_throws][n_kept + n][kept + ones + 2 * twos]
                    best = max(best, value)
    return best


cdef double throw_value(
    const ThreeMagiciansRules* r, int goal, int goal_throws, int n_throws, int n_kept, int kept
) noexcept nogil:
    """The thrower's chance to win before throw number n_throws + 1."""
    cdef const Chances* chances = &r.duels[N_WANDS - n_kept]
    cdef double value = 0.0
    cdef int thrown[N_NOTCHES]
    cdef int i
    for i in range(chances.n):
        thrown[1] = chances.moves[i] & COUNT_MASK
        thrown[2] = chances.moves[i] >> COUNT_BITS
        thrown[0] = N_WANDS - n_kept - thrown[1] - thrown[2]
        value += chances.p[i] * keep_value(r, goal, goal_throws, n_throws + 1, n_kept, kept, thrown)
    return value


cdef void solve_thrower(ThreeMagiciansRules* r, int goal, int goal_throws) noexcept nogil:
    """All values of one thrower, the last throw first."""
    cdef int limit = goal_throws if goal_throws else N_WANDS
    cdef int n_throws, n_kept, kept
    cdef double value
    for n_throws in range(limit - 1, -1, -1):
        # Every throw keeps at least one wand, and somebody who keeps all three has stopped.
        for n_kept in range(n_throws, N_WANDS if n_throws else 1):
            for kept in range(2 * n_kept + 1):
                value = throw_value(r, goal, goal_throws, n_throws, n_kept, kept)
                if goal_throws:
                    r.second_wins[goal][goal_throws][n_throws][n_kept][kept] = value
                else:
                    r.first_wins[n_throws][n_kept][kept] = value


cdef void solve_duel(ThreeMagiciansRules* r) noexcept nogil:
    cdef int _i, goal, goal_throws
    r.first_wins[0][0][0] = 0.5
    for _i in range(DUEL_ROUNDS):
        for goal in range(MAX_POINTS + 1):
            for goal_throws in range(1, N_WANDS + 1):
                solve_thrower(r, goal, goal_throws)
        solve_thrower(r, 0, 0)


# ---- The solo game -----------------------------------------------------------------------------------------

cdef struct Solo:               # one set of missing cards, being solved
    const ThreeMagiciansRules* r
    int missing
    int size                    # values of one set of cards
    float* now                  # its values: [power][magician][apprentice]
    float after[N_PLACES][MAX_SPOTS]    # best value after the Apprentice has arrived: [magician][apprentice]


cdef inline float* solo_row(const Solo* g, int power, int magician) noexcept nogil:
    return g.now + (power * <int>N_PLACES + magician) * g.r.n_spots


cdef inline float stand(const Solo* g, int power, int magician, int apprentice) noexcept nogil:
    """The value after one of the two figures has arrived."""
    if magician == apprentice and g.missing >> magician & 1:
        return solo_turns(g.r, g.missing & ~(1 << magician), power, magician, apprentice)
    return solo_row(g, power, magician)[apprentice]


cdef float cast(const Solo* g, float star, float arrow, float empty) noexcept nogil:
    """The value of throwing the wands for magic, given the values of the symbols."""
    cdef const Chances* chances = &g.r.magics
    cdef float value = 0.0, best
    cdef move_t seen
    cdef int i
    for i in range(chances.n):
        seen = chances.moves[i]
        best = FAR
        if seen & SYMBOL_STAR:
            best = star
        if seen & SYMBOL_ARROW:
            best = min(best, arrow)
        if seen & SYMBOL_EMPTY:
            best = min(best, empty)
        value += <float>chances.p[i] * best
    return value


cdef void fill_after(Solo* g, int power) noexcept nogil:
    cdef float* after
    cdef float star, empty
    cdef uint64_t stones
    cdef int magician, spot
    for magician in range(N_PLACES):
        after = g.after[magician]
        memcpy(after, solo_row(g, power, magician), g.r.n_spots * sizeof(float))
        if magician < N_TAROT:
            after[magician] = stand(g, power, magician, magician)
        star = FAR
        for spot in range(LABYRINTH):
            star = min(star, after[spot])
        empty = solo_row(g, 0, magician)[LABYRINTH]
        stones = g.r.magic
        while stones:
            spot = pop_lowest(&stones)
            # Rules: a star allows the Apprentice to go to a place; it may also stay on the stone.
            after[spot] = min(after[spot], cast(g, min(star, after[spot]), solo_row(g, 1, magician)[spot], empty))


cdef inline float least(const float* values, uint64_t spots) noexcept nogil:
    cdef float best = FAR
    while spots:
        best = min(best, values[pop_lowest(&spots)])
    return best


cdef float stay(const Solo* g, int power, int magician, int apprentice, uint64_t jumps) noexcept nogil:
    """The best value if the Apprentice stays; the Magician may still jump to it."""
    cdef float best = solo_row(g, power, magician)[apprentice]
    while jumps:
        best = min(best, stand(g, power, pop_lowest(&jumps), apprentice))
    return best


cdef float meet_first(
    const Solo* g, int power, int magician, int apprentice, uint64_t jumps, uint64_t walks
) noexcept nogil:
    """The best value if one figure moves to the other, which then moves on."""
    cdef float best = FAR
    cdef int rest
    if jumps >> apprentice & 1 and g.missing >> apprentice & 1:  # the Magician can only jump to a place
        rest = g.missing & ~(1 << apprentice)
        while walks:
            best = min(best, solo_turns(g.r, rest, power, apprentice, pop_lowest(&walks)))
    elif g.missing >> magician & 1 and walks >> magician & 1:
        rest = g.missing & ~(1 << magician)
        while jumps:
            best = min(best, solo_turns(g.r, rest, power, pop_lowest(&jumps), magician))
    return best


cdef inline float turn(
    const Solo* g, const float* jumped, int power, int magician, int apprentice, uint64_t jumps,
    uint64_t walks,
) noexcept nogil:
    """The best value of a turn, given where the figures can go.

    `jumped[a]` is the best `after[m][a]` over the places m that the Magician can choose.
    """
    cdef float best = least(jumped, walks)
    if not walks or not g.r.must_walk:
        best = min(best, stay(g, power, magician, apprentice, jumps))
    if (jumps >> apprentice | walks >> magician) & 1:
        best = min(best, meet_first(g, power, magician, apprentice, jumps, walks))
    return best


cdef void fill_jumped(const Solo* g, int magician, uint64_t jumps, float* jumped) noexcept nogil:
    cdef const float* after
    cdef int spot
    memcpy(jumped, g.after[magician], MAX_SPOTS * sizeof(float))
    while jumps:
        after = g.after[pop_lowest(&jumps)]
        for spot in range(MAX_SPOTS):
            jumped[spot] = min(jumped[spot], after[spot])


cdef void add_throw(Solo* g, int power, int magician, move_t throw, float p, float* values) noexcept nogil:
    """Add the value of a throw, times its probability p, for every spot of the Apprentice."""
    cdef const ThreeMagiciansRules* r = g.r
    cdef int own = own_notches(throw), total = all_notches(throw)
    cdef bint is_free = is_triplet(throw) and r.exits >> own & 1
    cdef float cost = 0.0 if is_triplet(throw) else 1.0        # a triplet is followed by another turn
    cdef uint64_t jumps = r.jumps[magician][own] if is_free or magician != LABYRINTH else 0
    cdef uint64_t walks
    cdef float jumped[MAX_SPOTS]
    cdef int spot
    fill_jumped(g, magician, jumps, jumped)
    for spot in range(r.n_spots):
        walks = 0
        if is_free or spot != LABYRINTH:
            walks = r.walks[spot][total]
            if power:
                walks |= r.walks[spot][2 * total]
        values[spot] += p * (cost + turn(g, jumped, power, magician, spot, jumps, walks))


cdef void sweep(Solo* g, int power) noexcept nogil:
    """One sweep of value iteration over all places and spots of the figures."""
    cdef const ThreeMagiciansRules* r = g.r
    cdef float values[MAX_SPOTS]
    cdef float lost
    cdef float doom = <float>r.throws.p[0] if r.throws.moves[0] == TRIPLE_0 else 0.0   # wands may have no 0
    cdef int magician, spot, i
    fill_after(g, power)
    for magician in range(N_PLACES):
        lost = 1 + solo_row(g, 0, LABYRINTH)[LABYRINTH]
        for spot in range(r.n_spots):
            values[spot] = doom * lost
        for i in range(1 if doom > 0 else 0, r.throws.n):
            add_throw(g, power, magician, r.throws.moves[i], <float>r.throws.p[i], values)
        memcpy(solo_row(g, power, magician), values, r.n_spots * sizeof(float))


cdef void start_values(Solo* g, const float* values, float prison) noexcept nogil:
    """Initial values: the mean of the sets with one missing card fewer, plus a rough cost of that card."""
    cdef const float* fewer
    cdef int n = popcount(g.missing)
    cdef uint8_t left = <uint8_t>g.missing
    cdef int power, magician, spot, i
    for power in range(2):
        for magician in range(N_PLACES):
            for spot in range(g.r.n_spots):
                solo_row(g, power, magician)[spot] = 3.5 + 12.0 / n
                if n == 1 and (magician == LABYRINTH or spot == LABYRINTH):
                    solo_row(g, power, magician)[spot] += prison
    while left:
        fewer = values + (g.missing & ~(1 << pop_lowest(&left))) * g.size
        for i in range(g.size):
            g.now[i] += fewer[i] / n


cdef void solve_solo(const ThreeMagiciansRules* r, float* values) noexcept nogil:
    cdef Solo g
    cdef double leave = 0.0                 # chance of a throw to lead out of the Labyrinth
    cdef int missing, n, _i
    for n in range(1, N_NOTCHES):
        leave += r.notch_p[n] ** 3 if r.exits >> n & 1 else 0.0
    g.r = r
    g.size = 2 * N_PLACES * r.n_spots
    for n in range(g.size):
        values[n] = 0.0
    for missing in range(1, N_SETS):
        g.missing = missing
        g.now = values + missing * g.size
        start_values(&g, values, <float>(0.8 / leave))
        for _i in range(SWEEPS):
            sweep(&g, 1)
            sweep(&g, 0)
