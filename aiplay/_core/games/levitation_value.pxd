# Levitation: what a position is worth without searching it.
#
# The guess adds up points that each seat can expect: those it has, its point spaces, its paths under way, tickets and
# cubes, what its cards will yield in the actions to come (the engine), and for the acting seat what the rest of this
# action offers (the plan). The lead in expected points becomes a chance of winning. The weights were fitted by games of
# the one-move player against itself.

from libc.math cimport exp

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.levitation cimport *
from aiplay._core.games.levitation_board cimport *
from aiplay._core.games.levitation_effects cimport countable
from aiplay._core.typedefs cimport int8_t, uint32_t, uint64_t


# What the guess needs to know of one seat; all values in points.
ctypedef struct Outlook:
    double left             # whole actions that are still to come, the one under way not counted
    double ticket           # what the next ticket in hand is worth
    double last_ticket      # what the last ticket in hand is worth
    double cube             # what one more cube is worth
    double flair            # what a flair token is worth
    double path             # what the best path under way is worth
    double icon_gain[5]     # what one more card with each icon adds on point spaces
    double size_gain[5]     # the same for sizes
    double space            # the best free point space, a ticket's worth taken off
    double city[15]         # what a ticket in each city adds, a ticket's worth taken off
    double card[5]          # the best card to take with each colour


cdef inline double grown(const LevitationRules* r, double n) noexcept nogil:
    """Points on a space for n cards, between whole numbers in a straight line."""
    cdef int whole = <int>n
    if whole >= 4:
        return r.card_points[4]
    return r.card_points[whole] + (n - whole) * (r.card_points[whole + 1] - r.card_points[whole])


cdef inline double space_worth(
    const LevitationRules* r, const LevitationState* s, int seat, int space, double left, double extra
) noexcept nogil:
    """What a space will score for a seat, with `extra` more of the cards it counts."""
    cdef const double* w = r.weights
    cdef int kind = r.space_kinds[space]
    cdef int item = r.space_items[space]
    if kind == SPACE_ICON:
        return grown(r, popcount(s.owned[seat] & r.icons[item]) + extra + w[W_MORE_ICONS] * left)
    if kind == SPACE_SIZE:
        return grown(r, popcount(s.owned[seat] & r.sizes[item]) + extra + w[W_MORE_SIZES] * left)
    if kind == SPACE_FLAIR:
        return min(10.0, flair_owned(s, seat) + w[W_MORE_FLAIR] * left)
    if kind == SPACE_TICKETS:
        return min(10.0, TICKETS - s.unused[seat] + w[W_MORE_TICKETS] * left)
    return min(10.0, s.cubes[seat] + w[W_MORE_CUBES] * left)


cdef inline double hand_worth(const LevitationRules* r, int n, double left) noexcept nogil:
    """What n tickets in hand are worth: the first most, and no more than can be placed."""
    cdef const double* w = r.weights
    cdef double worth = w[W_TICKET]
    cdef double total = 0.0
    cdef double room = w[W_PLACINGS] * left
    cdef int i
    for i in range(n):
        if room <= 0:
            break
        total += worth * min(1.0, room)
        room -= 1.0
        worth *= w[W_TICKET_FADES]
    return total


cdef inline double actions_left(const LevitationState* s, int seat) noexcept nogil:
    """Actions that a seat has not begun."""
    cdef int left = (ROUNDS - 1 - s.round) * TURNS + TURNS - 1 - s.turn
    cdef int i
    if s.phase == PHASE_TOKENS or s.phase == PHASE_DEAL:
        return left + 1
    for i in range(s.n_acted + 1):
        if i < SEATS and s.order[i] == seat:
            return left
    return left + 1


cdef inline double effect_yield(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int card
) noexcept nogil:
    """What a card may yield each time it is used in the actions to come, flair not counted."""
    cdef const double* w = r.weights
    cdef int effect = r.effects[card]
    if effect == EFFECT_POINTS_DICE:
        return w[W_EFFECTS + effect]
    if effect <= EFFECT_POINTS_CARDS:
        return w[W_EFFECTS + effect] * countable(r, s, seat, card)
    return w[W_EFFECTS + effect]


cdef inline double engine(const LevitationRules* r, const LevitationState* s, Outlook* o, int seat) noexcept nogil:
    """What the cards of a seat yield in one action to come: the best colour, and a little of all."""
    cdef const double* w = r.weights
    cdef uint64_t cards = s.owned[seat]
    cdef double yields[5]
    cdef double costs[5]
    cdef double value, cost, best = 0.0, total = 0.0
    cdef int card, colour
    for colour in range(COLOURS):
        yields[colour] = costs[colour] = 0.0
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        value = effect_yield(r, s, o, seat, card)
        cost = r.costs[card] if r.costs[card] else value
        value += s.flair[card]
        for colour in range(COLOURS):
            if r.icons[colour] >> card & 1:
                yields[colour] += value
                costs[colour] += cost
    for colour in range(COLOURS):
        value = yields[colour]
        if costs[colour] > s.cubes[seat]:
            value *= s.cubes[seat] / costs[colour]
        total += value
        best = max(best, value)
    return w[W_ENGINE] * (w[W_BEST_COLOUR] * best + (1.0 - w[W_BEST_COLOUR]) * total / COLOURS)


# ---- Paths -------------------------------------------------------------------------------------------------------------

cdef inline void look_at_paths(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat, uint32_t open_now, bint wants_cities
) noexcept nogil:
    """The best path under way, and what one more ticket in each city would add to it."""
    cdef const double* w = r.weights
    cdef uint32_t own = where(s.tickets[seat])
    cdef uint32_t lacking
    cdef double share[4]
    cdef double worth, more, soon
    cdef int path, n, i, city
    o.path = 0.0
    if not own and not wants_cities:
        return
    soon = min(1.0, w[W_PATH_SOON] * o.left)
    share[0] = 0.0
    share[1] = w[W_PATH_ONE] * soon
    share[2] = w[W_PATH_TWO] * min(1.0, 2.0 * w[W_PATH_SOON] * o.left)
    share[3] = 1.0
    for path in range(PATHS):
        if not city_bit(r.paths[path][0]) & r.point_cities:
            continue
        lacking = r.path_masks[path] & ~own
        n = 3 - popcount(lacking)
        worth = r.amounts[r.paths[path][0]]
        if lacking & ~open_now:
            worth *= w[W_PATH_BLOCKED]
        o.path = max(o.path, worth * share[n])
        if wants_cities and n < 3:
            more = worth * share[n + 1]
            for i in range(3):
                city = r.paths[path][i]
                if lacking & city_bit(city):
                    o.city[city] = max(o.city[city], more)


# ---- The action under way ----------------------------------------------------------------------------------------------

cdef inline void look_at_cities(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat, uint32_t open_now
) noexcept nogil:
    """What a ticket in each open city gains: the reward, and progress on a path."""
    cdef const double* w = r.weights
    cdef double now = o.path
    cdef int city
    for city in range(CITIES):
        if not open_now & city_bit(city):
            o.city[city] = 0.0
            continue
        o.city[city] = max(0.0, o.city[city] - now) + w[W_CITY_TICKET] * min(1.0, o.left / 4.0) - o.last_ticket
        if r.rewards[city] == REWARD_CUBES:
            o.city[city] += r.amounts[city] * o.cube
        elif r.rewards[city] == REWARD_FLAIR:
            o.city[city] += r.amounts[city] * o.flair


cdef inline void look_at_spaces(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat
) noexcept nogil:
    """The best free space, and what cards add to those that the seat has or could have."""
    cdef const double* w = r.weights
    cdef double worth, gain
    cdef int space, kind
    o.space = 0.0
    for space in range(SPACES):
        if s.space_seats[space] != NONE and s.space_seats[space] != seat:
            continue
        kind = r.space_kinds[space]
        worth = space_worth(r, s, seat, space, o.left, 0.0)
        if kind == SPACE_ICON or kind == SPACE_SIZE:
            gain = space_worth(r, s, seat, space, o.left, 1.0) - worth
            if s.space_seats[space] == NONE:
                gain *= w[W_FREE_SPACE]
            if kind == SPACE_ICON:
                o.icon_gain[r.space_items[space]] = gain
            else:
                o.size_gain[r.space_items[space]] = gain
        if s.space_seats[space] == NONE:
            o.space = max(o.space, worth - o.last_ticket)


cdef inline double card_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int card
) noexcept nogil:
    """What owning a card adds."""
    cdef const double* w = r.weights
    cdef double worth = w[W_CARD] + w[W_CARD_USE] * o.left * (effect_yield(r, s, o, seat, card) + 0.2 * r.limits[card])
    cdef int i
    for i in range(COLOURS):
        if r.icons[i] >> card & 1:
            worth += o.icon_gain[i]
    for i in range(SIZES):
        if r.sizes[i] >> card & 1:
            worth += o.size_gain[i]
    return worth


cdef inline void look_at_cards(
    const LevitationRules* r, const LevitationState* s, Outlook* o, int seat
) noexcept nogil:
    """The best card in a city for each colour."""
    cdef double worth
    cdef int city, card, colour
    for colour in range(COLOURS):
        o.card[colour] = 0.0
    for city in range(CITIES):
        card = s.city_cards[city]
        if card < 0:
            continue
        worth = card_worth(r, s, o, seat, card)
        for colour in range(COLOURS):
            if r.icons[colour] >> card & 1:
                o.card[colour] = max(o.card[colour], worth)


cdef inline double best_city(const Outlook* o, uint32_t cities) noexcept nogil:
    cdef double best = 0.0
    while cities:
        best = max(best, o.city[lowest_bit(cities) >> 1])
        cities &= cities - 1
    return best


cdef inline double main_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int master, int colour,
    uint32_t open_now,
) noexcept nogil:
    """What the main action of a master offers with a die of this colour."""
    if master == HERRMANN:
        return hand_worth(r, s.hand[seat] + min(3, <int>s.unused[seat]), o.left) - hand_worth(r, s.hand[seat], o.left)
    if master == THURSTON:
        return o.card[colour]
    if s.hand[seat] == 0:
        return 0.0
    return max(o.space, best_city(o, open_now & r.colour_cities[colour]))


cdef inline double use_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int source, int free,
    uint32_t open_now,
) noexcept nogil:
    """What using a text in this action gains, flair not counted."""
    cdef int effect = r.effects[source]
    cdef int n
    if effect <= EFFECT_POINTS_CARDS:
        return min(free, countable(r, s, seat, source))
    if effect == EFFECT_GAIN_FLAIR:
        return o.flair
    if effect == EFFECT_GAIN_TICKET or effect == EFFECT_GAIN_TICKETS:
        n = 1 if effect == EFFECT_GAIN_TICKET else off_board(s, r.colours[source])
        return min(n, <int>s.unused[seat]) * o.ticket
    if effect == EFFECT_GAIN_CUBE:
        return o.cube
    if effect == EFFECT_GAIN_CARD:
        return o.card[r.colours[source]]
    if effect == EFFECT_PLACE_SPACE:
        return o.space if s.hand[seat] else 0.0
    if effect == EFFECT_PLACE_CITY:
        return best_city(o, open_now & r.places[source]) if s.hand[seat] else 0.0
    return r.weights[W_USES + effect - EFFECT_COPY_OTHER]


cdef inline double uses_worth(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, int colour, uint32_t open_now
) noexcept nogil:
    """What the cards that match a colour can still yield in this action, as far as the free cubes go."""
    cdef uint64_t cards = s.owned[seat] & r.icons[colour] & ~s.used & ~s.disabled & ~r.rerolls
    cdef int free = free_cubes(s, seat)
    cdef double total = 0.0, spent = 0.0, value
    cdef int card
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        value = use_worth(r, s, o, seat, card, free, open_now)
        spent += r.costs[card] if r.costs[card] else value
        total += value + s.flair[card]
    if spent > free:
        total *= free / spent
    return total


cdef inline double plan(
    const LevitationRules* r, const LevitationState* s, const Outlook* o, int seat, uint32_t open_now
) noexcept nogil:
    """What the rest of the action under way offers."""
    cdef const double* w = r.weights
    cdef double best = 0.0, worth
    cdef int colour, master
    if s.phase == PHASE_START:
        for colour in range(COLOURS):
            worth = 0.0
            for master in range(MASTERS):
                if s.dice[COLOURS * master + colour]:
                    worth = max(worth, main_worth(r, s, o, seat, master, colour, open_now) + 0.01)
            if worth > 0:
                best = max(best, worth + uses_worth(r, s, o, seat, colour, open_now))
        return w[W_PLAN] * best
    best = uses_worth(r, s, o, seat, s.colour, open_now)
    if not s.has_acted:
        best += main_worth(r, s, o, seat, s.master, s.colour, open_now)
    best *= w[W_PLAN]
    if s.active != NONE:                        # what is under way already counts in full
        best += s.flair[s.active]
        if s.source != NONE:
            best += use_worth(r, s, o, seat, s.source, free_cubes(s, seat), open_now)
        elif s.phase == PHASE_COPY:
            best += use_worth(r, s, o, seat, s.active, free_cubes(s, seat), open_now)
    return best + s.n_flair * o.flair


# ---- The sum -----------------------------------------------------------------------------------------------------------

cdef inline double expected_points(const LevitationRules* r, const LevitationState* s, int seat) noexcept nogil:
    """Points that a seat may have at the end."""
    cdef const double* w = r.weights
    cdef Outlook o
    cdef uint32_t open_now = open_cities(s)
    cdef bint is_acting = s.phase > PHASE_OVER or s.phase == PHASE_REFILL
    cdef double value
    cdef int i
    is_acting = is_acting and acting(s) == seat
    o.left = actions_left(s, seat)
    value = s.scores[seat] + w[W_ACTION] * o.left
    for i in range(SPACES):
        if s.space_seats[i] == seat:
            value += space_worth(r, s, seat, i, o.left, 0.0)
    value += hand_worth(r, s.hand[seat], o.left)
    value += w[W_CITY_TICKET] * tickets_in_cities(s, seat) * min(1.0, o.left / 4.0)
    o.cube = w[W_CUBE] * o.left
    value += o.cube * s.cubes[seat]
    value += o.left * engine(r, s, &o, seat)
    value += w[W_CARD] * popcount(s.owned[seat])
    for i in range(CITIES):
        o.city[i] = 0.0
    look_at_paths(r, s, &o, seat, open_now, is_acting)
    value += o.path
    if s.phase == PHASE_PATH and s.path_seat == seat and is_acting:
        value += s.bonus
    if is_acting:
        o.ticket = hand_worth(r, s.hand[seat] + 1, o.left) - hand_worth(r, s.hand[seat], o.left)
        o.last_ticket = 0.0
        if s.hand[seat]:
            o.last_ticket = hand_worth(r, s.hand[seat], o.left) - hand_worth(r, s.hand[seat] - 1, o.left)
        o.flair = 1.0 + w[W_FLAIR] * o.left
        look_at_spaces(r, s, &o, seat)
        look_at_cities(r, s, &o, seat, open_now)
        look_at_cards(r, s, &o, seat)
        value += plan(r, s, &o, seat, open_now)
    elif s.phase == PHASE_DICE and acting(s) == seat:
        value += w[W_ACTION]
    return value


cdef inline void levitation_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Chances to win, by the expected points and how much may still change."""
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    cdef double spread, total = 0.0, best = -1e9
    cdef int seat
    for seat in range(r.seats):
        out[seat] = expected_points(r, s, seat)
        best = max(best, out[seat])
    spread = r.weights[W_SPREAD] + r.weights[W_SPREAD_LEFT] * actions_left(s, 0)
    for seat in range(r.seats):
        out[seat] = exp((out[seat] - best) / spread)
        total += out[seat]
    for seat in range(r.seats):
        out[seat] /= total
