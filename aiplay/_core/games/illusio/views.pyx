"""Illusio: who knows what. Rules: Who knows what."""

from libc.string cimport memset

from aiplay._core.contract cimport PERCEIVE_HIDDEN
from aiplay._core.games.illusio.state cimport (
    HIDDEN, N_CARDS, N_KINDS, PHASE_DEAL, PHASE_DISCARD, PHASE_DRAW, PHASE_TAKE, IllusioRules, IllusioState,
)
from aiplay._core.rng cimport Rng, rng_below, rng_double
from aiplay._core.typedefs cimport move_t, seat_t, uint8_t, uint64_t


cdef uint64_t illusio_perceive(const void* rules, const void* state, move_t move, seat_t seat) noexcept nogil:
    """A drawn card is seen only by its owner, a taken one only by taker and victim, everything else by all."""
    cdef const IllusioState* s = <const IllusioState*>state
    cdef bint is_hidden = s.phase == PHASE_DRAW or s.phase == PHASE_DEAL or (s.phase == PHASE_TAKE and seat != s.focus)
    return PERCEIVE_HIDDEN if is_hidden and seat != s.seat else <uint64_t>move


cdef inline void conceal_hand(IllusioState* s, int owner, seat_t seat) noexcept nogil:
    """Hide the cards of another hand that `seat` does not know, and count them among the unseen ones."""
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
    """Hide the unknown cards of the other hands, and what the others know of each other's hands.

    What they know of the seat's own hand stays, because it saw how they came to know it.
    """
    cdef IllusioState* s = <IllusioState*>state
    cdef int owner
    for owner in range((<const IllusioRules*>rules).seats):
        if owner != seat:
            conceal_hand(s, owner, seat)


cdef inline void deal_hand(IllusioState* s, int owner, const uint8_t* drawn, int n) noexcept nogil:
    """Replace the n hidden cards of a hand by drawn ones, each behind the known ones of its kind."""
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


cdef inline void draw_between(uint8_t* pool, int low, int high, int n, Rng* rng) noexcept nogil:
    """Move n random cards of pool[low:high] to its beginning: a shuffle that stops after n steps."""
    cdef int i, j
    cdef uint8_t kind
    for i in range(low, low + n):
        j = i + <int>rng_below(rng, high - i)
        kind = pool[j]
        pool[j] = pool[i]
        pool[i] = kind


cdef inline double ways(int n, int k) noexcept nogil:
    """The number of ways to choose k of n."""
    cdef double product = 1.0
    cdef int i
    for i in range(k):
        product *= <double>(n - i) / (i + 1)
    return product


cdef void draw_discarder(const IllusioState* s, uint8_t* pool, int n_pool, int n, Rng* rng) noexcept nogil:
    """Draw the n hidden cards of a seat in the middle of step 3 to the beginning of the pool.

    It discards in ascending order, so it still holds at least `pending` cards of kind `mark` or later. The number of
    hidden cards among them is drawn first, in proportion to the hands with that number, then the cards themselves.
    """
    cdef int n_wanted = s.pending
    cdef int n_low = 0
    cdef int i, n_high
    cdef uint8_t kind
    cdef double left = 0.0
    for i in range(s.n_hand[s.seat]):
        n_wanted -= s.mark <= s.hands[s.seat][i] < HIDDEN
    while n_low < n_pool and pool[n_low] < s.mark:
        n_low += 1
    n_wanted = max(n_wanted, n - n_low, 0)
    for n_high in range(n_wanted, min(n, n_pool - n_low) + 1):
        left += ways(n_pool - n_low, n_high) * ways(n_low, n - n_high)
    left *= rng_double(rng)
    n_high = n_wanted
    while n_high < min(n, n_pool - n_low):
        left -= ways(n_pool - n_low, n_high) * ways(n_low, n - n_high)
        if left < 0:
            break
        n_high += 1
    draw_between(pool, 0, n_low, n - n_high, rng)
    draw_between(pool, n_low, n_pool, n_high, rng)
    for i in range(n_high):
        kind = pool[n_low + i]
        pool[n_low + i] = pool[n - n_high + i]
        pool[n - n_high + i] = kind


cdef inline int count_hidden(const IllusioState* s, int owner) noexcept nogil:
    """The number of hidden cards in a hand: they are the last ones."""
    cdef int n = 0
    while n < s.n_hand[owner] and s.hands[owner][s.n_hand[owner] - 1 - n] == HIDDEN:
        n += 1
    return n


cdef void illusio_determinise(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    """Deal the cards that the seat has not seen to the hidden places at random; the rest is the deck."""
    cdef IllusioState* s = <IllusioState*>state
    cdef uint8_t pool[N_CARDS]
    cdef int n_pool = 0, n_dealt = 0
    cdef int turn, owner, kind, i, n
    for kind in range(N_KINDS):
        memset(&pool[n_pool], kind, s.deck[kind])
        n_pool += s.deck[kind]
    owner = s.seat                      # the seat in step 3 gets its cards first
    for turn in range((<const IllusioRules*>rules).seats):
        n = count_hidden(s, owner)
        if n:
            if turn == 0 and s.phase == PHASE_DISCARD:
                draw_discarder(s, pool, n_pool, n, rng)
            else:
                draw_between(pool, n_dealt, n_pool, n, rng)
            for i in range(n_dealt, n_dealt + n):
                s.deck[pool[i]] -= 1
            deal_hand(s, owner, &pool[n_dealt], n)
            n_dealt += n
        owner = owner + 1 if owner + 1 < (<const IllusioRules*>rules).seats else 0
