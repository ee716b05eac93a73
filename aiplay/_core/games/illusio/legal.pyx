"""Illusio: what a seat may do. Every list is ascending, and offers equal cards and equal requirements once."""

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.illusio.state cimport (
    DEJA_VU, ENCORE, GRAND, IN_CONTEST, MOVE_BACK, MOVE_BECOME, MOVE_CLAIM, MOVE_DEJA_VU, MOVE_DISCARD,
    MOVE_DONE, MOVE_ENCORE, MOVE_END, MOVE_GIVE_UP, MOVE_GRAND, MOVE_MORPH, MOVE_PLACE, MOVE_PLACE_HAND,
    MOVE_RECALL, MOVE_REDRAW, MOVE_STOP, MOVE_SUCCESS, MOVE_SWAP, MOVE_SWAP_WITH, MOVE_TAKE, MOVE_THROW,
    MOVE_TRANSFORM, MOVE_VALIDATE, N_COMPONENT_KINDS, N_GROUPS, PHASE_CLAIM, PHASE_DISCARD,
    PHASE_EXCHANGE, PHASE_MORPH, PHASE_SWAP, PHASE_TRANSFORM, PHASE_VALIDATE, REALISING, SUCCESS, TAKE,
    TALENT_MORPH, TALENT_RECALL, TALENT_REDRAW, TALENT_SWAP, TRANSFORM, UNSPENT, IllusioRules,
    IllusioState,
)
from aiplay._core.games.illusio.components cimport (
    backstage_of, component_on, count_groups, displayed_tricks, due_tricks, hand_kinds, is_claimable,
    is_offered, is_repeat, objectives_at,
)
from aiplay._core.typedefs cimport move_t, uint8_t, uint32_t, uint64_t

cdef enum:
    ALL_COMPONENTS = (1 << N_COMPONENT_KINDS) - 1


cdef inline int list_bits(uint32_t bits, move_t base, move_t* out, int n) noexcept nogil:
    """One move for each bit."""
    while bits:
        out[n] = base + lowest_bit(bits)
        bits &= bits - 1
        n += 1
    return n


cdef inline int list_components(
    const IllusioRules* r, const IllusioState* s, uint64_t components, move_t base, move_t* out, int n
) noexcept nogil:
    """One move for each component that differs from the one before."""
    cdef int i
    while components:
        i = lowest_bit(components)
        if not is_repeat(r, s, i):
            out[n] = base + i
            n += 1
        components &= components - 1
    return n


cdef inline uint64_t of_kinds(const IllusioState* s, uint64_t components, uint32_t kinds) noexcept nogil:
    """Those components whose present kind is one of `kinds`."""
    cdef uint64_t found = 0
    cdef uint64_t rest = components
    while rest:
        if kinds >> (s.now[lowest_bit(rest)] & 15) & 1:
            found |= rest & (0 - rest)
        rest &= rest - 1
    return found


cdef inline uint64_t all_backstages(const IllusioRules* r, const IllusioState* s) noexcept nogil:
    cdef uint64_t found = 0
    cdef int seat
    for seat in range(r.seats):
        found |= backstage_of(s, seat)
    return found


# ---- Step 2 --------------------------------------------------------------------------------------------------------

cdef inline int list_specials(
    const IllusioRules* r, const IllusioState* s, uint32_t has, uint64_t own, move_t* out, int n
) noexcept nogil:
    """Action B, without Take. Rules: Special actions."""
    cdef uint32_t tricks, rest
    cdef int trick
    if has & (1 << ENCORE | 1 << SUCCESS | 1 << DEJA_VU | 1 << GRAND):
        tricks = displayed_tricks(r, s)
        if has >> ENCORE & 1:
            rest = tricks
            while rest:
                trick = lowest_bit(rest)
                if not s.encores[trick] & UNSPENT:
                    out[n] = MOVE_ENCORE + trick
                    n += 1
                rest &= rest - 1
        if has >> SUCCESS & 1:
            n = list_bits(tricks, MOVE_SUCCESS, out, n)
        if has >> DEJA_VU & 1:
            n = list_bits(tricks, MOVE_DEJA_VU, out, n)
        if has >> GRAND & 1:
            n = list_bits(tricks, MOVE_GRAND, out, n)
    if has >> TRANSFORM & 1:
        n = list_components(r, s, own, MOVE_TRANSFORM, out, n)
    return n


cdef inline int list_claims(
    const IllusioRules* r, const IllusioState* s, uint64_t own, move_t* out, int n
) noexcept nogil:
    """Action D: objectives of the Contest that the Backstage can fill to the half."""
    cdef uint32_t contest = objectives_at(s, IN_CONTEST)
    cdef int counts[N_GROUPS]
    count_groups(r, s, own, counts)
    while contest:
        if is_claimable(r, lowest_bit(contest), counts):
            out[n] = MOVE_CLAIM + lowest_bit(contest)
            n += 1
        contest &= contest - 1
    return n


cdef inline int list_places(
    const IllusioRules* r, const IllusioState* s, uint32_t realising, uint32_t has, uint64_t own, move_t* out, int n
) noexcept nogil:
    """Action E: from hand, then from the Backstage."""
    cdef uint32_t rest = realising
    cdef int objective, slot
    while rest:
        objective = lowest_bit(rest)
        for slot in range(r.level[objective]):
            if is_offered(r, s.filled[objective], objective, slot):
                n = list_bits(
                    has & r.kinds_in[r.need_group[objective][slot]],
                    MOVE_PLACE_HAND + 16 * (4 * objective + slot), out, n,
                )
        rest &= rest - 1
    while realising and own:
        objective = lowest_bit(realising)
        for slot in range(r.level[objective]):
            if is_offered(r, s.filled[objective], objective, slot):
                n = list_components(
                    r, s, of_kinds(s, own, r.kinds_in[r.need_group[objective][slot]]),
                    MOVE_PLACE + 64 * (4 * objective + slot), out, n,
                )
        realising &= realising - 1
    return n


cdef inline bint can_swap(const IllusioRules* r, const IllusioState* s, int own, int other) noexcept nogil:
    """Identical components are not swapped."""
    return r.kind_of[own] != r.kind_of[other] or s.now[own] != s.now[other]


cdef inline int list_swaps(
    const IllusioRules* r, const IllusioState* s, uint64_t own, move_t* out, int n
) noexcept nogil:
    """Own components for which there is something different in another's Backstage."""
    cdef uint64_t others = all_backstages(r, s) & ~own
    cdef uint64_t rest
    cdef int i
    while own:
        i = lowest_bit(own)
        rest = others
        while rest and not can_swap(r, s, i, lowest_bit(rest)):
            rest &= rest - 1
        if rest and not is_repeat(r, s, i):
            out[n] = MOVE_SWAP + i
            n += 1
        own &= own - 1
    return n


cdef inline int list_recalls(const IllusioRules* r, const IllusioState* s, move_t* out, int n) noexcept nogil:
    """Components of others that have at least two in their Backstage."""
    cdef uint64_t found = 0
    cdef uint64_t theirs
    cdef int seat
    for seat in range(r.seats):
        if seat != s.seat:
            theirs = backstage_of(s, seat)
            if theirs & (theirs - 1):
                found |= theirs
    return list_components(r, s, found, MOVE_RECALL, out, n)


cdef inline int list_talents(
    const IllusioRules* r, const IllusioState* s, uint32_t has, uint64_t own, move_t* out, int n
) noexcept nogil:
    """Active talents: once per turn, free. Rules: Cards, talents."""
    cdef int magician = s.magicians[s.seat]
    cdef int talent = r.talent[magician]
    if talent == TALENT_REDRAW:
        return list_bits(has, MOVE_REDRAW, out, n)
    if talent == TALENT_MORPH:
        own = of_kinds(s, all_backstages(r, s), r.kinds_in[r.talent_group[magician]])
        return list_components(r, s, own, MOVE_MORPH, out, n)
    if talent == TALENT_SWAP:
        return list_swaps(r, s, own, out, n)
    if talent == TALENT_RECALL:
        return list_recalls(r, s, out, n)
    return n


cdef int legal_act(const IllusioRules* r, const IllusioState* s, move_t* out) noexcept nogil:
    """Step 2: end, the actions while there are any left, the talent."""
    cdef uint32_t has = hand_kinds(s, s.seat)
    cdef uint64_t own = backstage_of(s, s.seat)
    cdef uint32_t realising = 0
    cdef int n = 1
    cdef int seat
    out[0] = MOVE_END
    if s.actions:
        if has >> TAKE & 1:
            for seat in range(r.seats):
                if seat != s.seat and s.n_hand[seat]:
                    out[n] = MOVE_TAKE + seat
                    n += 1
        n = list_bits(has & ALL_COMPONENTS, MOVE_BACK, out, n)
        n = list_bits(has, MOVE_THROW, out, n)
        realising = objectives_at(s, REALISING + s.seat)
        if popcount(realising) < 2:
            n = list_claims(r, s, own, out, n)
        n = list_bits(realising, MOVE_GIVE_UP, out, n)
        n = list_specials(r, s, has, own, out, n)
    if not s.talent_used:
        n = list_talents(r, s, has, own, out, n)
    if realising:
        n = list_places(r, s, realising, has, own, out, n)
    return n


# ---- Inside an action or a talent ------------------------------------------------------------------------------------

cdef inline bint keeps_half(
    const IllusioRules* r, const IllusioState* s, uint64_t own, const int* counts, int slot, int i
) noexcept nogil:
    """Whether half of the claimed objective can still be filled after component i goes on requirement `slot`.

    Later components go on later requirements. On requirements equal to this one they may not be smaller (by printed
    and present kind): two orders of the same components would be the same result.
    """
    cdef int objective = s.focus
    cdef int group = r.need_group[objective][slot]
    cdef int reached = popcount(s.filled[objective] & 15) + 1
    cdef int open_slots[N_GROUPS]
    cdef int n_equal = 0, n_larger = 0
    cdef int later, other
    for later in range(N_GROUPS):
        open_slots[later] = 0
    for later in range(slot + 1, r.level[objective]):
        if r.need[objective][later] == r.need[objective][slot]:
            n_equal += 1
        else:
            open_slots[r.need_group[objective][later]] += 1
    if n_equal:
        own = of_kinds(s, own & ~(<uint64_t>1 << i), r.kinds_in[group])
        while own:
            other = lowest_bit(own)
            n_larger += (r.kind_of[other] << 8 | s.now[other]) >= (r.kind_of[i] << 8 | s.now[i])
            own &= own - 1
        open_slots[group] += min(n_equal, n_larger)
    for later in range(N_GROUPS):
        reached += min(open_slots[later], counts[later] - (later == group))
    return reached >= r.half[objective]


cdef inline uint64_t in_order(
    const IllusioRules* r, const IllusioState* s, uint64_t components, int slot
) noexcept nogil:
    """The components that may follow the one on an equal requirement just before, if there is one."""
    cdef int objective = s.focus
    cdef uint64_t found = 0
    cdef int i, before
    if slot == 0 or r.need[objective][slot] != r.need[objective][slot - 1]:
        return components
    before = component_on(s, objective, slot - 1)
    while components:
        i = lowest_bit(components)
        if (r.kind_of[i] << 8 | s.now[i]) >= (r.kind_of[before] << 8 | s.now[before]):
            found |= components & (0 - components)
        components &= components - 1
    return found


cdef int legal_claim(const IllusioRules* r, const IllusioState* s, move_t* out) noexcept nogil:
    """Action D: requirements in ascending order, so that no result can be reached twice; stop from half on."""
    cdef int objective = s.focus
    cdef uint64_t own = backstage_of(s, s.seat)
    cdef uint64_t rest
    cdef int counts[N_GROUPS]
    cdef int n = 0
    cdef int slot, i
    count_groups(r, s, own, counts)
    if popcount(s.filled[objective] & 15) >= r.half[objective]:
        out[0] = MOVE_STOP
        n = 1
    for slot in range(s.mark, r.level[objective]):
        if not is_offered(r, s.filled[objective], objective, slot):
            continue
        rest = in_order(r, s, of_kinds(s, own, r.kinds_in[r.need_group[objective][slot]]), slot)
        while rest:
            i = lowest_bit(rest)
            if not is_repeat(r, s, i) and keeps_half(r, s, own, counts, slot, i):
                out[n] = MOVE_PLACE + 64 * (4 * objective + slot) + i
                n += 1
            rest &= rest - 1
    return n


cdef int legal_discard(const IllusioState* s, move_t* out) noexcept nogil:
    """Step 3: kinds in ascending order, as long as enough cards follow."""
    cdef const uint8_t* hand = s.hands[s.seat]
    cdef int n = 0
    cdef int i
    for i in range(s.n_hand[s.seat] - s.pending + 1):
        if hand[i] >= s.mark and (i == 0 or hand[i] != hand[i - 1]):
            out[n] = MOVE_DISCARD + hand[i]
            n += 1
    return n


cdef int legal_exchange(const IllusioState* s, move_t* out) noexcept nogil:
    """Action C: kinds in ascending order, at least one card."""
    cdef int n = 0
    if s.pending:
        out[0] = MOVE_DONE
        n = 1
    return list_bits(hand_kinds(s, s.seat) >> s.mark << s.mark, MOVE_THROW, out, n)


cdef int legal_swap(const IllusioRules* r, const IllusioState* s, move_t* out) noexcept nogil:
    cdef uint64_t rest = all_backstages(r, s) & ~backstage_of(s, s.seat)
    cdef int n = 0
    cdef int i
    while rest:
        i = lowest_bit(rest)
        if can_swap(r, s, s.focus, i) and not is_repeat(r, s, i):
            out[n] = MOVE_SWAP_WITH + i
            n += 1
        rest &= rest - 1
    return n


cdef int illusio_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const IllusioRules* r = <const IllusioRules*>rules
    cdef const IllusioState* s = <const IllusioState*>state
    cdef uint32_t kinds = ALL_COMPONENTS
    if s.phase == PHASE_VALIDATE:
        return list_bits(due_tricks(s), MOVE_VALIDATE, out, 0)
    if s.phase == PHASE_EXCHANGE:
        return legal_exchange(s, out)
    if s.phase == PHASE_CLAIM:
        return legal_claim(r, s, out)
    if s.phase == PHASE_DISCARD:
        return legal_discard(s, out)
    if s.phase == PHASE_SWAP:
        return legal_swap(r, s, out)
    if s.phase == PHASE_TRANSFORM or s.phase == PHASE_MORPH:
        if s.phase == PHASE_MORPH:
            kinds = r.kinds_in[r.talent_group[s.magicians[s.seat]]]
        return list_bits(kinds & ~(<uint32_t>1 << (s.now[s.focus] & 15)), MOVE_BECOME, out, 0)
    return legal_act(r, s, out)
