"""Illusio: moving cards, and the points of tricks. The short functions are in components.pxd."""

from aiplay._core.bits cimport pop_lowest
from aiplay._core.games.illusio.state cimport (
    COUNT_STRIDE, DISPLAYED, KEPT, KIND_STRIDE, NOT_IN_PLAY, NO_CARD, N_KINDS, TRANSFORM, UNSPENT, IllusioRules,
    IllusioState,
)
from aiplay._core.typedefs cimport uint8_t, uint32_t


# ---- Hands and what is known of them ------------------------------------------------------------------------------

cdef inline int hand_find(const IllusioState* s, int seat, int kind) noexcept nogil:
    """The first place of a hand that holds `kind` or a later one."""
    cdef int i = 0
    while i < s.n_hand[seat] and s.hands[seat][i] < kind:
        i += 1
    return i


cdef void hand_add(IllusioState* s, int seat, int kind, int observers) noexcept nogil:
    """Put a card into a hand; `observers`, a set of other seats, see which."""
    cdef int start = hand_find(s, seat, kind)
    cdef int i = s.n_hand[seat]
    cdef int known
    while i > start and s.hands[seat][i - 1] > kind:
        s.hands[seat][i] = s.hands[seat][i - 1]
        s.known[seat][i] = s.known[seat][i - 1]
        i -= 1
    s.hands[seat][i] = <uint8_t>kind
    s.known[seat][i] = 0
    s.n_hand[seat] += 1
    # Each observer knows of one more card: the first of the kind that it did not know.
    while observers:
        known = s.known[seat][start]
        s.known[seat][start] = <uint8_t>(known | observers)
        observers &= known
        start += 1


cdef void hand_drop(IllusioState* s, int seat, int kind) noexcept nogil:
    """Remove a card from a hand in the open: whoever knew of one of its kind knows of one fewer."""
    cdef int i = hand_find(s, seat, kind)
    cdef int last = s.n_hand[seat] - 1
    while i < last:
        s.hands[seat][i] = s.hands[seat][i + 1]
        s.known[seat][i] = s.known[seat][i + 1]
        i += 1
    s.hands[seat][last] = NO_CARD
    s.known[seat][last] = 0
    s.n_hand[seat] = <uint8_t>last


cdef void hand_steal(IllusioState* s, int taker, int victim, int kind) noexcept nogil:
    """Take: only the two seats see the card; all others forget what they knew of the robbed hand."""
    cdef int i
    for i in range(s.n_hand[victim]):
        s.known[victim][i] &= <uint8_t>(1 << taker)
    hand_drop(s, victim, kind)
    hand_add(s, taker, kind, 1 << victim)


cdef void hand_discard(IllusioState* s, int seat, int kind) noexcept nogil:
    hand_drop(s, seat, kind)
    s.discards[kind] += 1


# ---- The deck ------------------------------------------------------------------------------------------------------

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


cdef void renew_deck(IllusioState* s) noexcept nogil:
    """Make the discards the deck: with the next draw and not before, for until then everybody sees them."""
    cdef int kind
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
