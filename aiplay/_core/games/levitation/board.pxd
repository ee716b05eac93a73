# Levitation: small functions about sets, cards, tickets, dice and supplies that several modules share.

from aiplay._core.bits cimport match8, pop_lowest, popcount
from aiplay._core.games.levitation.state cimport (
    EFFECT_POINTS_BOARD, EFFECT_POINTS_DICE, EFFECT_POINTS_HAND, NONE, N_CARDS, N_CITIES, N_COLOURS, N_CUBES, N_DICE,
    N_FLAIR, N_ROUNDS, N_SEATS, N_TICKETS, N_TURNS, PHASE_DEAL, PHASE_TOKENS, LevitationRules, LevitationState,
)
from aiplay._core.typedefs cimport int8_t, uint8_t, uint32_t, uint64_t

cdef enum:
    LOW_BITS = 0x15555555       # bit 2 * city for all fifteen


# ---- Sets --------------------------------------------------------------------------------------------------

cdef inline uint64_t card_bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline uint32_t city_bit(int city) noexcept nogil:
    return <uint32_t>1 << (2 * city)


cdef inline int pop_city(uint32_t* cities) noexcept nogil:
    """Remove the first city of a set that is not empty, and return it."""
    return pop_lowest(cities) >> 1


cdef inline uint32_t places_of(const int8_t* numbers, int n, int number) noexcept nogil:
    """The places of a number among the first n of an array, 8 <= n <= 16, one bit each."""
    cdef const uint8_t* p = <const uint8_t*>numbers
    return match8(p, <uint8_t>number) | match8(p + n - 8, <uint8_t>number) << (n - 8)


cdef inline uint32_t spread(uint32_t places) noexcept nogil:
    """A set of cities with bit 2 * city from one with bit city."""
    places = (places | places << 8) & 0x00FF00FF
    places = (places | places << 4) & 0x0F0F0F0F
    places = (places | places << 2) & 0x33333333
    return (places | places << 1) & LOW_BITS


# ---- Cards and tickets on the board ------------------------------------------------------------------------

cdef inline int acting(const LevitationState* s) noexcept nogil:
    """The seat whose action it is."""
    return s.order[s.n_acted]


cdef inline uint32_t where(uint32_t tickets) noexcept nogil:
    """The cities with at least one ticket."""
    return (tickets | tickets >> 1) & LOW_BITS


cdef inline uint32_t all_tickets(const LevitationState* s) noexcept nogil:
    """The tickets of all seats, two bits for each city: no city holds more than three."""
    return s.tickets[0] + s.tickets[1] + s.tickets[2] + s.tickets[3] + s.tickets[4]


cdef inline uint32_t cities_with_card(const LevitationState* s) noexcept nogil:
    return spread(~places_of(s.city_cards, N_CITIES, NONE) & ((1 << N_CITIES) - 1))


cdef inline uint64_t cards_in_cities(const LevitationState* s) noexcept nogil:
    """The cards in all cities. Without a jump, since nobody can predict which cities are empty: NONE becomes bit 63."""
    cdef uint64_t found = 0
    cdef int city
    for city in range(N_CITIES):
        found |= <uint64_t>1 << (s.city_cards[city] & 63)
    return found & ((<uint64_t>1 << N_CARDS) - 1)


cdef inline uint32_t open_cities(const LevitationRules* r, const LevitationState* s) noexcept nogil:
    """Cities that a ticket may enter: no card, and fewer tickets than the number of the round."""
    cdef uint32_t tickets = all_tickets(s)
    cdef uint32_t low = tickets & LOW_BITS
    cdef uint32_t high = tickets >> 1 & LOW_BITS
    cdef uint32_t full
    if s.round == 0:
        full = low | high
    elif s.round == 1:
        full = high
    else:
        full = low & high
    return r.cities & ~full & ~cities_with_card(s)


# ---- Numbers of pieces -------------------------------------------------------------------------------------

cdef inline int free_cubes(const LevitationState* s, int seat) noexcept nogil:
    """Cubes that the acting seat has not committed."""
    return s.cubes[seat] - s.committed


cdef inline int cube_supply(const LevitationState* s) noexcept nogil:
    return N_CUBES - s.cubes[0] - s.cubes[1] - s.cubes[2] - s.cubes[3] - s.cubes[4]


cdef inline int flair_supply(const LevitationState* s) noexcept nogil:
    cdef int on_cards = 0
    cdef int card
    for card in range(N_CARDS):
        on_cards += s.flair[card]
    return N_FLAIR - on_cards


cdef inline int flair_owned(const LevitationState* s, int seat) noexcept nogil:
    """Flair tokens on the cards of a seat."""
    cdef uint64_t cards = s.owned[seat]
    cdef int total = 0
    while cards:
        total += s.flair[pop_lowest(&cards)]
    return total


cdef inline int off_board(const LevitationState* s, int colour) noexcept nogil:
    """Dice of a colour drafted since the last roll."""
    return N_DICE - s.dice[colour] - s.dice[N_COLOURS + colour] - s.dice[2 * N_COLOURS + colour]


cdef inline int countable(const LevitationRules* r, const LevitationState* s, int seat, int source) noexcept nogil:
    """The number of things that a text that gives points counts for a seat."""
    cdef int effect = r.effects[source]
    if effect == EFFECT_POINTS_DICE:
        return off_board(s, r.colours[source])
    if effect == EFFECT_POINTS_BOARD:
        return N_TICKETS - s.unused[seat] - s.hand[seat]        # in cities and on point spaces
    if effect == EFFECT_POINTS_HAND:
        return s.hand[seat]
    return popcount(s.owned[seat] & r.icons[r.colours[source]])


# ---- Turns -------------------------------------------------------------------------------------------------

cdef inline uint32_t begun_seats(const LevitationState* s) noexcept nogil:
    """The seats that have begun their action of this turn, one bit each."""
    cdef uint32_t begun = 0
    cdef int i
    if s.phase != PHASE_TOKENS and s.phase != PHASE_DEAL:
        for i in range(min(s.n_acted + 1, <int>N_SEATS)):
            begun |= <uint32_t>1 << (s.order[i] & 7)        # NONE counts as a seat that does not exist
    return begun


cdef inline int actions_left(const LevitationState* s, uint32_t begun, int seat) noexcept nogil:
    """Number of actions that a seat has not begun."""
    return (N_ROUNDS - 1 - s.round) * N_TURNS + N_TURNS - 1 - s.turn + (not begun >> seat & 1)
