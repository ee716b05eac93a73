# Illusio: what the components that a seat has are good for.

from libc.string cimport memset

from aiplay._core.bits cimport lowest_bit
from aiplay._core.games.illusio.state cimport (
    DISCOUNTS, N_COMPONENT_KINDS, N_TYPES, PHASE_CLAIM, REALISING, TALENT_MORPH, W_EXACT_CHANCE, W_MORPH,
    IllusioRules, IllusioState,
)
from aiplay._core.games.illusio.components cimport backstage_of, exact_count
from aiplay._core.typedefs cimport uint8_t, uint32_t, uint64_t

cdef enum:
    ACTION = 4              # costs are counted in quarters of an action

    # Where a component for a requirement comes from.
    EXACT_BACK = 0
    EXACT_HAND = 1
    GROUP_BACK = 2
    GROUP_HAND = 3
    NOWHERE = 4


ctypedef struct Stock:
    # The components that a seat has not placed yet, by present kind.
    uint8_t back[16]        # in its Backstage
    uint8_t hand[16]        # in its hand
    uint8_t back_of[8]      # the same, by group
    uint8_t hand_of[8]


cdef inline void count_stock(const IllusioRules* r, const IllusioState* s, int seat, Stock* stock) noexcept nogil:
    cdef uint64_t own = backstage_of(s, seat)
    cdef int i, kind
    memset(stock, 0, sizeof(Stock))
    while own:
        kind = s.now[lowest_bit(own)] & 15
        stock.back[kind] += 1
        stock.back_of[r.group_of[kind]] += 1
        own &= own - 1
    for i in range(s.n_hand[seat]):
        kind = s.hands[seat][i]
        if kind >= N_COMPONENT_KINDS:
            break
        stock.hand[kind] += 1
        stock.hand_of[r.group_of[kind]] += 1


cdef inline void use_any(uint8_t* kinds, uint32_t wanted) noexcept nogil:
    """Use one component of a group."""
    while kinds[lowest_bit(wanted)] == 0:
        wanted &= wanted - 1
    kinds[lowest_bit(wanted)] -= 1


cdef inline int use_component(const IllusioRules* r, Stock* stock, int need, int group) noexcept nogil:
    """Use the best component for a requirement and tell where it came from."""
    if need < N_COMPONENT_KINDS:
        if stock.back[need]:
            stock.back[need] -= 1
            stock.back_of[group] -= 1
            return EXACT_BACK
        if stock.hand[need]:
            stock.hand[need] -= 1
            stock.hand_of[group] -= 1
            return EXACT_HAND
    if stock.back_of[group]:
        stock.back_of[group] -= 1
        use_any(stock.back, r.kinds_in[group])
        return GROUP_BACK
    if stock.hand_of[group]:
        stock.hand_of[group] -= 1
        use_any(stock.hand, r.kinds_in[group])
        return GROUP_HAND
    return NOWHERE


cdef inline double work_value(
    const IllusioRules* r, const IllusioState* s, int seat, Stock* stock, int objective, int domains, double most
) noexcept nogil:
    """What an objective of the Contest or under realisation is worth to a seat, at most `most`; uses up the stock."""
    cdef bint is_taken = s.objectives[objective] >= REALISING
    cdef bint is_placing = s.phase == PHASE_CLAIM and s.focus == objective
    cdef int magician = s.magicians[seat]
    cdef int cost = 0 if is_taken else ACTION
    cdef double points = r.level[objective] + r.bonus[magician][objective] + exact_count(s, objective)
    cdef int slot, need, group, source
    points += domains >> r.domain[objective] & 1
    for slot in range(r.level[objective]):
        if s.filled[objective] >> slot & 1:
            continue
        need = r.need[objective][slot]
        group = r.need_group[objective][slot]
        source = use_component(r, stock, need, group)
        if source == NOWHERE:
            cost += r.missing_cost[group]
        elif source == EXACT_HAND or source == GROUP_HAND or (is_taken and not is_placing):
            cost += ACTION
        if need < N_TYPES:
            if source <= EXACT_HAND:
                points += 1.0
            elif source == NOWHERE:
                points += r.weights[W_EXACT_CHANCE]
            elif source == GROUP_BACK and r.talent[magician] == TALENT_MORPH and r.talent_group[magician] == group:
                points += r.weights[W_MORPH]
    return min(points, most) * r.discount[min(cost, DISCOUNTS - 1)]
