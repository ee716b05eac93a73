# Illusio: what moves cards about. Every function keeps the state canonical: equal situations have equal bytes.

from aiplay._core.bits cimport lowest_bit
from aiplay._core.games.illusio.state cimport (
    BACKSTAGE, DISPLAYED, KEPT, NO_CARD, N_KINDS, OFF_TABLE, PLACED, TRANSFORM, UNSPENT, IllusioRules,
    IllusioState,
)
from aiplay._core.typedefs cimport uint8_t, uint32_t, uint64_t


cdef extern from *:
    """
    #include <string.h>
    /* Eight bytes as a word whose lowest byte is the first one, on every machine. */
    static inline unsigned long long illusio_word(const unsigned char* p) {
        unsigned long long x;
        memcpy(&x, p, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        x = __builtin_bswap64(x);
    #endif
        return x;
    }
    /* Bit i is set when byte i equals v: carry-free zero-byte test, then the eight top bits gathered into one byte. */
    static inline unsigned long long illusio_match8(const unsigned char* p, unsigned char v) {
        const unsigned long long low7 = 0x7F7F7F7F7F7F7F7FULL;
        unsigned long long x = illusio_word(p) ^ (0x0101010101010101ULL * v);
        unsigned long long hit = ~(((x & low7) + low7) | x | low7);
        return ((hit >> 7) * 0x0102040810204080ULL) >> 56;
    }
    static inline unsigned long long illusio_match64(const unsigned char* p, unsigned char v) {
        unsigned long long found = 0;
        int i;
        for (i = 0; i < 8; i++) found |= illusio_match8(p + 8 * i, v) << (8 * i);
        return found;
    }
    static inline unsigned int illusio_match32(const unsigned char* p, unsigned char v) {
        unsigned long long found = 0;
        int i;
        for (i = 0; i < 4; i++) found |= illusio_match8(p + 8 * i, v) << (8 * i);
        return (unsigned int)found;
    }
    """
    uint64_t match64 "illusio_match64" (const uint8_t* p, uint8_t v) noexcept nogil     # 64 bytes equal to v, as bits
    uint32_t match32 "illusio_match32" (const uint8_t* p, uint8_t v) noexcept nogil     # 32 bytes equal to v, as bits


# ---- Hands and what is known of them ------------------------------------------------------------------------------

cdef inline uint32_t hand_kinds(const IllusioState* s, int seat) noexcept nogil:
    """The kinds in a hand, one bit each."""
    cdef uint32_t kinds = 0
    cdef int i
    for i in range(s.n_hand[seat]):
        kinds |= <uint32_t>1 << s.hands[seat][i]
    return kinds


cdef inline int hand_find(const IllusioState* s, int seat, int kind) noexcept nogil:
    """The first place of a hand that holds at least `kind`."""
    cdef int i = 0
    while i < s.n_hand[seat] and s.hands[seat][i] < kind:
        i += 1
    return i


cdef inline int hand_count(const IllusioState* s, int seat, int kind) noexcept nogil:
    """How many cards of a kind are in a hand."""
    return hand_find(s, seat, kind + 1) - hand_find(s, seat, kind)


cdef inline void hand_add(IllusioState* s, int seat, int kind, int observers) noexcept nogil:
    """A card enters a hand and `observers`, a set of other seats, see which."""
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
    # One more card known to each of them: the first one of the kind that it did not know.
    while observers:
        known = s.known[seat][start]
        s.known[seat][start] = <uint8_t>(known | observers)
        observers &= known
        start += 1


cdef inline void hand_drop(IllusioState* s, int seat, int kind) noexcept nogil:
    """A card leaves a hand in the open: whoever knew of one of its kind knows of one fewer."""
    cdef int i = hand_find(s, seat, kind)
    cdef int last = s.n_hand[seat] - 1
    while i < last:
        s.hands[seat][i] = s.hands[seat][i + 1]
        s.known[seat][i] = s.known[seat][i + 1]
        i += 1
    s.hands[seat][last] = NO_CARD
    s.known[seat][last] = 0
    s.n_hand[seat] = <uint8_t>last


cdef inline void hand_steal(IllusioState* s, int taker, int victim, int kind) noexcept nogil:
    """Take: the two seats see the card; nobody else knows any longer what the robbed hand holds."""
    cdef int i
    for i in range(s.n_hand[victim]):
        s.known[victim][i] &= <uint8_t>(1 << taker)
    hand_drop(s, victim, kind)
    hand_add(s, taker, kind, 1 << victim)


cdef inline void hand_discard(IllusioState* s, int seat, int kind) noexcept nogil:
    hand_drop(s, seat, kind)
    s.discards[kind] += 1


# ---- The deck ------------------------------------------------------------------------------------------------------

cdef inline const uint8_t* deck_to_draw(const IllusioState* s) noexcept nogil:
    """The cards of each kind that the next draw is from: the discards when the deck is empty."""
    if s.n_deck:
        return s.deck
    return s.discards


cdef inline int count_cards(const uint8_t* counts) noexcept nogil:
    cdef int n = 0
    cdef int kind
    for kind in range(N_KINDS):
        n += counts[kind]
    return n


cdef inline void renew_deck(IllusioState* s) noexcept nogil:
    """The discards become the deck. It happens with the draw and not before: until then everybody sees them."""
    cdef int kind
    for kind in range(N_KINDS):
        s.n_deck += s.discards[kind]
        s.deck[kind] += s.discards[kind]
        s.discards[kind] = 0


# ---- Components on the table ---------------------------------------------------------------------------------------

cdef inline int component_shift(const IllusioRules* r, IllusioState* s, int i, int place, int now) noexcept nogil:
    """Component i goes to `place` as `now`; its new number, for equal printed kinds are sorted by (place, now)."""
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


cdef inline int component_enter(const IllusioRules* r, IllusioState* s, int kind, int place) noexcept nogil:
    """A component of a printed kind comes to the table; its number."""
    return component_shift(r, s, r.first[kind], place, kind)    # those off the table are the first of their kind


cdef inline void component_leave(const IllusioRules* r, IllusioState* s, int i) noexcept nogil:
    """A component leaves the table; the Transforms on it are discarded, it itself is for the caller to put."""
    s.discards[TRANSFORM] += s.now[i] >> 4
    component_shift(r, s, i, OFF_TABLE, 0)


cdef inline bint is_repeat(const IllusioRules* r, const IllusioState* s, int i) noexcept nogil:
    """Whether the component before is one just like it in the same place."""
    return (
        i > r.first[r.kind_of[i]] and s.place[i] == s.place[i - 1] and s.now[i] == s.now[i - 1]
    )


cdef inline uint64_t backstage_of(const IllusioState* s, int seat) noexcept nogil:
    """The components in a Backstage, one bit each."""
    return match64(s.place, <uint8_t>(BACKSTAGE + seat))


cdef inline int component_on(const IllusioState* s, int objective, int slot) noexcept nogil:
    """The component on a requirement that has one."""
    return lowest_bit(match64(s.place, <uint8_t>(PLACED + 4 * objective + slot)))


cdef inline void count_groups(
    const IllusioRules* r, const IllusioState* s, uint64_t components, int* counts
) noexcept nogil:
    """How many components of each group, by their present kinds."""
    cdef int group
    for group in range(6):
        counts[group] = 0
    while components:
        counts[r.group_of[s.now[lowest_bit(components)] & 15]] += 1
        components &= components - 1


# ---- Objectives ----------------------------------------------------------------------------------------------------

cdef inline uint32_t objectives_at(const IllusioState* s, int where) noexcept nogil:
    """The objectives in a place, one bit each."""
    return match32(s.objectives, <uint8_t>where)


cdef inline uint32_t displayed_tricks(const IllusioRules* r, const IllusioState* s) noexcept nogil:
    """All tricks on display."""
    cdef uint32_t tricks = 0
    cdef int seat
    for seat in range(r.seats):
        tricks |= objectives_at(s, DISPLAYED + seat)
    return tricks


cdef inline bint fits(const IllusioRules* r, int objective, int slot, int kind) noexcept nogil:
    """Whether a requirement accepts a component of that present kind. Rules: A turn, requirements."""
    return r.need_group[objective][slot] == r.group_of[kind]


cdef inline bint is_claimable(const IllusioRules* r, int objective, const int* counts) noexcept nogil:
    """Whether so many components of each group can fill half of an objective. Rules: A turn, D."""
    cdef int left[6]
    cdef int reached = 0
    cdef int slot, group
    for group in range(6):
        left[group] = counts[group]
    for slot in range(r.level[objective]):
        group = r.need_group[objective][slot]
        reached += left[group] > 0
        left[group] -= 1
    return reached >= r.half[objective]


cdef inline bint is_offered(const IllusioRules* r, int filled, int objective, int slot) noexcept nogil:
    """Whether a requirement is open and no equal one before it is."""
    if filled >> slot & 1:
        return False
    if slot == 0 or r.need[objective][slot] != r.need[objective][slot - 1]:
        return True
    return filled >> (slot - 1) & 1


cdef inline bint is_complete(const IllusioRules* r, const IllusioState* s, int objective) noexcept nogil:
    return (s.filled[objective] & 15) == (1 << r.level[objective]) - 1


cdef inline int exact_count(const IllusioState* s, int objective) noexcept nogil:
    """How many exact components are on an objective."""
    cdef int bits = s.filled[objective] >> 4
    return (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3)


cdef inline int kept_domains(const IllusioRules* r, const IllusioState* s, int seat) noexcept nogil:
    """The domains of the tricks that a seat keeps, one bit each."""
    cdef uint32_t kept = objectives_at(s, KEPT + seat)
    cdef int domains = 0
    while kept:
        domains |= 1 << r.domain[lowest_bit(kept)]
        kept &= kept - 1
    return domains


cdef inline int trick_points(const IllusioRules* r, const IllusioState* s, int owner, int trick) noexcept nogil:
    """What a trick on display pays. Rules: Scoring a trick."""
    cdef int points = r.level[trick] + exact_count(s, trick) + r.bonus[s.magicians[owner]][trick]
    points += kept_domains(r, s, owner) >> r.domain[trick] & 1
    points += 2 * (s.marks[trick] >> 4) - (s.marks[trick] & 15)
    return max(points, 0)


cdef inline uint32_t due_tricks(const IllusioState* s) noexcept nogil:
    """The tricks that `seat` has to validate in step 0: those on display without an unspent Encore."""
    cdef uint32_t tricks = objectives_at(s, DISPLAYED + s.seat)
    cdef uint32_t due = tricks
    cdef int trick
    while tricks:
        trick = lowest_bit(tricks)
        if s.encores[trick] & UNSPENT:
            due &= ~(<uint32_t>1 << trick)
        tricks &= tricks - 1
    return due
