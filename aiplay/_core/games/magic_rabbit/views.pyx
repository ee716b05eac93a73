"""Magic Rabbit: who knows what, and which worlds fit a view."""

from libc.string cimport memcpy

from aiplay._core.bits cimport popcount
from aiplay._core.contract cimport PERCEIVE_HIDDEN
from aiplay._core.games.magic_rabbit.insight cimport is_shown, knew
from aiplay._core.games.magic_rabbit.state cimport (
    ACTION, DONE, LIFT, MAX_PILES, SWITCH_HATS, MagicRabbitRules, MagicRabbitState, all_piles, is_over, seat_of_turn,
)
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport move_t, seat_t, uint8_t, uint32_t, uint64_t

cdef enum:
    SEEN_RABBIT = 1000      # key of a lift for the seat that lifts: SEEN_RABBIT * rabbit + move
    DOUBT = 64              # one in 64 shown rabbits is not believed to be home


cdef uint64_t magic_rabbit_perceive(
    const void* rules, const void* state, move_t move, seat_t seat
) noexcept nogil:
    """Everybody sees every move; only the seat that lifts sees the rabbit, and nobody sees rabbits dealt."""
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    if s.n_dealt <= 2 * r.piles:
        return PERCEIVE_HIDDEN if r.piles <= s.n_dealt < 2 * r.piles else <uint64_t>move
    if s.phase == ACTION and DONE < move < SWITCH_HATS and seat == s.seat:
        return <uint64_t>(SEEN_RABBIT * s.rabbits[move - LIFT - 1] + move)
    return <uint64_t>move


cdef void magic_rabbit_conceal(const void* rules, void* state, seat_t seat) noexcept nogil:
    """Blank the rabbits that the seat has not lifted; a seat that has lifted all but one knows the last too.

    Rules: at the end the rabbits are revealed.
    """
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef MagicRabbitState* s = <MagicRabbitState*>state
    cdef int i, n_known = 0
    for i in range(r.piles):
        n_known += s.lifted[i][seat] != 0
    if n_known >= r.piles - 1 or is_over(r, s):
        return
    for i in range(r.piles):
        if s.lifted[i][seat] == 0:
            s.rabbits[i] = 0


# ---- Worlds --------------------------------------------------------------------------------------------------

cdef inline int count_rabbits(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil:
    """Number of rabbits that are dealt."""
    return min(max(s.n_dealt - r.piles, 0), r.piles)


cdef inline uint32_t seen_numbers(const uint8_t* rabbits, int n_rabbits) noexcept nogil:
    """Bit k: rabbit k + 1 is among the first n_rabbits."""
    cdef uint32_t seen = 0
    cdef int i
    for i in range(n_rabbits):
        seen |= (<uint32_t>1 << rabbits[i]) >> 1
    return seen


cdef inline void deal_hidden(
    const MagicRabbitRules* r, uint8_t* rabbits, int n_rabbits, uint32_t seen, Rng* rng
) noexcept nogil:
    """Deal the numbers that are not seen to the blank rabbits, in any order, all equally likely."""
    cdef uint32_t left = all_piles(r) & ~seen
    cdef uint8_t numbers[MAX_PILES]
    cdef int n = popcount(left)
    cdef int i, k
    memcpy(numbers, r.members[left], MAX_PILES)
    for i in range(n_rabbits):
        if rabbits[i] == 0:
            k = <int>rng_below(rng, n)
            rabbits[i] = numbers[k]
            n -= 1
            numbers[k] = numbers[n]


cdef void magic_rabbit_determinise(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef MagicRabbitState* s = <MagicRabbitState*>state
    cdef int n_rabbits = count_rabbits(r, s)
    deal_hidden(r, s.rabbits, n_rabbits, seen_numbers(s.rabbits, n_rabbits), rng)


cdef inline bint is_believed(
    const MagicRabbitRules* r, const MagicRabbitState* s, int pile, seat_t me, const uint8_t* rabbits, Rng* rng
) noexcept nogil:
    """True if a world should have this pile at home because of what was done to it.

    `rabbits` are those of the world so far: the ones that the seat knows, and those of earlier piles.
    """
    cdef int turn = s.switched[pile]
    cdef int i
    if rng_below(rng, DOUBT) == 0:
        return False
    if is_shown(r, s, pile, me):
        return True
    if turn == 0 or not knew(s, pile, seat_of_turn(r, s, turn), turn):
        return False
    for i in range(r.piles):                    # the other pile of a switch that was made for one of the two
        if i != pile and s.switched[i] == turn:
            return s.lifted[i][me] == 0 and (rabbits[i] != i + 1 if i < pile else rng_below(rng, 2) == 0)
    return False


cdef void magic_rabbit_believe(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    """Sample a world that respects the actions of the team: shown rabbits are home, except for one in 64.

    If a switch may have been made for either of its piles, a coin decides which of them is home.
    """
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef MagicRabbitState* s = <MagicRabbitState*>state
    cdef uint8_t rabbits[MAX_PILES]
    cdef int n_rabbits = count_rabbits(r, s)
    cdef uint32_t seen = seen_numbers(s.rabbits, n_rabbits)
    cdef int i
    memcpy(rabbits, s.rabbits, MAX_PILES)
    # 1. Believe what was shown, unless it contradicts what the seat has seen.
    for i in range(n_rabbits):
        if rabbits[i] == 0 and not seen >> i & 1 and is_believed(r, s, i, seat, rabbits, rng):
            rabbits[i] = <uint8_t>(i + 1)
            seen |= <uint32_t>1 << i
    # 2. Deal the rest.
    deal_hidden(r, rabbits, n_rabbits, seen, rng)
    memcpy(s.rabbits, rabbits, MAX_PILES)
