"""Magic Rabbit: what a seat can conclude, what is left to do, and how far it is.

Actions speak. A seat that moves a pile it has lifted shows that the rabbit is home now; a seat that gives it the hat
of its place shows that it was home already. Such a pile is *shown*, and from then on everybody can work on it.
"""

from libc.string cimport memcpy, memset

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.magic_rabbit.state cimport (
    MAX_PILES, MAX_PLAYERS, MagicRabbitRules, MagicRabbitState, all_piles, seat_of_turn,
)
from aiplay._core.typedefs cimport int8_t, seat_t, uint8_t, uint32_t


# ---- Knowledge ---------------------------------------------------------------------------------------------

cdef inline bint is_lifted(const MagicRabbitState* s, int pile) noexcept nogil:
    """True if any seat has lifted the rabbit of this pile."""
    cdef uint32_t by_all
    memcpy(&by_all, s.lifted[pile], MAX_PLAYERS)
    return by_all != 0


cdef inline bint is_doubtful(
    const MagicRabbitRules* r, const MagicRabbitState* s, int pile, int actor, int turn, seat_t me
) noexcept nogil:
    """True if the switch that brought the pile here may have been made for the sake of the other pile.

    `me` can tell if it has lifted the other one and it is not home.
    """
    cdef int i
    for i in range(r.piles):
        if i != pile and s.switched[i] == turn and knew(s, i, actor, turn):
            return me == NOBODY or s.lifted[i][me] == 0 or s.rabbits[i] == i + 1
    return False


cdef bint is_shown(const MagicRabbitRules* r, const MagicRabbitState* s, int pile, seat_t me) noexcept nogil:
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
    cdef uint32_t numbers = 0, unknown = 0
    cdef int i
    k.shown = k.lifted = 0
    for i in range(r.piles):
        if is_lifted(s, i):
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
    if popcount(unknown) == 1:                  # Rules: a seat that knows all but one knows the last
        k.home[lowest_bit(unknown)] = <int8_t>lowest_bit(all_piles(r) & ~numbers)
        unknown = 0
    k.n_unknown = popcount(unknown)
    k.n_fresh = popcount(unknown & ~k.lifted)
    k.n_misleading = 0


cdef void see_all(const MagicRabbitRules* r, const MagicRabbitState* s, Insight* k) noexcept nogil:
    cdef int i
    k.shown = k.lifted = 0
    k.n_misleading = 0
    for i in range(r.piles):
        k.home[i] = <int8_t>(s.rabbits[i] - 1)
        if is_lifted(s, i):
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

cdef void place_hats(const MagicRabbitRules* r, const MagicRabbitState* s, int8_t* hat_at) noexcept nogil:
    cdef int i
    memset(hat_at, 0, MAX_PILES)
    for i in range(r.piles):
        hat_at[s.hats[i] - 1] = <int8_t>i


cdef uint32_t lifters(const MagicRabbitRules* r, const MagicRabbitState* s, int pile) noexcept nogil:
    cdef uint32_t seats = 0
    cdef int seat
    for seat in range(r.seats):
        seats |= <uint32_t>(s.lifted[pile][seat] != 0) << seat
    return seats


cdef uint32_t deducers(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k
) noexcept nogil:
    """The seats that know all rabbits but one, and so the last one too."""
    cdef uint32_t seats = 0
    cdef int seat, i, n_known
    for seat in range(r.seats):
        n_known = 0
        for i in range(r.piles):
            n_known += (s.lifted[i][seat] != 0) | (k.shown >> i & 1)
        seats |= <uint32_t>(n_known >= r.piles - 1) << seat
    return seats


cdef inline void add_task(Tasks* tasks, uint32_t places, uint32_t seats) noexcept nogil:
    tasks.places[tasks.n] = places
    tasks.seats[tasks.n] = seats
    tasks.n += 1


cdef void list_tasks(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, seat_t me, Tasks* tasks
) noexcept nogil:
    cdef int8_t hat_at[MAX_PILES]
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
