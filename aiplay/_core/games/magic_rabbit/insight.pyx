"""Magic Rabbit: what a seat can conclude, what is left to do, and how far it is.

Actions speak. A seat that moves a pile it has lifted shows that the rabbit is home now; a seat that gives it the hat
of its place shows that it was home already. Such a pile is *shown*, and from then on everybody can work on it.
"""

from libc.string cimport memset

from aiplay._core.bits cimport lowest_bit, match8, pop_lowest, popcount
from aiplay._core.games.magic_rabbit.state cimport (
    MAX_PILES, MagicRabbitRules, MagicRabbitState, all_piles, seat_of_turn,
)
from aiplay._core.typedefs cimport int8_t, seat_t, uint8_t, uint32_t, uint64_t

# For a set of seats, the lowest bit of each one's lane
cdef uint64_t* LANES = [
    0x0, 0x1, 0x10000, 0x10001, 0x100000000, 0x100000001, 0x100010000, 0x100010001,
    0x1000000000000, 0x1000000000001, 0x1000000010000, 0x1000000010001,
    0x1000100000000, 0x1000100000001, 0x1000100010000, 0x1000100010001,
]


# ---- Knowledge ---------------------------------------------------------------------------------------------

cdef inline uint32_t places_of(const uint8_t* turns, int turn) noexcept nogil:
    """The piles with this turn."""
    return match8(turns, <uint8_t>turn) | <uint32_t>(turns[MAX_PILES - 1] == turn) << (MAX_PILES - 1)


cdef inline bint is_doubtful(
    const MagicRabbitState* s, int pile, int actor, int turn, seat_t me
) noexcept nogil:
    """True if the switch that brought the pile here may have been made for the sake of the other pile.

    `me` can tell if it has lifted the other one and it is not home.
    """
    cdef uint32_t others = places_of(s.switched, turn) & ~(<uint32_t>1 << pile)
    cdef int other
    if others == 0:
        return False
    other = lowest_bit(others)
    if not knew(s, other, actor, turn):
        return False
    return me == NOBODY or s.lifted[other][me] == 0 or s.rabbits[other] == other + 1


cdef inline bint shows(const MagicRabbitRules* r, const MagicRabbitState* s, int pile, seat_t me) noexcept nogil:
    """`is_shown`, to be compiled into the loops of this file."""
    cdef int turn = s.switched[pile]
    cdef int actor
    if turn:
        actor = seat_of_turn(r, s, turn)
        if knew(s, pile, actor, turn) and not is_doubtful(s, pile, actor, turn, me):
            return True
    turn = s.rehatted[pile]
    if turn > s.switched[pile] and s.hats[pile] == pile + 1:
        return knew(s, pile, seat_of_turn(r, s, turn), turn)
    return False


cdef bint is_shown(const MagicRabbitRules* r, const MagicRabbitState* s, int pile, seat_t me) noexcept nogil:
    return shows(r, s, pile, me)


cdef inline void note_lifts(const MagicRabbitState* s, Insight* k) noexcept nogil:
    """Fill in who has lifted which rabbit."""
    cdef int i
    k.lifted = 0
    for i in range(MAX_PILES):
        k.lifters[i] = <uint8_t>lifters(s, i)
        k.lifted |= <uint32_t>(k.lifters[i] != 0) << i


cdef inline uint32_t note_own(
    const MagicRabbitState* s, seat_t me, Insight* k, uint32_t* at_home
) noexcept nogil:
    """Fill in the rabbits that the seat has lifted, and which are at home; return their numbers as a set.

    Without branches: a processor could not predict them.
    """
    cdef uint32_t numbers = 0, is_own
    cdef int i, rabbit
    k.known = 0
    for i in range(MAX_PILES):
        is_own = k.lifters[i] >> me & 1
        rabbit = s.rabbits[i] if is_own else 0
        k.home[i] = <int8_t>(rabbit - 1)                # UNKNOWN if not lifted
        k.known |= is_own << i
        at_home[0] |= <uint32_t>(rabbit == i + 1) << i
        numbers |= <uint32_t>1 << rabbit >> 1
    return numbers


cdef void look(const MagicRabbitRules* r, const MagicRabbitState* s, seat_t me, Insight* k) noexcept nogil:
    cdef uint32_t numbers, left, at_home = 0
    cdef int i
    note_lifts(s, k)
    numbers = note_own(s, me, k, &at_home)
    # What is shown counts if it does not contradict what the seat has seen.
    k.shown = 0
    left = k.lifted & (at_home | ~(k.known | numbers)) & ~(places_of(s.switched, 0) & places_of(s.rehatted, 0))
    while left:
        i = pop_lowest(&left)
        if shows(r, s, i, me):
            k.home[i] = <int8_t>i
            k.shown |= <uint32_t>1 << i
    k.known |= k.shown
    numbers |= k.shown
    left = all_piles(r) & ~k.known
    if popcount(left) == 1:                     # Rules: a seat that knows all but one knows the last
        k.home[lowest_bit(left)] = <int8_t>lowest_bit(all_piles(r) & ~numbers)
        k.known |= left
        left = 0
    k.unsettled = unsettled_piles(k.home, s.hats, r.piles)
    k.n_unknown = popcount(left)
    k.n_fresh = popcount(left & ~k.lifted)
    k.n_misleading = 0


cdef void see_all(const MagicRabbitRules* r, const MagicRabbitState* s, Insight* k) noexcept nogil:
    cdef int i
    note_lifts(s, k)
    k.shown = 0
    k.n_misleading = 0
    for i in range(r.piles):
        k.home[i] = <int8_t>(s.rabbits[i] - 1)
        if k.lifted >> i & 1 and shows(r, s, i, NOBODY):
            if k.home[i] == i:
                k.shown |= <uint32_t>1 << i
            else:
                k.n_misleading += 1
    k.n_fresh = r.piles - popcount(k.lifted)
    k.n_unknown = k.n_fresh
    k.known = all_piles(r)
    if k.n_fresh >= 2:                          # nobody can work on a rabbit that nobody knows
        k.known = k.lifted
        for i in range(r.piles):
            if not k.lifted >> i & 1:
                k.home[i] = UNKNOWN
    k.unsettled = unsettled_piles(k.home, s.hats, r.piles)


# ---- How far it is -----------------------------------------------------------------------------------------

cdef int fewest_switches(const int8_t* home, const uint8_t* hats, int n) noexcept nogil:
    """Switches of piles bring rabbits home, one cycle at a time; switches of hats bring hats to their rabbits."""
    cdef int8_t place[MAX_PILES]                # of each rabbit
    cdef int8_t to[MAX_PILES]                   # where the hat of a pile belongs now
    cdef int i
    memset(place, 0, MAX_PILES)
    memset(to, 0, MAX_PILES)
    for i in range(n):
        place[home[i]] = <int8_t>i
    for i in range(n):
        to[i] = place[hats[i] - 1]
    return 2 * n - count_cycles(home, n) - count_cycles(to, n)


cdef int state_switches(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil:
    cdef int8_t home[MAX_PILES]
    cdef int i
    memset(home, 0, MAX_PILES)
    for i in range(r.piles):
        home[i] = <int8_t>(s.rabbits[i] - 1)
    return fewest_switches(home, s.hats, r.piles)


# ---- What is left to do ------------------------------------------------------------------------------------

cdef uint32_t unsettled_piles(const int8_t* home, const uint8_t* hats, int n) noexcept nogil:
    cdef uint32_t unsettled = 0
    cdef int i
    for i in range(n):
        unsettled |= <uint32_t>((home[i] != UNKNOWN) & ((home[i] != i) | (hats[i] != i + 1))) << i
    return unsettled


cdef void place_hats(const MagicRabbitRules* r, const MagicRabbitState* s, int8_t* hat_at) noexcept nogil:
    cdef int i
    memset(hat_at, 0, MAX_PILES)
    for i in range(r.piles):
        hat_at[s.hats[i] - 1] = <int8_t>i


cdef uint32_t deducers(const MagicRabbitRules* r, const Insight* k) noexcept nogil:
    """The seats that know all rabbits but one, and so the last one too."""
    cdef uint32_t seats = 0
    cdef int seat, i, n_known
    for seat in range(r.seats):
        n_known = 0
        for i in range(r.piles):
            n_known += (k.lifters[i] >> seat | k.shown >> i) & 1
        seats |= <uint32_t>(n_known >= r.piles - 1) << seat
    return seats


cdef inline void add_task(Tasks* tasks, int i, int other, uint32_t seats) noexcept nogil:
    """Add the task of pile i, for which another pile (or the same) has to be free, too."""
    tasks.by_seat |= LANES[seats] << i
    tasks.on_pile[i] |= <uint32_t>1 << i
    tasks.on_pile[other] |= <uint32_t>1 << i


cdef inline uint32_t as_set(seat_t me) noexcept nogil:
    """The seat as a set; nobody is the empty one."""
    return 0 if me == NOBODY else <uint32_t>1 << me


cdef void list_tasks(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, seat_t me, Tasks* tasks
) noexcept nogil:
    cdef int8_t hat_at[MAX_PILES]
    cdef uint32_t everybody = (<uint32_t>1 << r.seats) - 1
    cdef uint32_t left = k.unsettled
    cdef uint32_t who
    cdef int i, other
    memset(tasks, 0, sizeof(Tasks))
    place_hats(r, s, hat_at)
    while left:
        i = pop_lowest(&left)
        who = everybody if k.shown >> i & 1 else k.lifters[i] | as_set(me)
        if who == 0:
            who = deducers(r, k)
        other = k.home[i] if k.home[i] != i else hat_at[i]
        tasks.weights[i] += 2.0 if k.home[i] != i else 1.0
        tasks.weights[other] += 2.0 if k.home[i] != i else 1.0
        add_task(tasks, i, other, who)
    left = all_piles(r) & ~k.known
    while left:
        i = pop_lowest(&left)
        tasks.weights[i] += 2.0 if k.lifted >> i & 1 else 1.5
        if k.lifted >> i & 1:
            add_task(tasks, i, i, k.lifters[i])
        elif k.n_fresh >= 2:
            add_task(tasks, i, i, everybody)
