"""Levitation: the evaluation of positions and of single moves.

A position: the evaluation adds up the points that each seat can expect. These are its score, its point spaces, its path
under way, tickets and cubes, the yield of its cards in future actions (the engine), and for the acting seat the worth
of the rest of this action (the plan). The lead in expected points becomes a chance to win.

A move: the same outlook tells the expected points of a move without making it.
"""

from libc.math cimport exp

from aiplay._core.bits cimport pop_lowest, popcount
from aiplay._core.games.levitation.board cimport (
    LOW_BITS, acting, city_bit, countable, flair_owned, free_cubes, off_board, open_cities, pop_city, where,
)
from aiplay._core.games.levitation.state cimport (
    COUNTED_CARDS, COUNTED_PIECES, EFFECT_COPY_OTHER, EFFECT_COPY_OWN, EFFECT_DISABLE, EFFECT_GAIN_CARD,
    EFFECT_GAIN_CUBE, EFFECT_GAIN_FLAIR, EFFECT_GAIN_TICKET, EFFECT_GAIN_TICKETS, EFFECT_PLACE_CITY, EFFECT_PLACE_SPACE,
    EFFECT_POINTS_CARDS, EFFECT_POINTS_DICE, HERRMANN, MASTER_TICKETS, MOVE_AMOUNT, MOVE_CARD, MOVE_CITY, MOVE_COLOUR,
    MOVE_DISCARD, MOVE_DRAFT, MOVE_PARTNER, MOVE_PATH, MOVE_SPACE, MOVE_TICKETS, NONE, N_CITIES, N_COLOURS, N_MASTERS,
    N_ROUNDS, N_ROWS, N_SEATS, N_SIZES, N_SPACES, N_TICKETS, N_TURNS, PHASE_COPY, PHASE_DEAL, PHASE_DICE, PHASE_FLAIR,
    PHASE_OVER, PHASE_PATH, PHASE_REFILL, PHASE_START, PHASE_TARGET, PHASE_TOKENS, SPACE_FLAIR, SPACE_ICON, SPACE_SIZE,
    SPACE_TICKETS, THURSTON, W_ACTION, W_BEST_COLOUR, W_CARD, W_CARD_ROOM, W_CARD_USE, W_CITY_TICKET, W_CUBE, W_EFFECTS,
    W_ENGINE, W_FLAIR, W_FREE_SPACE, W_GROWTH, W_MORE_CUBES, W_MORE_FLAIR, W_MORE_ICONS, W_MORE_SIZES, W_MORE_TICKETS,
    W_PATH_BLOCKED, W_PATH_ONE, W_PATH_SOON, W_PATH_TWO, W_PLACINGS, W_PLAN, W_ROLL, W_SPREAD, W_SPREAD_LEFT, W_TICKET,
    W_TICKET_FADES, W_USES, LevitationRoute, LevitationRules, LevitationState,
)
from aiplay._core.typedefs cimport move_t, uint32_t, uint64_t

cdef enum:
    HALFWAY = N_ROUNDS * N_TURNS // 2       # actions of a seat in half a game


# Prospects of one seat. Everything but `left`, `growth` and `open` is in points; what spends a ticket is net of it.
ctypedef struct Outlook:
    double left                     # actions still to come, not counting the one under way
    double growth                   # factor for yields that grow: 1 halfway through the game, more before
    double ticket                   # the next ticket in hand
    double last_ticket              # the last ticket in hand
    double cube                     # one more cube
    double flair                    # a flair token
    double path                     # the best path under way
    double space                    # the best free point space, net of a ticket
    uint32_t open                   # cities that a ticket may enter
    double icon_gain[N_COLOURS + 1]     # point spaces: one more card with each icon; the last entry (no icon) is 0
    double size_gain[N_SIZES]       # point spaces: one more card of each size
    double city[N_CITIES]           # a ticket in each city, net of a ticket
    double card[N_COLOURS + 1]      # the best card to take with each colour; the last entry is not used
    double uses[N_COLOURS]          # further uses of cards with each icon in this action


# ---- Spaces, tickets, actions ------------------------------------------------------------------------------

cdef inline double grown(const LevitationRules* r, double n) noexcept nogil:
    """Points of a space for n cards, interpolated between whole numbers."""
    cdef int whole = <int>n
    if whole >= COUNTED_CARDS:
        return r.card_points[<int>COUNTED_CARDS]
    return r.card_points[whole] + (n - whole) * (r.card_points[whole + 1] - r.card_points[whole])


cdef inline double cards_for(
    const LevitationRules* r, const LevitationState* s, int seat, int space, double left
) noexcept nogil:
    """Expected number of cards that an icon or size space counts at the end."""
    cdef int item = r.space_items[space]
    if r.space_kinds[space] == SPACE_ICON:
        return popcount(s.owned[seat] & r.icons[item]) + r.weights[W_MORE_ICONS] * left
    return popcount(s.owned[seat] & r.sizes[item]) + r.weights[W_MORE_SIZES] * left


cdef inline double space_worth(
    const LevitationRules* r, const LevitationState* s, int seat, int space, double left
) noexcept nogil:
    """Expected points of a space for a seat."""
    cdef const double* w = &r.weights[0]
    cdef int kind = r.space_kinds[space]
    if kind <= SPACE_SIZE:
        return grown(r, cards_for(r, s, seat, space, left))
    if kind == SPACE_FLAIR:
        return min(<double>COUNTED_PIECES, flair_owned(s, seat) + w[W_MORE_FLAIR] * left)
    if kind == SPACE_TICKETS:
        return min(<double>COUNTED_PIECES, N_TICKETS - s.unused[seat] + w[W_MORE_TICKETS] * left)
    return min(<double>COUNTED_PIECES, s.cubes[seat] + w[W_MORE_CUBES] * left)


cdef inline double hand_worth(const LevitationRules* r, int n, double left) noexcept nogil:
    """Worth of n tickets in hand: the first counts most, and no more count than can be placed."""
    cdef const double* w = &r.weights[0]
    cdef inline double worth = w[W_TICKET]
    cdef double total = 0.0
    cdef double room = w[W_PLACINGS] * left
    while n > 0 and room > 0:
        total += worth * min(1.0, room)
        room -= 1.0
        worth *= w[W_TICKET_FADES]
        n -= 1
    return total


cdef inline int tickets_in_cities(uint32_t tickets) noexcept nogil:
    """Number of tickets, given two bits for each city."""
    return popcount(tickets & LOW_BITS) + 2 * popcount(tickets >> 1 & LOW_BITS)


cdef inline double city_ticket_worth(const LevitationRules* r, double left) noexcept nogil:
    """Worth of a ticket in a city, besides its path; it fades over the last four actions."""
    return r.weights[W_CITY_TICKET] * min(1.0, 0.25 * left)


cdef inline double actions_left(const LevitationState* s, int seat) noexcept nogil:
    """Number of actions that a seat has not begun."""
    cdef int left = (N_ROUNDS - 1 - s.round) * N_TURNS + N_TURNS - 1 - s.turn
    cdef int i
    if s.phase != PHASE_TOKENS and s.phase != PHASE_DEAL:
        for i in range(min(s.n_acted + 1, <int>N_SEATS)):
            if s.order[i] == seat:
                return left
    return left + 1


# ---- The engine --------------------------------------------------------------------------------------------

cdef inline double effect_yield(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int card
) noexcept nogil:
    """Yield of a card each time it is used in a future action, without its flair."""
    cdef int effect = r.effects[card]
    cdef double worth = r.weights[W_EFFECTS + effect]
    if effect == EFFECT_POINTS_DICE or effect > EFFECT_COPY_OWN:
        return worth
    if effect <= EFFECT_POINTS_CARDS:
        return worth * countable(r, s, seat, card)
    return worth * o.growth


cdef inline double engine(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat
) noexcept nogil:
    """Yield of all cards of a seat in a future action: the best colour, and a little of all."""
    cdef const double* w = &r.weights[0]
    cdef uint64_t cards = s.owned[seat]
    cdef double yields[N_COLOURS + 1]       # the last entry is for missing second icons
    cdef double costs[N_COLOURS + 1]
    cdef double value, cost, best = 0.0, total = 0.0
    cdef int card, colour
    for colour in range(N_COLOURS + 1):
        yields[colour] = costs[colour] = 0.0
    while cards:
        card = pop_lowest(&cards)
        value = effect_yield(r, s, o, seat, card)
        cost = r.costs[card] if r.costs[card] else value        # an X card: a cube for each point
        value += s.flair[card]
        yields[r.first_icon[card]] += value
        costs[r.first_icon[card]] += cost
        yields[r.second_icon[card]] += value
        costs[r.second_icon[card]] += cost
    for colour in range(N_COLOURS):
        value = yields[colour]
        if costs[colour] > s.cubes[seat]:
            value *= s.cubes[seat] / costs[colour]
        total += value
        best = max(best, value)
    return w[W_ENGINE] * (w[W_BEST_COLOUR] * best + (1.0 - w[W_BEST_COLOUR]) * (1.0 / N_COLOURS) * total)


# ---- Paths -------------------------------------------------------------------------------------------------

cdef inline double reach(uint32_t own, uint32_t free, uint32_t bit, double blocked) noexcept nogil:
    """Factor for a city on a path: 1 with an own ticket or open to one, `blocked` if closed."""
    return 1.0 if (own | free) & bit else blocked


cdef inline void raise_cities(Outlook* o, uint32_t cities, double worth) noexcept nogil:
    """Give these cities at least this worth."""
    cdef int city
    while cities:
        city = pop_city(&cities)
        o.city[city] = max(o.city[city], worth)


cdef inline void look_at_paths(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat, bint wants_cities
) noexcept nogil:
    """Set the best path under way and, if wanted, the best path with one more ticket in each city."""
    cdef const double* w = &r.weights[0]
    cdef const LevitationRoute* route
    cdef uint32_t own = where(s.tickets[seat])
    cdef uint32_t top, middle
    cdef double share[N_ROWS + 2]       # of the points of a path, by its number of tickets; one more counts nothing
    cdef double worth, ahead, bottom = 0.0
    cdef int n, i
    o.path = 0.0
    if not own and not wants_cities:
        return
    share[0] = 0.0
    share[1] = w[W_PATH_ONE] * min(1.0, w[W_PATH_SOON] * o.left)
    share[2] = w[W_PATH_TWO] * min(1.0, 2.0 * w[W_PATH_SOON] * o.left)
    share[3] = share[4] = 1.0
    for i in range(r.n_routes):
        route = &r.routes[i]
        top, middle = city_bit(route.top), city_bit(route.middle)
        worth = route.points * reach(own, o.open, top, w[W_PATH_BLOCKED])
        worth *= reach(own, o.open, middle, w[W_PATH_BLOCKED])
        n = (own >> (2 * route.top) & 1) + (own >> (2 * route.middle) & 1)
        bottom = max(bottom, worth * share[n + 1])      # with a ticket in a bottom city
        if own & route.bottoms:
            n += 1
        elif not o.open & route.bottoms:
            worth *= w[W_PATH_BLOCKED]
        o.path = max(o.path, worth * share[n])
        if not wants_cities:
            continue
        ahead = worth * share[n + 1]
        if not own & top:
            o.city[route.top] = max(o.city[route.top], ahead)
        if not own & middle:
            o.city[route.middle] = max(o.city[route.middle], ahead)
        if route.is_last:
            raise_cities(o, route.bottoms, bottom)
            bottom = 0.0


# ---- The action under way ----------------------------------------------------------------------------------

cdef inline void look_at_cities(const LevitationRules* r, Outlook* o) noexcept nogil:
    """Set the gain of a ticket in each open city: progress on a path, and the reward."""
    cdef double spare = city_ticket_worth(r, o.left) - o.last_ticket
    cdef int city
    for city in range(N_CITIES):
        o.city[city] = max(0.0, o.city[city] - o.path) + spare
        o.city[city] += r.city_cubes[city] * o.cube + r.city_flair[city] * o.flair


cdef inline void look_at_spaces(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat
) noexcept nogil:
    """Set the best free space, and the gains of cards on spaces that the seat has or could have."""
    cdef double n, worth, gain
    cdef int space, owner, i
    o.space = 0.0
    for i in range(N_COLOURS + 1):
        o.icon_gain[i] = 0.0
    for i in range(N_SIZES):
        o.size_gain[i] = 0.0
    for space in range(N_SPACES):
        owner = s.space_seats[space]
        if owner != NONE and owner != seat:
            continue
        if r.space_kinds[space] <= SPACE_SIZE:
            n = cards_for(r, s, seat, space, o.left)
            worth = grown(r, n)
            gain = (grown(r, n + 1.0) - worth) * (r.weights[W_FREE_SPACE] if owner == NONE else 1.0)
            if r.space_kinds[space] == SPACE_ICON:
                o.icon_gain[r.space_items[space]] = gain
            else:
                o.size_gain[r.space_items[space]] = gain
        else:
            worth = space_worth(r, s, seat, space, o.left)
        if owner == NONE:
            o.space = max(o.space, worth - o.last_ticket)


cdef inline double card_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int card
) noexcept nogil:
    """Worth of owning a card: its future uses, and its points on point spaces."""
    cdef const double* w = &r.weights[0]
    cdef double worth = effect_yield(r, s, o, seat, card) + w[W_CARD_ROOM] * r.limits[card]
    worth = w[W_CARD] + w[W_CARD_USE] * o.left * worth
    return worth + o.icon_gain[r.first_icon[card]] + o.icon_gain[r.second_icon[card]] + o.size_gain[r.card_size[card]]


cdef inline void look_at_cards(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat
) noexcept nogil:
    """Set the best card in a city for each colour."""
    cdef double worth
    cdef int city, card, colour, first, second
    for colour in range(N_COLOURS + 1):
        o.card[colour] = 0.0
    for city in range(N_CITIES):
        card = s.city_cards[city]
        if card == NONE:
            continue
        first, second = r.first_icon[card], r.second_icon[card]
        worth = card_worth(r, s, o, seat, card)
        o.card[first] = max(o.card[first], worth)
        o.card[second] = max(o.card[second], worth)


cdef inline double best_city(const Outlook* o, uint32_t cities) noexcept nogil:
    """Worth of a ticket in the best open city of a set."""
    cdef inline double best = 0.0
    cities &= o.open
    while cities:
        best = max(best, o.city[pop_city(&cities)])
    return best


cdef inline double main_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int master, int colour
) noexcept nogil:
    """Worth of the main action of a master with a die of this colour."""
    cdef int hand = s.hand[seat]
    if master == THURSTON:
        return o.card[colour]
    if master == HERRMANN:
        return hand_worth(r, hand + min(<int>MASTER_TICKETS, <int>s.unused[seat]), o.left) - hand_worth(r, hand, o.left)
    return max(o.space, best_city(o, r.colour_cities[colour])) if hand else 0.0


cdef inline double use_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int source, int free
) noexcept nogil:
    """Worth of using a text in this action, without the flair on its card."""
    cdef int effect = r.effects[source]
    cdef int n = 1
    if effect <= EFFECT_POINTS_CARDS:
        n = countable(r, s, seat, source)
        return n if r.costs[source] else min(free, n)
    if effect == EFFECT_GAIN_FLAIR:
        return o.flair
    if effect == EFFECT_GAIN_TICKET or effect == EFFECT_GAIN_TICKETS:
        if effect == EFFECT_GAIN_TICKETS:
            n = off_board(s, r.colours[source])
        return min(n, <int>s.unused[seat]) * o.ticket
    if effect == EFFECT_GAIN_CUBE:
        return o.cube
    if effect == EFFECT_GAIN_CARD:
        return o.card[r.colours[source]]
    if effect == EFFECT_PLACE_SPACE:
        return o.space if s.hand[seat] else 0.0
    if effect == EFFECT_PLACE_CITY:
        return best_city(o, r.places[source]) if s.hand[seat] else 0.0
    return r.weights[W_USES + effect - EFFECT_COPY_OTHER]


cdef inline void look_at_uses(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat, uint64_t cards
) noexcept nogil:
    """Set the yield of these cards in the rest of this action, by colour, as far as the free cubes go."""
    cdef int free = free_cubes(s, seat)
    cdef double value, cost
    cdef double yields[N_COLOURS + 1]       # the last entry is for missing second icons
    cdef double costs[N_COLOURS + 1]
    cdef int card, colour
    for colour in range(N_COLOURS + 1):
        yields[colour] = costs[colour] = 0.0
    cards &= s.owned[seat] & ~s.used & ~s.disabled & ~r.rerolls
    while cards:
        card = pop_lowest(&cards)
        value = use_worth(r, s, o, seat, card, free)
        cost = r.costs[card] if r.costs[card] else value        # an X card: a cube for each point
        value += s.flair[card]
        yields[r.first_icon[card]] += value
        costs[r.first_icon[card]] += cost
        yields[r.second_icon[card]] += value
        costs[r.second_icon[card]] += cost
    for colour in range(N_COLOURS):
        o.uses[colour] = yields[colour]
        if costs[colour] > free:
            o.uses[colour] *= free / costs[colour]


cdef inline double best_draft(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat
) noexcept nogil:
    """Worth of the best die on the masters: main action and uses."""
    cdef double best = 0.0
    cdef int i
    for i in range(N_MASTERS * N_COLOURS):
        if s.dice[i]:
            best = max(best, main_worth(r, s, o, seat, i // N_COLOURS, i % N_COLOURS) + o.uses[i % N_COLOURS])
    return best


cdef inline double plan(const LevitationRules* r, const LevitationState* s, Outlook* o, int seat) noexcept nogil:
    """Worth of the rest of the action under way."""
    cdef double worth
    if s.phase == PHASE_START:
        look_at_uses(r, s, o, seat, ~<uint64_t>0)
        return r.weights[W_PLAN] * best_draft(r, s, o, seat)
    look_at_uses(r, s, o, seat, r.icons[s.colour])
    worth = o.uses[s.colour]
    if not s.has_acted:
        worth += main_worth(r, s, o, seat, s.master, s.colour)
    worth = r.weights[W_PLAN] * worth + s.n_flair * o.flair
    if s.active != NONE:                        # a use that has begun counts in full
        worth += s.flair[s.active]
        if s.source != NONE:
            worth += use_worth(r, s, o, seat, s.source, free_cubes(s, seat))
        elif s.phase == PHASE_COPY:
            worth += use_worth(r, s, o, seat, s.active, free_cubes(s, seat))
    return worth


# ---- The sum -----------------------------------------------------------------------------------------------

cdef inline void begin_outlook(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat, uint32_t open_now
) noexcept nogil:
    """Set the entries that need no search."""
    cdef const double* w = &r.weights[0]
    o.left = actions_left(s, seat)
    o.growth = 1.0 - w[W_GROWTH] + w[W_GROWTH] * o.left / HALFWAY
    o.cube = w[W_CUBE] * o.left
    o.open = open_now


cdef inline void look_around(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat
) noexcept nogil:
    """Set the entries for the acting seat: tickets in cities and on spaces, and cards."""
    cdef int hand = s.hand[seat]
    cdef double now = hand_worth(r, hand, o.left)
    cdef int city
    for city in range(N_CITIES):
        o.city[city] = 0.0
    o.ticket = hand_worth(r, hand + 1, o.left) - now
    o.last_ticket = now - hand_worth(r, hand - 1, o.left) if hand else 0.0
    o.flair = 1.0 + r.weights[W_FLAIR] * o.left
    look_at_paths(r, s, o, seat, True)
    look_at_spaces(r, s, o, seat)
    look_at_cities(r, o)
    look_at_cards(r, s, o, seat)


cdef inline double expected_points(
    const LevitationRules* r, const LevitationState* s, int seat, uint32_t open_now
) noexcept nogil:
    """Expected points of a seat at the end."""
    cdef const double* w = &r.weights[0]
    cdef Outlook o
    cdef bint is_acting = (s.phase > PHASE_OVER or s.phase == PHASE_REFILL) and acting(s) == seat
    cdef double value
    cdef int i
    begin_outlook(r, s, &o, seat, open_now)
    value = s.scores[seat] + w[W_CARD] * popcount(s.owned[seat]) + hand_worth(r, s.hand[seat], o.left)
    value += o.left * (w[W_ACTION] + w[W_CUBE] * s.cubes[seat] + engine(r, s, &o, seat))
    value += city_ticket_worth(r, o.left) * tickets_in_cities(s.tickets[seat])
    for i in range(N_SPACES):
        if s.space_seats[i] == seat:
            value += space_worth(r, s, seat, i, o.left)
    if is_acting:
        look_around(r, s, &o, seat)
        value += plan(r, s, &o, seat)
        if s.path_seat == seat:
            value += s.bonus
    else:
        look_at_paths(r, s, &o, seat, False)
        if s.phase == PHASE_DICE and acting(s) == seat:
            value += w[W_ROLL]
    return value + o.path


cdef void levitation_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Chances to win: a softmax of the expected points, flatter the more actions are to come."""
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    cdef uint32_t open_now = open_cities(r, s)
    cdef double spread, total = 0.0, best = -1e9
    cdef int seat
    for seat in range(r.seats):
        out[seat] = expected_points(r, s, seat, open_now)
        best = max(best, out[seat])
    spread = r.weights[W_SPREAD] + r.weights[W_SPREAD_LEFT] * actions_left(s, 0)
    for seat in range(r.seats):
        out[seat] = exp((out[seat] - best) / spread)
        total += out[seat]
    for seat in range(r.seats):
        out[seat] /= total


# ---- Moves -------------------------------------------------------------------------------------------------

cdef inline double start_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, move_t move
) noexcept nogil:
    """Worth of drafting a die, or of throwing all of them."""
    cdef int die = move - MOVE_DRAFT
    if move < MOVE_DRAFT:
        return r.weights[W_ROLL]
    return main_worth(r, s, o, seat, die // N_COLOURS, die % N_COLOURS) + o.uses[die % N_COLOURS]


cdef inline double city_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int city
) noexcept nogil:
    """Worth of a city: its card to take, or else a place for a ticket."""
    cdef int card = s.city_cards[city]
    return card_worth(r, s, o, seat, card) if card != NONE else o.city[city]


cdef inline double card_target_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int card
) noexcept nogil:
    """Worth of a card as a target: the best card of another seat to disable, the worst own one to give away."""
    cdef double worth = effect_yield(r, s, o, seat, card) + s.flair[card]
    return worth if r.effects[s.source] == EFFECT_DISABLE else -worth


cdef inline double colour_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int colour
) noexcept nogil:
    """Worth of the die in another colour."""
    return o.uses[colour] + (0.0 if s.has_acted else main_worth(r, s, o, seat, s.master, colour))


cdef inline double move_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, move_t move
) noexcept nogil:
    """Expected points of a move; 0 for ending the action."""
    cdef int phase = s.phase
    if phase == PHASE_START:
        return start_worth(r, s, o, seat, move)
    if phase == PHASE_PATH:
        return r.path_points[move - MOVE_PATH]
    if move >= MOVE_PARTNER:
        return o.city[(move - MOVE_PARTNER) % N_CITIES]
    if move >= MOVE_AMOUNT:
        return move - MOVE_AMOUNT
    if move >= MOVE_COLOUR:
        return colour_worth(r, s, o, seat, move - MOVE_COLOUR)
    if move >= MOVE_CARD:
        if phase == PHASE_FLAIR:
            return o.flair + 0.01 * effect_yield(r, s, o, seat, move - MOVE_CARD)
        if phase == PHASE_TARGET:
            return card_target_worth(r, s, o, seat, move - MOVE_CARD)
        return use_worth(r, s, o, seat, move - MOVE_CARD, free_cubes(s, seat)) + s.flair[move - MOVE_CARD]
    if move >= MOVE_SPACE:
        return space_worth(r, s, seat, move - MOVE_SPACE, o.left) - o.last_ticket
    if move >= MOVE_CITY:
        return city_worth(r, s, o, seat, move - MOVE_CITY)
    if move == MOVE_TICKETS:
        return main_worth(r, s, o, seat, HERRMANN, s.colour)
    return 1.0 if move == MOVE_DISCARD else 0.0


cdef void rate_moves(
    const LevitationRules* r, const LevitationState* s, const move_t* moves, int n, double* out
) noexcept nogil:
    """Write the expected points of n moves, seen by the acting seat.

    Another seat than the acting one can only choose a path, for which no outlook is needed.
    """
    cdef Outlook o
    cdef int seat = acting(s)
    cdef int i
    begin_outlook(r, s, &o, seat, open_cities(r, s))
    look_around(r, s, &o, seat)
    if s.phase == PHASE_START or s.phase == PHASE_TARGET:
        look_at_uses(r, s, &o, seat, ~<uint64_t>0)
    for i in range(n):
        out[i] = move_worth(r, s, &o, seat, moves[i])
