"""Levitation: the terms of the evaluation that depend on the number of actions left and on nothing else in the state.

They are computed once, when the game is loaded, for every number of actions that a seat can have left.
"""

from aiplay._core.games.levitation.board cimport card_bit
from aiplay._core.games.levitation.state cimport (
    COUNTED_CARDS, EFFECT_COPY_OWN, EFFECT_POINTS_CARDS, EFFECT_POINTS_DICE, N_CARDS, N_CITIES, N_HORIZONS, N_ROUNDS,
    N_TICKETS, N_TURNS, SPACE_ICON, SPACE_SIZE, W_CARD, W_CARD_ROOM, W_CARD_USE, W_CITY_TICKET, W_CUBE, W_EFFECTS,
    W_FLAIR, W_GROWTH, W_MORE_CUBES, W_MORE_FLAIR, W_MORE_ICONS, W_MORE_SIZES, W_MORE_TICKETS, W_PATH_ONE, W_PATH_SOON,
    W_PATH_TWO, W_PLACINGS, W_TICKET, W_TICKET_FADES, LevitationHorizon, LevitationRules,
)

cdef enum:
    HALFWAY = N_ROUNDS * N_TURNS // 2       # actions of a seat in half a game


cdef double grown(const LevitationRules* r, double n) noexcept nogil:
    """Points of a space for n cards, interpolated between whole numbers."""
    cdef int whole = <int>n
    if whole >= COUNTED_CARDS:
        return r.card_points[<int>COUNTED_CARDS]
    return r.card_points[whole] + (n - whole) * (r.card_points[whole + 1] - r.card_points[whole])


cdef double hand_worth(const LevitationRules* r, int n, double left) noexcept nogil:
    """Worth of n tickets in hand: the first counts most, and no more count than can be placed."""
    cdef const double* w = &r.weights[0]
    cdef double worth = w[W_TICKET]
    cdef double total = 0.0
    cdef double room = w[W_PLACINGS] * left
    while n > 0 and room > 0:
        total += worth * min(1.0, room)
        room -= 1.0
        worth *= w[W_TICKET_FADES]
        n -= 1
    return total


cdef void fill_spaces(const LevitationRules* r, LevitationHorizon* h) noexcept nogil:
    """Set the points of icon and size spaces: more cards are to be expected the more actions are left."""
    cdef double n
    cdef int i
    for i in range(COUNTED_CARDS + 1):
        n = i + r.weights[W_MORE_ICONS] * h.left
        h.card_points[<int>SPACE_ICON][i] = grown(r, n)
        h.card_gains[<int>SPACE_ICON][i] = grown(r, n + 1.0) - grown(r, n)
        n = i + r.weights[W_MORE_SIZES] * h.left
        h.card_points[<int>SPACE_SIZE][i] = grown(r, n)
        h.card_gains[<int>SPACE_SIZE][i] = grown(r, n + 1.0) - grown(r, n)
    h.more_flair = r.weights[W_MORE_FLAIR] * h.left
    h.more_tickets = r.weights[W_MORE_TICKETS] * h.left
    h.more_cubes = r.weights[W_MORE_CUBES] * h.left


cdef void fill_cards(const LevitationRules* r, LevitationHorizon* h) noexcept nogil:
    """Set the yield of each card, which grows early for some effects, and the worth of owning it."""
    cdef const double* w = &r.weights[0]
    cdef double growth = 1.0 - w[W_GROWTH] + w[W_GROWTH] * h.left / HALFWAY
    cdef int card, effect
    for card in range(N_CARDS):
        effect = r.effects[card]
        h.yields[card] = w[W_EFFECTS + effect]
        if EFFECT_POINTS_CARDS < effect <= EFFECT_COPY_OWN:
            h.yields[card] *= growth
        h.owning[card] = w[W_CARD] + w[W_CARD_USE] * h.left * (h.yields[card] + w[W_CARD_ROOM] * r.limits[card])


cdef void fill_horizons(LevitationRules* r) noexcept nogil:
    cdef const double* w = &r.weights[0]
    cdef LevitationHorizon* h
    cdef int left, i
    r.counted = 0
    for i in range(N_CARDS):
        if EFFECT_POINTS_DICE < r.effects[i] <= EFFECT_POINTS_CARDS:
            r.counted |= card_bit(i)
    for left in range(N_HORIZONS):
        h = &r.horizons[left]
        h.left = left
        h.cube = w[W_CUBE] * h.left
        h.flair = 1.0 + w[W_FLAIR] * h.left
        h.city_ticket = w[W_CITY_TICKET] * min(1.0, 0.25 * h.left)
        h.shares[0] = 0.0
        h.shares[1] = w[W_PATH_ONE] * min(1.0, w[W_PATH_SOON] * h.left)
        h.shares[2] = w[W_PATH_TWO] * min(1.0, 2.0 * w[W_PATH_SOON] * h.left)
        h.shares[3] = h.shares[4] = 1.0
        for i in range(N_TICKETS + 2):
            h.hand[i] = hand_worth(r, i, h.left)
        for i in range(N_CITIES):
            h.rewards[i] = r.city_cubes[i] * h.cube + r.city_flair[i] * h.flair
        fill_spaces(r, h)
        fill_cards(r, h)
