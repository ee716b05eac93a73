"""Levitation: the evaluation of positions and of single moves.

A position: the evaluation adds up the points that each seat can expect. These are its score, its point spaces, its path
under way, tickets and cubes, the yield of its cards in future actions (the engine), and for the acting seat the worth
of the rest of this action (the plan). The lead in expected points becomes a chance to win.

A move: the same outlook tells the expected points of a move without making it.
"""

from libc.math cimport exp

from aiplay._core.bits cimport pop_lowest, popcount
from aiplay._core.games.levitation.board cimport (
    LOW_BITS, acting, actions_left, begun_seats, cards_in_cities, countable, flair_owned, free_cubes, off_board,
    open_cities, places_of, pop_city, where,
)
from aiplay._core.games.levitation.state cimport (
    COUNTED_CARDS, COUNTED_PIECES, EFFECT_COPY_OTHER, EFFECT_DISABLE, EFFECT_GAIN_CARD, EFFECT_GAIN_CUBE,
    EFFECT_GAIN_FLAIR, EFFECT_GAIN_TICKET, EFFECT_GAIN_TICKETS, EFFECT_PLACE_CITY, EFFECT_PLACE_SPACE,
    EFFECT_POINTS_CARDS, HERRMANN, KELLAR, MASTER_TICKETS, MOVE_AMOUNT, MOVE_CARD, MOVE_CITY, MOVE_COLOUR, MOVE_DISCARD,
    MOVE_DRAFT, MOVE_PARTNER, MOVE_PATH, MOVE_SPACE, MOVE_TICKETS, NONE, N_CITIES, N_COLOURS, N_SIZES, N_SPACES,
    N_TICKETS, PHASE_COPY, PHASE_DICE, PHASE_FLAIR, PHASE_OVER, PHASE_PATH, PHASE_REFILL, PHASE_START,
    PHASE_TARGET, SPACE_FLAIR, SPACE_ICON, SPACE_SIZE,
    SPACE_TICKETS, THURSTON, W_ACTION, W_BEST_COLOUR, W_CARD, W_CARD_ROOM, W_CARD_USE, W_CUBE, W_ENGINE, W_FREE_SPACE,
    W_PATH_BLOCKED, W_PLAN, W_ROLL, W_SPREAD, W_SPREAD_LEFT, W_USES, LevitationHorizon, LevitationRoute,
    LevitationRules, LevitationState,
)
from aiplay._core.typedefs cimport move_t, uint32_t, uint64_t


# ---- Spaces, tickets, actions ------------------------------------------------------------------------------

cdef inline int cards_for(const LevitationRules* r, const LevitationState* s, int seat, int space) noexcept nogil:
    """Number of cards that an icon or size space counts now."""
    return min(popcount(s.owned[seat] & r.space_cards[space]), <int>COUNTED_CARDS)


cdef inline double space_worth(
    const LevitationRules* r, const LevitationState* s, const LevitationHorizon* h, int seat, int space
) noexcept nogil:
    """Expected points of a space for a seat."""
    cdef int kind = r.space_kinds[space]
    if kind <= SPACE_SIZE:
        return h.card_points[kind][cards_for(r, s, seat, space)]
    if kind == SPACE_FLAIR:
        return min(<double>COUNTED_PIECES, flair_owned(s, seat) + h.more_flair)
    if kind == SPACE_TICKETS:
        return min(<double>COUNTED_PIECES, N_TICKETS - s.unused[seat] + h.more_tickets)
    return min(<double>COUNTED_PIECES, s.cubes[seat] + h.more_cubes)


cdef inline int tickets_in_cities(uint32_t tickets) noexcept nogil:
    """Number of tickets, given two bits for each city."""
    return popcount(tickets & LOW_BITS) + 2 * popcount(tickets >> 1 & LOW_BITS)


# ---- The engine --------------------------------------------------------------------------------------------

cdef inline double effect_yield(
    const LevitationRules* r, const LevitationState* s, const LevitationOutlook* o, int card
) noexcept nogil:
    """Yield of a card each time it is used in a future action, without its flair."""
    if r.counted >> card & 1:
        return o.h.yields[card] * countable(r, s, o.seat, card)
    return o.h.yields[card]


cdef inline void add_card(
    const LevitationRules* r, int card, double value, double cost, double* yields, double* costs
) noexcept nogil:
    """Add up a card in every colour that it has. By factors, so that the sums can stay in registers."""
    cdef int colour
    for colour in range(N_COLOURS + 1):
        yields[colour] += value * r.has_icon[card][colour]
        costs[colour] += cost * r.has_icon[card][colour]


cdef inline double engine(const LevitationRules* r, const LevitationState* s, LevitationOutlook* o) noexcept nogil:
    """Yield of all cards of a seat in a future action: the best colour, and a little of all. Sets `colours`."""
    cdef const double* w = &r.weights[0]
    cdef uint64_t cards = s.owned[o.seat]
    cdef double yields[N_COLOURS + 1]       # the last entry stays 0
    cdef double costs[N_COLOURS + 1]
    cdef double value, cost, best = 0.0, total = 0.0
    cdef double cubes = s.cubes[o.seat]
    cdef int card, colour
    cdef bint is_short
    for colour in range(N_COLOURS + 1):
        yields[colour] = costs[colour] = 0.0
    while cards:
        card = pop_lowest(&cards)
        value = effect_yield(r, s, o, card)
        cost = r.costs[card] if r.costs[card] else value        # an X card: a cube for each point
        value += s.flair[card]
        add_card(r, card, value, cost, yields, costs)
    for colour in range(N_COLOURS):
        is_short = costs[colour] > cubes
        value = yields[colour] * ((cubes if is_short else 1.0) / (costs[colour] if is_short else 1.0))
        o.colours[colour] = value
        total += value
        best = max(best, value)
    return w[W_ENGINE] * (w[W_BEST_COLOUR] * best + (1.0 - w[W_BEST_COLOUR]) * (1.0 / N_COLOURS) * total)


# ---- Paths -------------------------------------------------------------------------------------------------

cdef inline void raise_cities(LevitationOutlook* o, uint32_t cities, double worth) noexcept nogil:
    """Give these cities at least this worth."""
    cdef int city
    while cities:
        city = pop_city(&cities)
        o.ahead[city] = max(o.ahead[city], worth)


cdef inline void look_at_paths(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, bint wants_cities
) noexcept nogil:
    """Set the best path under way and, if wanted, the best path with one more ticket in each city.

    A city on a path counts in full with an own ticket or if it is open to one, else W_PATH_BLOCKED. The factors are
    picked by index, because a processor cannot predict which cities are closed.
    """
    cdef const LevitationRoute* route
    cdef uint32_t own = where(s.tickets[o.seat])
    cdef uint32_t reached = own | o.open
    cdef double factors[2]              # of a city that is closed, and of one that is not
    cdef double keep[2]                 # factors of a city without and with an own ticket: no more tickets there
    cdef double worth, ahead, bottom = 0.0
    cdef int n, i, has_top, has_middle
    factors[0], factors[1] = r.weights[W_PATH_BLOCKED], 1.0
    keep[0], keep[1] = 1.0, 0.0
    o.path = 0.0
    for i in range(r.n_routes):
        route = &r.routes[i]
        has_top, has_middle = own >> (2 * route.top) & 1, own >> (2 * route.middle) & 1
        worth = route.points * factors[reached >> (2 * route.top) & 1] * factors[reached >> (2 * route.middle) & 1]
        n = has_top + has_middle
        bottom = max(bottom, worth * o.h.shares[n + 1])         # with a ticket in a bottom city
        worth *= factors[(reached & route.bottoms) != 0]
        n += (own & route.bottoms) != 0
        o.path = max(o.path, worth * o.h.shares[n])
        if not wants_cities:
            continue
        ahead = worth * o.h.shares[n + 1]
        o.ahead[route.top] = max(o.ahead[route.top], ahead * keep[has_top])
        o.ahead[route.middle] = max(o.ahead[route.middle], ahead * keep[has_middle])
        if route.is_last:
            raise_cities(o, route.bottoms, bottom)
            bottom = 0.0


cdef inline double city_gain(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int city
) noexcept nogil:
    """Worth of a ticket in a city, net of a ticket: progress on a path, and the reward."""
    cdef int i
    if not o.has_ahead:
        o.has_ahead = True
        for i in range(N_CITIES):
            o.ahead[i] = 0.0
        look_at_paths(r, s, o, True)
    return max(0.0, o.ahead[city] - o.path) + (o.h.city_ticket - o.last_ticket) + o.h.rewards[city]


# ---- The action under way ----------------------------------------------------------------------------------

cdef inline void look_at_spaces(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o
) noexcept nogil:
    """Set the best free space, and the gains of cards on spaces that the seat has or could have."""
    cdef uint32_t free = places_of(s.space_seats, N_SPACES, NONE)
    cdef uint32_t spaces = (free | places_of(s.space_seats, N_SPACES, o.seat)) & r.card_spaces
    cdef double* gains[2]               # by kind
    cdef double factors[2]              # of the gain on a space that the seat has, and on a free one
    cdef double shares[2]               # of their worth as a free space
    cdef double best = 0.0
    cdef int space, kind, n, i
    o.has_spaces = True
    for i in range(N_COLOURS + 1):
        o.icon_gain[i] = 0.0
    for i in range(N_SIZES):
        o.size_gain[i] = 0.0
    gains[<int>SPACE_ICON], gains[<int>SPACE_SIZE] = o.icon_gain, o.size_gain
    factors[0], factors[1] = 1.0, r.weights[W_FREE_SPACE]
    shares[0], shares[1] = 0.0, 1.0
    while spaces:                       # picked by index, as in `look_at_paths`
        space = pop_lowest(&spaces)
        kind = r.space_kinds[space]
        n = cards_for(r, s, o.seat, space)
        gains[kind][r.space_items[space]] = o.h.card_gains[kind][n] * factors[free >> space & 1]
        best = max(best, (o.h.card_points[kind][n] - o.last_ticket) * shares[free >> space & 1])
    spaces = free & ~r.card_spaces
    while spaces:
        best = max(best, space_worth(r, s, o.h, o.seat, pop_lowest(&spaces)) - o.last_ticket)
    o.space = best


cdef inline double best_space(const LevitationRules* r, const LevitationState* s, LevitationOutlook* o) noexcept nogil:
    """Worth of a ticket on the best free point space."""
    if not o.has_spaces:
        look_at_spaces(r, s, o)
    return o.space


cdef inline double with_spaces(
    const LevitationRules* r, const LevitationOutlook* o, int card, double worth
) noexcept nogil:
    """Add the points of a card on point spaces to its other worth."""
    return worth + o.icon_gain[r.first_icon[card]] + o.icon_gain[r.second_icon[card]] + o.size_gain[r.card_size[card]]


cdef inline double card_worth(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int card
) noexcept nogil:
    """Worth of owning a card: its future uses, and its points on point spaces."""
    cdef const double* w = &r.weights[0]
    cdef double worth = o.h.owning[card]
    if not o.has_spaces:
        look_at_spaces(r, s, o)
    if r.counted >> card & 1:
        worth = effect_yield(r, s, o, card) + w[W_CARD_ROOM] * r.limits[card]
        worth = w[W_CARD] + w[W_CARD_USE] * o.h.left * worth
    return with_spaces(r, o, card, worth)


cdef inline void raise_colours(const LevitationRules* r, LevitationOutlook* o, int card, double worth) noexcept nogil:
    """Give the colours of a card at least its worth."""
    cdef int first = r.first_icon[card], second = r.second_icon[card]
    o.card[first] = max(o.card[first], worth)
    o.card[second] = max(o.card[second], worth)


cdef inline void look_at_cards(const LevitationRules* r, const LevitationState* s, LevitationOutlook* o) noexcept nogil:
    """Set the best card in a city for each colour: first among those whose worth depends on `left` alone."""
    cdef uint64_t cards = cards_in_cities(s)
    cdef uint64_t counted = cards & r.counted
    cdef int card, colour
    o.has_cards = True
    for colour in range(N_COLOURS + 1):
        o.card[colour] = 0.0
    if not o.has_spaces:
        look_at_spaces(r, s, o)
    cards &= ~counted
    while cards:
        card = pop_lowest(&cards)
        raise_colours(r, o, card, with_spaces(r, o, card, o.h.owning[card]))
    while counted:
        card = pop_lowest(&counted)
        raise_colours(r, o, card, card_worth(r, s, o, card))


cdef inline double best_card(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int colour
) noexcept nogil:
    """Worth of the best card in a city with this colour."""
    if not o.has_cards:
        look_at_cards(r, s, o)
    return o.card[colour]


cdef inline double best_city(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, uint32_t cities
) noexcept nogil:
    """Worth of a ticket in the best open city of a set."""
    cdef double best = 0.0
    cities &= o.open
    while cities:
        best = max(best, city_gain(r, s, o, pop_city(&cities)))
    return best


cdef inline double main_worth(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int master, int colour
) noexcept nogil:
    """Worth of the main action of a master with a die of this colour."""
    cdef int hand = s.hand[o.seat]
    if master == THURSTON:
        return best_card(r, s, o, colour)
    if master == HERRMANN:
        return o.h.hand[hand + min(<int>MASTER_TICKETS, <int>s.unused[o.seat])] - o.h.hand[hand]
    return max(best_space(r, s, o), best_city(r, s, o, r.colour_cities[colour])) if hand else 0.0


cdef inline double use_worth(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int source, int free
) noexcept nogil:
    """Worth of using a text in this action, without the flair on its card."""
    cdef int effect = r.effects[source]
    cdef int n = 1
    if effect <= EFFECT_POINTS_CARDS:
        n = countable(r, s, o.seat, source)
        return n if r.costs[source] else min(free, n)
    if effect == EFFECT_GAIN_FLAIR:
        return o.h.flair
    if effect == EFFECT_GAIN_TICKET or effect == EFFECT_GAIN_TICKETS:
        if effect == EFFECT_GAIN_TICKETS:
            n = off_board(s, r.colours[source])
        return min(n, <int>s.unused[o.seat]) * o.ticket
    if effect == EFFECT_GAIN_CUBE:
        return o.h.cube
    if effect == EFFECT_GAIN_CARD:
        return best_card(r, s, o, r.colours[source])
    if effect == EFFECT_PLACE_SPACE:
        return best_space(r, s, o) if s.hand[o.seat] else 0.0
    if effect == EFFECT_PLACE_CITY:
        return best_city(r, s, o, r.places[source]) if s.hand[o.seat] else 0.0
    return r.weights[W_USES + effect - EFFECT_COPY_OTHER]


cdef inline void look_at_uses(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, uint64_t cards, int free
) noexcept nogil:
    """Set the yield of these cards in an action, by colour, as far as the free cubes go."""
    cdef double value, cost
    cdef double yields[N_COLOURS + 1]       # the last entry stays 0
    cdef double costs[N_COLOURS + 1]
    cdef int card, colour
    for colour in range(N_COLOURS + 1):
        yields[colour] = costs[colour] = 0.0
    cards &= s.owned[o.seat] & ~s.disabled & ~r.rerolls
    while cards:
        card = pop_lowest(&cards)
        value = use_worth(r, s, o, card, free)
        cost = r.costs[card] if r.costs[card] else value        # an X card: a cube for each point
        value += s.flair[card]
        add_card(r, card, value, cost, yields, costs)
    for colour in range(N_COLOURS):
        o.uses[colour] = yields[colour]
        if costs[colour] > free:
            o.uses[colour] *= free / costs[colour]


cdef inline double die_worth(
    const LevitationState* s, const LevitationOutlook* o, int master, int colour, double worth
) noexcept nogil:
    """Worth of a die with this main action; 0 if the master has none. By a factor, as in `look_at_paths`."""
    return (worth + o.uses[colour]) * (s.dice[N_COLOURS * master + colour] > 0)


cdef inline void look_at_drafts(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o
) noexcept nogil:
    """Set the best die on each master, main action and uses, if the action begins now."""
    cdef double tickets = main_worth(r, s, o, HERRMANN, 0)
    cdef double herrmann = 0.0, thurston = 0.0, kellar = 0.0
    cdef int i
    o.has_drafts = True
    look_at_uses(r, s, o, ~<uint64_t>0, s.cubes[o.seat])
    for i in range(N_COLOURS):
        herrmann = max(herrmann, die_worth(s, o, HERRMANN, i, tickets))
        thurston = max(thurston, die_worth(s, o, THURSTON, i, best_card(r, s, o, i)))
        if s.dice[N_COLOURS * KELLAR + i]:
            kellar = max(kellar, die_worth(s, o, KELLAR, i, main_worth(r, s, o, KELLAR, i)))
    o.draft[<int>HERRMANN], o.draft[<int>THURSTON], o.draft[<int>KELLAR] = herrmann, thurston, kellar


cdef inline double plan(const LevitationRules* r, const LevitationState* s, LevitationOutlook* o) noexcept nogil:
    """Worth of the rest of the action under way."""
    cdef double worth
    if s.phase == PHASE_START:
        if not o.has_drafts:
            look_at_drafts(r, s, o)
        return r.weights[W_PLAN] * max(o.draft[HERRMANN], o.draft[THURSTON], o.draft[KELLAR])
    look_at_uses(r, s, o, r.icons[s.colour] & ~s.used, free_cubes(s, o.seat))
    worth = o.uses[s.colour]
    if not s.has_acted:
        worth += main_worth(r, s, o, s.master, s.colour)
    worth = r.weights[W_PLAN] * worth + s.n_flair * o.h.flair
    if s.active != NONE:                        # a use that has begun counts in full
        worth += s.flair[s.active]
        if s.source != NONE:
            worth += use_worth(r, s, o, s.source, free_cubes(s, o.seat))
        elif s.phase == PHASE_COPY:
            worth += use_worth(r, s, o, s.active, free_cubes(s, o.seat))
    return worth


# ---- The sum -----------------------------------------------------------------------------------------------

cdef inline void begin_outlook(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int seat, int left, uint32_t open_now
) noexcept nogil:
    """Set the entries that need no search."""
    cdef int hand = s.hand[seat]
    o.h = &r.horizons[left]
    o.seat = seat
    o.open = open_now
    o.ticket = o.h.hand[hand + 1] - o.h.hand[hand]
    o.last_ticket = o.h.hand[hand] - o.h.hand[hand - 1] if hand else 0.0
    o.path = 0.0
    o.has_ahead = o.has_spaces = o.has_cards = o.has_drafts = False


cdef inline double expected_points(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o
) noexcept nogil:
    """Expected points of a seat at the end, and the rest of the outlook that they need. Before: it has begun."""
    cdef const double* w = &r.weights[0]
    cdef int seat = o.seat
    cdef bint is_acting = (s.phase > PHASE_OVER or s.phase == PHASE_REFILL) and acting(s) == seat
    cdef uint32_t spaces = places_of(s.space_seats, N_SPACES, seat)
    cdef double value, worth
    o.engine = engine(r, s, o)
    o.spaces = o.plan = 0.0
    value = s.scores[seat] + w[W_CARD] * popcount(s.owned[seat]) + o.h.hand[s.hand[seat]]
    value += o.h.left * (w[W_ACTION] + w[W_CUBE] * s.cubes[seat] + o.engine)
    value += o.h.city_ticket * tickets_in_cities(s.tickets[seat])
    while spaces:
        worth = space_worth(r, s, o.h, seat, pop_lowest(&spaces))
        o.spaces += worth
        value += worth
    if is_acting:
        o.plan = plan(r, s, o)
        value += o.plan
        if s.path_seat == seat:
            value += s.bonus
    elif s.phase == PHASE_DICE and acting(s) == seat:
        value += w[W_ROLL]
    if not s.tickets[seat]:
        return value
    if not o.has_ahead:
        look_at_paths(r, s, o, False)
    return value + o.path


cdef double look_ahead(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int seat, int left, uint32_t open_now
) noexcept nogil:
    begin_outlook(r, s, o, seat, left, open_now)
    look_at_drafts(r, s, o)             # first: whoever asks for cities gets the path as well
    if not o.has_spaces:
        look_at_spaces(r, s, o)
    return expected_points(r, s, o)


cdef inline void turn_into_chances(const LevitationRules* r, int left, double* points) noexcept nogil:
    """Turn expected points into chances to win: a softmax, flatter the more actions are to come."""
    cdef double spread = r.weights[W_SPREAD] + r.weights[W_SPREAD_LEFT] * left
    cdef double total = 0.0, best = -1e9
    cdef int seat
    for seat in range(r.seats):
        best = max(best, points[seat])
    for seat in range(r.seats):
        points[seat] = exp((points[seat] - best) / spread) if points[seat] < best else 1.0
        total += points[seat]
    for seat in range(r.seats):
        points[seat] /= total


cdef void levitation_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Chances to win, by the expected points of all seats."""
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    cdef LevitationOutlook o
    cdef uint32_t open_now = open_cities(r, s)
    cdef uint32_t begun = begun_seats(s)
    cdef int seat
    for seat in range(r.seats):
        begin_outlook(r, s, &o, seat, actions_left(s, begun, seat), open_now)
        out[seat] = expected_points(r, s, &o)
    turn_into_chances(r, actions_left(s, begun, 0), out)


# ---- Moves -------------------------------------------------------------------------------------------------

cdef inline double start_worth(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, move_t move
) noexcept nogil:
    """Worth of drafting a die, or of throwing all of them."""
    cdef int die = move - MOVE_DRAFT
    if move < MOVE_DRAFT:
        return r.weights[W_ROLL]
    return main_worth(r, s, o, die // N_COLOURS, die % N_COLOURS) + o.uses[die % N_COLOURS]


cdef inline double city_worth(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int city
) noexcept nogil:
    """Worth of a city: its card to take, or else a place for a ticket."""
    cdef int card = s.city_cards[city]
    return card_worth(r, s, o, card) if card != NONE else city_gain(r, s, o, city)


cdef inline double card_target_worth(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int card
) noexcept nogil:
    """Worth of a card as a target: the best card of another seat to disable, the worst own one to give away."""
    cdef double worth = effect_yield(r, s, o, card) + s.flair[card]
    return worth if r.effects[s.source] == EFFECT_DISABLE else -worth


cdef inline double colour_worth(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int colour
) noexcept nogil:
    """Worth of the die in another colour."""
    return o.uses[colour] + (0.0 if s.has_acted else main_worth(r, s, o, s.master, colour))


cdef inline double move_worth(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, move_t move
) noexcept nogil:
    """Expected points of a move; 0 for ending the action."""
    cdef int phase = s.phase
    if phase == PHASE_START:
        return start_worth(r, s, o, move)
    if phase == PHASE_PATH:
        return r.path_points[move - MOVE_PATH]
    if move >= MOVE_PARTNER:
        return city_gain(r, s, o, (move - MOVE_PARTNER) % N_CITIES)
    if move >= MOVE_AMOUNT:
        return move - MOVE_AMOUNT
    if move >= MOVE_COLOUR:
        return colour_worth(r, s, o, move - MOVE_COLOUR)
    if move >= MOVE_CARD:
        if phase == PHASE_FLAIR:
            return o.h.flair + 0.01 * effect_yield(r, s, o, move - MOVE_CARD)
        if phase == PHASE_TARGET:
            return card_target_worth(r, s, o, move - MOVE_CARD)
        return use_worth(r, s, o, move - MOVE_CARD, free_cubes(s, o.seat)) + s.flair[move - MOVE_CARD]
    if move >= MOVE_SPACE:
        return space_worth(r, s, o.h, o.seat, move - MOVE_SPACE) - o.last_ticket
    if move >= MOVE_CITY:
        return city_worth(r, s, o, move - MOVE_CITY)
    if move == MOVE_TICKETS:
        return main_worth(r, s, o, HERRMANN, s.colour)
    return 1.0 if move == MOVE_DISCARD else 0.0


cdef void rate_moves(
    const LevitationRules* r, const LevitationState* s, const move_t* moves, int n, double* out
) noexcept nogil:
    """Write the expected points of n moves, seen by the acting seat.

    Another seat than the acting one can only choose a path, for which no outlook is needed.
    """
    cdef LevitationOutlook o
    cdef int i
    cdef int seat = acting(s)
    begin_outlook(r, s, &o, seat, actions_left(s, begun_seats(s), seat), open_cities(r, s))
    if s.phase == PHASE_START or s.phase == PHASE_TARGET:
        look_at_uses(r, s, &o, ~s.used, free_cubes(s, seat))
    for i in range(n):
        out[i] = move_worth(r, s, &o, moves[i])
