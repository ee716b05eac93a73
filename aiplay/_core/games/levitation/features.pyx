"""Levitation: what a trained value sees of a position.

For every seat, from the first one on: its pieces, its cards by icon, size and kind of effect, the terms of the
evaluation one by one, what the next die could bring, and when it acts. Then the lead of the first seat in expected
points and in score, on several scales, and the table: phase, round and turn, dice, open cities. Every number has a
scale that it seldom exceeds, and is cut there.
"""

from aiplay._core.bits cimport pop_lowest, popcount
from aiplay._core.contract cimport FEATURE_ONE
from aiplay._core.games.levitation.board cimport (
    acting, actions_left, begun_seats, free_cubes, off_board, open_cities, places_of,
)
from aiplay._core.games.levitation.state cimport (
    N_CARDS, N_COLOURS, N_DICE, N_HORIZONS, N_KINDS, N_MASTERS, N_ROUNDS, N_ROWS, N_SEATS, N_SIZES, N_SPACES, N_TICKETS,
    N_TURNS, PHASE_OVER, PHASE_REFILL, LevitationRules, LevitationState,
)
from aiplay._core.games.levitation.value cimport LevitationOutlook, look_ahead
from aiplay._core.typedefs cimport int16_t, seat_t, uint32_t, uint64_t


cdef int n_features(int seats) noexcept nogil:
    return seats * N_SEAT_FEATURES + (seats - 1) * N_LEADS + N_TABLE_FEATURES


cdef inline int16_t level(double share) noexcept nogil:
    """A share of 1 as a feature; beyond 0 .. 1 it is cut."""
    return <int16_t>min(max(<int>(share * FEATURE_ONE + 0.5), 0), FEATURE_ONE)


cdef inline int16_t part(uint32_t n, uint32_t most) noexcept nogil:
    """n as a part of `most`; beyond `most` it is cut."""
    return <int16_t>((min(n, most) * <uint32_t>(2 * FEATURE_ONE) + most) // (2 * most))


cdef inline int n_tickets(uint32_t tickets, uint32_t cities) noexcept nogil:
    """Tickets in a set of cities."""
    return popcount(tickets & cities) + 2 * popcount(tickets >> 1 & cities)


cdef inline bint acts_now(const LevitationState* s) noexcept nogil:
    """True if an action is under way."""
    return s.phase > PHASE_OVER or s.phase == PHASE_REFILL


cdef inline void rows_of(const LevitationRules* r, uint32_t* rows) noexcept nogil:
    """The cities of the top, the middle and the bottom row: they are numbered row by row."""
    rows[1] = r.middle
    rows[0] = r.cities & ((r.middle & (~r.middle + 1)) - 1)
    rows[2] = r.cities & ~rows[0] & ~rows[1]


# ---- Seats -------------------------------------------------------------------------------------------------

cdef inline int16_t* write_pieces(
    const LevitationState* s, int seat, const uint32_t* rows, int16_t* out
) noexcept nogil:
    cdef int i
    out[0] = part(s.scores[seat], 96)
    out[1] = part(s.hand[seat], N_TICKETS)
    out[2] = part(s.unused[seat], N_TICKETS)
    out[3] = part(s.cubes[seat], 16)
    out[4] = part(popcount(places_of(s.space_seats, N_SPACES, seat)), 8)
    out[5] = part(popcount(s.owned[seat]), 16)
    for i in range(N_ROWS):
        out[6 + i] = part(n_tickets(s.tickets[seat], rows[i]), 4)
    return out + N_PIECES


cdef inline int16_t* write_cards(
    const LevitationRules* r, const LevitationState* s, int seat, int16_t* out
) noexcept nogil:
    cdef uint64_t cards = s.owned[seat]
    cdef int i, card, flair = 0, room = 0
    for i in range(N_COLOURS):
        out[i] = part(popcount(cards & r.icons[i]), 8)
    for i in range(N_SIZES):
        out[N_COLOURS + i] = part(popcount(cards & r.sizes[i]), 6)
    for i in range(N_KINDS):
        out[N_COLOURS + N_SIZES + i] = part(popcount(cards & r.kinds[i]), 4)
    while cards:
        card = pop_lowest(&cards)
        flair += s.flair[card]
        room += r.limits[card] - s.flair[card]
    out[N_COLOURS + N_SIZES + N_KINDS] = part(flair, 16)
    out[N_COLOURS + N_SIZES + N_KINDS + 1] = part(room, 16)
    return out + N_CARD_COUNTS


cdef inline int16_t* write_prospects(
    const LevitationState* s, const LevitationOutlook* o, double points, int16_t* out
) noexcept nogil:
    cdef double offered = 0.0           # the engine in the best colour that a master has
    cdef int i
    for i in range(N_COLOURS):
        out[i] = level(o.colours[i] * (1.0 / 24))
        if off_board(s, i) < N_DICE:
            offered = max(offered, o.colours[i])
    out += N_COLOURS
    out[0] = level(offered * (1.0 / 24))
    out[1] = level(o.engine * (1.0 / 16))
    out[2] = level(o.engine * o.h.left * (1.0 / 64))
    out[3] = level(o.spaces * (1.0 / 40))
    out[4] = level(o.space * (1.0 / 12))
    out[5] = level(o.path * (1.0 / 12))
    out[6] = level(o.h.hand[s.hand[o.seat]] * (1.0 / 6))
    out[7] = level(o.plan * (1.0 / 24))
    out[8] = level((points - s.scores[o.seat]) * (1.0 / 96))
    return out + N_PROSPECTS - N_COLOURS


cdef inline int16_t* write_drafts(const LevitationOutlook* o, int16_t* out) noexcept nogil:
    """The best die on each master, if the seat drafted now, and the best card to take with each colour."""
    cdef int i
    for i in range(N_MASTERS):
        out[i] = level(o.draft[i] * (1.0 / 24))
    for i in range(N_COLOURS):
        out[N_MASTERS + i] = level(o.card[i] * (1.0 / 24))
    return out + N_DRAFTS


cdef inline int16_t* write_order(const LevitationState* s, int seat, uint32_t begun, int16_t* out) noexcept nogil:
    out[0] = FEATURE_ONE * (acts_now(s) and acting(s) == seat)
    out[1] = FEATURE_ONE * (not begun >> seat & 1)
    out[2] = part(actions_left(s, begun, seat), N_HORIZONS - 1)
    out[3] = FEATURE_ONE * (s.first[seat] != 0)
    return out + N_ORDER


cdef inline int16_t* write_leads(double points, int score, int16_t* out) noexcept nogil:
    """A lead in expected points and one in score; one half is none."""
    out[0] = level(0.5 + points * (0.5 / 8))
    out[1] = level(0.5 + points * (0.5 / 24))
    out[2] = level(0.5 + points * (0.5 / 64))
    out[3] = level(0.5 + score * (0.5 / 32))
    return out + N_LEADS


# ---- The table ---------------------------------------------------------------------------------------------

cdef inline int16_t* write_choice(int choice, int n, int16_t* out) noexcept nogil:
    """One of n features is 1; none for a choice below 0."""
    cdef int i
    for i in range(n):
        out[i] = FEATURE_ONE * (i == choice)
    return out + n


cdef inline void write_table(
    const LevitationRules* r, const LevitationState* s, const uint32_t* rows, uint32_t open_now, int16_t* out
) noexcept nogil:
    cdef int i, k, dice
    out = write_choice(s.phase, N_PHASES, out)
    out = write_choice(s.round, N_ROUNDS, out)
    out = write_choice(s.turn, N_TURNS, out)
    out = write_choice(s.master, N_MASTERS, out)
    for i in range(N_MASTERS):
        dice = 0
        for k in range(N_COLOURS):
            dice += s.dice[N_COLOURS * i + k]
        out[i] = part(dice, 8)
    out += N_MASTERS
    for i in range(N_COLOURS):
        out[i] = part(off_board(s, i), N_DICE)
    out += N_COLOURS
    for i in range(N_ROWS):
        out[i] = part(popcount(open_now & rows[i]), 5)
    out += N_ROWS
    out[0] = FEATURE_ONE * s.has_rolled
    out[1] = FEATURE_ONE * s.has_acted
    out[2] = part(popcount(s.deck), N_CARDS)
    out[3] = part(free_cubes(s, acting(s)), 16) if acts_now(s) else 0
    out[4] = part(s.n_flair, 4)
    out[5] = part(s.bonus, 6)


# ---- The whole ---------------------------------------------------------------------------------------------

cdef void levitation_features(const void* rules, const void* state, seat_t first, int16_t* out) noexcept nogil:
    """Write all features, seats in order from `first` on."""
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    cdef LevitationOutlook o
    cdef double points[N_SEATS]
    cdef uint32_t rows[N_ROWS]
    cdef uint32_t open_now = open_cities(r, s)
    cdef uint32_t begun = begun_seats(s)
    cdef int seat, k
    rows_of(r, rows)
    for k in range(r.seats):
        seat = (first + k) % r.seats
        points[seat] = look_ahead(r, s, &o, seat, actions_left(s, begun, seat), open_now)
        out = write_pieces(s, seat, rows, out)
        out = write_cards(r, s, seat, out)
        out = write_prospects(s, &o, points[seat], out)
        out = write_drafts(&o, out)
        out = write_order(s, seat, begun, out)
    for k in range(1, r.seats):
        seat = (first + k) % r.seats
        out = write_leads(points[first] - points[seat], s.scores[first] - s.scores[seat], out)
    write_table(r, s, rows, open_now, out)
