"""Illusio: what a trained value sees of a position.

First the turn: the decision, actions and cards left. Then for every seat, from the first one on: its prestige and what
it can expect (the terms of `evaluate`), its tricks on display and objectives, its components and special actions, the
domains it has, and its magician.
"""

from aiplay._core.bits cimport pop_lowest, popcount
from aiplay._core.contract cimport FEATURE_ONE
from aiplay._core.games.illusio.components cimport (
    backstage_of, count_groups, count_of, is_claimable, kept_domains, n_exact, n_filled, objectives_at, trick_points,
)
from aiplay._core.games.illusio.state cimport (
    DISPLAYED, HIDDEN, IN_CONTEST, MAX_REALISING, N_COMPONENT_KINDS, N_GROUPS, REALISING, SUCCESS, TRANSFORM, UNSPENT,
    IllusioRules, IllusioState,
)
from aiplay._core.games.illusio.value cimport Outlook, Stock, can_fill, count_stock, seat_outlook
from aiplay._core.typedefs cimport MAX_SEATS, int16_t, seat_t, uint32_t, uint64_t

cdef enum:
    LEADS = 5                               # place of the first of three features of the lead


cdef inline int16_t share(double x, double most) noexcept nogil:
    """x as a share of `most`, 0 .. FEATURE_ONE."""
    return <int16_t>min(max(<int>(x * (FEATURE_ONE / most) + 0.5), 0), FEATURE_ONE)


cdef inline int16_t lead(double x, double most) noexcept nogil:
    """x from -most to most."""
    return share(x + most, 2 * most)


cdef inline void write_turn(const IllusioRules* r, const IllusioState* s, seat_t first, int16_t* out) noexcept nogil:
    """The decision, and what is left of the turn: N_GLOBAL features."""
    cdef int i
    for i in range(N_GLOBAL):
        out[i] = 0
    out[s.phase] = FEATURE_ONE
    out[N_PHASES] = share(s.actions, 2)
    out[N_PHASES + 1] = FEATURE_ONE * (s.actions == 1)
    out[N_PHASES + 2] = FEATURE_ONE * s.talent_used
    out[N_PHASES + 3] = share(s.pending, 5)
    out[N_PHASES + 4] = share(s.turn, r.max_turns)
    out[N_PHASES + 5] = share(s.turn, 12 * r.seats)
    out[N_PHASES + 6] = share(s.n_deck, r.n_cards)


cdef inline void write_tricks(const IllusioRules* r, const IllusioState* s, int seat, int16_t* out) noexcept nogil:
    """The tricks that a seat displays: six features."""
    cdef uint32_t tricks = objectives_at(s, DISPLAYED + seat)
    cdef int n = popcount(tricks)
    cdef int points, due = 0, later = 0, best = 0
    cdef int trick
    while tricks:
        trick = pop_lowest(&tricks)
        points = trick_points(r, s, seat, trick)
        if s.encores[trick] & UNSPENT:
            later += points
        else:
            due += points
        best = max(best, points)
    out[0] = share(n, 3)
    out[1] = share(due, r.goal)
    out[2] = share(later, r.goal)
    out[3] = share(best, r.goal)
    out[4] = FEATURE_ONE * (n > 0 and s.scores[seat] + due >= r.goal)      # wins unless somebody acts
    out[5] = FEATURE_ONE * (n > 0 and s.scores[seat] + best >= r.goal)     # wins by an Immediate success


cdef inline void write_works(
    const IllusioRules* r, const IllusioState* s, int seat, uint32_t contest, uint64_t groups, int16_t* out
) noexcept nogil:
    """The objectives that a seat realises or could claim: six features."""
    cdef uint32_t works = objectives_at(s, REALISING + seat)
    cdef int n = popcount(works)
    cdef int missing = 0, least = 4, exact = 0, fitting = 0, levels = 0
    cdef int work
    while works:
        work = pop_lowest(&works)
        missing += r.n_needs[work] - n_filled(s, work)
        least = min(least, r.n_needs[work] - n_filled(s, work))
        exact += n_exact(s, work)
        levels += r.level[work]
    while contest:
        fitting += is_claimable(r, pop_lowest(&contest), groups)
    out[0] = share(n, MAX_REALISING)
    out[1] = share(missing, 4)
    out[2] = share(4 - least, 4)
    out[3] = share(exact, 4)
    out[4] = share(levels, 8)
    out[5] = share(fitting, 4)


cdef inline bint has_success(const IllusioState* s, int seat) noexcept nogil:
    """True if a seat holds an Immediate success."""
    cdef int i
    for i in range(s.n_hand[seat]):
        if s.hands[seat][i] == SUCCESS:
            return True
    return False


cdef inline void write_ready(
    const IllusioRules* r, const IllusioState* s, int seat, uint32_t contest, int domains, double secured, int16_t* out
) noexcept nogil:
    """The points of tricks for which a seat has all components: of those it realises, then of the Contest.

    The best one that costs one action, two, three or more. Then for each of them: does it reach the goal? Then the two
    best together: do they reach it, points of the second one, what is missing after the first one, and whether an
    Immediate success would score that one at once and win.
    """
    cdef uint32_t works = objectives_at(s, REALISING + seat)
    cdef Stock stock
    cdef uint32_t needs
    cdef int best[2 * N_READY]
    cdef int i, objective, actions, n_hand, n_typed, points, first = 0, second = 0
    for i in range(2 * N_READY):
        best[i] = 0
    if popcount(works) == MAX_REALISING:
        contest = 0
    contest |= works
    count_stock(r, s, seat, &stock)
    while contest:
        objective = pop_lowest(&contest)
        needs = r.all_needs[objective] & ~s.filled[objective]
        if not can_fill(r, &stock, objective, needs, &n_hand, &n_typed):
            continue
        i = 0 if works >> objective & 1 else N_READY
        actions = 1 + n_hand if i else popcount(needs)
        points = r.level[objective] + r.bonus[s.magicians[seat]][objective] + n_exact(s, objective) + n_typed
        points += domains >> r.domain[objective] & 1
        i += min(max(actions, 1), <int>N_READY) - 1
        best[i] = max(best[i], points)
        second = max(second, min(first, points))
        first = max(first, points)
    for i in range(2 * N_READY):
        out[i] = share(best[i], 8)
        out[2 * N_READY + i] = FEATURE_ONE * (best[i] > 0 and secured + best[i] >= r.goal)
    out += 4 * N_READY
    out[0] = FEATURE_ONE * (second > 0 and secured + first + second >= r.goal)
    out[1] = share(second, 8)
    out[2] = share(r.goal - secured - first, r.goal)
    out[3] = FEATURE_ONE * (first > 0 and secured + first >= r.goal and has_success(s, seat))


cdef inline void write_cards(
    const IllusioRules* r, const IllusioState* s, int seat, uint64_t groups, int16_t* out
) noexcept nogil:
    """The special actions in a hand, then the components in the Backstage and in the hand, by group."""
    cdef int counts[N_SPECIALS + N_GROUPS]
    cdef int i, kind
    for i in range(N_SPECIALS + N_GROUPS):
        counts[i] = 0
    for i in range(s.n_hand[seat]):
        kind = s.hands[seat][i]
        if kind < N_COMPONENT_KINDS:
            counts[N_SPECIALS + r.group_of[kind]] += 1
        elif kind < HIDDEN:
            counts[kind - TRANSFORM] += 1
    for i in range(N_SPECIALS):
        out[i] = share(counts[i], 2)
    for i in range(N_GROUPS):
        out[N_SPECIALS + i] = share(count_of(groups, i), 3)
        out[N_SPECIALS + N_GROUPS + i] = share(counts[N_SPECIALS + i], 3)


cdef inline void write_seat(
    const IllusioRules* r, const IllusioState* s, int seat, uint32_t contest, const Outlook* o, int16_t* out
) noexcept nogil:
    """The features of one seat but those of its lead."""
    cdef uint64_t own = backstage_of(s, seat)
    cdef uint64_t groups = count_groups(r, s, own)
    cdef int domains = kept_domains(r, s, seat)
    cdef int16_t* rest = out + N_SINGLE
    cdef int i
    out[0] = share(s.scores[seat], r.goal)
    out[1] = share(o.secured, r.goal)
    out[2] = share(o.total, 1.5 * r.goal)
    out[3] = FEATURE_ONE * (seat == s.seat)
    out[4] = share(s.n_hand[seat], 8)
    out[LEADS + 3] = share(popcount(own), 6)
    out[LEADS + 4] = share(o.contest, 8)
    out[LEADS + 5] = share(o.works, 10)
    out[LEADS + 6] = share(o.best_work, 8)
    write_tricks(r, s, seat, out + LEADS + 7)
    write_works(r, s, seat, contest, groups, out + LEADS + 13)
    write_ready(r, s, seat, contest, domains, o.secured, out + LEADS + 19)
    write_cards(r, s, seat, groups, rest)
    rest += N_SPECIALS + 2 * N_GROUPS
    for i in range(N_DOMAINS):
        rest[i] = FEATURE_ONE * (domains >> i & 1)
    rest += N_DOMAINS
    for i in range(N_MAGICIANS + 1):
        rest[i] = FEATURE_ONE * (i == s.magicians[seat])


cdef inline void write_leads(const IllusioRules* r, const Outlook* outlooks, int16_t* out) noexcept nogil:
    """The lead of every seat over the best other one, in all that it has and expects and in what is secured."""
    cdef double total, secured
    cdef int i, k
    for i in range(r.seats):
        total = secured = 0.0
        for k in range(r.seats):
            if k != i:
                total = max(total, outlooks[k].total)
                secured = max(secured, outlooks[k].secured)
        out[i * N_OF_SEAT + LEADS] = lead(outlooks[i].total - total, 4)
        out[i * N_OF_SEAT + LEADS + 1] = lead(outlooks[i].total - total, 12)
        out[i * N_OF_SEAT + LEADS + 2] = lead(outlooks[i].secured - secured, 8)


cdef void illusio_features(const void* rules, const void* state, seat_t first, int16_t* out) noexcept nogil:
    cdef const IllusioRules* r = <const IllusioRules*>rules
    cdef const IllusioState* s = <const IllusioState*>state
    cdef uint32_t contest = objectives_at(s, IN_CONTEST)
    cdef Outlook outlooks[MAX_SEATS]
    cdef int i, seat = first
    write_turn(r, s, first, out)
    out += N_GLOBAL
    for i in range(r.seats):
        seat_outlook(r, s, seat, contest, &outlooks[i])
        write_seat(r, s, seat, contest, &outlooks[i], out + i * N_OF_SEAT)
        seat = seat + 1 if seat + 1 < r.seats else 0
    write_leads(r, outlooks, out)
