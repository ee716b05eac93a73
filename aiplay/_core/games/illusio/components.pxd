# Illusio: decks, components and objectives. Every function keeps the state canonical: equal situations have the
# same bytes.

from aiplay._core.bits cimport lowest_bit, match32, match64, pop_lowest
from aiplay._core.games.illusio.state cimport (
    ALL_NEEDS, BACKSTAGE, KIND_STRIDE, N_NEEDS, PLACED, IllusioRules, IllusioState,
)
from aiplay._core.typedefs cimport uint8_t, uint32_t, uint64_t

cdef enum:
    GROUP_BITS = 8          # of a count in a word with one for each group
    GROUP_MASK = (1 << GROUP_BITS) - 1


# ---- Hands and the deck (components.pyx) ----------------------------------------------------------------------------

cdef void hand_discard(IllusioState* s, int seat, int kind) noexcept nogil
cdef const uint8_t* deck_to_draw(const IllusioState* s) noexcept nogil
cdef int count_cards(const uint8_t* counts) noexcept nogil
cdef void renew_deck(const IllusioRules* r, IllusioState* s) noexcept nogil


cdef inline uint32_t hand_kinds(const IllusioState* s, int seat) noexcept nogil:
    """The kinds in a hand, one bit each."""
    cdef uint32_t kinds = 0
    cdef int i
    for i in range(s.n_hand[seat]):
        kinds |= <uint32_t>1 << s.hands[seat][i]
    return kinds


# ---- Components in play ---------------------------------------------------------------------------------------------

cdef int component_shift(const IllusioRules* r, IllusioState* s, int i, int place, int now) noexcept nogil
cdef int component_enter(const IllusioRules* r, IllusioState* s, int kind, int place) noexcept nogil
cdef void component_leave(const IllusioRules* r, IllusioState* s, int i) noexcept nogil


cdef inline int present_kind(const IllusioState* s, int i) noexcept nogil:
    """The present kind of a component in play."""
    return s.now[i] % KIND_STRIDE


cdef inline uint64_t backstage_of(const IllusioState* s, int seat) noexcept nogil:
    """The components in a Backstage, one bit each."""
    return match64(s.place, <uint8_t>(BACKSTAGE + seat))


cdef inline int component_on(const IllusioState* s, int objective, int slot) noexcept nogil:
    """The component on a need that has one."""
    return lowest_bit(match64(s.place, <uint8_t>(PLACED + N_NEEDS * objective + slot)))


cdef inline uint64_t count_groups(
    const IllusioRules* r, const IllusioState* s, uint64_t components
) noexcept nogil:
    """Count components by group, as their present kinds: GROUP_BITS bits for each group."""
    cdef uint64_t counts = 0
    while components:
        counts += <uint64_t>1 << (GROUP_BITS * r.group_of[present_kind(s, pop_lowest(&components))])
    return counts


cdef inline int count_of(uint64_t counts, int group) noexcept nogil:
    """The count of a group among those side by side in a word."""
    return <int>(counts >> (GROUP_BITS * group) & GROUP_MASK)


# ---- Objectives -----------------------------------------------------------------------------------------------------

cdef int kept_domains(const IllusioRules* r, const IllusioState* s, int seat) noexcept nogil
cdef int trick_points(const IllusioRules* r, const IllusioState* s, int owner, int trick) noexcept nogil
cdef uint32_t due_tricks(const IllusioState* s) noexcept nogil


cdef inline uint32_t objectives_at(const IllusioState* s, int where) noexcept nogil:
    """The objectives in a place, one bit each."""
    return match32(s.objectives, <uint8_t>where)


cdef inline bint is_claimable(const IllusioRules* r, int objective, uint64_t counts) noexcept nogil:
    """True if components, counted by group, can fill half of an objective. Rules: A turn, action D."""
    cdef int reached = 0
    cdef int slot, group, is_there
    for slot in range(r.n_needs[objective]):
        group = r.need_group[objective][slot]
        is_there = count_of(counts, group) > 0
        reached += is_there
        counts -= <uint64_t>is_there << (GROUP_BITS * group)
    return reached >= r.half[objective]


cdef inline bint is_offered(const IllusioRules* r, int filled, int objective, int slot) noexcept nogil:
    """True if a need is open and is the first open one of equal needs."""
    if filled >> slot & 1:
        return False
    if slot == 0 or r.need[objective][slot] != r.need[objective][slot - 1]:
        return True
    return filled >> (slot - 1) & 1


cdef inline int n_filled(const IllusioState* s, int objective) noexcept nogil:
    """The number of components on an objective."""
    return count_slots(s.filled[objective] & ALL_NEEDS)


cdef inline int n_exact(const IllusioState* s, int objective) noexcept nogil:
    """The number of exact components on an objective."""
    return count_slots(s.filled[objective] >> N_NEEDS)


cdef inline int count_slots(int slots) noexcept nogil:
    """The size of a set of slots; faster than `popcount` without a machine instruction for it."""
    return (slots & 1) + (slots >> 1 & 1) + (slots >> 2 & 1) + (slots >> 3)
