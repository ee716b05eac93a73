"""The legal moves of The Three Magicians."""

from aiplay._core.bits cimport pop_lowest
from aiplay._core.games.three_magicians.state cimport (
    CAST, COUNT_BITS, DECLINE, END, JUMP, LABYRINTH, MAX_PLAYERS, MOVE, N_WANDS, OFFER, STAR, STAY, STEAL, STOP, TIE,
    WALK, ThreeMagiciansRules, ThreeMagiciansState,
)
from aiplay._core.typedefs cimport move_t, uint8_t, uint64_t


cdef inline int list_bits(uint64_t members, int base, int n, move_t* out) noexcept nogil:
    """Append base + every member of a set to n moves; return how many there are then."""
    while members:
        out[n] = base + pop_lowest(&members)
        n += 1
    return n


cdef inline int list_figure_moves(
    const ThreeMagiciansRules* r, const ThreeMagiciansState* s, move_t* out
) noexcept nogil:
    cdef const uint64_t* ends = r.walks[s.apprentices[s.seat]]
    cdef uint64_t walks = ends[s.walk]
    cdef int n = 0
    if s.powers[s.seat]:                        # Rules: with the Power token it may walk double instead
        walks |= ends[2 * s.walk]
    if not walks or not r.must_walk:            # Rules: the Apprentice may stay; option: not if it can walk
        out[0] = END
        n = 1
    n = list_bits(r.jumps[s.magicians[s.seat]][s.jump], JUMP, n, out)
    return list_bits(walks, WALK, n, out)


cdef int list_symbols(const ThreeMagiciansState* s, move_t* out) noexcept nogil:
    """The symbols that are tied for most."""
    cdef uint8_t left = <uint8_t>s.tied
    cdef int n = 0
    while left:
        out[n] = 1 << pop_lowest(&left)
        n += 1
    return n


cdef int list_victims(const ThreeMagiciansState* s, move_t* out) noexcept nogil:
    """The seats that own the card of the place where the seat's figures met."""
    cdef int place = s.magicians[s.seat]
    cdef int n = 0
    cdef int seat
    for seat in range(MAX_PLAYERS):
        if s.cards[seat] >> place & 1:
            out[n] = seat
            n += 1
    return n


cdef int list_keeps(const ThreeMagiciansState* s, move_t* out) noexcept nogil:
    """Stop, or keep some but not all of the wands just thrown; wands of equal value are interchangeable."""
    cdef int limit = s.goal_throws if s.is_second else N_WANDS
    cdef int n_thrown = N_WANDS - s.n_kept
    cdef int n = 1
    cdef int zeros, ones, twos
    out[0] = STOP
    if s.n_throws >= limit:
        return n
    for twos in range(s.thrown[2] + 1):
        for ones in range(s.thrown[1] + 1):
            for zeros in range(s.thrown[0] + 1):
                if 0 < zeros + ones + twos < n_thrown:
                    out[n] = zeros | ones << COUNT_BITS | twos << 2 * COUNT_BITS
                    n += 1
    return n


cdef int three_magicians_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const ThreeMagiciansRules* r = <const ThreeMagiciansRules*>rules
    cdef const ThreeMagiciansState* s = <const ThreeMagiciansState*>state
    if s.phase == MOVE:
        return list_figure_moves(r, s, out)
    if s.phase == OFFER:
        out[0] = DECLINE
        out[1] = CAST
        return 2
    if s.phase == TIE:
        return list_symbols(s, out)
    if s.phase == STAR:                         # Rules: any place but the Labyrinth, or it stays
        return list_bits((1 << LABYRINTH) - 1 | 1 << STAY, 0, 0, out)
    if s.phase == STEAL:
        return list_victims(s, out)
    return list_keeps(s, out)
