"""Levitation: what main actions and cards do, down to rewards, flair, paths and new cards.

The use of a card runs through these phases; most cards skip most of them:

    MAIN -> COPY -> AMOUNT or TARGET (once or twice) -> the effect itself -> FLAIR (once for each token)
         -> PATH -> REFILL -> points for the flair on the card -> MAIN

A main action starts at the effect and has no card.
"""

from aiplay._core.games.levitation.board cimport (
    acting, card_bit, city_bit, countable, cube_supply, flair_supply, off_board, pop_city, where,
)
from aiplay._core.games.levitation.state cimport (
    EFFECT_BONUS, EFFECT_COLOUR, EFFECT_COPY_OTHER, EFFECT_COPY_OWN, EFFECT_DISABLE, EFFECT_FIRST, EFFECT_GAIN_CARD,
    EFFECT_GAIN_CUBE, EFFECT_GAIN_FLAIR, EFFECT_GAIN_TICKET, EFFECT_GAIN_TICKETS, EFFECT_MOVE_TICKET, EFFECT_PLACE_CITY,
    EFFECT_PLACE_SPACE, EFFECT_POINTS_CARDS, EFFECT_TRADE_CARD, EFFECT_TRADE_TICKETS, MASTER_TICKETS, MOVE_CARD,
    MOVE_CITY, MOVE_COLOUR, MOVE_DISCARD, MOVE_PARTNER, MOVE_SPACE, MOVE_TICKETS, NONE, N_CARDS, N_CITIES, N_ROWS,
    PATH_BONUS, PHASE_AMOUNT, PHASE_COPY, PHASE_FLAIR, PHASE_MAIN, PHASE_PATH, PHASE_REFILL, PHASE_TARGET, THURSTON,
    LevitationRules, LevitationState,
)
from aiplay._core.typedefs cimport int8_t, move_t, uint32_t


# ---- Gains -------------------------------------------------------------------------------------------------

cdef inline void gain_tickets(LevitationState* s, int seat, int n) noexcept nogil:
    """Move n unused tickets, or all that are left, to the hand."""
    n = min(n, <int>s.unused[seat])
    s.unused[seat] -= <int8_t>n
    s.hand[seat] += <int8_t>n


cdef inline void gain_cubes(LevitationState* s, int seat, int n) noexcept nogil:
    s.cubes[seat] += <int8_t>min(n, cube_supply(s))


cdef inline void take_card(LevitationState* s, int seat, int city) noexcept nogil:
    """Move the card of a city to the seat; the city stays empty."""
    s.owned[seat] |= card_bit(s.city_cards[city])
    s.city_cards[city] = NONE


cdef inline void take_reward(const LevitationRules* r, LevitationState* s, int seat, int city) noexcept nogil:
    """Gain cubes at once, then flair to be placed; points are for paths only."""
    if r.city_cubes[city]:
        gain_cubes(s, seat, r.city_cubes[city])
    if r.city_flair[city]:
        s.n_flair = <int8_t>min(<int>r.city_flair[city], flair_supply(s))


# ---- After the effect --------------------------------------------------------------------------------------

cdef inline void finish_use(LevitationState* s) noexcept nogil:
    """Score the flair tokens on the card in use, and go on with the action."""
    if s.active != NONE:
        s.scores[acting(s)] += s.flair[s.active]
    s.active = s.source = s.target = NONE
    s.phase = PHASE_MAIN


cdef inline bint has_path(const LevitationRules* r, uint32_t tickets) noexcept nogil:
    """True if these tickets make a path."""
    cdef uint32_t cities = where(tickets)
    cdef uint32_t middle = cities & r.middle
    cdef int city
    while middle:
        city = pop_city(&middle)
        if cities & r.above[city] and cities & r.below[city] and cities & r.paying[city]:
            return True
    return False


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


cdef void place_flair(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil:
    """Rules: Flair. Tokens are placed on cards in ascending order, discards last: equal tokens have no other order."""
    s.n_flair -= 1
    if move == MOVE_DISCARD:
        s.scores[seat] += 1
        s.flair_from = N_CARDS
    else:
        s.flair_from = <int8_t>(move - MOVE_CARD)
        s.flair[s.flair_from] += 1
    settle_flair(r, s)


cdef inline void clear_path(const LevitationRules* r, LevitationState* s, int owner, int path) noexcept nogil:
    """Make the owner's three tickets unused, and return every other ticket in the three cities to its hand."""
    cdef int i, city, seat
    for i in range(N_ROWS):
        city = r.paths[path][i]
        s.tickets[owner] -= city_bit(city)
        s.unused[owner] += 1
        for seat in range(r.seats):
            s.hand[seat] += <int8_t>(s.tickets[seat] >> (2 * city) & 3)
            s.tickets[seat] &= ~(<uint32_t>3 << (2 * city))


cdef void refill_next(const LevitationRules* r, LevitationState* s) noexcept nogil:
    """Wait for the next new card of the claimed path, while there are cities and cards."""
    if s.step < N_ROWS and s.deck:
        s.phase = PHASE_REFILL
        return
    s.step = 0
    s.path = NONE
    settle_paths(r, s)


cdef void claim_path(const LevitationRules* r, LevitationState* s, int path) noexcept nogil:
    """Rules: Path. The bonus is for the acting seat only."""
    cdef int owner = s.path_seat
    s.scores[owner] += r.path_points[path]
    if owner == acting(s):
        s.scores[owner] += s.bonus
        s.bonus = 0
    clear_path(r, s, owner, path)
    s.path_seat = NONE
    s.path = <int8_t>path
    refill_next(r, s)


# ---- Placing tickets ---------------------------------------------------------------------------------------

cdef inline void enter_city(const LevitationRules* r, LevitationState* s, int seat, int city) noexcept nogil:
    """Put a ticket of the acting seat into a city, with all that follows."""
    s.source = s.target = NONE
    s.tickets[seat] += city_bit(city)
    take_reward(r, s, seat, city)
    settle_flair(r, s)


cdef inline void place_in_city(const LevitationRules* r, LevitationState* s, int seat, int city) noexcept nogil:
    s.hand[seat] -= 1
    enter_city(r, s, seat, city)


cdef inline void place_on_space(LevitationState* s, int seat, int space) noexcept nogil:
    s.hand[seat] -= 1
    s.space_seats[space] = <int8_t>seat
    finish_use(s)


cdef void play_main_action(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil:
    """Rules: Main action."""
    s.has_acted = 1
    if move == MOVE_TICKETS:
        gain_tickets(s, seat, MASTER_TICKETS)
    elif move >= MOVE_SPACE:
        place_on_space(s, seat, move - MOVE_SPACE)
    elif s.master == THURSTON:
        take_card(s, seat, move - MOVE_CITY)
    else:
        place_in_city(r, s, seat, move - MOVE_CITY)


# ---- Using a card ------------------------------------------------------------------------------------------

cdef inline void claim_first(const LevitationRules* r, LevitationState* s, int seat) noexcept nogil:
    """Give the first action of the next turn, after the seats that asked for it earlier in this turn."""
    cdef int rank = 1
    cdef int other
    if s.first[seat]:
        return
    for other in range(r.seats):
        rank += s.first[other] > 0
    s.first[seat] = <int8_t>rank


cdef inline void begin_points(const LevitationRules* r, LevitationState* s, int seat) noexcept nogil:
    """Wait for the cubes of an X card, or score everything that a text with a fixed cost counts."""
    if r.costs[s.source] == 0:
        s.phase = PHASE_AMOUNT
        return
    s.scores[seat] += countable(r, s, seat, s.source)
    finish_use(s)


cdef inline void begin_effect(const LevitationRules* r, LevitationState* s, int seat) noexcept nogil:
    """Begin the effect of `source`: wait for a choice, or do what it says."""
    cdef int effect = r.effects[s.source]
    if effect <= EFFECT_POINTS_CARDS:
        begin_points(r, s, seat)
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


cdef void activate(const LevitationRules* r, LevitationState* s, int seat, int card) noexcept nogil:
    """Rules: Activations. The cubes of an X card are committed when their number is chosen."""
    s.used |= card_bit(card)
    s.committed += r.costs[card]
    s.active = <int8_t>card
    if r.effects[card] == EFFECT_COPY_OTHER or r.effects[card] == EFFECT_COPY_OWN:
        s.phase = PHASE_COPY
    else:
        s.source = r.texts[card]
        begin_effect(r, s, seat)


cdef void copy_text(const LevitationRules* r, LevitationState* s, int seat, int card) noexcept nogil:
    """Rules: Duplicating. The text works as if printed on the card in use."""
    s.source = r.texts[card]
    begin_effect(r, s, seat)


cdef void spend_amount(LevitationState* s, int seat, int amount) noexcept nogil:
    """Rules: X. A point for each cube."""
    s.committed += <int8_t>amount
    s.scores[seat] += amount
    finish_use(s)


# ---- Targets -----------------------------------------------------------------------------------------------

cdef inline void trade_tickets(const LevitationRules* r, LevitationState* s, int seat, int choice) noexcept nogil:
    """Rules: Trade tickets. Only the acting seat gets a reward."""
    cdef int other = choice // N_CITIES
    cdef int city = choice % N_CITIES
    s.tickets[other] += city_bit(s.target) - city_bit(city)
    s.tickets[seat] -= city_bit(s.target)
    enter_city(r, s, seat, city)


cdef inline void trade_card(LevitationState* s, int seat, int city) noexcept nogil:
    """Rules: Trade a card. Its flair returns to the supply; both cards keep their marks."""
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


cdef void play_target(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil:
    """Play a choice of PHASE_TARGET."""
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
