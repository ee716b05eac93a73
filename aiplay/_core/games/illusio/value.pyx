"""Illusio: the value of objectives and positions.

The value of a seat is its prestige, the tricks it displays, and what it is working on: the objectives it has taken and
the best ones of the Contest, each with the points it will pay, discounted by the actions that it still costs.
Components count if they are needed, more in the Backstage than in the hand, more if they are exact. The odds follow
from the differences between the seats, which weigh more the nearer the leader is to the goal.
"""

from libc.math cimport exp, sqrt
from libc.string cimport memcpy, memset

from aiplay._core.bits cimport pop_lowest
from aiplay._core.games.illusio.components cimport backstage_of, kept_domains, n_exact, objectives_at, present_kind
from aiplay._core.games.illusio.legal cimport illusio_legal_moves
from aiplay._core.games.illusio.rules cimport illusio_play
from aiplay._core.games.illusio.state cimport (
    ACTION, ANY_GROUP, COUNT_STRIDE, DISPLAYED, HIDDEN, IN_CONTEST, N_COMPONENTS, N_COMPONENT_KINDS, N_DISCOUNTS,
    N_GROUPS, N_TYPES, PHASE_CLAIM, PHASE_DEAL, PHASE_DRAW, PHASE_EXCHANGE, PHASE_SWAP, PHASE_TAKE, PHASE_TRANSFORM,
    PHASE_VALIDATE, REALISING, TALENT_MORPH, TRANSFORM, UNSPENT, W_BACKSTAGE, W_CONTEST, W_CONTEST_2, W_DISPLAY, W_DRAW,
    W_ENCORE, W_EXACT_CHANCE, W_HAND, W_MORPH, W_NEXT_DRAW, W_SCALE, W_SLACK, W_SPECIAL, W_SPREAD, W_TEMPO,
    IllusioRules, IllusioState,
)
from aiplay._core.typedefs cimport MAX_SEATS, move_t, uint8_t, uint32_t, uint64_t

cdef enum:
    # Where a component for a need comes from.
    EXACT_BACK = 0
    EXACT_HAND = 1
    GROUP_BACK = 2
    GROUP_HAND = 3
    NOWHERE = 4


# ---- Objectives ----------------------------------------------------------------------------------------------------

cdef void count_stock(const IllusioRules* r, const IllusioState* s, int seat, Stock* stock) noexcept nogil:
    """Count the components in a seat's Backstage and hand."""
    cdef uint64_t own = backstage_of(s, seat)
    cdef int i, kind
    memset(stock, 0, sizeof(Stock))
    while own:
        kind = present_kind(s, pop_lowest(&own))
        stock.back[kind] += 1
        stock.back_of[r.group_of[kind]] += 1
    for i in range(s.n_hand[seat]):
        kind = s.hands[seat][i]
        if kind >= N_COMPONENT_KINDS:
            break
        stock.hand[kind] += 1
        stock.hand_of[r.group_of[kind]] += 1


cdef inline void use_any(uint8_t* counts, uint32_t kinds) noexcept nogil:
    """Use one component of any of `kinds`. Before: there is one."""
    cdef int kind = pop_lowest(&kinds)
    while counts[kind] == 0:
        kind = pop_lowest(&kinds)
    counts[kind] -= 1


cdef inline int use_component(const IllusioRules* r, Stock* stock, int need, int group) noexcept nogil:
    """Use the best component for a need; return where it came from."""
    if need < N_COMPONENT_KINDS:
        if stock.back[need]:
            stock.back[need] -= 1
            stock.back_of[group] -= 1
            return EXACT_BACK
        if stock.hand[need]:
            stock.hand[need] -= 1
            stock.hand_of[group] -= 1
            return EXACT_HAND
    if stock.back_of[group]:
        stock.back_of[group] -= 1
        use_any(stock.back, r.kinds_in[group])
        return GROUP_BACK
    if stock.hand_of[group]:
        stock.hand_of[group] -= 1
        use_any(stock.hand, r.kinds_in[group])
        return GROUP_HAND
    return NOWHERE


cdef inline bint can_morph(const IllusioRules* r, int magician, int group) noexcept nogil:
    """True if the talent of a magician changes components of a group."""
    return r.talent[magician] == TALENT_MORPH and (
        r.talent_group[magician] == group or r.talent_group[magician] == ANY_GROUP
    )


cdef double work_value(
    const IllusioRules* r, const IllusioState* s, int seat, Stock* stock, int objective, int domains, double most
) noexcept nogil:
    """The value to a seat of an objective of the Contest or under realisation: its points, at most `most`, discounted.

    `domains` are those that the seat keeps or displays. The components that it needs are taken out of the stock.
    """
    cdef bint is_taken = s.objectives[objective] >= REALISING
    cdef bint is_placing = s.phase == PHASE_CLAIM and s.focus == objective
    cdef int magician = s.magicians[seat]
    cdef int cost = 0 if is_taken else ACTION
    cdef double points = r.level[objective] + r.bonus[magician][objective] + n_exact(s, objective)
    cdef int slot, need, group, source
    points += domains >> r.domain[objective] & 1
    for slot in range(r.n_needs[objective]):
        if s.filled[objective] >> slot & 1:
            continue
        need = r.need[objective][slot]
        group = r.need_group[objective][slot]
        source = use_component(r, stock, need, group)
        if source == NOWHERE:
            cost += r.missing_cost[group]
        elif source == EXACT_HAND or source == GROUP_HAND or (is_taken and not is_placing):
            cost += ACTION
        if need < N_TYPES:
            if source <= EXACT_HAND:
                points += 1.0
            elif source == NOWHERE:
                points += r.weights[W_EXACT_CHANCE]
            elif source == GROUP_BACK and can_morph(r, magician, group):
                points += r.weights[W_MORPH]
    return min(points, most) * r.discount[min(cost, N_DISCOUNTS - 1)]


# ---- Seats ---------------------------------------------------------------------------------------------------------

cdef inline double contest_value(
    const IllusioRules* r, const IllusioState* s, int seat, Stock* stock, int domains, double most
) noexcept nogil:
    """The value of the best objective of the Contest, and a share of the next best."""
    cdef Stock trial, rest
    cdef uint32_t contest = objectives_at(s, IN_CONTEST)
    cdef uint32_t left = contest
    cdef double value, best = 0.0, second = 0.0
    cdef int objective, chosen = -1
    while left:
        objective = pop_lowest(&left)
        trial = stock[0]
        value = work_value(r, s, seat, &trial, objective, domains, most)
        if value > best:
            best = value
            chosen = objective
            rest = trial
    if chosen < 0:
        return 0.0
    left = contest & ~(<uint32_t>1 << chosen)
    while left:
        trial = rest
        value = work_value(r, s, seat, &trial, pop_lowest(&left), domains, most)
        second = max(second, value)
    return r.weights[W_CONTEST] * best + r.weights[W_CONTEST_2] * second


cdef double displayed_value(const IllusioRules* r, const IllusioState* s, int seat, int* domains) noexcept nogil:
    """The value of a seat's tricks on display; adds their domains to `domains`."""
    cdef uint32_t tricks = objectives_at(s, DISPLAYED + seat)
    cdef double value = 0.0, points
    cdef int trick
    while tricks:
        trick = pop_lowest(&tricks)
        points = r.level[trick] + n_exact(s, trick) + r.bonus[s.magicians[seat]][trick]
        points += domains[0] >> r.domain[trick] & 1
        points += 2 * (s.marks[trick] // COUNT_STRIDE) - s.marks[trick] % COUNT_STRIDE
        if points > 0:
            value += points * r.weights[W_ENCORE if s.encores[trick] & UNSPENT else W_DISPLAY]
        domains[0] |= 1 << r.domain[trick]
    return value


cdef inline double hand_value(const IllusioRules* r, const IllusioState* s, int seat) noexcept nogil:
    """The value of special actions by kind, of components, and of cards about to be drawn."""
    cdef double value = 0.0
    cdef int i, kind
    for i in range(s.n_hand[seat]):
        kind = s.hands[seat][i]
        if kind < N_COMPONENT_KINDS:
            value += r.weights[W_HAND]
        elif kind < HIDDEN:
            value += r.weights[W_SPECIAL + kind - TRANSFORM]
    if seat == s.seat and (s.phase == PHASE_DRAW or s.phase == PHASE_EXCHANGE or s.phase == PHASE_DEAL):
        value += s.pending * r.weights[W_DRAW]
    elif seat == s.seat and (s.phase == PHASE_TAKE or s.phase == PHASE_VALIDATE):
        value += r.weights[W_DRAW]
    return value


cdef inline double tempo_value(const IllusioRules* r, const IllusioState* s, int seat) noexcept nogil:
    """The value of the actions left in this turn, or of the next turn and its draw, less the longer the wait.

    The seat whose turn it is has already drawn. If the draws of the others did not count, ending a turn would seem to
    cost something, and a search would put it off.
    """
    cdef int wait = seat - s.seat
    if wait == 0:
        return 0.5 * s.actions * r.weights[W_TEMPO]
    if wait < 0:
        wait += r.seats
    return (r.weights[W_TEMPO] + r.weights[W_NEXT_DRAW]) * (r.seats - wait) / r.seats


cdef double seat_value(const IllusioRules* r, const IllusioState* s, int seat, double* secured) noexcept nogil:
    """The prestige that a seat has and expects; `secured` is the part that it has or displays."""
    cdef Stock stock
    cdef uint32_t works = objectives_at(s, REALISING + seat)
    cdef int domains = kept_domains(r, s, seat)
    cdef double value, gained, most
    cdef int group
    value = s.scores[seat] + displayed_value(r, s, seat, &domains)
    secured[0] = value
    most = max(r.goal - value, 0.0) + r.weights[W_SLACK]
    count_stock(r, s, seat, &stock)
    while works:
        gained = work_value(r, s, seat, &stock, pop_lowest(&works), domains, most)
        value += gained
        # Points beyond the goal are worth little: otherwise a seat begins more and more and finishes nothing.
        most = max(most - gained, r.weights[W_SLACK])
    for group in range(N_GROUPS):
        value += stock.back_of[group] * r.weights[W_BACKSTAGE]
    value += contest_value(r, s, seat, &stock, domains, most)
    return value + hand_value(r, s, seat) + tempo_value(r, s, seat)


cdef void value_seats(const IllusioRules* r, const IllusioState* s, double* out) noexcept nogil:
    """Write the odds: shares of exp(scale * value), with a larger scale the nearer the leader is to the goal."""
    cdef double secured, scale
    cdef double left = r.goal
    cdef double best = 0.0, total = 0.0
    cdef int seat
    for seat in range(r.seats):
        out[seat] = seat_value(r, s, seat, &secured)
        left = min(left, max(r.goal - secured, 0.0))
        best = max(best, out[seat])
    scale = r.weights[W_SCALE] / sqrt(r.weights[W_SPREAD] + left)
    for seat in range(r.seats):
        out[seat] = exp(scale * (out[seat] - best))
        total += out[seat]
    for seat in range(r.seats):
        out[seat] /= total


cdef void illusio_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Evaluate a position; in the middle of a Transform, a morph or a swap, the best way to complete it."""
    cdef const IllusioRules* r = <const IllusioRules*>rules
    cdef const IllusioState* s = <const IllusioState*>state
    cdef IllusioState trial
    cdef double values[MAX_SEATS]
    cdef move_t moves[N_COMPONENTS]     # kinds or components to choose from
    cdef int i, n
    if s.phase < PHASE_TRANSFORM or s.phase > PHASE_SWAP:
        value_seats(r, s, out)
        return
    n = illusio_legal_moves(rules, state, moves)
    for i in range(n):
        trial = s[0]
        illusio_play(rules, &trial, moves[i])
        value_seats(r, &trial, values)
        if i == 0 or values[s.seat] > out[s.seat]:
            memcpy(out, values, r.seats * sizeof(double))
