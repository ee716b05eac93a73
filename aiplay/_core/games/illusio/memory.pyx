"""Illusio: cards enter and leave hands, and what the seats remember of it. Rules: Who knows what.

Certain knowledge is in `known`. Beyond that, every observer remembers one Take, its *trail*: `trail` is TRAIL +
TRAIL_STRIDE * robbed seat + taker, or 0. It has one of two forms:

- A Take by another seat. Each of the cards that the observer knew in the robbed hand may be the one that went to the
  taker. These cards, the *suspects*, are those marked in `known` for the robbed hand, and `trail_kind` unless NO_CARD:
  a suspect that the robbed hand no longer holds. Each has weight WEIGHT_UNIT of being the card that went;
  `trail_weight` is the weight of any other card.
- Its own Take of a card of kind `trail_kind`, of which it knew n in the robbed hand. It may have been one of those or
  another. Hence worlds weigh n + c, where c of the `u` hidden cards are of that kind; `trail_weight` holds n and u.

Moves in the open change the weights by Bayes' rule. What would need more than this is forgotten: a new trail replaces
an old one, and a trail ends with the next card that is seen entering the robbed hand, or taken from one of both hands.
"""

from libc.string cimport memcpy, memset

from aiplay._core.bits cimport pop_lowest
from aiplay._core.games.illusio.state cimport (
    ILLUSIO_SEATS, MAX_WEIGHT, NO_CARD, NUMBER_STRIDE, N_KINDS, TRAIL, TRAIL_STRIDE, WEIGHT_UNIT, IllusioState,
)
from aiplay._core.typedefs cimport uint8_t, uint32_t, uint64_t


# ---- Counting ------------------------------------------------------------------------------------------------------

cdef inline int hand_find(const IllusioState* s, int seat, int kind) noexcept nogil:
    """The first place of a hand that holds `kind` or a later one."""
    cdef int i = 0
    while i < s.n_hand[seat] and s.hands[seat][i] < kind:
        i += 1
    return i


cdef int count_known(const IllusioState* s, int seat, int observer) noexcept nogil:
    """The number of cards of a hand that an observer knows, suspects included."""
    cdef int n = 0
    cdef int i
    for i in range(s.n_hand[seat]):
        n += s.known[seat][i] >> observer & 1
    return n


cdef inline int count_known_kind(const IllusioState* s, int seat, int kind, int observer) noexcept nogil:
    """The number of cards of a kind in a hand that an observer knows."""
    cdef int i = hand_find(s, seat, kind)
    cdef int n = 0
    while i < s.n_hand[seat] and s.hands[seat][i] == kind and s.known[seat][i] >> observer & 1:
        n += 1
        i += 1
    return n


cdef inline bint has_stray(const IllusioState* s, int observer) noexcept nogil:
    """True if a suspect is not in the robbed hand; only for a Take by another seat."""
    return s.trail_kind[observer] != NO_CARD


cdef inline bint is_own_take(const IllusioState* s, int observer) noexcept nogil:
    return trail_taker(s, observer) == observer


cdef double unseen_share(const IllusioState* s, int kind, int observer) noexcept nogil:
    """The share of a kind among the cards that an observer has not seen."""
    cdef int found = s.deck[kind]
    cdef int total = s.n_deck
    cdef int seat, i
    for seat in range(ILLUSIO_SEATS):
        if seat != observer:
            for i in range(s.n_hand[seat]):
                if not s.known[seat][i] >> observer & 1:
                    total += 1
                    found += s.hands[seat][i] == kind
    if s.trail[observer] and not is_own_take(s, observer) and has_stray(s, observer):
        total -= 1
        found -= s.trail_kind[observer] == kind
    return <double>found / total if found > 0 else 0.0


# ---- Marks ---------------------------------------------------------------------------------------------------------

cdef void set_known(IllusioState* s, int seat, int kind, int observer) noexcept nogil:
    """Let an observer know of one more card of a kind in a hand, if there is one."""
    cdef int i = hand_find(s, seat, kind) + count_known_kind(s, seat, kind, observer)
    if i < s.n_hand[seat] and s.hands[seat][i] == kind:
        s.known[seat][i] |= <uint8_t>(1 << observer)


cdef bint clear_known(IllusioState* s, int seat, int kind, int observer) noexcept nogil:
    """Let an observer know of one card of a kind fewer; return False if it knew of none."""
    cdef int n = count_known_kind(s, seat, kind, observer)
    if n:
        s.known[seat][hand_find(s, seat, kind) + n - 1] &= <uint8_t>~(1 << observer)
    return n > 0


# ---- Trails --------------------------------------------------------------------------------------------------------

cdef inline bint has_trails(const IllusioState* s) noexcept nogil:
    """True if any seat remembers a Take."""
    cdef uint64_t trails = 0
    memcpy(&trails, s.trail, sizeof(s.trail))
    return trails != 0


cdef inline uint32_t followers(const IllusioState* s, int victim) noexcept nogil:
    """The seats that remember a Take from a hand, one bit each."""
    cdef uint32_t found = 0
    cdef int observer
    for observer in range(ILLUSIO_SEATS):
        found |= <uint32_t>(s.trail[observer] // TRAIL_STRIDE == TRAIL // TRAIL_STRIDE + victim) << observer
    return found


cdef inline uint32_t concerned(const IllusioState* s, int seat) noexcept nogil:
    """The other seats that remember a Take from or by a seat, one bit each."""
    cdef uint32_t found = 0
    cdef int observer
    for observer in range(ILLUSIO_SEATS):
        found |= <uint32_t>(s.trail[observer] >= TRAIL and s.trail[observer] % TRAIL_STRIDE == seat) << observer
    return (found | followers(s, seat)) & ~(<uint32_t>1 << seat)


cdef inline void end_trail(IllusioState* s, int observer) noexcept nogil:
    s.trail[observer] = s.trail_kind[observer] = s.trail_weight[observer] = 0


cdef void forget_trail(IllusioState* s, int observer) noexcept nogil:
    """End a trail; of n suspects of a kind, n - 1 are certainly in the robbed hand."""
    cdef int victim = trail_victim(s, observer)
    cdef int stray = s.trail_kind[observer]
    cdef int kind
    if victim >= 0 and not is_own_take(s, observer):
        for kind in range(N_KINDS):
            if kind != stray:
                clear_known(s, victim, kind, observer)
    end_trail(s, observer)


cdef void settle_trail(IllusioState* s, int observer) noexcept nogil:
    """End a trail that is certain, or that has no suspects left."""
    cdef int victim = trail_victim(s, observer)
    cdef int n = count_known(s, victim, observer) + has_stray(s, observer)
    cdef int kind = s.trail_kind[observer]
    cdef int i
    if n == 0:
        end_trail(s, observer)
        return
    if n > s.n_hand[victim]:
        s.trail_weight[observer] = 0        # the hand cannot hold them all: one of them went
    if s.trail_weight[observer]:
        return
    for i in range(s.n_hand[victim]):
        if s.known[victim][i] >> observer & 1:
            if kind != NO_CARD and kind != s.hands[victim][i]:
                return                      # suspects of several kinds
            kind = s.hands[victim][i]
    if not has_stray(s, observer):
        clear_known(s, victim, kind, observer)
    set_known(s, trail_taker(s, observer), kind, observer)
    end_trail(s, observer)


cdef inline int as_weight(double weight) noexcept nogil:
    """A positive weight, rounded, at least 1."""
    return min(max(<int>(weight + 0.5), 1), MAX_WEIGHT)


cdef void follow_own_take(IllusioState* s, int observer, int kind) noexcept nogil:
    """A hidden card of the hand that the observer robbed is revealed and about to leave."""
    cdef int victim = trail_victim(s, observer)
    cdef int n = s.trail_weight[observer] % NUMBER_STRIDE
    cdef int n_hidden = s.trail_weight[observer] // NUMBER_STRIDE
    if kind == s.trail_kind[observer]:
        n = min(n + 1, NUMBER_STRIDE - 1)
        n_hidden -= 1
    else:
        n_hidden = min(n_hidden, s.n_hand[victim] - count_known(s, victim, observer) - 1)
    s.trail_weight[observer] = <uint8_t>(n + NUMBER_STRIDE * n_hidden)
    if n_hidden == 0:
        end_trail(s, observer)


cdef void follow_victim(IllusioState* s, int observer, int kind) noexcept nogil:
    """A card of the robbed hand is about to leave it in the open: a suspect, or another card of the hand.

    If one of n suspects went, the hand has one other card more than if another card went.
    """
    cdef int victim = trail_victim(s, observer)
    cdef int n_known = count_known_kind(s, victim, kind, observer)
    cdef int n_others = s.n_hand[victim] - count_known(s, victim, observer) - has_stray(s, observer)
    cdef double weight = s.trail_weight[observer]
    if n_known == 0:
        weight = weight * max(n_others, 0) / (max(n_others, 0) + 1)
    elif n_known == 1 and s.trail_kind[observer] != kind:
        # Or this suspect went, and the card that leaves is another of its kind.
        weight += WEIGHT_UNIT * (n_others + 1) * unseen_share(s, kind, observer)
    s.trail_weight[observer] = <uint8_t>as_weight(weight) if weight > 0 else 0


cdef void follow_taker(IllusioState* s, int observer, int kind) noexcept nogil:
    """A hidden card of the taker's hand is about to leave it in the open: perhaps the one that was taken."""
    cdef int victim = trail_victim(s, observer)
    cdef int taker = trail_taker(s, observer)
    cdef int n_hidden = s.n_hand[taker] - count_known(s, taker, observer)
    cdef bint is_stray = s.trail_kind[observer] == kind
    cdef int n = count_known_kind(s, victim, kind, observer) + is_stray
    cdef double weight = s.trail_weight[observer]
    cdef double share
    if n == 0:
        if n_hidden > 1:
            s.trail_weight[observer] = <uint8_t>(as_weight(weight * n_hidden / (n_hidden - 1)) if weight else 0)
        else:
            end_trail(s, observer)          # it was this one: all suspects are still in the robbed hand
        return
    share = unseen_share(s, kind, observer)
    if is_stray:
        s.trail_kind[observer] = NO_CARD
    else:
        clear_known(s, victim, kind, observer)
    if n_hidden == 1 or share == 0:
        end_trail(s, observer)
        return
    weight = <double>WEIGHT_UNIT * n / n_hidden + weight * share
    s.trail_weight[observer] = <uint8_t>as_weight(weight * n_hidden / ((n_hidden - 1) * share))


cdef void follow_drop(IllusioState* s, int seat, int kind, uint32_t observers) noexcept nogil:
    """Change the trails of observers before a card leaves a hand in the open."""
    cdef int known = s.known[seat][hand_find(s, seat, kind)]
    cdef int observer
    while observers:
        observer = pop_lowest(&observers)
        if is_own_take(s, observer):
            if not known >> observer & 1:
                follow_own_take(s, observer, kind)
        elif seat == trail_victim(s, observer):
            follow_victim(s, observer, kind)
        elif not known >> observer & 1:
            follow_taker(s, observer, kind)


# ---- Hands ---------------------------------------------------------------------------------------------------------

cdef inline void insert_card(IllusioState* s, int seat, int kind, int observers) noexcept nogil:
    """Put a card into a hand; each observer knows of one more card of its kind."""
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
    # The first of the kind that the observer did not know becomes known.
    while observers:
        known = s.known[seat][start]
        s.known[seat][start] = <uint8_t>(known | observers)
        observers &= known
        start += 1


cdef inline void remove_card(IllusioState* s, int seat, int kind) noexcept nogil:
    """Remove the first card of a kind, which all know who know of any."""
    cdef int i = hand_find(s, seat, kind)
    cdef int last = s.n_hand[seat] - 1
    while i < last:
        s.hands[seat][i] = s.hands[seat][i + 1]
        s.known[seat][i] = s.known[seat][i + 1]
        i += 1
    s.hands[seat][last] = NO_CARD
    s.known[seat][last] = 0
    s.n_hand[seat] = <uint8_t>last


cdef void hand_add(IllusioState* s, int seat, int kind, int observers) noexcept nogil:
    """Put a card into a hand; `observers`, a set of other seats, see which."""
    cdef uint32_t following = followers(s, seat) if has_trails(s) else 0
    cdef int observer
    insert_card(s, seat, kind, observers)
    while following:
        observer = pop_lowest(&following)
        if is_own_take(s, observer):
            continue
        if observers >> observer & 1:
            # A certain card among suspects could not be told from them.
            clear_known(s, seat, kind, observer)
            forget_trail(s, observer)
            set_known(s, seat, kind, observer)
        elif s.trail_kind[observer] == kind:
            s.trail_kind[observer] = NO_CARD
            set_known(s, seat, kind, observer)


cdef void hand_drop(IllusioState* s, int seat, int kind) noexcept nogil:
    """Remove a card from a hand in the open: whoever knew of one of its kind knows of one fewer."""
    cdef uint32_t observers = concerned(s, seat) if has_trails(s) else 0
    cdef int observer
    if observers:
        follow_drop(s, seat, kind, observers)
    remove_card(s, seat, kind)
    while observers:
        observer = pop_lowest(&observers)
        if s.trail[observer] and not is_own_take(s, observer):
            settle_trail(s, observer)


# ---- Take ----------------------------------------------------------------------------------------------------------

cdef void start_own_trail(IllusioState* s, int taker, int victim, int kind) noexcept nogil:
    """The taker is about to take a card of a kind: one that it knew, or another."""
    cdef int n = count_known_kind(s, victim, kind, taker)
    cdef int n_hidden = s.n_hand[victim] - count_known(s, victim, taker)
    if n == 0:
        if is_own_take(s, taker) and trail_victim(s, taker) == victim:
            follow_own_take(s, taker, kind)
        return
    if n_hidden == 0:
        return
    forget_trail(s, taker)
    s.trail[taker] = <uint8_t>(TRAIL + TRAIL_STRIDE * victim + taker)
    s.trail_kind[taker] = <uint8_t>kind
    s.trail_weight[taker] = <uint8_t>(n + NUMBER_STRIDE * n_hidden)


cdef bint start_trail(IllusioState* s, int taker, int victim, int observer) noexcept nogil:
    """A third seat sees that a card is about to be taken; return True if it knows which kind."""
    cdef int n = s.n_hand[victim]
    cdef int n_known = count_known(s, victim, observer)
    if n_known == n and s.hands[victim][0] == s.hands[victim][n - 1]:
        return True
    if n_known:
        forget_trail(s, observer)
        s.trail[observer] = <uint8_t>(TRAIL + TRAIL_STRIDE * victim + taker)
        s.trail_kind[observer] = NO_CARD
        s.trail_weight[observer] = <uint8_t>(WEIGHT_UNIT * (n - n_known))
    return False


cdef inline void cross_trails(IllusioState* s, int taker, int victim) noexcept nogil:
    """End the trails that a Take makes too complicated to follow."""
    cdef int observer
    for observer in range(ILLUSIO_SEATS):
        if s.trail[observer] == 0:
            continue
        if is_own_take(s, observer):
            if observer != taker and trail_victim(s, observer) == victim:
                end_trail(s, observer)
        elif victim == trail_victim(s, observer) or victim == trail_taker(s, observer):
            forget_trail(s, observer)


cdef void hand_steal(IllusioState* s, int taker, int victim, int kind) noexcept nogil:
    """Take: only the two seats see the card."""
    cdef int observers = 1 << victim
    cdef int suspects = 0
    cdef int observer
    cross_trails(s, taker, victim)
    for observer in range(ILLUSIO_SEATS):
        if observer == taker:
            start_own_trail(s, taker, victim, kind)
        elif observer != victim:
            if start_trail(s, taker, victim, observer):
                observers |= 1 << observer
            elif count_known_kind(s, victim, kind, observer):
                suspects |= 1 << observer       # whoever knew of one of the kind still remembers as many
    remove_card(s, victim, kind)
    hand_add(s, taker, kind, observers)
    for observer in range(ILLUSIO_SEATS):
        if suspects >> observer & 1:
            follow_suspect(s, victim, kind, observer)
        if s.trail[observer] and not is_own_take(s, observer) and trail_victim(s, observer) == victim:
            settle_trail(s, observer)


cdef inline void follow_suspect(IllusioState* s, int victim, int kind, int observer) noexcept nogil:
    """Mark another card of the robbed hand as the suspect of that kind, or note that the hand has none."""
    cdef int n = count_known_kind(s, victim, kind, observer)
    set_known(s, victim, kind, observer)
    if count_known_kind(s, victim, kind, observer) == n:
        s.trail_kind[observer] = <uint8_t>kind


# ---- The end of the deck -------------------------------------------------------------------------------------------

cdef inline int count_unseen(const IllusioState* s, int seats, int observer, int* unseen, int* hidden) noexcept nogil:
    """Count the cards that an observer has not seen in other hands, by kind and by hand; return their number."""
    cdef int total = 0
    cdef int seat, i
    memset(unseen, 0, N_KINDS * sizeof(int))
    memset(hidden, 0, ILLUSIO_SEATS * sizeof(int))
    for seat in range(seats):
        for i in range(s.n_hand[seat] if seat != observer else 0):
            if not s.known[seat][i] >> observer & 1:
                unseen[s.hands[seat][i]] += 1
                hidden[seat] += 1
        total += hidden[seat]
    return total


cdef void remember_certain(IllusioState* s, int seats, int most) noexcept nogil:
    """Before the deck, which is empty, is renewed: mark the cards that each seat knows by counting; end all trails.

    If N cards are unseen, a of them of one kind, a hand with u unseen cards holds at least u - (N - a) of the kind.
    That is none if other hands have `most` unseen cards, as many as there are of any kind.
    """
    cdef int unseen[N_KINDS]
    cdef int hidden[ILLUSIO_SEATS]
    cdef int strangers[ILLUSIO_SEATS]       # cards of each hand that no other seat knows
    cdef int n_strangers = 0, largest
    cdef int observer, seat, i, kind, total
    for seat in range(seats):
        strangers[seat] = 0
        for i in range(s.n_hand[seat]):
            strangers[seat] += s.known[seat][i] == 0
        n_strangers += strangers[seat]
    for observer in range(seats):
        if s.trail[observer]:
            forget_trail(s, observer)
        largest = 0
        for seat in range(seats):
            if seat != observer:
                largest = max(largest, strangers[seat])
        if n_strangers - strangers[observer] - largest >= most:
            continue
        total = count_unseen(s, seats, observer, unseen, hidden)
        for seat in range(seats):
            for kind in range(N_KINDS if hidden[seat] + most > total else 0):
                for _ in range(hidden[seat] - (total - unseen[kind])):
                    set_known(s, seat, kind, observer)
