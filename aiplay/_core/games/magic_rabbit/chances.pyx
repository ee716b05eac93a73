"""Magic Rabbit: the chance of a perfect team, exactly.

A perfect team shares what its seats know and meets no dove. Only lifts tell it something, so it decides between two
things: to lift one more rabbit, or to guess the rest. Switches can wait until then. It succeeds if the lifts and the
fewest switches of the deal fit into the turns, and the guess is right.

Which switches are needed depends on two permutations (see `fewest_switches`), and each cycle saves one. With the known
rabbits left out, they are A * q and the inverse of q times B, for the unknown order q of n rabbits: A leads from an
unknown rabbit along known homes to an unknown pile, B from an unknown pile along known hats to an unknown rabbit. All
orders are equally likely, so the chance depends only on n, on the lengths of the cycles of A * B, and on the *slack*:
the turns beyond the fewest switches of any order, which are those of A * q = 1. There are 96 such sets of lengths, so
all chances fit into a small table. It is filled when this module is imported, and never changes.

No team can do better than this one: 66.4 % of deals with 9 piles and 20 turns.
"""

from libc.math cimport floor
from libc.string cimport memcpy, memset

from aiplay._core.bits cimport pop_lowest
from aiplay._core.games.magic_rabbit.insight cimport UNKNOWN, Insight, count_cycles, fewest_switches
from aiplay._core.games.magic_rabbit.state cimport MAX_PILES, MagicRabbitRules, MagicRabbitState, all_piles
from aiplay._core.typedefs cimport int8_t, uint8_t, uint32_t

cdef enum:
    N_KINDS = 32            # more than any sum of MARKS over the cycles of MAX_PILES rabbits
    N_SLACKS = 26           # with a slack of the last one every team succeeds
    N_EXTRA = 2 * MAX_GUESSED   # more than the switches that an arrangement can need beyond the fewest

# The kind of a permutation is the sum of these over its cycles, by their lengths: different for different lengths.
cdef int* MARKS = [0, 0, 1, 9, 15, 5, 22, 28, 8, 13]

cdef float CHANCES[MAX_PILES + 1][N_KINDS][N_SLACKS]                    # by number of unknown rabbits, kind and slack
cdef uint8_t LOSSES[MAX_PILES + 1][N_KINDS][N_SLACKS][MAX_PILES + 1]    # of a lift in a cycle of that length
cdef uint8_t WITHIN[MAX_GUESSED + 1][N_KINDS][N_EXTRA]      # arrangements that need at most so many switches extra
cdef int* FACTORIALS = [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880]


# ---- Permutations ------------------------------------------------------------------------------------------

cdef int measure_cycles(const int8_t* to, int n, int8_t* lengths, int* n_cycles) noexcept nogil:
    """Fill in the length of everyone's cycle, and the number of cycles; return the kind of the permutation."""
    cdef uint32_t left = (<uint32_t>1 << n) - 1
    cdef int _i, first, i, length, kind = 0
    n_cycles[0] = 0
    while left:
        first = i = pop_lowest(&left)
        length = 1
        while to[i] != first:
            i = to[i]
            left &= ~(<uint32_t>1 << i)
            length += 1
        kind += MARKS[length]
        n_cycles[0] += 1
        for _i in range(length):
            lengths[i] = <int8_t>length
            i = to[i]
    return kind


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


# ---- The rabbits that are not known ------------------------------------------------------------------------

cdef void reduce(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, Unknowns* u
) noexcept nogil:
    cdef int8_t place[MAX_PILES]                # of each known rabbit
    cdef int8_t rank[MAX_PILES]                 # of each unknown pile, and of each unknown number
    cdef int8_t both[MAX_PILES]
    cdef uint32_t numbers = all_piles(r)
    cdef int i, at, n_cycles
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
    for i in range(u.n):
        both[i] = u.after_number[u.after_pile[i]]
    u.kind = measure_cycles(both, u.n, u.lengths, &n_cycles)
    # Any one order tells how many cycles the known rabbits have closed.
    u.least = fewest_switches(u.home, s.hats, r.piles) - u.n - n_cycles
    u.least += count_cycles(u.after_number, u.n) + count_cycles(u.after_pile, u.n)


cdef void guess(Unknowns* u) noexcept nogil:
    """With A * q = 1, every chain of known homes is closed: so switches that follow the guess do not change it."""
    cdef int i
    for i in range(u.n):
        u.home[u.piles[u.after_number[i]]] = u.numbers[i]


cdef int count_within(const Unknowns* u, int switches) noexcept nogil:
    return 0 if switches < u.least else WITHIN[u.n][u.kind][min(switches - u.least, N_EXTRA - 1)]


cdef double chance_of(const Unknowns* u, double slack) noexcept nogil:
    cdef const float* chances = CHANCES[u.n][u.kind]
    cdef int whole = <int>floor(slack)
    cdef double low
    if whole < -1:
        return 0.0
    if whole >= N_SLACKS - 1:
        return 1.0
    low = chances[whole] if whole >= 0 else 0.0
    return low + (slack - whole) * (chances[whole + 1] - low)


cdef int loss_of_lift(const Unknowns* u, int i, int slack) noexcept nogil:
    return LOSSES[u.n][u.kind][min(max(slack, 0), N_SLACKS - 1)][u.lengths[i]]


# ---- The tables --------------------------------------------------------------------------------------------

cdef void lift(const int8_t* to, int n, int pile, int number, int8_t* rest, int* n_closed) noexcept nogil:
    """Leave out a pile and its number: A is 1, B is `to`. Fill in the new A * B, and how many cycles that closes."""
    cdef int8_t after[MAX_PILES]
    cdef int i, at = 0
    n_closed[0] = 0
    memcpy(after, to, MAX_PILES)
    # Whoever led to the number goes on from the pile; then whoever led to the pile goes on from the number.
    for i in range(n):
        if to[i] == number:
            n_closed[0] += i == pile
            after[i] = to[pile]
    n_closed[0] += number == pile
    for i in range(n):
        if i != pile:
            # Left over are the piles but this one, and the numbers but that one: number `pile` leads to pile `number`.
            rest[at] = <int8_t>(number if after[i] == pile else after[i])
            rest[at] -= rest[at] > pile
            at += 1


cdef double value_of_lift(const int8_t* to, int n, int n_cycles, int pile, int slack) noexcept nogil:
    """The mean chance over the numbers that may be found under a pile."""
    cdef int8_t rest[MAX_PILES]
    cdef int8_t lengths[MAX_PILES]
    cdef int number, kind, n_closed, n_left, after
    cdef double total = 0.0
    for number in range(n):
        lift(to, n, pile, number, rest, &n_closed)
        kind = measure_cycles(rest, n - 1, lengths, &n_left)
        after = slack - 1 - (1 + n_cycles - n_left - n_closed)      # a turn, and what is needed more than hoped for
        if after >= 0:
            total += CHANCES[n - 1][kind][after]
    return total / n


cdef void rate(const int8_t* to, int n) noexcept nogil:
    """Fill in the tables for permutations like this one. Before: those of n - 1 rabbits are filled in."""
    cdef int8_t lengths[MAX_PILES]
    cdef double values[MAX_PILES + 1]
    cdef double best
    cdef int n_cycles, slack, i, kind = measure_cycles(to, n, lengths, &n_cycles)
    for slack in range(N_SLACKS):
        best = 0.0
        for i in range(n):
            if i == 0 or lengths[i] != lengths[i - 1]:
                values[lengths[i]] = value_of_lift(to, n, n_cycles, i, slack)
                best = max(best, values[lengths[i]])
        for i in range(n):
            LOSSES[n][kind][slack][lengths[i]] = <uint8_t>min(1000 * (best - values[lengths[i]]) + 0.5, MAX_LOSS)
        CHANCES[n][kind][slack] = <float>max(best, 1.0 / FACTORIALS[n])
    if n <= MAX_GUESSED:
        count_orders(to, n, n_cycles, WITHIN[n][kind])


cdef void count_orders(const int8_t* to, int n, int n_cycles, uint8_t* within) noexcept nogil:
    """Count every order under all numbers of switches, beyond the fewest, that are enough for it."""
    cdef int8_t order[MAX_PILES]
    cdef int8_t inverse[MAX_PILES]
    cdef int8_t hats[MAX_PILES]
    cdef int i, extra
    cdef bint is_valid = True
    for i in range(n):
        order[i] = <int8_t>i
    while is_valid:
        for i in range(n):
            inverse[order[i]] = <int8_t>i
        for i in range(n):
            hats[i] = inverse[to[i]]
        extra = n + n_cycles - count_cycles(order, n) - count_cycles(hats, n)
        for i in range(extra, N_EXTRA):
            within[i] += 1
        is_valid = next_order(order, n)


cdef void rate_all(int8_t* to, int n, int n_done, int longest) noexcept nogil:
    """Rate a permutation for every way to go on with cycles of at most this length after the first n_done."""
    cdef int length, i
    if n_done == n:
        rate(to, n)
    for length in range(1, min(longest, n - n_done) + 1):
        for i in range(length):
            to[n_done + i] = <int8_t>(n_done + (i + 1) % length)
        rate_all(to, n, n_done + length, length)


cdef void fill_tables() noexcept nogil:
    cdef int8_t to[MAX_PILES]
    cdef int n, slack
    for slack in range(N_SLACKS):
        CHANCES[0][0][slack] = 1.0
    for n in range(1, MAX_PILES + 1):
        rate_all(to, n, 0, n)


fill_tables()
