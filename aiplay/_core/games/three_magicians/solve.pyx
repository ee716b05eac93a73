"""Two small games inside The Three Magicians, worked out when a board is loaded: the duel, and one seat alone
at the table.

Both are what `evaluate` measures with. The duel is solved to the last digit by iterating the value of
starting over. The solo game (how many turns does a seat need for its missing cards, if nobody disturbs it) is
a stochastic shortest path over missing cards, Power token, Magician and Apprentice: value iteration, one set
of missing cards after the other, from a first guess, and a few sweeps only. The values are not solved to the
end.
"""

from libc.string cimport memcpy

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.three_magicians.rules cimport (
    ALL_CARDS, LABYRINTH, MAX_SPOTS, N_PLACES, N_TAROT, N_WANDS, SYMBOL_ARROW, SYMBOL_EMPTY, SYMBOL_STAR,
    ChanceTable, MagiciansRules, all_notches, is_triplet, own_notches, solo_turns,
)
from aiplay._core.typedefs cimport move_t, uint64_t

cdef enum:
    DUEL_ROUNDS = 60            # each shrinks the error of the duel's value by its chance to start over
    SWEEPS = 4                  # of the solo game for one set of cards

cdef float FAR = 1e9            # turns to what cannot be reached


# ---- The duel ----------------------------------------------------------------------------------------------

cdef double stop_value(
    const MagiciansRules* r, int goal, int goal_throws, int n_throws, int points
) noexcept nogil:
    """The thrower's chance to win when it stops; goal_throws is 0 for the first thrower."""
    if not goal_throws:
        return 1.0 - r.second_wins[points][n_throws][0][0][0]
    if points == goal and n_throws == goal_throws:
        return r.first_wins[0][0][0]            # starts over, and now the second is first
    return 1.0 if points >= goal else 0.0


cdef double keep_value(
    const MagiciansRules* r, int goal, int goal_throws, int n_throws, int n_kept, int kept, const int* thrown
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
    const MagiciansRules* r, int goal, int goal_throws, int n_throws, int n_kept, int kept
) noexcept nogil:
    """The thrower's chance to win before throw number n_throws + 1."""
    cdef const ChanceTable* table = &r.duels[N_WANDS - n_kept]
    cdef double value = 0.0
    cdef int thrown[3]
    cdef int i
    for i in range(table.n):
        thrown[1] = table.moves[i] & 3
        thrown[2] = table.moves[i] >> 2
        thrown[0] = N_WANDS - n_kept - thrown[1] - thrown[2]
        value += table.p[i] * keep_value(r, goal, goal_throws, n_throws + 1, n_kept, kept, thrown)
    return value


cdef void solve_thrower(MagiciansRules* r, int goal, int goal_throws) noexcept nogil:
    """All values of one thrower, the last throw first."""
    cdef int limit = goal_throws if goal_throws else N_WANDS
    cdef int n_throws, n_kept, kept
    cdef double value
    for n_throws in range(limit - 1, -1, -1):
        # At least one wand is kept after every throw, and with all three there is nothing to throw.
        for n_kept in range(n_throws, N_WANDS if n_throws else 1):
            for kept in range(2 * n_kept + 1):
                value = throw_value(r, goal, goal_throws, n_throws, n_kept, kept)
                if goal_throws:
                    r.second_wins[goal][goal_throws][n_throws][n_kept][kept] = value
                else:
                    r.first_wins[n_throws][n_kept][kept] = value


cdef void solve_duel(MagiciansRules* r) noexcept nogil:
    cdef int _i, goal, goal_throws
    r.first_wins[0][0][0] = 0.5
    for _i in range(DUEL_ROUNDS):
        for goal in range(2 * N_WANDS + 1):
            for goal_throws in range(1, N_WANDS + 1):
                solve_thrower(r, goal, goal_throws)
        solve_thrower(r, 0, 0)


# ---- Alone at the table ------------------------------------------------------------------------------------

cdef struct Solo:               # the set of missing cards that is being solved
    const MagiciansRules* r
    int missing
    int size                    # entries for one set of cards
    float* now                  # its part of the table: [power][magician][apprentice]
    float after[9][64]          # best value with the Magician at m and the Apprentice come to a


cdef inline float* solo_row(const Solo* g, int power, int magician) noexcept nogil:
    return g.now + (power * <int>N_PLACES + magician) * g.r.n_spots


cdef inline float stand(const Solo* g, int power, int magician, int apprentice) noexcept nogil:
    """The value of a pair of figures of which one has just arrived."""
    if magician == apprentice and g.missing >> magician & 1:
        return solo_turns(g.r, g.missing & ~(1 << magician), power, magician, apprentice)
    return solo_row(g, power, magician)[apprentice]


cdef float cast(const Solo* g, float star, float arrow, float empty) noexcept nogil:
    """The value of throwing the wands for magic, given that of each symbol."""
    cdef const ChanceTable* table = &g.r.magics
    cdef float value = 0.0, best
    cdef move_t seen
    cdef int i
    for i in range(table.n):
        seen = table.moves[i]
        best = FAR
        if seen & SYMBOL_STAR:
            best = star
        if seen & SYMBOL_ARROW:
            best = min(best, arrow)
        if seen & SYMBOL_EMPTY:
            best = min(best, empty)
        value += <float>table.p[i] * best
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
            spot = lowest_bit(stones)
            stones &= stones - 1
            after[spot] = min(after[spot], cast(g, star, solo_row(g, 1, magician)[spot], empty))


cdef inline float least(const float* values, uint64_t spots) noexcept nogil:
    cdef float best = FAR
    while spots:
        best = min(best, values[lowest_bit(spots)])
        spots &= spots - 1
    return best


cdef float stay(const Solo* g, int power, int magician, int apprentice, uint64_t jumps) noexcept nogil:
    """The best when the Apprentice stays: the Magician may still arrive where it stands."""
    cdef float best = solo_row(g, power, magician)[apprentice]
    while jumps:
        best = min(best, stand(g, power, lowest_bit(jumps), apprentice))
        jumps &= jumps - 1
    return best


cdef float meet_first(
    const Solo* g, int power, int magician, int apprentice, uint64_t jumps, uint64_t walks
) noexcept nogil:
    """The best when the figures meet before the second of them moves on."""
    cdef float best = FAR
    cdef int rest
    if jumps >> apprentice & 1 and g.missing >> apprentice & 1:  # the Magician jumps to places only
        rest = g.missing & ~(1 << apprentice)
        while walks:
            best = min(best, solo_turns(g.r, rest, power, apprentice, lowest_bit(walks)))
            walks &= walks - 1
    elif g.missing >> magician & 1 and walks >> magician & 1:
        rest = g.missing & ~(1 << magician)
        while jumps:
            best = min(best, solo_turns(g.r, rest, power, lowest_bit(jumps), magician))
            jumps &= jumps - 1
    return best


cdef inline float turn(
    const Solo* g, const float* jumped, int power, int magician, int apprentice, uint64_t jumps,
    uint64_t walks,
) noexcept nogil:
    """The best that a seat can do in a turn, given where its figures can go.

    `jumped[a]` is the best `after` over the Magician's choices with the Apprentice come to a.
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
        after = g.after[lowest_bit(jumps)]
        jumps &= jumps - 1
        for spot in range(MAX_SPOTS):
            jumped[spot] = min(jumped[spot], after[spot])


cdef void add_throw(Solo* g, int power, int magician, move_t throw, float p, float* values) noexcept nogil:
    """Add a throw of probability p to the values of all spots of the Apprentice."""
    cdef const MagiciansRules* r = g.r
    cdef int own = own_notches(throw), total = all_notches(throw)
    cdef bint is_free = is_triplet(throw) and r.exits >> own & 1
    cdef float cost = 0.0 if is_triplet(throw) else 1.0        # a triplet is followed by another turn
    cdef uint64_t jumps = r.jumps[magician][own] if is_free or magician != LABYRINTH else 0
    cdef uint64_t walks
    cdef float jumped[64]
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
    """One step of value iteration for all spots of both figures."""
    cdef const MagiciansRules* r = g.r
    cdef float values[64]
    cdef float lost
    cdef int magician, spot, i
    fill_after(g, power)
    for magician in range(N_PLACES):
        lost = 1 + solo_row(g, 0, LABYRINTH)[LABYRINTH]
        for spot in range(r.n_spots):
            values[spot] = <float>r.throws.p[0] * lost          # the first throw is the triple 0
        for i in range(1, r.throws.n):
            add_throw(g, power, magician, r.throws.moves[i], <float>r.throws.p[i], values)
        memcpy(solo_row(g, power, magician), values, r.n_spots * sizeof(float))


cdef void guess(Solo* g, const float* table, float prison) noexcept nogil:
    """First values: the mean over the sets with one card fewer, and about what one card more takes."""
    cdef const float* fewer
    cdef int n = popcount(g.missing)
    cdef int left = g.missing
    cdef int power, magician, spot, i
    for power in range(2):
        for magician in range(N_PLACES):
            for spot in range(g.r.n_spots):
                solo_row(g, power, magician)[spot] = 3.5 + 12.0 / n
                if n == 1 and (magician == LABYRINTH or spot == LABYRINTH):
                    solo_row(g, power, magician)[spot] += prison
    while left:
        fewer = table + (g.missing & ~(left & -left)) * g.size
        left &= left - 1
        for i in range(g.size):
            g.now[i] += fewer[i] / n


cdef void solve_solo(const MagiciansRules* r, float* table) noexcept nogil:
    cdef Solo g
    cdef double leave = 0.0                 # chance of a throw to lead out of the Labyrinth
    cdef int missing, n, _i
    for n in range(1, 3):
        leave += r.notch_p[n] ** 3 if r.exits >> n & 1 else 0.0
    g.r = r
    g.size = 2 * N_PLACES * r.n_spots
    for n in range(g.size):
        table[n] = 0.0
    for missing in range(1, ALL_CARDS + 1):
        g.missing = missing
        g.now = table + missing * g.size
        guess(&g, table, <float>(0.8 / leave))
        for _i in range(SWEEPS):
            sweep(&g, 1)
            sweep(&g, 0)
