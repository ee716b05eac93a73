# What a seat of Magic Rabbit can conclude, what is left to do, and how far it is. The .pyx has the reasoning.

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.magic_rabbit.state cimport MAX_PILES, MagicRabbitRules, MagicRabbitState
from aiplay._core.typedefs cimport int8_t, seat_t, uint8_t, uint32_t, uint64_t

cdef enum:
    UNKNOWN = -1            # a home that is not known
    NOBODY = -1             # a seat that sees everything and plays no turn
    LANE = 16               # bits for each seat in `Tasks.by_seat`
    ALL_TASKS = (1 << MAX_PILES) - 1


ctypedef struct Insight:            # knowledge that one seat can act upon
    int8_t home[MAX_PILES]          # the pile where the rabbit of each pile belongs, or UNKNOWN
    uint8_t lifters[MAX_PILES]      # seats that have lifted the rabbit of each pile
    uint32_t known                  # piles whose rabbit the seat knows
    uint32_t unsettled              # those among them whose rabbit is not home, or at home without its hat
    uint32_t shown                  # piles that are home, as everybody can tell from the actions of a seat that knew
    uint32_t lifted                 # piles that any seat has lifted
    int n_unknown                   # piles whose rabbit the seat does not know
    int n_fresh                     # those among them that nobody has lifted
    int n_misleading                # piles that seem to be shown but are not home; only `see_all` counts them


ctypedef struct Tasks:              # useful actions that are left; each has the number of its pile
    uint64_t by_seat                # for each seat a lane of LANE bits: the tasks that it can do
    uint32_t on_pile[MAX_PILES]     # tasks for which each pile has to be free
    double weights[MAX_PILES]       # for each pile: how much a dove on it hinders


cdef inline uint32_t lifters(const MagicRabbitState* s, int pile) noexcept nogil:
    """The seats that have lifted the rabbit of this pile: the bytes of four seats that are not 0, as four bits."""
    cdef const uint8_t* turns = s.lifted[pile]
    cdef uint32_t word = turns[0] | <uint32_t>turns[1] << 8 | <uint32_t>turns[2] << 16 | <uint32_t>turns[3] << 24
    word = ((word & <uint32_t>0x7F7F7F7F) + <uint32_t>0x7F7F7F7F | word) >> 7 & <uint32_t>0x01010101
    return word * <uint32_t>0x01020408 >> 24


cdef inline bint knew(const MagicRabbitState* s, int pile, int seat, int turn) noexcept nogil:
    """True if the seat had lifted the rabbit of this pile before that turn."""
    return 0 < s.lifted[pile][seat] < turn


# True if a seat that knew the rabbit brought it here, or gave it the hat of this place. `me` can rule out some doubts.
cdef bint is_shown(const MagicRabbitRules* r, const MagicRabbitState* s, int pile, seat_t me) noexcept nogil

# Fills in what seat `me` knows or believes. Reads no rabbit that it has not lifted.
cdef void look(const MagicRabbitRules* r, const MagicRabbitState* s, seat_t me, Insight* k) noexcept nogil

# Fills in the truth, and which of it is shown.
cdef void see_all(const MagicRabbitRules* r, const MagicRabbitState* s, Insight* k) noexcept nogil

# The fewest switches that sort n piles with these homes of rabbits and these hats.
cdef int fewest_switches(const int8_t* home, const uint8_t* hats, int n) noexcept nogil

# The fewest switches of a state with all rabbits dealt.
cdef int state_switches(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil

# The piles with a known rabbit that is not home, or at home without its hat.
cdef uint32_t unsettled_piles(const int8_t* home, const uint8_t* hats, int n) noexcept nogil

# Fills in the pile of each hat.
cdef void place_hats(const MagicRabbitRules* r, const MagicRabbitState* s, int8_t* hat_at) noexcept nogil

# Lists what is left to do as far as `me` knows, by whom and on which piles. NOBODY knows everything but does nothing.
cdef void list_tasks(
    const MagicRabbitRules* r, const MagicRabbitState* s, const Insight* k, seat_t me, Tasks* tasks
) noexcept nogil


cdef inline uint32_t blocked_tasks(const Tasks* tasks, uint32_t doves) noexcept nogil:
    """The tasks that doves on these piles prevent."""
    cdef uint32_t blocked = 0
    while doves:
        blocked |= tasks.on_pile[lowest_bit(doves)]
        doves &= doves - 1
    return blocked


cdef inline int count_work(const Tasks* tasks, uint32_t blocked, int seat) noexcept nogil:
    """Number of tasks that a seat can do now."""
    return popcount(<uint32_t>(tasks.by_seat >> (LANE * seat)) & ALL_TASKS & ~blocked)


cdef inline int count_cycles(const int8_t* to, int n) noexcept nogil:
    """Number of cycles of a permutation of 0 .. n - 1."""
    cdef uint32_t left = (<uint32_t>1 << n) - 1
    cdef int i, count = 0
    while left:
        i = lowest_bit(left)
        count += 1
        while left >> i & 1:
            left &= ~(<uint32_t>1 << i)
            i = to[i]
    return count
