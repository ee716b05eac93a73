"""Illusio: who knows what. Rules: Who knows what."""

from libc.string cimport memset

from aiplay._core.contract cimport PERCEIVE_HIDDEN
from aiplay._core.games.illusio.components cimport count_cards
from aiplay._core.games.illusio.memory cimport count_known, set_known, trail_taker, trail_victim
from aiplay._core.games.illusio.state cimport (
    HAND_SIZE, HIDDEN, NO_CARD, NUMBER_STRIDE, N_CARDS, N_KINDS, PHASE_DEAL, PHASE_DISCARD, PHASE_DRAW, PHASE_TAKE,
    WEIGHT_UNIT, IllusioRules, IllusioState,
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


cdef inline bint follows_another(const IllusioState* s, int seat) noexcept nogil:
    """True if a seat remembers a Take by another seat."""
    return s.trail[seat] and trail_taker(s, seat) != seat


cdef inline bint holds_stray(const IllusioState* s, int seat) noexcept nogil:
    """True if the taker of a Take openly holds a suspect: in a state, if the robbed hand does not; never in a view."""
    cdef int taker = trail_taker(s, seat)
    cdef int i
    for i in range(s.n_hand[taker]):
        if s.hands[taker][i] == s.trail_kind[seat] and not s.known[taker][i] >> seat & 1:
            return True
    return False


cdef void conceal_trail(IllusioState* s, seat_t seat) noexcept nogil:
    """Show the suspects of a Take in the robbed hand, wherever they are; the last one is left out if it is too small.

    The robbed hand is concealed already. A suspect that it does not hold is counted among the unseen cards.
    """
    cdef int victim = trail_victim(s, seat)
    cdef uint8_t stray = s.trail_kind[seat]
    cdef int n = count_known(s, victim, seat)
    cdef int i
    s.deck[stray] -= 1
    if n == s.n_hand[victim]:                           # the hand is full: the largest suspect stays outside
        if s.hands[victim][n - 1] <= stray:
            return
        s.trail_kind[seat] = s.hands[victim][n - 1]
        n -= 1
    else:
        s.trail_kind[seat] = NO_CARD
        s.known[victim][n] = <uint8_t>1 << seat
    i = n
    while i > 0 and s.hands[victim][i - 1] > stray:
        s.hands[victim][i] = s.hands[victim][i - 1]
        i -= 1
    s.hands[victim][i] = stray


cdef void illusio_conceal(const void* rules, void* state, seat_t seat) noexcept nogil:
    """Hide the unknown cards of the other hands, and what the others know and remember.

    With two seats, what the other knows of the seat's own hand stays: the seat saw how it came to know. With more, it
    depends on what is known of third hands.
    """
    cdef IllusioState* s = <IllusioState*>state
    cdef int seats = (<const IllusioRules*>rules).seats
    cdef bint is_stray = follows_another(s, seat) and holds_stray(s, seat)
    cdef int owner
    for owner in range(seats):
        if owner != seat:
            conceal_hand(s, owner, seat)
            s.trail[owner] = s.trail_kind[owner] = s.trail_weight[owner] = 0
        elif seats > 2:
            memset(s.known[seat], 0, sizeof(s.known[seat]))
    if is_stray:
        conceal_trail(s, seat)


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


# ---- Takes with several explanations --------------------------------------------------------------------------------

cdef bint fits_step_3(const IllusioState* s) noexcept nogil:
    """True if the seat in step 3 can hold as many cards of kind `mark` or later as it has to discard."""
    cdef int n_found = 0, n_unseen = 0
    cdef int i
    if s.phase != PHASE_DISCARD:
        return True
    for i in range(s.n_hand[s.seat]):
        n_found += s.mark <= s.hands[s.seat][i] < HIDDEN
    for i in range(s.mark, N_KINDS):
        n_unseen += s.deck[i]
    return n_found + min(count_hidden(s, s.seat), n_unseen) >= s.pending


cdef void move_suspect(IllusioState* s, int seat, uint8_t kind) noexcept nogil:
    """In a view: a suspect of this kind went to the taker. The robbed hand gets a hidden card or the one left out."""
    cdef int victim = trail_victim(s, seat)
    cdef int last = s.n_hand[victim] - 1
    cdef uint8_t stray = s.trail_kind[seat]
    cdef int i = 0
    if kind != stray:
        while s.hands[victim][i] != kind:
            i += 1
        while i < last:
            s.hands[victim][i] = s.hands[victim][i + 1]
            s.known[victim][i] = s.known[victim][i + 1]
            i += 1
        s.hands[victim][last] = HIDDEN
        s.known[victim][last] = 0
        if stray != NO_CARD:
            deal_hand(s, victim, &stray, 1)
            set_known(s, victim, stray, seat)
    deal_hand(s, trail_taker(s, seat), &kind, 1)
    s.trail_kind[seat] = kind


cdef void explain_take(IllusioState* s, int seat, Rng* rng) noexcept nogil:
    """In a view: draw which card was taken, a suspect or another one, by their weights."""
    cdef int victim = trail_victim(s, seat)
    cdef int n = s.n_hand[victim] - count_hidden(s, victim)
    cdef double weights[HAND_SIZE + 2]                  # of each suspect, the one left out, and any other card
    cdef double left = 0.0
    cdef IllusioState trial
    cdef int i
    for i in range(n + 2):
        weights[i] = WEIGHT_UNIT if i < n or (i == n and s.trail_kind[seat] != NO_CARD) else 0
        if i == n + 1 and s.trail_kind[seat] == NO_CARD:
            weights[i] = s.trail_weight[seat] * fits_step_3(s)
        elif weights[i] and s.phase == PHASE_DISCARD:
            trial = s[0]
            move_suspect(&trial, seat, s.hands[victim][i] if i < n else s.trail_kind[seat])
            weights[i] *= fits_step_3(&trial)
        left += weights[i]
    left *= rng_double(rng)
    for i in range(n + 1):
        left -= weights[i]
        if left < 0:
            move_suspect(s, seat, s.hands[victim][i] if i < n else s.trail_kind[seat])
            return


cdef void explain_own_take(IllusioState* s, int seat, Rng* rng) noexcept nogil:
    """In a view: draw if the card that the seat took was not the one it knew; then that one is still there."""
    cdef IllusioState trial = s[0]
    cdef int victim = trail_victim(s, seat)
    cdef uint8_t kind = s.trail_kind[seat]
    cdef int n = s.trail_weight[seat] % NUMBER_STRIDE
    cdef int n_hidden = min(s.trail_weight[seat] // NUMBER_STRIDE, count_hidden(s, victim))
    cdef int n_unseen = count_cards(s.deck)
    cdef double weight = <double>n_hidden * s.deck[kind] / max(n_unseen, 1)
    if rng_double(rng) * (n + weight) >= weight:
        return
    trial.deck[kind] -= 1
    deal_hand(&trial, victim, &kind, 1)
    if fits_step_3(&trial):
        s[0] = trial


cdef void mark_stray(IllusioState* s, int seat) noexcept nogil:
    """After the deal: if the robbed hand holds another card of the kind that went, that one is marked instead."""
    cdef int victim = trail_victim(s, seat)
    cdef int n = count_known(s, victim, seat)
    set_known(s, victim, s.trail_kind[seat], seat)
    if count_known(s, victim, seat) > n:
        s.trail_kind[seat] = NO_CARD


cdef void illusio_determinise(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    """Deal the cards that the seat has not seen to the hidden places at random; the rest is the deck."""
    cdef IllusioState* s = <IllusioState*>state
    cdef uint8_t pool[N_CARDS]
    cdef int n_pool = 0, n_dealt = 0
    cdef int turn, owner, kind, i, n
    if follows_another(s, seat):
        explain_take(s, seat, rng)
    elif s.trail[seat]:
        explain_own_take(s, seat, rng)
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
    if follows_another(s, seat) and s.trail_kind[seat] != NO_CARD:
        mark_stray(s, seat)
