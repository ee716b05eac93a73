"""Levitation: the moves of a seat. Which cards can be used, and what they can be used on."""

from aiplay._core.bits cimport pop_lowest
from aiplay._core.games.levitation.board cimport (
    acting, all_tickets, card_bit, cards_in_cities, cities_with_card, city_bit, countable, cube_supply, flair_supply,
    free_cubes, off_board, open_cities, pop_city, where,
)
from aiplay._core.games.levitation.state cimport (
    EFFECT_BONUS, EFFECT_COLOUR, EFFECT_COPY_OTHER, EFFECT_COPY_OWN, EFFECT_DISABLE, EFFECT_FIRST, EFFECT_GAIN_CARD,
    EFFECT_GAIN_CUBE, EFFECT_GAIN_FLAIR, EFFECT_GAIN_TICKET, EFFECT_GAIN_TICKETS, EFFECT_MOVE_CARD, EFFECT_MOVE_TICKET,
    EFFECT_PLACE_CITY, EFFECT_PLACE_SPACE, EFFECT_POINTS_CARDS, EFFECT_TRADE_CARD, EFFECT_TRADE_TICKETS, HERRMANN,
    MOVE_AMOUNT, MOVE_CARD, MOVE_CITY, MOVE_COLOUR, MOVE_DISCARD, MOVE_DRAFT, MOVE_END, MOVE_PARTNER, MOVE_PATH,
    MOVE_ROLL, MOVE_SPACE, MOVE_TICKETS, NONE, N_CARDS, N_CITIES, N_COLOURS, N_MASTERS, N_SPACES, PHASE_AMOUNT,
    PHASE_COPY, PHASE_FLAIR, PHASE_MAIN, PHASE_START, PHASE_TARGET, THURSTON, LevitationRules, LevitationState,
)
from aiplay._core.typedefs cimport move_t, uint32_t, uint64_t


# ---- Sets of cards, cities and spaces ----------------------------------------------------------------------

cdef inline uint32_t cities_of_cards(const LevitationState* s, uint64_t cards) noexcept nogil:
    """The cities with one of these cards."""
    cdef uint32_t found = 0
    cdef int city
    for city in range(N_CITIES):
        if s.city_cards[city] != NONE:
            found |= <uint32_t>(cards >> s.city_cards[city] & 1) << (2 * city)
    return found


cdef inline uint32_t empty_cities(const LevitationRules* r, const LevitationState* s) noexcept nogil:
    """Cities with neither card nor ticket."""
    return r.cities & ~cities_with_card(s) & ~where(all_tickets(s))


cdef inline uint32_t other_tickets(const LevitationState* s, int seat) noexcept nogil:
    """The cities with a ticket of another seat."""
    return where(all_tickets(s) - s.tickets[seat])


cdef inline uint32_t free_spaces(const LevitationState* s) noexcept nogil:
    """Point spaces without a ticket: bit space."""
    cdef uint32_t found = 0
    cdef int space
    for space in range(N_SPACES):
        found |= <uint32_t>(s.space_seats[space] == NONE) << space
    return found


cdef inline uint64_t other_cards(const LevitationState* s, int seat) noexcept nogil:
    """Cards of the other seats."""
    return (s.owned[0] | s.owned[1] | s.owned[2] | s.owned[3] | s.owned[4]) & ~s.owned[seat]


cdef inline uint64_t ready_cards(const LevitationRules* r, const LevitationState* s, int seat) noexcept nogil:
    """Own cards that match the die and are neither used nor disabled."""
    return s.owned[seat] & r.icons[s.colour] & ~s.used & ~s.disabled


cdef inline uint64_t tradable(
    const LevitationRules* r, const LevitationState* s, int seat, int active
) noexcept nogil:
    """Own cards that may be traded for one in a city: neither those that trade nor the one in use."""
    return s.owned[seat] & ~r.untraded & ~card_bit(active)


# ---- Cards that can be used --------------------------------------------------------------------------------

cdef inline bint differ(uint32_t a, uint32_t b) noexcept nogil:
    """True if there is a city of `a` and a different one of `b`."""
    return a != 0 and b != 0 and (a | b) & ((a | b) - 1) != 0


cdef inline bint can_gain(const LevitationRules* r, const LevitationState* s, int seat, int source) noexcept nogil:
    """True if a text that only gains would gain anything."""
    cdef int effect = r.effects[source]
    if effect == EFFECT_GAIN_FLAIR:
        return flair_supply(s) > 0
    if effect == EFFECT_GAIN_TICKET:
        return s.unused[seat] > 0
    if effect == EFFECT_GAIN_CUBE:
        return cube_supply(s) > 0
    if effect == EFFECT_GAIN_TICKETS:
        return s.unused[seat] > 0 and off_board(s, r.colours[source]) > 0
    return (cards_in_cities(s) & r.icons[r.colours[source]]) != 0


cdef inline bint is_usable(
    const LevitationRules* r, const LevitationState* s, int seat, int active, int source, int free
) noexcept nogil:
    """True if the text of `source` on card `active` does anything for the seat.

    `free` is the number of cubes left after paying the fixed cost of `active`. Not for texts that duplicate.
    """
    cdef int effect = r.effects[source]
    if effect <= EFFECT_POINTS_CARDS:
        return (free > 0 or r.costs[source] > 0) and countable(r, s, seat, source) > 0
    if effect <= EFFECT_GAIN_CARD:
        return can_gain(r, s, seat, source)
    if effect == EFFECT_PLACE_SPACE:
        return s.hand[seat] > 0 and free_spaces(s) != 0
    if effect == EFFECT_PLACE_CITY:
        return s.hand[seat] > 0 and open_cities(r, s) & r.places[source] != 0
    if effect == EFFECT_DISABLE:
        return other_cards(s, seat) & ~s.disabled != 0
    if effect == EFFECT_TRADE_TICKETS:
        return differ(where(s.tickets[seat]), other_tickets(s, seat))
    if effect == EFFECT_MOVE_TICKET:
        return differ(where(s.tickets[seat]), open_cities(r, s))
    if effect == EFFECT_TRADE_CARD:
        return tradable(r, s, seat, active) != 0 and cities_with_card(s) != 0
    if effect == EFFECT_MOVE_CARD:
        return cities_with_card(s) != 0 and empty_cities(r, s) != 0
    return effect == EFFECT_FIRST or effect == EFFECT_BONUS or effect == EFFECT_COLOUR


cdef inline int list_copies(
    const LevitationRules* r, const LevitationState* s, int seat, int active, int free, move_t* out
) noexcept nogil:
    """Write a move for every text that `active` may duplicate, with the lowest card that has the text.

    Rules: Duplicating. Equal texts are one move.
    """
    cdef uint64_t cards = s.owned[seat] if r.effects[active] == EFFECT_COPY_OWN else other_cards(s, seat)
    cdef uint64_t seen = 0
    cdef int n = 0
    cdef int card
    cards &= ~r.uncopied & ~s.disabled
    while cards:
        card = pop_lowest(&cards)
        if not seen >> r.texts[card] & 1 and is_usable(r, s, seat, active, r.texts[card], free):
            out[n] = MOVE_CARD + card
            n += 1
        seen |= card_bit(r.texts[card])
    return n


cdef inline bint is_activable(const LevitationRules* r, const LevitationState* s, int seat, int card) noexcept nogil:
    """True if an own card, neither used nor disabled, can be paid for and used. Rules: Activations."""
    cdef move_t copies[N_CARDS]
    cdef int effect = r.effects[card]
    cdef int free = free_cubes(s, seat) - r.costs[card]
    if free < 0:
        return False
    if effect == EFFECT_COPY_OTHER or effect == EFFECT_COPY_OWN:
        return list_copies(r, s, seat, card, free, copies) > 0
    return is_usable(r, s, seat, card, r.texts[card], free)


# ---- Lists of moves ----------------------------------------------------------------------------------------

cdef inline int put_bits(uint64_t bits, move_t base, move_t* out, int n) noexcept nogil:
    """Append base + bit for every bit of a set; return the new number of moves."""
    while bits:
        out[n] = base + pop_lowest(&bits)
        n += 1
    return n


cdef inline int put_cities(uint32_t cities, move_t base, move_t* out, int n) noexcept nogil:
    """Append base + city for every city of a set; return the new number of moves."""
    while cities:
        out[n] = base + pop_city(&cities)
        n += 1
    return n


cdef inline bint lacks_dice(const LevitationState* s) noexcept nogil:
    """True if a master has no dice."""
    cdef int master, colour, n
    for master in range(N_MASTERS):
        n = 0
        for colour in range(N_COLOURS):
            n += s.dice[N_COLOURS * master + colour]
        if n == 0:
            return True
    return False


cdef inline int list_start(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """Rules: Before the draft, Draft. Without dice on the masters, a roll is the only move."""
    cdef uint64_t cards = s.owned[seat] & r.rerolls & ~s.used & ~s.disabled
    cdef int n = 0
    cdef int i
    if not s.has_rolled and lacks_dice(s):
        out[n] = MOVE_ROLL
        n += 1
    while cards:
        i = pop_lowest(&cards)
        if r.costs[i] <= free_cubes(s, seat):
            out[n] = MOVE_CARD + i
            n += 1
    for i in range(N_MASTERS * N_COLOURS):
        out[n] = MOVE_DRAFT + i
        n += s.dice[i] > 0
    return n


cdef inline int list_main_action(
    const LevitationRules* r, const LevitationState* s, int seat, move_t* out, int n
) noexcept nogil:
    """Append the main actions of the master; return the new number of moves."""
    if s.master == HERRMANN:
        if s.unused[seat]:
            out[n] = MOVE_TICKETS
            n += 1
    elif s.master == THURSTON:
        n = put_cities(cities_of_cards(s, r.icons[s.colour]), MOVE_CITY, out, n)
    elif s.hand[seat]:
        n = put_cities(open_cities(r, s) & r.colour_cities[s.colour], MOVE_CITY, out, n)
        n = put_bits(free_spaces(s), MOVE_SPACE, out, n)
    return n


cdef inline int list_main(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """Main action and activations in any order, or the end of the action."""
    cdef uint64_t cards = ready_cards(r, s, seat)
    cdef int n = 1
    cdef int card
    out[0] = MOVE_END
    if not s.has_acted:
        n = list_main_action(r, s, seat, out, n)
    while cards:
        card = pop_lowest(&cards)
        if is_activable(r, s, seat, card):
            out[n] = MOVE_CARD + card
            n += 1
    return n


cdef inline int list_amounts(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """Rules: X. One point or more, limited by the free cubes and the things counted."""
    cdef int most = min(free_cubes(s, seat), countable(r, s, seat, s.source))
    cdef int amount
    for amount in range(most):
        out[amount] = MOVE_AMOUNT + 1 + amount
    return most


cdef inline int list_flair(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """Rules: Flair. On an own card with room, or discarded for a point."""
    cdef uint64_t cards = s.owned[seat] >> s.flair_from << s.flair_from
    cdef int n = 1
    cdef int card
    out[0] = MOVE_DISCARD
    while cards:
        card = pop_lowest(&cards)
        if s.flair[card] < r.limits[card]:
            out[n] = MOVE_CARD + card
            n += 1
    return n


cdef inline int list_paths(const LevitationRules* r, const LevitationState* s, move_t* out) noexcept nogil:
    """Rules: Path. The complete paths of `path_seat`."""
    cdef uint32_t cities = where(s.tickets[s.path_seat])
    cdef int n = 0
    cdef int path
    for path in range(r.n_paths):
        if cities & r.path_masks[path] == r.path_masks[path]:
            out[n] = MOVE_PATH + path
            n += 1
    return n


# ---- Targets -----------------------------------------------------------------------------------------------

cdef inline uint32_t leavable(uint32_t own, uint32_t others) noexcept nogil:
    """Cities of `own` for which `others` has a different one."""
    return own if others & (others - 1) else own & ~others


cdef inline int list_first_targets(
    const LevitationRules* r, const LevitationState* s, int seat, move_t* out
) noexcept nogil:
    """The only target of an effect, or the first of two."""
    cdef int effect = r.effects[s.source]
    if effect == EFFECT_GAIN_CARD:
        return put_cities(cities_of_cards(s, r.icons[r.colours[s.source]]), MOVE_CITY, out, 0)
    if effect == EFFECT_PLACE_SPACE:
        return put_bits(free_spaces(s), MOVE_SPACE, out, 0)
    if effect == EFFECT_PLACE_CITY:
        return put_cities(open_cities(r, s) & r.places[s.source], MOVE_CITY, out, 0)
    if effect == EFFECT_DISABLE:
        return put_bits(other_cards(s, seat) & ~s.disabled, MOVE_CARD, out, 0)
    if effect == EFFECT_TRADE_TICKETS:
        return put_cities(leavable(where(s.tickets[seat]), other_tickets(s, seat)), MOVE_CITY, out, 0)
    if effect == EFFECT_MOVE_TICKET:
        return put_cities(leavable(where(s.tickets[seat]), open_cities(r, s)), MOVE_CITY, out, 0)
    if effect == EFFECT_TRADE_CARD:
        return put_bits(tradable(r, s, seat, s.active), MOVE_CARD, out, 0)
    if effect == EFFECT_MOVE_CARD:
        return put_cities(cities_with_card(s), MOVE_CITY, out, 0)
    return put_bits((card_bit(N_COLOURS) - 1) & ~card_bit(s.colour), MOVE_COLOUR, out, 0)


cdef inline int list_partners(
    const LevitationRules* r, const LevitationState* s, int seat, move_t* out
) noexcept nogil:
    """Tickets of the other seats outside the city `target`."""
    cdef int n = 0
    cdef int other
    for other in range(r.seats):
        if other != seat:
            n = put_cities(
                where(s.tickets[other]) & ~city_bit(s.target), MOVE_PARTNER + N_CITIES * other, out, n
            )
    return n


cdef inline int list_targets(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """The choices of PHASE_TARGET."""
    cdef int effect = r.effects[s.source]
    if s.target == NONE:
        return list_first_targets(r, s, seat, out)
    if effect == EFFECT_TRADE_TICKETS:
        return list_partners(r, s, seat, out)
    if effect == EFFECT_MOVE_TICKET:
        return put_cities(open_cities(r, s) & ~city_bit(s.target), MOVE_CITY, out, 0)
    if effect == EFFECT_TRADE_CARD:
        return put_cities(cities_with_card(s), MOVE_CITY, out, 0)
    return put_cities(empty_cities(r, s), MOVE_CITY, out, 0)


cdef int levitation_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    cdef int seat = acting(s)
    if s.phase == PHASE_MAIN:
        return list_main(r, s, seat, out)
    if s.phase == PHASE_START:
        return list_start(r, s, seat, out)
    if s.phase == PHASE_FLAIR:
        return list_flair(r, s, seat, out)
    if s.phase == PHASE_TARGET:
        return list_targets(r, s, seat, out)
    if s.phase == PHASE_AMOUNT:
        return list_amounts(r, s, seat, out)
    if s.phase == PHASE_COPY:
        return list_copies(r, s, seat, s.active, free_cubes(s, seat), out)
    return list_paths(r, s, out)
