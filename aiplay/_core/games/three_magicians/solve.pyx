"""Two small games inside The Three Magicians, solved for `evaluate` when a board is loaded.

The duel is solved exactly (to the precision of a double) by iterating the value of starting over. The solo game
asks how many turns a seat needs for its missing cards if no other seat plays: a stochastic shortest path over
missing cards, Power token, Magician and Apprentice. It is solved approximately, the smaller sets of missing cards
first, by a few sweeps of value iteration (Bertsekas and Tsitsiklis, "An analysis of stochastic shortest path problems",
1991). Sets of the same size do not need each other. They are solved in batches, in which every value is a short array:
what figures can do is the same for all of them, and is worked out once.
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
    BATCH = 8                   # sets of missing cards that are solved side by side

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

cdef struct Values:             # one for each set of missing cards in a batch
    float of[BATCH]


cdef struct Solo:               # a batch being solved; all sets have the same number of cards
    const ThreeMagiciansRules* r
    int missing[BATCH]
    Values now[2][N_PLACES][MAX_SPOTS]      # [power][magician][apprentice]
    Values after[N_PLACES][MAX_SPOTS]       # best values after the Apprentice has arrived: [magician][apprentice]

    # Best values over the places that one Magician can choose, by its own notches and the Apprentice's spot.
    Values jumped[N_NOTCHES][MAX_SPOTS]     # the Apprentice arrives there: of `after`
    Values stayed[N_NOTCHES][MAX_SPOTS]     # it stays there; the Magician may still jump to it

    # Best values if one figure moves to the other and the other then moves on, by the place where they take the card;
    # FAR if it is not missing or there is no such move. They are final: the sets that remain are solved.
    Values walked_on[2][N_TAROT][MAX_POINTS + 1]    # the Apprentice moves on: [power][place][all notches]
    Values jumped_on[2][N_TAROT][N_NOTCHES]         # the Magician moves on: [power][place][own notches]


cdef inline Values same(float value) noexcept nogil:
    cdef Values values
    cdef int i
    for i in range(BATCH):
        values.of[i] = value
    return values


cdef inline void lower(Values* best, const Values* values) noexcept nogil:
    cdef int i
    for i in range(BATCH):
        best.of[i] = min(best.of[i], values.of[i])


cdef inline Values least(const Values* row, uint64_t spots) noexcept nogil:
    cdef Values best = same(FAR)
    while spots:
        lower(&best, &row[pop_lowest(&spots)])
    return best


cdef inline uint64_t walk_ends(const ThreeMagiciansRules* r, int power, int apprentice, int total) noexcept nogil:
    return r.walks[apprentice][total] | (r.walks[apprentice][2 * total] if power else 0)


cdef Values stand(const Solo* g, int power, int place) noexcept nogil:
    """The values after one figure has arrived at the place of the other."""
    cdef Values values = g.now[power][place][place]
    cdef int i
    for i in range(BATCH):
        if g.missing[i] >> place & 1:
            values.of[i] = solo_turns(g.r, g.missing[i] & ~(1 << place), power, place, place)
    return values


cdef Values cast(const Solo* g, const Values* star, const Values* arrow, const Values* empty) noexcept nogil:
    """The values of throwing the wands for magic, given the values of the symbols."""
    cdef const Chances* chances = &g.r.magics
    cdef Values values = same(0.0), best
    cdef move_t seen
    cdef int outcome, i
    for outcome in range(chances.n):
        seen = chances.moves[outcome]
        best = star[0] if seen & SYMBOL_STAR else same(FAR)
        if seen & SYMBOL_ARROW:
            lower(&best, arrow)
        if seen & SYMBOL_EMPTY:
            lower(&best, empty)
        for i in range(BATCH):
            values.of[i] += <float>chances.p[outcome] * best.of[i]
    return values


cdef void fill_after(Solo* g, int power) noexcept nogil:
    cdef Values* after
    cdef Values star, best
    cdef uint64_t stones
    cdef int magician, spot
    for magician in range(N_PLACES):
        after = g.after[magician]
        memcpy(after, g.now[power][magician], g.r.n_spots * sizeof(Values))
        if magician < N_TAROT:
            after[magician] = stand(g, power, magician)
        star = least(after, (1 << LABYRINTH) - 1)
        stones = g.r.magic
        while stones:
            spot = pop_lowest(&stones)
            # Rules: a star allows the Apprentice to go to a place; it may also stay on the stone.
            best = star
            lower(&best, &after[spot])
            best = cast(g, &best, &g.now[1][magician][spot], &g.now[0][magician][LABYRINTH])
            lower(&after[spot], &best)


cdef void fill_jumps(Solo* g, int power, int magician) noexcept nogil:
    """Fill in `jumped` and `stayed`, which are the same for all throws with the same own notches."""
    cdef int n_spots = g.r.n_spots
    cdef Values met
    cdef uint64_t jumps
    cdef int own, place, spot
    for own in range(N_NOTCHES):
        memcpy(g.jumped[own], g.after[magician], n_spots * sizeof(Values))
        memcpy(g.stayed[own], g.now[power][magician], n_spots * sizeof(Values))
        jumps = g.r.jumps[magician][own]
        while jumps:
            place = pop_lowest(&jumps)
            met = stand(g, power, place)
            lower(&met, &g.stayed[own][place])
            for spot in range(n_spots):
                lower(&g.jumped[own][spot], &g.after[place][spot])
                lower(&g.stayed[own][spot], &g.now[power][place][spot])
            g.stayed[own][place] = met


cdef float take(const Solo* g, int i, int power, int place, uint64_t jumps, uint64_t walks) noexcept nogil:
    """The best value of set i without the card of a place, over where the figures go; FAR if it is not missing."""
    cdef float best = FAR
    cdef uint64_t left
    cdef int magician
    if g.missing[i] >> place & 1:
        while jumps:
            magician = pop_lowest(&jumps)
            left = walks
            while left:
                best = min(best, solo_turns(g.r, g.missing[i] & ~(1 << place), power, magician, pop_lowest(&left)))
    return best


cdef void fill_moved_on(Solo* g, int power, int place) noexcept nogil:
    """Fill in `walked_on` and `jumped_on`."""
    cdef uint64_t here = 1 << place
    cdef int i, n
    for i in range(BATCH):
        for n in range(MAX_POINTS + 1):
            g.walked_on[power][place][n].of[i] = take(g, i, power, place, here, walk_ends(g.r, power, place, n))
        for n in range(N_NOTCHES):
            g.jumped_on[power][place][n].of[i] = take(g, i, power, place, g.r.jumps[place][n], here)


cdef Values meet_first(const Solo* g, int power, int magician, int apprentice, int own, int total) noexcept nogil:
    """The best values if one figure moves to the other, which then moves on."""
    cdef Values best = same(FAR)
    cdef const Values* walked_on
    cdef int i
    if magician < N_TAROT and walk_ends(g.r, power, apprentice, total) >> magician & 1:
        best = g.jumped_on[power][magician][own]
    if apprentice < N_TAROT and g.r.jumps[magician][own] >> apprentice & 1:     # if both can, the Magician moves first
        walked_on = &g.walked_on[power][apprentice][total]
        for i in range(BATCH):
            best.of[i] = walked_on.of[i] if walked_on.of[i] < FAR else best.of[i]
    return best


cdef void add_throw(Solo* g, int power, int magician, move_t throw, float p, Values* values) noexcept nogil:
    """Add the values of a throw, times its probability p, for every spot of the Apprentice."""
    cdef const ThreeMagiciansRules* r = g.r
    cdef int total = all_notches(throw)
    cdef bint is_free = is_triplet(throw) and r.exits >> own_notches(throw) & 1
    cdef int own = own_notches(throw) if is_free or magician != LABYRINTH else 0    # without notches it cannot jump
    cdef float cost = 0.0 if is_triplet(throw) else 1.0        # a triplet is followed by another turn
    cdef Values best, met
    cdef uint64_t walks
    cdef int spot, i
    for spot in range(r.n_spots):
        walks = walk_ends(r, power, spot, total) if is_free or spot != LABYRINTH else 0
        best = least(g.jumped[own], walks)
        if not walks or not r.must_walk:
            lower(&best, &g.stayed[own][spot])
        if (r.jumps[magician][own] >> spot | walks >> magician) & 1:
            met = meet_first(g, power, magician, spot, own, total)
            lower(&best, &met)
        for i in range(BATCH):
            values[spot].of[i] += p * (cost + best.of[i])


cdef void sweep(Solo* g, int power) noexcept nogil:
    """One sweep of value iteration over all places and spots of the figures."""
    cdef const ThreeMagiciansRules* r = g.r
    cdef Values values[MAX_SPOTS]
    cdef float lost                         # a variable: rounded to a float before it is weighted
    cdef float doom = <float>r.throws.p[0] if r.throws.moves[0] == TRIPLE_0 else 0.0   # wands may have no 0
    cdef int magician, spot, i
    fill_after(g, power)
    for magician in range(N_PLACES):
        for i in range(BATCH):
            lost = 1 + g.now[0][LABYRINTH][LABYRINTH].of[i]
            for spot in range(r.n_spots):
                values[spot].of[i] = doom * lost
        fill_jumps(g, power, magician)
        for i in range(1 if doom > 0 else 0, r.throws.n):
            add_throw(g, power, magician, r.throws.moves[i], <float>r.throws.p[i], values)
        memcpy(g.now[power][magician], values, r.n_spots * sizeof(Values))


cdef void start_values(const ThreeMagiciansRules* r, int missing, float prison, float* values) noexcept nogil:
    """Initial values: the mean of the sets with one missing card fewer, plus a rough cost of that card."""
    cdef int size = 2 * N_PLACES * r.n_spots            # values of one set of cards
    cdef float* now = values + missing * size
    cdef const float* fewer
    cdef int n = popcount(missing)
    cdef uint8_t left = <uint8_t>missing
    cdef int row, spot, i
    for row in range(2 * N_PLACES):
        for spot in range(r.n_spots):
            i = row * r.n_spots + spot
            now[i] = 3.5 + 12.0 / n
            if n == 1 and (row % N_PLACES == LABYRINTH or spot == LABYRINTH):
                now[i] += prison
    while left:
        fewer = values + (missing & ~(1 << pop_lowest(&left))) * size
        for i in range(size):
            now[i] += fewer[i] / n


cdef void write_values(const Solo* g, int i, float* values) noexcept nogil:
    cdef int power, magician, spot
    values += g.missing[i] * 2 * N_PLACES * g.r.n_spots
    for power in range(2):
        for magician in range(N_PLACES):
            for spot in range(g.r.n_spots):
                values[spot] = g.now[power][magician][spot].of[i]
            values += g.r.n_spots


cdef void read_values(Solo* g, int i) noexcept nogil:
    cdef int power, magician, spot
    for power in range(2):
        for magician in range(N_PLACES):
            for spot in range(g.r.n_spots):
                g.now[power][magician][spot].of[i] = solo_turns(g.r, g.missing[i], power, magician, spot)


cdef void solve_batch(Solo* g, float prison, float* values) noexcept nogil:
    """Solve the sets in g.missing. Before: all sets with fewer cards are solved."""
    cdef int power, place, i, _i
    for i in range(BATCH):
        start_values(g.r, g.missing[i], prison, values)
        read_values(g, i)
    for power in range(2):
        for place in range(N_TAROT):
            fill_moved_on(g, power, place)
    for _i in range(SWEEPS):
        sweep(g, 1)
        sweep(g, 0)
    for i in range(BATCH):
        write_values(g, i, values)


cdef void solve_solo(const ThreeMagiciansRules* r, float* values) noexcept nogil:
    cdef Solo g
    cdef double leave = 0.0                 # chance of a throw to lead out of the Labyrinth
    cdef int missing, n, n_sets, i
    for n in range(1, N_NOTCHES):
        leave += r.notch_p[n] ** 3 if r.exits >> n & 1 else 0.0
    g.r = r
    for i in range(2 * N_PLACES * r.n_spots):
        values[i] = 0.0
    for n in range(1, N_TAROT + 1):
        n_sets = 0
        for missing in range(1, N_SETS):
            if popcount(missing) == n:
                g.missing[n_sets] = missing
                n_sets += 1
            if n_sets == BATCH or missing == N_SETS - 1 and n_sets:
                for i in range(n_sets, BATCH):
                    g.missing[i] = g.missing[0]         # solved twice, with the same values
                solve_batch(&g, <float>(0.8 / leave), values)
                n_sets = 0
