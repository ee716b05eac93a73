"""Illusio: who knows what. Rules: Who knows what."""

from aiplay._core.contract cimport PERCEIVE_HIDDEN
from aiplay._core.games.illusio cimport (
    HIDDEN, N_CARDS, N_KINDS, PHASE_DEAL, PHASE_DRAW, PHASE_TAKE, IllusioRules, IllusioState,
)
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport move_t, seat_t, uint8_t, uint64_t


cdef uint64_t illusio_perceive(const void* rules, const void* state, move_t move, seat_t seat) noexcept nogil:
    """A drawn card is seen by its owner only, a taken one by taker and victim, everything else by all."""
    cdef const IllusioState* s = <const IllusioState*>state
    cdef bint is_hidden = s.phase == PHASE_DRAW or s.phase == PHASE_DEAL or (s.phase == PHASE_TAKE and seat != s.focus)
    return PERCEIVE_HIDDEN if is_hidden and seat != s.seat else <uint64_t>move


cdef inline void conceal_hand(IllusioState* s, int owner, seat_t seat) noexcept nogil:
    """Of another's hand a seat keeps what it knows; the rest goes, for it, among the cards it has not seen."""
    cdef int n_known = 0
    cdef int i
    for i in range(s.n_hand[owner]):
        if s.known[owner][i] >> seat & 1:
            s.hands[owner][n_known] = s.hands[owner][i]
            n_known += 1
        elif s.hands[owner][i] != HIDDEN:
            s.deck[s.hands[owner][i]] += 1
    for i in range(s.n_hand[owner]):
        s.known[owner][i] = <uint8_t>(i < n_known) << seat
        if i >= n_known:
            s.hands[owner][i] = HIDDEN


cdef void illusio_conceal(const void* rules, void* state, seat_t seat) noexcept nogil:
    """What the others know of the seat's own hand stays, for it saw all of that happen; what they know of each
    other's hands does not."""
    cdef IllusioState* s = <IllusioState*>state
    cdef int owner
    for owner in range((<const IllusioRules*>rules).seats):
        if owner != seat:
            conceal_hand(s, owner, seat)


cdef inline void deal_hand(IllusioState* s, int owner, const uint8_t* drawn, int n) noexcept nogil:
    """Put n drawn cards in place of the hidden ones of a hand, each behind the known ones of its kind."""
    cdef int n_cards = s.n_hand[owner] - n
    cdef int i, j
    cdef uint8_t kind
    for i in range(n):
        kind = drawn[i]
        j = n_cards
        while j > 0 and s.hands[owner][j - 1] > kind:
            s.hands[owner][j] = s.hands[owner][j - 1]
            s.known[owner][j] = s.known[owner][j - 1]
            j -= 1
        s.hands[owner][j] = kind
        s.known[owner][j] = 0
        n_cards += 1


cdef void illusio_determinise(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    """Shuffle the cards that the seat has not seen and deal them to the hidden places; the rest is the deck."""
    cdef IllusioState* s = <IllusioState*>state
    cdef uint8_t pool[N_CARDS]
    cdef int n_pool = 0, n_dealt = 0
    cdef int owner, kind, i, j, start
    for kind in range(N_KINDS):
        for i in range(s.deck[kind]):
            pool[n_pool] = <uint8_t>kind
            n_pool += 1
    for owner in range((<const IllusioRules*>rules).seats):
        start = n_dealt
        for i in range(s.n_hand[owner]):
            if s.hands[owner][i] == HIDDEN:
                j = n_dealt + <int>rng_below(rng, n_pool - n_dealt)
                kind = pool[j]
                pool[j] = pool[n_dealt]
                pool[n_dealt] = <uint8_t>kind
                s.deck[kind] -= 1
                n_dealt += 1
        if n_dealt > start:
            deal_hand(s, owner, &pool[start], n_dealt - start)
