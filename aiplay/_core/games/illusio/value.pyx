"""Illusio: the value of objectives and positions.

The value of a seat is its prestige, the tricks it displays, and what it is working on: the objectives it has taken and
the best ones of the Contest, each with the points it will pay, discounted by the actions that it still costs.
Components count if they are needed, more in the Backstage than in the hand, more if they are exact. The odds follow
from the differences between the seats, which weigh more the nearer the leader is to the goal.
"""

from libc.math cimport exp, sqrt
from libc.string cimport memcmp, memcpy, memset

from aiplay._core.bits cimport lowest_bit, pop_lowest
from aiplay._core.games.illusio.components cimport (
    GROUP_BITS, backstage_of, count_of, kept_domains, n_exact, objectives_at, present_kind,
)
from aiplay._core.games.illusio.legal cimport illusio_legal_moves
from aiplay._core.games.illusio.rules cimport illusio_play, illusio_returns, illusio_to_move
from aiplay._core.games.illusio.state cimport (
    ACTION, ANY_GROUP, BACKSTAGE, CLASS_MORPHED, CLASS_PLAIN, CLASS_TYPED, COUNT_STRIDE, DISPLAYED, EXACT_BACK,
    EXACT_HAND, GROUP_BACK, GROUP_HAND, HAND_SIZE, HIDDEN, ILLUSIO_SEATS, IN_CONTEST, MOVE_SWAP_WITH, N_CLASSES,
    N_COMPONENTS, N_COMPONENT_KINDS, N_DISCOUNTS, N_GROUPS, N_MAGICIANS, N_NEEDS, N_OBJECTIVES, N_SOURCES, N_TYPES,
    PHASE_CLAIM, PHASE_DEAL, PHASE_DRAW, PHASE_EXCHANGE, PHASE_SWAP, PHASE_TAKE, PHASE_TRANSFORM, PHASE_VALIDATE,
    PLACED, REALISING, TALENT_MORPH, TRANSFORM, UNSPENT, W_BACKSTAGE, W_CONTEST, W_CONTEST_2, W_DISPLAY, W_DRAW,
    W_ENCORE, W_EXACT_CHANCE, W_HAND, W_MORPH, W_NEXT_DRAW, W_SCALE, W_SLACK, W_SPECIAL, W_SPREAD, W_TEMPO,
    IllusioProspect, IllusioRules, IllusioState,
)
from aiplay._core.typedefs cimport MAX_SEATS, TERMINAL, move_t, seat_t, uint8_t, uint32_t, uint64_t

cdef enum:
    BACK_SOURCES = 0xBABA   # the sets of sources whose first one is in the Backstage, one bit each
    ZERO_ROW = N_CLASSES * N_GROUPS     # row of `prospects` of a need that does not exist


# ---- Tables --------------------------------------------------------------------------------------------------------

cdef bint can_morph(const IllusioRules* r, int magician, int group) noexcept nogil:
    """True if the talent of a magician changes components of a group."""
    return r.talent[magician] == TALENT_MORPH and (
        r.talent_group[magician] == group or r.talent_group[magician] == ANY_GROUP
    )


cdef void fill_needs(IllusioRules* r, int objective) noexcept nogil:
    """Set the tables of the needs of an objective."""
    cdef int slot, need, group, magician, its_class
    r.shared[objective] = r.wanted[objective] = 0
    for slot in range(N_NEEDS):
        for magician in range(N_MAGICIANS + 1):
            r.need_row[magician][objective][slot] = ZERO_ROW
    for slot in range(r.n_needs[objective]):
        need = r.need[objective][slot]
        group = r.need_group[objective][slot]
        # The place after the last kind is empty: a need for a group has no exact component.
        r.need_shift[objective][slot] = <uint8_t>(KIND_BITS * min(need, <int>N_COMPONENT_KINDS))
        r.shared[objective] |= r.wanted[objective] & <uint8_t>(1 << group)
        r.wanted[objective] |= <uint8_t>(1 << group)
        for magician in range(N_MAGICIANS + 1):
            its_class = CLASS_PLAIN
            if need < N_TYPES:
                its_class = CLASS_TYPED + can_morph(r, magician, group)
            r.need_row[magician][objective][slot] = <uint8_t>(N_GROUPS * its_class + group)


cdef double points_of(const IllusioRules* r, int its_class, int sources) noexcept nogil:
    """Points to expect of a need: an exact component, or the chance of one."""
    if its_class == CLASS_PLAIN:
        return 0.0
    if sources & (EXACT_BACK | EXACT_HAND):
        return 1.0
    if sources == 0:
        return r.weights[W_EXACT_CHANCE]
    return r.weights[W_MORPH] if its_class == CLASS_MORPHED and BACK_SOURCES >> sources & 1 else 0.0


cdef int cost_of(const IllusioRules* r, int group, int sources, bint is_placed_alone) noexcept nogil:
    """Cost of filling a need."""
    if sources == 0:
        return r.missing_cost[group]
    return 0 if BACK_SOURCES >> sources & 1 and not is_placed_alone else ACTION


cdef void fill_prospects(IllusioRules* r) noexcept nogil:
    cdef int i, its_class, group, sources
    for i in range(N_COMPONENT_KINDS):
        r.group_kinds[r.group_of[i]] |= <uint64_t>KIND_MASK << (KIND_BITS * i)
    for i in range(r.n_objectives):
        fill_needs(r, i)
    for i in range(2):
        for its_class in range(N_CLASSES):
            for group in range(N_GROUPS):
                for sources in range(N_SOURCES):
                    r.prospects[i][N_GROUPS * its_class + group][sources].points = points_of(r, its_class, sources)
                    r.prospects[i][N_GROUPS * its_class + group][sources].cost = cost_of(r, group, sources, i)
    r.hand_values[0] = 0.0
    for i in range(HAND_SIZE):
        r.hand_values[i + 1] = r.hand_values[i] + r.weights[W_HAND]


# ---- Components ----------------------------------------------------------------------------------------------------

cdef void count_stock(const IllusioRules* r, const IllusioState* s, int seat, Stock* stock) noexcept nogil:
    """Count the components in a seat's Backstage and hand."""
    cdef uint64_t own = backstage_of(s, seat)
    cdef int i, kind
    stock.back = stock.hand = stock.kinds = stock.back_of = 0
    stock.back_groups = stock.hand_groups = 0
    while own:
        kind = present_kind(s, pop_lowest(&own))
        if stock.back >> (KIND_BITS * kind) & KIND_MASK != KIND_MASK:
            stock.back += <uint64_t>1 << (KIND_BITS * kind)
        stock.kinds |= <uint64_t>EXACT_BACK << (KIND_BITS * kind)
        stock.back_of += <uint64_t>1 << (GROUP_BITS * r.group_of[kind])
        stock.back_groups |= <uint32_t>1 << r.group_of[kind]
    for i in range(s.n_hand[seat]):
        kind = s.hands[seat][i]
        if kind >= N_COMPONENT_KINDS:
            break
        stock.hand += <uint64_t>1 << (KIND_BITS * kind)
        stock.kinds |= <uint64_t>EXACT_HAND << (KIND_BITS * kind)
        stock.hand_groups |= <uint32_t>1 << r.group_of[kind]


cdef inline int sources_of(const Stock* stock, int shift, int group) noexcept nogil:
    """The sources of a component for a need, given the place of its kind and its group."""
    return <int>(
        (stock.kinds >> shift & (EXACT_BACK | EXACT_HAND))
        | (stock.back_groups >> group & 1) * GROUP_BACK | (stock.hand_groups >> group & 1) * GROUP_HAND
    )


cdef inline void use_component(const IllusioRules* r, Stock* stock, int sources, int shift, int group) noexcept nogil:
    """Take the component for a need out of the stock, from the first of its sources. Without branches: a processor
    could not predict them.
    """
    cdef uint64_t is_back = BACK_SOURCES >> sources & 1
    cdef uint64_t is_found = sources != 0
    cdef uint64_t counts = stock.hand ^ ((stock.hand ^ stock.back) & (0 - is_back))
    cdef uint64_t is_last, is_last_of
    # Unless the kind itself is there, any component of the group will do. The place after the last kind means none.
    if not sources & (EXACT_BACK | EXACT_HAND):
        shift = lowest_bit(
            counts & r.group_kinds[group] | <uint64_t>1 << (KIND_BITS * N_COMPONENT_KINDS)
        ) & ~(KIND_BITS - 1)
    counts -= is_found << shift
    is_last = is_found & (counts >> shift & KIND_MASK == 0)
    is_last_of = is_found & (counts & r.group_kinds[group] == 0)
    stock.back ^= (stock.back ^ counts) & (0 - is_back)
    stock.hand ^= (stock.hand ^ counts) & (is_back - 1)
    stock.kinds &= ~(is_last << (shift + 1 - <int>is_back))         # EXACT_BACK, or EXACT_HAND beside it
    stock.back_of -= (is_found & is_back) << (GROUP_BITS * group)
    stock.back_groups &= ~(<uint32_t>(is_last_of & is_back) << group)
    stock.hand_groups &= ~(<uint32_t>(is_last_of & ~is_back) << group)


# ---- Objectives ----------------------------------------------------------------------------------------------------

cdef inline void use_work(const IllusioRules* r, const IllusioState* s, Stock* stock, int objective) noexcept nogil:
    """Take the components that an objective needs out of the stock."""
    cdef uint32_t left = r.all_needs[objective] & ~s.filled[objective]
    cdef int slot, shift, group
    while left:
        slot = pop_lowest(&left)
        shift, group = r.need_shift[objective][slot], r.need_group[objective][slot]
        use_component(r, stock, sources_of(stock, shift, group), shift, group)


cdef double competing_value(
    const IllusioRules* r, int magician, const Stock* stock, int objective, uint32_t needs, bint is_placed_alone,
    int cost, double points, double most,
) noexcept nogil:
    """The value of an objective some of whose needs may compete for components: these are used one by one.

    `cost` and `points` are those without these needs.
    """
    cdef const IllusioProspect* prospect
    cdef Stock trial = stock[0]
    cdef int slot, shift, group, sources
    while needs:
        slot = pop_lowest(&needs)
        shift, group = r.need_shift[objective][slot], r.need_group[objective][slot]
        sources = sources_of(&trial, shift, group)
        prospect = &r.prospects[is_placed_alone][r.need_row[magician][objective][slot]][sources]
        cost += prospect.cost
        points += prospect.points
        use_component(r, &trial, sources, shift, group)
    return min(points, most) * r.discount[min(cost, N_DISCOUNTS - 1)]


cdef inline double offered(
    const IllusioRules* r, int magician, const Stock* stock, int objective, int domains, double most
) noexcept nogil:
    """`offer_value`, to be compiled into the loops of this file."""
    cdef const IllusioProspect* prospect
    cdef int cost = ACTION
    cdef double points = r.level[objective] + r.bonus[magician][objective] + (domains >> r.domain[objective] & 1)
    cdef int slot, sources
    if r.shared[objective] & (stock.back_groups | stock.hand_groups):
        return competing_value(r, magician, stock, objective, r.all_needs[objective], False, cost, points, most)
    for slot in range(N_NEEDS):                 # always four, which is faster than as many as there are
        sources = sources_of(stock, r.need_shift[objective][slot], r.need_group[objective][slot])
        prospect = &r.prospects[0][r.need_row[magician][objective][slot]][sources]
        cost += prospect.cost
        points += prospect.points
    return min(points, most) * r.discount[min(cost, N_DISCOUNTS - 1)]


cdef double offer_value(
    const IllusioRules* r, int magician, const Stock* stock, int objective, int domains, double most
) noexcept nogil:
    return offered(r, magician, stock, objective, domains, most)


cdef inline double work_value(
    const IllusioRules* r, const IllusioState* s, int seat, const Stock* stock, int objective, int domains, double most
) noexcept nogil:
    """The same of an objective that a seat realises."""
    cdef int magician = s.magicians[seat]
    cdef bint is_placed_alone = s.phase != PHASE_CLAIM or s.focus != objective
    cdef uint32_t needs = r.all_needs[objective] & ~s.filled[objective]
    cdef int points = r.level[objective] + r.bonus[magician][objective] + n_exact(s, objective)
    points += domains >> r.domain[objective] & 1
    return competing_value(r, magician, stock, objective, needs, is_placed_alone, 0, points, most)


cdef bint can_fill(
    const IllusioRules* r, const Stock* stock, int objective, uint32_t needs, int* n_hand, int* n_typed
) noexcept nogil:
    cdef Stock trial = stock[0]
    cdef int slot, shift, group, sources
    n_hand[0] = n_typed[0] = 0
    while needs:
        slot = pop_lowest(&needs)
        shift, group = r.need_shift[objective][slot], r.need_group[objective][slot]
        sources = sources_of(&trial, shift, group)
        if sources == 0:
            return False
        n_hand[0] += not BACK_SOURCES >> sources & 1
        n_typed[0] += sources & (EXACT_BACK | EXACT_HAND) != 0 and r.need[objective][slot] < N_TYPES
        use_component(r, &trial, sources, shift, group)
    return True


# ---- Seats ---------------------------------------------------------------------------------------------------------

cdef inline double contest_value(
    const IllusioRules* r, const IllusioState* s, int seat, const Stock* stock, int domains, double most,
    uint32_t contest,
) noexcept nogil:
    """The value of the best objective of the Contest, and a share of the next best with what that one leaves."""
    cdef Stock rest
    cdef bint has_rest = False
    cdef double values[N_OBJECTIVES]
    cdef uint32_t left = contest
    cdef uint32_t used                          # groups of the components that the best one uses
    cdef double best = 0.0, second = 0.0
    cdef int magician = s.magicians[seat]
    cdef int objective, chosen = -1
    while left:
        objective = pop_lowest(&left)
        values[objective] = offered(r, magician, stock, objective, domains, most)
        if values[objective] > best:
            best = values[objective]
            chosen = objective
    if chosen < 0:
        return 0.0
    used = r.wanted[chosen] & (stock.back_groups | stock.hand_groups)
    left = contest & ~(<uint32_t>1 << chosen)
    while left:
        objective = pop_lowest(&left)
        if r.wanted[objective] & used:
            if not has_rest:
                rest = stock[0]
                use_work(r, s, &rest, chosen)
                has_rest = True
            values[objective] = offered(r, magician, &rest, objective, domains, most)
        second = max(second, values[objective])
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
    """The value of components, which come first, of special actions by kind, and of cards about to be drawn."""
    cdef const uint8_t* hand = s.hands[seat]
    cdef int n = s.n_hand[seat]
    cdef int n_specials = 0
    cdef double value
    cdef int i
    while n_specials < n and hand[n - n_specials - 1] >= N_COMPONENT_KINDS:
        n_specials += 1
    value = r.hand_values[n - n_specials]
    for i in range(n - n_specials, n):
        if hand[i] < HIDDEN:
            value += r.weights[W_SPECIAL + hand[i] - TRANSFORM]
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


cdef inline void look_at_seat(
    const IllusioRules* r, const IllusioState* s, int seat, uint32_t contest, Outlook* o
) noexcept nogil:
    """`seat_outlook`, to be compiled into the loops of this file."""
    cdef Stock stock
    cdef uint32_t works = objectives_at(s, REALISING + seat)
    cdef int domains = kept_domains(r, s, seat)
    cdef double gained, most
    cdef int group, work
    o.secured = s.scores[seat] + displayed_value(r, s, seat, &domains)
    most = max(r.goal - o.secured, 0.0) + r.weights[W_SLACK]
    count_stock(r, s, seat, &stock)
    o.works = o.best_work = 0.0
    while works:
        work = pop_lowest(&works)
        gained = work_value(r, s, seat, &stock, work, domains, most)
        use_work(r, s, &stock, work)
        o.works += gained
        o.best_work = max(o.best_work, gained)
        # Points beyond the goal are worth little: otherwise a seat begins more and more and finishes nothing.
        most = max(most - gained, r.weights[W_SLACK])
    o.spare = 0.0
    if stock.back_of:
        for group in range(N_GROUPS):
            o.spare += count_of(stock.back_of, group) * r.weights[W_BACKSTAGE]
    o.contest = contest_value(r, s, seat, &stock, domains, most, contest)
    o.hand = hand_value(r, s, seat)
    o.tempo = tempo_value(r, s, seat)
    o.total = o.secured + o.works + o.spare + o.contest + o.hand + o.tempo


cdef void seat_outlook(
    const IllusioRules* r, const IllusioState* s, int seat, uint32_t contest, Outlook* o
) noexcept nogil:
    look_at_seat(r, s, seat, contest, o)


ctypedef struct Standing:               # of all seats
    double values[MAX_SEATS]            # prestige that each has and expects
    double secured[MAX_SEATS]           # the part that it has or displays


cdef inline void value_seats(
    const IllusioRules* r, const IllusioState* s, uint32_t seats, Standing* standing
) noexcept nogil:
    """Value these seats."""
    cdef uint32_t contest = objectives_at(s, IN_CONTEST)
    cdef Outlook outlook
    cdef int seat
    while seats:
        seat = pop_lowest(&seats)
        look_at_seat(r, s, seat, contest, &outlook)
        standing.values[seat], standing.secured[seat] = outlook.total, outlook.secured


cdef void write_odds(const IllusioRules* r, const Standing* standing, double* out) noexcept nogil:
    """Write the odds: shares of exp(scale * value), with a larger scale the nearer the leader is to the goal."""
    cdef double scale
    cdef double left = r.goal
    cdef double best = 0.0, total = 0.0
    cdef int seat
    for seat in range(r.seats):
        left = min(left, max(r.goal - standing.secured[seat], 0.0))
        best = max(best, standing.values[seat])
    scale = r.weights[W_SCALE] / sqrt(r.weights[W_SPREAD] + left)
    for seat in range(r.seats):
        out[seat] = exp(scale * (standing.values[seat] - best))
        total += out[seat]
    for seat in range(r.seats):
        out[seat] /= total


cdef inline uint32_t concerned(const IllusioState* s, int component) noexcept nogil:
    """The seat in whose Backstage a component is, as a set."""
    return <uint32_t>1 << (s.place[component] - BACKSTAGE)


cdef void evaluate_best(const IllusioRules* r, const IllusioState* s, double* out) noexcept nogil:
    """Evaluate the best way to complete a Transform, a morph or a swap.

    The ways differ only for the seats whose components change.
    """
    cdef IllusioState trial
    cdef Standing standing
    cdef double values[MAX_SEATS]
    cdef move_t moves[N_COMPONENTS]     # kinds or components to choose from
    cdef int n = illusio_legal_moves(r, s, moves)
    cdef uint32_t seats = (<uint32_t>1 << r.seats) - 1
    cdef int i
    for i in range(n):
        if i > 0:
            seats = concerned(s, s.focus)
            if s.phase == PHASE_SWAP:           # the seats of this partner and of the last one, which has its own back
                seats |= concerned(s, moves[i] - MOVE_SWAP_WITH) | concerned(s, moves[i - 1] - MOVE_SWAP_WITH)
        trial = s[0]
        illusio_play(r, &trial, moves[i])
        value_seats(r, &trial, seats, &standing)
        write_odds(r, &standing, values)
        if i == 0 or values[s.seat] > out[s.seat]:
            memcpy(out, values, r.seats * sizeof(double))


cdef inline bint is_between(const IllusioState* s) noexcept nogil:
    """True in the middle of a Transform, a morph or a swap."""
    return PHASE_TRANSFORM <= s.phase <= PHASE_SWAP


cdef void illusio_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """Evaluate a position; in the middle of a Transform, a morph or a swap, the best way to complete it."""
    cdef const IllusioRules* r = <const IllusioRules*>rules
    cdef const IllusioState* s = <const IllusioState*>state
    cdef Standing standing
    if is_between(s):
        evaluate_best(r, s, out)
        return
    value_seats(r, s, (<uint32_t>1 << r.seats) - 1, &standing)
    write_odds(r, &standing, out)


# ---- All moves of a position ---------------------------------------------------------------------------------------
# Most moves change nothing that counts for the other seats: these are valued once.

cdef inline uint32_t owner_of(int place) noexcept nogil:
    """The seat in whose Backstage a place is, as a set; empty for other places."""
    return <uint32_t>1 << place >> BACKSTAGE if place < PLACED else 0


cdef uint32_t seats_of_components(const IllusioState* before, const IllusioState* after) noexcept nogil:
    """The seats whose Backstage differs between two states, one bit each."""
    cdef uint32_t seats = 0
    cdef int start, i
    for start in range(0, N_COMPONENTS, 8):     # eight at a time, of which few differ
        if memcmp(&before.place[start], &after.place[start], 8) or memcmp(&before.now[start], &after.now[start], 8):
            for i in range(start, start + 8):
                if before.place[i] != after.place[i] or before.now[i] != after.now[i]:
                    seats |= owner_of(before.place[i]) | owner_of(after.place[i])
    return seats


cdef uint32_t seats_of_objectives(const IllusioState* before, const IllusioState* after) noexcept nogil:
    """The seats whose objectives differ in anything but their places, one bit each."""
    cdef uint32_t seats = 0
    cdef int i
    if not (
        memcmp(before.filled, after.filled, N_OBJECTIVES) or memcmp(before.encores, after.encores, N_OBJECTIVES)
        or memcmp(before.marks, after.marks, N_OBJECTIVES)
    ):
        return seats                            # usually
    for i in range(N_OBJECTIVES):
        if (
            (before.filled[i] ^ after.filled[i]) | (before.encores[i] ^ after.encores[i])
            | (before.marks[i] ^ after.marks[i])
        ) and before.objectives[i] >= REALISING:
            seats |= <uint32_t>1 << ((before.objectives[i] - REALISING) % ILLUSIO_SEATS)
    return seats


cdef uint32_t changed_seats(
    const IllusioRules* r, const IllusioState* before, const IllusioState* after
) noexcept nogil:
    """The seats whose value may differ between two states, one bit each: all that `look_at_seat` reads is compared,
    but for the phase and what belongs to it, which concern the seat whose turn it is.
    """
    cdef uint32_t seats = <uint32_t>1 << before.seat
    cdef int seat
    if (
        before.seat != after.seat or memcmp(before.objectives, after.objectives, N_OBJECTIVES)
        or memcmp(before.magicians, after.magicians, ILLUSIO_SEATS)
    ):
        return (<uint32_t>1 << r.seats) - 1
    for seat in range(r.seats):
        if (
            before.scores[seat] != after.scores[seat] or before.n_hand[seat] != after.n_hand[seat]
            or memcmp(before.hands[seat], after.hands[seat], HAND_SIZE)
        ):
            seats |= <uint32_t>1 << seat
    return seats | seats_of_components(before, after) | seats_of_objectives(before, after)


cdef void illusio_evaluate_moves(
    const void* rules, const void* state, const move_t* moves, int n, seat_t seat, double* out
) noexcept nogil:
    cdef const IllusioRules* r = <const IllusioRules*>rules
    cdef const IllusioState* s = <const IllusioState*>state
    cdef IllusioState trial
    cdef Standing before, after         # `before` of the seats in `known`
    cdef double values[MAX_SEATS]
    cdef uint32_t seats = (<uint32_t>1 << r.seats) - 1
    cdef uint32_t same, known = 0
    cdef int i
    memset(&before, 0, sizeof(Standing))
    for i in range(n):
        trial = s[0]
        illusio_play(r, &trial, moves[i])
        if illusio_to_move(r, &trial) == TERMINAL:
            illusio_returns(r, &trial, values)
        elif is_between(&trial):
            evaluate_best(r, &trial, values)
        else:
            same = seats & ~changed_seats(r, s, &trial)
            value_seats(r, s, same & ~known, &before)
            known |= same
            after = before
            value_seats(r, &trial, seats & ~same, &after)
            write_odds(r, &after, values)
        out[i] = values[seat]
