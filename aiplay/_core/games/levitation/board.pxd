# Levitation: what lies where. Sets of cities are words with bit 2 * city, sets of cards words with bit card.

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.levitation.state cimport (
    N_CARDS, N_CITIES, N_CUBES, N_DICE, N_FLAIR, NONE, N_PATHS, REWARD_CUBES, REWARD_FLAIR, SPACE_CUBES, SPACE_FLAIR, SPACE_ICON,
    SPACE_SIZE, SPACE_TICKETS, N_SPACES, N_TICKETS, COUNTED_PIECES, LevitationRules, LevitationState,
)
from aiplay._core.typedefs cimport int8_t, move_t, uint32_t, uint64_t

cdef enum:
    ALL_CITIES = 0x15555555     # bit 2 * city for all fifteen
    ROW = 0x155                 # the five of a row, shifted down to bit 0
    ROW_SHIFT = 10              # bits from one row to the next


cdef inline uint64_t card_bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline uint32_t city_bit(int city) noexcept nogil:
    return <uint32_t>1 << (2 * city)


cdef inline int acting(const LevitationState* s) noexcept nogil:
    """The seat whose action it is."""
    return s.order[s.n_acted]


cdef inline int free_cubes(const LevitationState* s, int seat) noexcept nogil:
    """Cubes that the acting seat has not committed."""
    return s.cubes[seat] - s.committed


# ---- Cards and cities --------------------------------------------------------------------------------------

cdef inline uint32_t cities_with_card(const LevitationState* s) noexcept nogil:
    cdef uint32_t found = 0
    cdef int city
    for city in range(N_CITIES):
        found |= <uint32_t>(s.city_cards[city] >= 0) << (2 * city)
    return found


cdef inline uint64_t cards_in_cities(const LevitationState* s) noexcept nogil:
    cdef uint64_t found = 0
    cdef int city
    for city in range(N_CITIES):
        if s.city_cards[city] >= 0:
            found |= card_bit(s.city_cards[city])
    return found


cdef inline uint32_t cities_of_cards(const LevitationState* s, uint64_t cards) noexcept nogil:
    """The cities where one of these cards lies."""
    cdef uint32_t found = 0
    cdef int city
    for city in range(N_CITIES):
        if s.city_cards[city] >= 0:
            found |= <uint32_t>(cards >> s.city_cards[city] & 1) << (2 * city)
    return found


cdef inline uint32_t where(uint32_t tickets) noexcept nogil:
    """The cities with at least one ticket."""
    return (tickets | tickets >> 1) & ALL_CITIES


cdef inline uint32_t all_tickets(const LevitationState* s) noexcept nogil:
    """The tickets of all seats, two bits for each city: no city holds more than three."""
    return s.tickets[0] + s.tickets[1] + s.tickets[2] + s.tickets[3] + s.tickets[4]


cdef inline uint32_t open_cities(const LevitationState* s) noexcept nogil:
    """Cities that a ticket may enter: no card, fewer tickets than the round's number."""
    cdef uint32_t tickets = all_tickets(s)
    cdef uint32_t low = tickets & ALL_CITIES
    cdef uint32_t high = tickets >> 1 & ALL_CITIES
    cdef uint32_t full
    if s.round == 0:
        full = low | high
    elif s.round == 1:
        full = high
    else:
        full = low & high
    return ALL_CITIES & ~full & ~cities_with_card(s)


cdef inline uint32_t other_tickets(const LevitationState* s, int seat) noexcept nogil:
    """The cities with a ticket of another seat."""
    return where(all_tickets(s) - s.tickets[seat])


cdef inline uint64_t other_cards(const LevitationState* s, int seat) noexcept nogil:
    return (s.owned[0] | s.owned[1] | s.owned[2] | s.owned[3] | s.owned[4]) & ~s.owned[seat]


# ---- Counting ----------------------------------------------------------------------------------------------

cdef inline int tickets_in_cities(const LevitationState* s, int seat) noexcept nogil:
    return popcount(s.tickets[seat] & ALL_CITIES) + 2 * popcount(s.tickets[seat] >> 1 & ALL_CITIES)


cdef inline int tickets_on_board(const LevitationState* s, int seat) noexcept nogil:
    """In cities and on point spaces."""
    return N_TICKETS - s.unused[seat] - s.hand[seat]


cdef inline int off_board(const LevitationState* s, int colour) noexcept nogil:
    """Dice of a colour drafted since the last roll."""
    return N_DICE - s.dice[colour] - s.dice[5 + colour] - s.dice[10 + colour]


cdef inline int flair_supply(const LevitationState* s) noexcept nogil:
    cdef int on_cards = 0
    cdef int card
    for card in range(N_CARDS):
        on_cards += s.flair[card]
    return N_FLAIR - on_cards


cdef inline int flair_owned(const LevitationState* s, int seat) noexcept nogil:
    cdef uint64_t cards = s.owned[seat]
    cdef int total = 0
    while cards:
        total += s.flair[lowest_bit(cards)]
        cards &= cards - 1
    return total


cdef inline int cube_supply(const LevitationState* s) noexcept nogil:
    return N_CUBES - s.cubes[0] - s.cubes[1] - s.cubes[2] - s.cubes[3] - s.cubes[4]


cdef inline uint32_t free_spaces(const LevitationState* s) noexcept nogil:
    """Point spaces without a ticket: bit space."""
    cdef uint32_t found = 0
    cdef int space
    for space in range(N_SPACES):
        found |= <uint32_t>(s.space_seats[space] < 0) << space
    return found


# ---- Gaining -----------------------------------------------------------------------------------------------

cdef inline void gain_tickets(LevitationState* s, int seat, int n) noexcept nogil:
    """Unused tickets come into the hand, as many as there are."""
    n = min(n, <int>s.unused[seat])
    s.unused[seat] -= <int8_t>n
    s.hand[seat] += <int8_t>n


cdef inline void gain_cubes(LevitationState* s, int seat, int n) noexcept nogil:
    s.cubes[seat] += <int8_t>min(n, cube_supply(s))


cdef inline void take_card(LevitationState* s, int seat, int city) noexcept nogil:
    """The card of a city becomes the seat's; the city stays empty."""
    s.owned[seat] |= card_bit(s.city_cards[city])
    s.city_cards[city] = NONE


cdef inline void take_reward(const LevitationRules* r, LevitationState* s, int seat, int city) noexcept nogil:
    """A ticket has entered a city: cubes at once, flair to be placed. Point cities pay only by a path."""
    if r.rewards[city] == REWARD_CUBES:
        gain_cubes(s, seat, r.amounts[city])
    elif r.rewards[city] == REWARD_FLAIR:
        s.n_flair = <int8_t>min(<int>r.amounts[city], flair_supply(s))


# ---- Paths -------------------------------------------------------------------------------------------------

cdef inline uint32_t beside(uint32_t row) noexcept nogil:
    """The columns of a row that are straight or diagonally next to these."""
    return (row | row << 2 | row >> 2) & ROW


cdef inline bint has_path(const LevitationRules* r, uint32_t tickets) noexcept nogil:
    cdef uint32_t cities = where(tickets)
    cdef uint32_t top = cities & r.point_cities & ROW
    cdef uint32_t middle = cities >> ROW_SHIFT & ROW
    cdef uint32_t bottom = cities >> 2 * ROW_SHIFT
    return (beside(top) & middle & beside(bottom)) != 0


cdef inline int list_paths(const LevitationRules* r, uint32_t tickets, move_t* out, move_t base) noexcept nogil:
    """Writes base + path for every complete path."""
    cdef uint32_t cities = where(tickets)
    cdef int n = 0
    cdef int path
    for path in range(N_PATHS):
        if cities & r.path_masks[path] == r.path_masks[path] and city_bit(r.paths[path][0]) & r.point_cities:
            out[n] = base + path
            n += 1
    return n


cdef inline void clear_path(const LevitationRules* r, LevitationState* s, int owner, int path) noexcept nogil:
    """The owner's three tickets become unused, every other ticket in the three cities returns to a hand."""
    cdef int i, city, seat
    for i in range(3):
        city = r.paths[path][i]
        s.tickets[owner] -= city_bit(city)
        s.unused[owner] += 1
        for seat in range(r.seats):
            s.hand[seat] += <int8_t>(s.tickets[seat] >> (2 * city) & 3)
            s.tickets[seat] &= ~(<uint32_t>3 << (2 * city))


# ---- Point spaces ------------------------------------------------------------------------------------------

cdef inline int space_points(const LevitationRules* r, const LevitationState* s, int seat, int space) noexcept nogil:
    """What a ticket of the seat on this space scores at the end."""
    cdef int kind = r.space_kinds[space]
    cdef int item = r.space_items[space]
    if kind == SPACE_ICON:
        return r.card_points[popcount(s.owned[seat] & r.icons[item])]
    if kind == SPACE_SIZE:
        return r.card_points[popcount(s.owned[seat] & r.sizes[item])]
    if kind == SPACE_FLAIR:
        return min(flair_owned(s, seat), <int>COUNTED_PIECES)
    if kind == SPACE_TICKETS:
        return min(N_TICKETS - s.unused[seat], <int>COUNTED_PIECES)
    return min(<int>s.cubes[seat], <int>COUNTED_PIECES)


cdef inline void score_spaces(const LevitationRules* r, LevitationState* s) noexcept nogil:
    """Rules: End."""
    cdef int space, seat
    for space in range(N_SPACES):
        seat = s.space_seats[space]
        if seat >= 0:
            s.scores[seat] += space_points(r, s, seat, space)
