# Levitation: what a position is worth without searching it.
#
# The guess adds up the points that each seat can expect: those it has, its point spaces, its path under way, tickets
# and cubes, what its cards will yield in the actions to come (the engine), and for the acting seat what the rest of
# this action offers (the plan). The lead in expected points becomes a chance of winning. The weights (W_*) were fitted
# by games of the one-move player against itself.

from libc.math cimport exp

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.levitation.state cimport *
from aiplay._core.games.levitation.board cimport *
from aiplay._core.games.levitation.effects cimport countable
from aiplay._core.typedefs cimport uint32_t, uint64_t


# What the guess knows of one seat; values are points.
ctypedef struct Outlook:
    double left             # whole actions that are still to come, the one under way not counted
    double growth           # how much more than halfway through the game something that grows yields
    double ticket           # what the next ticket in hand is worth
    double last_ticket      # what the last ticket in hand is worth
    double cube             # what one more cube is worth
    double flair            # what a flair token is worth
    double path             # what the best path under way is worth
    double space            # the best free point space, a ticket's worth taken off
    uint32_t open           # cities that a ticket may enter
    double icon_gain[6]     # what one more card with each icon adds on point spaces; 0 for the icon that is none
    double size_gain[5]     # the same for sizes
    double city[15]         # what a ticket in each city adds, a ticket's worth taken off
    double card[6]          # the best card to take with each colour
    double uses[5]          # what cards with each icon can still yield in this action


# ---- Single things -----------------------------------------------------------------------------------------

cdef inline double grown(const LevitationRules* r, double n) noexcept nogil:
    """Points on a space for n cards, between whole numbers in a straight line."""
    cdef int whole = <int>n
    if whole >= 4:
        return r.card_points[4]
    return r.card_points[whole] + (n - whole) * (r.card_points[whole + 1] - r.card_points[whole])


cdef inline double cards_for(
    const LevitationRules* r, const LevitationState* s, int seat, int space, double left
) noexcept nogil:
    """How many cards an icon or size space may count at the end."""
    cdef int item = r.space_items[space]
    if r.space_kinds[space] == SPACE_ICON:
        return popcount(s.owned[seat] & r.icons[item]) + r.weights[W_MORE_ICONS] * left
    return popcount(s.owned[seat] & r.sizes[item]) + r.weights[W_MORE_SIZES] * left


cdef inline double space_worth(
    const LevitationRules* r, const LevitationState* s, int seat, int space, double left
) noexcept nogil:
    """What a space may score for a seat."""
    cdef const double* w = r.weights
    cdef int kind = r.space_kinds[space]
    if kind <= SPACE_SIZE:
        return grown(r, cards_for(r, s, seat, space, left))
    if kind == SPACE_FLAIR:
        return min(10.0, flair_owned(s, seat) + w[W_MORE_FLAIR] * left)
    if kind == SPACE_TICKETS:
        return min(10.0, N_TICKETS - s.unused[seat] + w[W_MORE_TICKETS] * left)
    return min(10.0, s.cubes[seat] + w[W_MORE_CUBES] * left)


cdef inline double hand_worth(const LevitationRules* r, int n, double left) noexcept nogil:
    """What n tickets in hand are worth: the first most, and no more than can be placed."""
    cdef const double* w = r.weights
    cdef double worth = w[W_TICKET]
    cdef double total = 0.0
    cdef double room = w[W_PLACINGS] * left
    while n > 0 and room > 0:
        total += worth * min(1.0, room)
        room -= 1.0
        worth *= w[W_TICKET_FADES]
        n -= 1
    return total


cdef inline double actions_left(const LevitationState* s, int seat) noexcept nogil:
    """Actions that a seat has not begun."""
    cdef int left = (N_ROUNDS - 1 - s.round) * N_TURNS + N_TURNS - 1 - s.turn
    cdef int i
    if s.phase != PHASE_TOKENS and s.phase != PHASE_DEAL:
        for i in range(min(s.n_acted + 1, <int>N_SEATS)):
            if s.order[i] == seat:
                return left
    return left + 1


cdef inline double effect_yield(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int card
) noexcept nogil:
    """What a card may yield each time it is used in the actions to come, flair not counted."""
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
    """What the cards of a seat yield in an action to come: the best colour, and a little of all."""
    cdef const double* w = r.weights
    cdef uint64_t cards = s.owned[seat]
    cdef double yields[6]
    cdef double costs[6]
    cdef double value, cost, best = 0.0, total = 0.0
    cdef int card, colour
    for colour in range(N_COLOURS):
        yields[colour] = costs[colour] = 0.0
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        value = effect_yield(r, s, o, seat, card)
        cost = r.costs[card] if r.costs[card] else value
        value += s.flair[card]
        yields[r.first_icon[card]] += value
        costs[r.first_icon[card]] += cost
        yields[r.second_icon[card]] += value        # entry 5 takes what a card with one icon has not
        costs[r.second_icon[card]] += cost
    for colour in range(N_COLOURS):
        value = yields[colour]
        if costs[colour] > s.cubes[seat]:
            value *= s.cubes[seat] / costs[colour]
        total += value
        best = max(best, value)
    return w[W_ENGINE] * (w[W_BEST_COLOUR] * best + (1.0 - w[W_BEST_COLOUR]) * 0.2 * total)


# ---- Paths -------------------------------------------------------------------------------------------------

cdef inline double reach(uint32_t own, uint32_t free, uint32_t bit, double blocked) noexcept nogil:
    """How freely a city can be part of a path: 1 where a ticket is or may enter, less where it is closed."""
    return 1.0 if (own | free) & bit else blocked


cdef inline void look_at_paths(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat, bint wants_cities
) noexcept nogil:
    """The best path under way, and what one more ticket in each city would make of it."""
    cdef const double* w = r.weights
    cdef uint32_t own = where(s.tickets[seat])
    cdef uint32_t below = beside(own >> 2 * ROW_SHIFT)              # columns with an own ticket below
    cdef uint32_t free_below = beside(o.open >> 2 * ROW_SHIFT)
    cdef uint32_t bit, ends
    cdef double share[5]
    cdef double worth, ahead, bottom
    cdef int middle, top, n, i
    o.path = 0.0
    if not own and not wants_cities:
        return
    share[0] = 0.0
    share[1] = w[W_PATH_ONE] * min(1.0, w[W_PATH_SOON] * o.left)
    share[2] = w[W_PATH_TWO] * min(1.0, 2.0 * w[W_PATH_SOON] * o.left)
    share[3] = share[4] = 1.0
    for middle in range(N_COLUMNS):
        bit = <uint32_t>1 << (2 * middle)
        ends = beside(bit) & r.point_cities
        bottom = 0.0
        while ends:
            top = lowest_bit(ends) >> 1
            ends &= ends - 1
            worth = r.amounts[top] * reach(own, o.open, city_bit(top), w[W_PATH_BLOCKED])
            worth *= reach(own, o.open, bit << ROW_SHIFT, w[W_PATH_BLOCKED])
            n = (own >> (2 * top) & 1) + (own >> (2 * middle + ROW_SHIFT) & 1)
            ahead = worth * share[n + 1]            # with a ticket below, wherever it may come from
            bottom = max(bottom, ahead)
            if below & bit:
                n += 1
            elif not free_below & bit:
                worth *= w[W_PATH_BLOCKED]
            o.path = max(o.path, worth * share[n])
            if wants_cities:
                ahead = worth * share[n + 1]
                if not own & city_bit(top):
                    o.city[top] = max(o.city[top], ahead)
                if not own & bit << ROW_SHIFT:
                    o.city[N_COLUMNS + middle] = max(o.city[N_COLUMNS + middle], ahead)
        if wants_cities:
            for i in range(max(middle - 1, 0), min(middle + 2, <int>N_COLUMNS)):
                o.city[2 * N_COLUMNS + i] = max(o.city[2 * N_COLUMNS + i], bottom)


# ---- The action under way ----------------------------------------------------------------------------------

cdef inline void look_at_cities(const LevitationRules* r, Outlook* o) noexcept nogil:
    """What a ticket in each open city gains: progress on a path, and the reward."""
    cdef double spare = r.weights[W_CITY_TICKET] * min(1.0, 0.25 * o.left) - o.last_ticket
    cdef int city
    for city in range(N_CITIES):
        o.city[city] = max(0.0, o.city[city] - o.path) + spare
        if r.rewards[city] == REWARD_CUBES:
            o.city[city] += r.amounts[city] * o.cube
        elif r.rewards[city] == REWARD_FLAIR:
            o.city[city] += r.amounts[city] * o.flair


cdef inline void look_at_spaces(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat
) noexcept nogil:
    """The best free space, and what cards add to those that the seat has or could have."""
    cdef double n, worth, gain
    cdef int space, owner
    o.space = o.icon_gain[N_COLOURS] = 0.0
    for space in range(N_COLOURS):
        o.icon_gain[space] = o.size_gain[space] = 0.0
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
    """What owning a card adds: its uses to come, and what it counts for on point spaces."""
    cdef const double* w = r.weights
    cdef double worth = effect_yield(r, s, o, seat, card) + w[W_CARD_ROOM] * r.limits[card]
    worth = w[W_CARD] + w[W_CARD_USE] * o.left * worth
    return worth + o.icon_gain[r.first_icon[card]] + o.icon_gain[r.second_icon[card]] + o.size_gain[r.card_size[card]]


cdef inline void look_at_cards(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat
) noexcept nogil:
    """The best card in a city for each colour."""
    cdef double worth
    cdef int city, card, first, second
    for city in range(N_COLOURS + 1):
        o.card[city] = 0.0
    for city in range(N_CITIES):
        card = s.city_cards[city]
        if card < 0:
            continue
        first, second = r.first_icon[card], r.second_icon[card]
        worth = card_worth(r, s, o, seat, card)
        o.card[first] = max(o.card[first], worth)
        o.card[second] = max(o.card[second], worth)


cdef inline double best_city(const Outlook* o, uint32_t cities) noexcept nogil:
    cdef double best = 0.0
    cities &= o.open
    while cities:
        best = max(best, o.city[lowest_bit(cities) >> 1])
        cities &= cities - 1
    return best


cdef inline double main_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int master, int colour
) noexcept nogil:
    """What the main action of a master offers with a die of this colour."""
    cdef int hand = s.hand[seat]
    if master == THURSTON:
        return o.card[colour]
    if master == HERRMANN:
        return hand_worth(r, hand + min(3, <int>s.unused[seat]), o.left) - hand_worth(r, hand, o.left)
    return max(o.space, best_city(o, r.colour_cities[colour])) if hand else 0.0


cdef inline double use_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int source, int free
) noexcept nogil:
    """What using a text in this action gains, flair on its card not counted."""
    cdef int effect = r.effects[source]
    cdef int n = 1
    if effect <= EFFECT_POINTS_CARDS:
        return min(free, countable(r, s, seat, source))
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
    """What these cards can still yield in this action, by colour, as far as the free cubes go."""
    cdef int free = free_cubes(s, seat)
    cdef double yields[6]
    cdef double costs[6]
    cdef double value, cost
    cdef int card, colour
    for colour in range(N_COLOURS):
        yields[colour] = costs[colour] = 0.0
    cards &= s.owned[seat] & ~s.used & ~s.disabled & ~r.rerolls
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        value = use_worth(r, s, o, seat, card, free)
        cost = r.costs[card] if r.costs[card] else value
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
    """The best die on the masters: main action and uses."""
    cdef double best = 0.0
    cdef int i
    for i in range(N_MASTERS * N_COLOURS):
        if s.dice[i]:
            best = max(best, main_worth(r, s, o, seat, i // N_COLOURS, i % N_COLOURS) + o.uses[i % N_COLOURS])
    return best


cdef inline double plan(const LevitationRules* r, const LevitationState* s, Outlook* o, int seat) noexcept nogil:
    """What the rest of the action under way offers."""
    cdef double worth
    if s.phase == PHASE_START:
        look_at_uses(r, s, o, seat, ~<uint64_t>0)
        return r.weights[W_PLAN] * best_draft(r, s, o, seat)
    look_at_uses(r, s, o, seat, r.icons[s.colour])
    worth = o.uses[s.colour]
    if not s.has_acted:
        worth += main_worth(r, s, o, seat, s.master, s.colour)
    worth = r.weights[W_PLAN] * worth + s.n_flair * o.flair
    if s.active != NONE:                        # what is under way counts in full
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
    """What can be said at once."""
    cdef const double* w = r.weights
    o.left = actions_left(s, seat)
    o.growth = 1.0 - w[W_GROWTH] + w[W_GROWTH] * o.left / 6.0
    o.cube = w[W_CUBE] * o.left
    o.open = open_now


cdef inline void look_around(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat
) noexcept nogil:
    """All that the acting seat may want in this action: tickets in cities and on spaces, cards."""
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
    """Points that a seat may have at the end."""
    cdef const double* w = r.weights
    cdef Outlook o
    cdef bint is_acting = (s.phase > PHASE_OVER or s.phase == PHASE_REFILL) and acting(s) == seat
    cdef double value
    cdef int i
    begin_outlook(r, s, &o, seat, open_now)
    value = s.scores[seat] + w[W_CARD] * popcount(s.owned[seat]) + hand_worth(r, s.hand[seat], o.left)
    value += o.left * (w[W_ACTION] + w[W_CUBE] * s.cubes[seat] + engine(r, s, &o, seat))
    value += w[W_CITY_TICKET] * min(1.0, 0.25 * o.left) * tickets_in_cities(s, seat)
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


cdef inline void levitation_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Chances to win, by the expected points and how much may still change."""
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    cdef uint32_t open_now = open_cities(s)
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
