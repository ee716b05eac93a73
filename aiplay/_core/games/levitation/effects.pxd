# Levitation: what the cards do, from the question whether one can be used to the points for its flair.
#
# A use runs through these phases, most of which are skipped by most cards:
#   MAIN -> COPY -> AMOUNT or TARGET (once or twice) -> the effect itself -> N_FLAIR (once for each token)
#        -> PATH -> REFILL -> points for the flair on the card -> MAIN
# A main action joins at the effect, and has no card.

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.levitation.state cimport *
from aiplay._core.games.levitation.board cimport *
from aiplay._core.typedefs cimport int8_t, move_t, uint32_t, uint64_t


# ---- Whether a text can be used ----------------------------------------------------------------------------

cdef inline int countable(const LevitationRules* r, const LevitationState* s, int seat, int source) noexcept nogil:
    """The things that an X card counts for a seat."""
    cdef int effect = r.effects[source]
    if effect == EFFECT_POINTS_DICE:
        return off_board(s, r.colours[source])
    if effect == EFFECT_POINTS_BOARD:
        return tickets_on_board(s, seat)
    if effect == EFFECT_POINTS_HAND:
        return s.hand[seat]
    return popcount(s.owned[seat] & r.icons[r.colours[source]])


cdef inline uint64_t tradable(
    const LevitationRules* r, const LevitationState* s, int seat, int active
) noexcept nogil:
    """Own cards that may be traded for one in a city: neither those that trade nor the one in use."""
    return s.owned[seat] & ~r.untraded & ~card_bit(active)


cdef inline bint differ(uint32_t a, uint32_t b) noexcept nogil:
    """Whether a city of `a` and another one of `b` can be found."""
    return a != 0 and b != 0 and (a | b) & ((a | b) - 1) != 0


cdef inline uint32_t empty_cities(const LevitationState* s) noexcept nogil:
    """Cities with neither card nor ticket."""
    return ALL_CITIES & ~cities_with_card(s) & ~where(all_tickets(s))


cdef inline bint can_gain(const LevitationRules* r, const LevitationState* s, int seat, int source) noexcept nogil:
    """Whether a text that only gains would gain anything."""
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
    """Whether the text of `source` on card `active` does anything for the seat.

    `free` are the cubes left when the fixed cost of `active` is paid. Duplicating texts are not asked here.
    """
    cdef int effect = r.effects[source]
    if effect <= EFFECT_POINTS_CARDS:
        return free > 0 and countable(r, s, seat, source) > 0
    if effect <= EFFECT_GAIN_CARD:
        return can_gain(r, s, seat, source)
    if effect == EFFECT_PLACE_SPACE:
        return s.hand[seat] > 0 and free_spaces(s) != 0
    if effect == EFFECT_PLACE_CITY:
        return s.hand[seat] > 0 and open_cities(s) & r.places[source] != 0
    if effect == EFFECT_DISABLE:
        return other_cards(s, seat) & ~s.disabled != 0
    if effect == EFFECT_TRADE_TICKETS:
        return differ(where(s.tickets[seat]), other_tickets(s, seat))
    if effect == EFFECT_MOVE_TICKET:
        return differ(where(s.tickets[seat]), open_cities(s))
    if effect == EFFECT_TRADE_CARD:
        return tradable(r, s, seat, active) != 0 and cities_with_card(s) != 0
    if effect == EFFECT_MOVE_CARD:
        return cities_with_card(s) != 0 and empty_cities(s) != 0
    return effect == EFFECT_FIRST or effect == EFFECT_BONUS or effect == EFFECT_COLOUR


cdef inline int list_copies(
    const LevitationRules* r, const LevitationState* s, int seat, int active, int free, move_t* out
) noexcept nogil:
    """Writes a move for every text that `active` may duplicate: the lowest card on the table that has it.

    Rules: Duplicate. Equal texts are one move.
    """
    cdef uint64_t cards = s.owned[seat] if r.effects[active] == EFFECT_COPY_OWN else other_cards(s, seat)
    cdef uint64_t seen = 0
    cdef int n = 0
    cdef int card
    cards &= ~r.uncopied & ~s.disabled
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if not seen >> r.texts[card] & 1 and is_usable(r, s, seat, active, r.texts[card], free):
            out[n] = MOVE_CARD + card
            n += 1
        seen |= card_bit(r.texts[card])
    return n


cdef inline bint is_activable(const LevitationRules* r, const LevitationState* s, int seat, int card) noexcept nogil:
    """Whether an own card that is neither used nor disabled can be paid for and used. Rules: Activation."""
    cdef move_t copies[N_CARDS]
    cdef int effect = r.effects[card]
    cdef int free = free_cubes(s, seat) - r.costs[card]
    if free < 0:
        return False
    if effect == EFFECT_COPY_OTHER or effect == EFFECT_COPY_OWN:
        return list_copies(r, s, seat, card, free, copies) > 0
    return is_usable(r, s, seat, card, r.texts[card], free)


cdef inline uint64_t ready_cards(const LevitationRules* r, const LevitationState* s, int seat) noexcept nogil:
    """Own cards that match the die and are neither used nor disabled."""
    return s.owned[seat] & r.icons[s.colour] & ~s.used & ~s.disabled


# ---- What it can be used on --------------------------------------------------------------------------------

cdef inline int put_cities(uint32_t cities, move_t* out, int n) noexcept nogil:
    """Append a move for every city of a set; the new number of moves."""
    while cities:
        out[n] = MOVE_CITY + (lowest_bit(cities) >> 1)
        cities &= cities - 1
        n += 1
    return n


cdef inline int put_bits(uint64_t bits, move_t base, move_t* out, int n) noexcept nogil:
    """Append base + bit for every bit of a set; the new number of moves."""
    while bits:
        out[n] = base + lowest_bit(bits)
        bits &= bits - 1
        n += 1
    return n


cdef inline int put_partners(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """Tickets of the others outside of the city `target`."""
    cdef uint32_t cities
    cdef int n = 0
    cdef int other
    for other in range(r.seats):
        if other != seat:
            cities = where(s.tickets[other]) & ~city_bit(s.target)
            while cities:
                out[n] = MOVE_PARTNER + N_CITIES * other + (lowest_bit(cities) >> 1)
                cities &= cities - 1
                n += 1
    return n


cdef inline uint32_t leavable(uint32_t own, uint32_t others) noexcept nogil:
    """Cities of `own` for which `others` has a different one."""
    return own if others & (others - 1) else own & ~others


cdef inline int list_amounts(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """Rules: X card. One point or more, as the free cubes and the things counted allow."""
    cdef int most = min(free_cubes(s, seat), countable(r, s, seat, s.source))
    cdef int amount
    for amount in range(most):
        out[amount] = MOVE_AMOUNT + 1 + amount
    return most


cdef inline int list_first_targets(
    const LevitationRules* r, const LevitationState* s, int seat, move_t* out
) noexcept nogil:
    cdef int effect = r.effects[s.source]
    if effect == EFFECT_GAIN_CARD:
        return put_cities(cities_of_cards(s, r.icons[r.colours[s.source]]), out, 0)
    if effect == EFFECT_PLACE_SPACE:
        return put_bits(free_spaces(s), MOVE_SPACE, out, 0)
    if effect == EFFECT_PLACE_CITY:
        return put_cities(open_cities(s) & r.places[s.source], out, 0)
    if effect == EFFECT_DISABLE:
        return put_bits(other_cards(s, seat) & ~s.disabled, MOVE_CARD, out, 0)
    if effect == EFFECT_TRADE_TICKETS:
        return put_cities(leavable(where(s.tickets[seat]), other_tickets(s, seat)), out, 0)
    if effect == EFFECT_MOVE_TICKET:
        return put_cities(leavable(where(s.tickets[seat]), open_cities(s)), out, 0)
    if effect == EFFECT_TRADE_CARD:
        return put_bits(tradable(r, s, seat, s.active), MOVE_CARD, out, 0)
    if effect == EFFECT_MOVE_CARD:
        return put_cities(cities_with_card(s), out, 0)
    return put_bits(0x1F & ~card_bit(s.colour), MOVE_COLOUR, out, 0)


cdef inline int list_targets(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """The choices of PHASE_TARGET."""
    cdef int effect = r.effects[s.source]
    if s.target == NONE:
        return list_first_targets(r, s, seat, out)
    if effect == EFFECT_TRADE_TICKETS:
        return put_partners(r, s, seat, out)
    if effect == EFFECT_MOVE_TICKET:
        return put_cities(open_cities(s) & ~city_bit(s.target), out, 0)
    if effect == EFFECT_TRADE_CARD:
        return put_cities(cities_with_card(s), out, 0)
    return put_cities(empty_cities(s), out, 0)


# ---- After the effect --------------------------------------------------------------------------------------

cdef inline void finish_use(LevitationState* s) noexcept nogil:
    """A point for each flair token now on the card in use; then the action goes on."""
    if s.active != NONE:
        s.scores[acting(s)] += s.flair[s.active]
    s.active = s.source = s.target = NONE
    s.phase = PHASE_MAIN


cdef inline void settle_paths(const LevitationRules* r, LevitationState* s) noexcept nogil:
    """Let paths be claimed at once: by the acting seat first, then by the others."""
    cdef int seat = acting(s)
    cdef int other
    if has_path(r, s.tickets[seat]):
        s.path_seat = <int8_t>seat
        s.phase = PHASE_PATH
        return
    for other in range(r.seats):
        if has_path(r, s.tickets[other]):
            s.path_seat = <int8_t>other
            s.phase = PHASE_PATH
            return
    finish_use(s)


cdef inline void settle_flair(const LevitationRules* r, LevitationState* s) noexcept nogil:
    """Let flair be placed, token by token."""
    if s.n_flair:
        s.phase = PHASE_FLAIR
    else:
        s.flair_from = 0
        settle_paths(r, s)


cdef inline void enter_city(const LevitationRules* r, LevitationState* s, int seat, int city) noexcept nogil:
    """A ticket of the acting seat comes into a city, with all that follows."""
    s.source = s.target = NONE
    s.tickets[seat] += city_bit(city)
    take_reward(r, s, seat, city)
    settle_flair(r, s)


cdef inline void place_on_space(LevitationState* s, int seat, int space) noexcept nogil:
    s.hand[seat] -= 1
    s.space_seats[space] = <int8_t>seat
    finish_use(s)


cdef inline void place_in_city(const LevitationRules* r, LevitationState* s, int seat, int city) noexcept nogil:
    s.hand[seat] -= 1
    enter_city(r, s, seat, city)


cdef inline void refill_next(const LevitationRules* r, LevitationState* s) noexcept nogil:
    """Wait for the next new card of a claimed path, while there are cities and cards."""
    if s.step < 3 and s.deck:
        s.phase = PHASE_REFILL
        return
    s.step = 0
    s.path = NONE
    settle_paths(r, s)


cdef inline void claim_path(const LevitationRules* r, LevitationState* s, int path) noexcept nogil:
    """Rules: Path. The bonus is for the acting seat only."""
    cdef int owner = s.path_seat
    s.scores[owner] += r.amounts[r.paths[path][0]]
    if owner == acting(s):
        s.scores[owner] += s.bonus
        s.bonus = 0
    clear_path(r, s, owner, path)
    s.path_seat = NONE
    s.path = <int8_t>path
    refill_next(r, s)


cdef inline void place_flair(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil:
    """Rules: Flair. The order of equal tokens does not matter: cards are chosen ascending, discards come last."""
    s.n_flair -= 1
    if move == MOVE_DISCARD:
        s.scores[seat] += 1
        s.flair_from = N_CARDS
    else:
        s.flair_from = <int8_t>(move - MOVE_CARD)
        s.flair[s.flair_from] += 1
    settle_flair(r, s)


# ---- The effects -------------------------------------------------------------------------------------------

cdef inline void claim_first(const LevitationRules* r, LevitationState* s, int seat) noexcept nogil:
    """First action of the next turn, behind those who asked for it earlier in this turn."""
    cdef int rank = 1
    cdef int other
    if s.first[seat]:
        return
    for other in range(r.seats):
        rank += s.first[other] > 0
    s.first[seat] = <int8_t>rank


cdef inline void begin_effect(const LevitationRules* r, LevitationState* s, int seat) noexcept nogil:
    """The text of `source` begins: it asks for a choice, or does what it says."""
    cdef int effect = r.effects[s.source]
    if effect <= EFFECT_POINTS_CARDS:
        s.phase = PHASE_AMOUNT
        return
    if effect == EFFECT_GAIN_FLAIR:
        s.source = NONE
        s.n_flair = 1
        s.phase = PHASE_FLAIR
        return
    if effect == EFFECT_GAIN_TICKET:
        gain_tickets(s, seat, 1)
    elif effect == EFFECT_GAIN_TICKETS:
        gain_tickets(s, seat, off_board(s, r.colours[s.source]))
    elif effect == EFFECT_GAIN_CUBE:
        gain_cubes(s, seat, 1)
    elif effect == EFFECT_FIRST:
        claim_first(r, s, seat)
    elif effect == EFFECT_BONUS:
        s.bonus += PATH_BONUS
    else:
        s.phase = PHASE_TARGET
        return
    finish_use(s)


cdef inline void activate(const LevitationRules* r, LevitationState* s, int seat, int card) noexcept nogil:
    """Rules: Activation. The cubes of an X card are committed when their number is chosen."""
    s.used |= card_bit(card)
    s.committed += r.costs[card]
    s.active = <int8_t>card
    if r.effects[card] == EFFECT_COPY_OTHER or r.effects[card] == EFFECT_COPY_OWN:
        s.phase = PHASE_COPY
    else:
        s.source = r.texts[card]
        begin_effect(r, s, seat)


cdef inline void copy_text(const LevitationRules* r, LevitationState* s, int seat, int card) noexcept nogil:
    """Rules: Duplicate. Read as if printed on the card in use."""
    s.source = r.texts[card]
    begin_effect(r, s, seat)


cdef inline void spend_amount(LevitationState* s, int seat, int amount) noexcept nogil:
    """An X card: a point for each cube."""
    s.committed += <int8_t>amount
    s.scores[seat] += amount
    finish_use(s)


cdef inline void trade_tickets(const LevitationRules* r, LevitationState* s, int seat, int choice) noexcept nogil:
    """Rules: Trade places. Only the acting seat gets a reward."""
    cdef int other = choice // N_CITIES
    cdef int city = choice % N_CITIES
    s.tickets[other] += city_bit(s.target) - city_bit(city)
    s.tickets[seat] -= city_bit(s.target)
    enter_city(r, s, seat, city)


cdef inline void trade_card(LevitationState* s, int seat, int city) noexcept nogil:
    """Rules: Trade a card. Its flair goes back to the supply; marks on both cards stay with them."""
    cdef int given = s.target
    s.flair[given] = 0
    s.owned[seat] &= ~card_bit(given)
    take_card(s, seat, city)
    s.city_cards[city] = <int8_t>given
    finish_use(s)


cdef inline void play_second_target(
    const LevitationRules* r, LevitationState* s, int seat, move_t move
) noexcept nogil:
    cdef int effect = r.effects[s.source]
    if effect == EFFECT_TRADE_TICKETS:
        trade_tickets(r, s, seat, move - MOVE_PARTNER)
    elif effect == EFFECT_MOVE_TICKET:
        s.tickets[seat] -= city_bit(s.target)
        enter_city(r, s, seat, move - MOVE_CITY)
    elif effect == EFFECT_TRADE_CARD:
        trade_card(s, seat, move - MOVE_CITY)
    else:
        s.city_cards[move - MOVE_CITY] = s.city_cards[s.target]
        s.city_cards[s.target] = NONE
        finish_use(s)


cdef inline void play_target(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil:
    """A choice of PHASE_TARGET."""
    cdef int effect = r.effects[s.source]
    if s.target != NONE:
        play_second_target(r, s, seat, move)
    elif effect == EFFECT_GAIN_CARD:
        take_card(s, seat, move - MOVE_CITY)
        finish_use(s)
    elif effect == EFFECT_PLACE_SPACE:
        place_on_space(s, seat, move - MOVE_SPACE)
    elif effect == EFFECT_PLACE_CITY:
        place_in_city(r, s, seat, move - MOVE_CITY)
    elif effect == EFFECT_DISABLE:
        s.disabled |= card_bit(move - MOVE_CARD)
        finish_use(s)
    elif effect == EFFECT_COLOUR:
        s.colour = <int8_t>(move - MOVE_COLOUR)
        finish_use(s)
    elif effect == EFFECT_TRADE_CARD:
        s.target = <int8_t>(move - MOVE_CARD)
    else:
        s.target = <int8_t>(move - MOVE_CITY)
