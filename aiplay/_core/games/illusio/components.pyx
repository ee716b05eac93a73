"""Illusio: moving cards, and the points of tricks. The short functions are in components.pxd."""

from aiplay._core.bits cimport pop_lowest
from aiplay._core.games.illusio.memory cimport hand_drop, remember_certain
from aiplay._core.games.illusio.state cimport (
    COUNT_STRIDE, DISPLAYED, KEPT, KIND_STRIDE, NOT_IN_PLAY, N_KINDS, TRANSFORM, UNSPENT, IllusioRules, IllusioState,
)
from aiplay._core.typedefs cimport uint8_t, uint32_t


# ---- Hands and the deck -------------------------------------------------------------------------------------------

cdef void hand_discard(IllusioState* s, int seat, int kind) noexcept nogil:
    hand_drop(s, seat, kind)
    s.discards[kind] += 1


cdef const uint8_t* deck_to_draw(const IllusioState* s) noexcept nogil:
    """The cards of each kind that the next draw is from: the discards if the deck is empty."""
    if s.n_deck:
        return s.deck
    return s.discards


cdef int count_cards(const uint8_t* counts) noexcept nogil:
    cdef int n = 0
    cdef int kind
    for kind in range(N_KINDS):
        n += counts[kind]
    return n


cdef void renew_deck(const IllusioRules* r, IllusioState* s) noexcept nogil:
    """Make the discards the deck: with the next draw and not before, for until then everybody sees them."""
    cdef int kind
    remember_certain(s, r.seats, r.most)
    for kind in range(N_KINDS):
        s.n_deck += s.discards[kind]
        s.deck[kind] += s.discards[kind]
        s.discards[kind] = 0


# ---- Components in play --------------------------------------------------------------------------------------------

cdef int component_shift(const IllusioRules* r, IllusioState* s, int i, int place, int now) noexcept nogil:
    """Move component i to `place` as `now`; return its new number: equal printed kinds are sorted by (place, now)."""
    cdef int low = r.first[r.kind_of[i]]
    cdef int high = r.first[r.kind_of[i] + 1] - 1
    cdef int key = place << 8 | now
    while i > low and (s.place[i - 1] << 8 | s.now[i - 1]) > key:
        s.place[i] = s.place[i - 1]
        s.now[i] = s.now[i - 1]
        i -= 1
    while i < high and (s.place[i + 1] << 8 | s.now[i + 1]) < key:
        s.place[i] = s.place[i + 1]
        s.now[i] = s.now[i + 1]
        i += 1
    s.place[i] = <uint8_t>place
    s.now[i] = <uint8_t>now
    return i


cdef int component_enter(const IllusioRules* r, IllusioState* s, int kind, int place) noexcept nogil:
    """Put a component of a printed kind into play; return its number."""
    return component_shift(r, s, r.first[kind], place, kind)    # those not in play are the first of their kind


cdef void component_leave(const IllusioRules* r, IllusioState* s, int i) noexcept nogil:
    """Take a component out of play and discard the Transforms on it; the component itself is left to the caller."""
    s.discards[TRANSFORM] += s.now[i] // KIND_STRIDE
    component_shift(r, s, i, NOT_IN_PLAY, 0)


# ---- Objectives ----------------------------------------------------------------------------------------------------

cdef int kept_domains(const IllusioRules* r, const IllusioState* s, int seat) noexcept nogil:
    """The domains of the tricks that a seat keeps, one bit each."""
    cdef uint32_t kept = objectives_at(s, KEPT + seat)
    cdef int domains = 0
    while kept:
        domains |= 1 << r.domain[pop_lowest(&kept)]
    return domains


cdef int trick_points(const IllusioRules* r, const IllusioState* s, int owner, int trick) noexcept nogil:
    """The points that a trick on display pays. Rules: Scoring."""
    cdef int points = r.level[trick] + n_exact(s, trick) + r.bonus[s.magicians[owner]][trick]
    points += kept_domains(r, s, owner) >> r.domain[trick] & 1
    points += 2 * (s.marks[trick] // COUNT_STRIDE) - s.marks[trick] % COUNT_STRIDE
    return max(points, 0)


cdef uint32_t due_tricks(const IllusioState* s) noexcept nogil:
    """The tricks that `seat` has to validate in step 0: those on display without an unspent Encore."""
    cdef uint32_t tricks = objectives_at(s, DISPLAYED + s.seat)
    cdef uint32_t due = 0
    cdef int trick
    while tricks:
        trick = pop_lowest(&tricks)
        if not s.encores[trick] & UNSPENT:
            due |= <uint32_t>1 << trick
    return due
