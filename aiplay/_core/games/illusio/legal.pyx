"""Illusio: legal moves. Every list is ascending and offers equal cards and equal needs once."""

from aiplay._core.bits cimport pop_lowest, popcount
from aiplay._core.games.illusio.components cimport (
    backstage_of, component_on, count_groups, count_of, due_tricks, hand_kinds, is_claimable, is_offered, n_filled,
    objectives_at, present_kind,
)
from aiplay._core.games.illusio.state cimport (
    ALL_COMPONENTS, ANY_GROUP, DEJA_VU, DISPLAYED, ENCORE, GRAND, IN_CONTEST, KIND_STRIDE, MAX_REALISING, MOVE_BACK,
    MOVE_BECOME, MOVE_CLAIM, MOVE_DEJA_VU, MOVE_DISCARD, MOVE_DONE, MOVE_ENCORE, MOVE_END, MOVE_GIVE_UP, MOVE_GRAND,
    MOVE_MORPH, MOVE_PLACE, MOVE_PLACE_HAND, MOVE_RECALL, MOVE_REDRAW, MOVE_STEAL, MOVE_STOP, MOVE_SUCCESS, MOVE_SWAP,
    MOVE_SWAP_WITH, MOVE_TAKE, MOVE_THROW, MOVE_TRANSFORM, MOVE_VALIDATE, N_COMPONENTS, N_GROUPS, N_NEEDS, N_TYPES,
    PHASE_CLAIM, PHASE_DISCARD, PHASE_EXCHANGE, PHASE_MORPH, PHASE_SWAP, PHASE_TRANSFORM, PHASE_VALIDATE, REALISING,
    SUCCESS, TAKE, TALENT_MORPH, TALENT_RECALL, TALENT_REDRAW, TALENT_STEAL, TALENT_SWAP, TRANSFORM, UNSPENT,
    IllusioRules, IllusioState,
)
from aiplay._core.typedefs cimport move_t, uint8_t, uint32_t, uint64_t


cdef inline int list_bits(uint32_t bits, move_t base, move_t* out, int n) noexcept nogil:
    """List one move for each bit; return the new number of moves, as all `list_` functions do."""
    while bits:
        out[n] = base + pop_lowest(&bits)
        n += 1
    return n


cdef inline bint is_repeat(const IllusioRules* r, const IllusioState* s, int i) noexcept nogil:
    """True if the component before is one just like it in the same place."""
    return (
        i > r.first[r.kind_of[i]] and s.place[i] == s.place[i - 1] and s.now[i] == s.now[i - 1]
    )


cdef inline int list_components(
    const IllusioRules* r, const IllusioState* s, uint64_t components, move_t base, move_t* out, int n
) noexcept nogil:
    """List one move for each component that differs from the one before."""
    cdef int i
    while components:
        i = pop_lowest(&components)
        if not is_repeat(r, s, i):
            out[n] = base + i
            n += 1
    return n


cdef inline uint64_t of_kinds(const IllusioState* s, uint64_t components, uint32_t kinds) noexcept nogil:
    """The components whose present kind is one of `kinds`."""
    cdef uint64_t found = 0
    cdef int i
    while components:
        i = pop_lowest(&components)
        if kinds >> present_kind(s, i) & 1:
            found |= <uint64_t>1 << i
    return found


cdef inline uint64_t all_backstages(const IllusioRules* r, const IllusioState* s) noexcept nogil:
    cdef uint64_t found = 0
    cdef int seat
    for seat in range(r.seats):
        found |= backstage_of(s, seat)
    return found


cdef inline uint32_t displayed_tricks(const IllusioRules* r, const IllusioState* s) noexcept nogil:
    """All tricks on display."""
    cdef uint32_t tricks = 0
    cdef int seat
    for seat in range(r.seats):
        tricks |= objectives_at(s, DISPLAYED + seat)
    return tricks


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
                trick = pop_lowest(&rest)
                if not s.encores[trick] & UNSPENT:
                    out[n] = MOVE_ENCORE + trick
                    n += 1
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
    cdef uint64_t counts = count_groups(r, s, own)
    cdef int objective
    while contest:
        objective = pop_lowest(&contest)
        if is_claimable(r, objective, counts):
            out[n] = MOVE_CLAIM + objective
            n += 1
    return n


cdef inline int list_places(
    const IllusioRules* r, const IllusioState* s, uint32_t realising, uint32_t has, uint64_t own, move_t* out, int n
) noexcept nogil:
    """Action E: from the hand, then from the Backstage."""
    cdef uint32_t rest = realising
    cdef int objective, slot
    while rest:
        objective = pop_lowest(&rest)
        for slot in range(r.n_needs[objective]):
            if is_offered(r, s.filled[objective], objective, slot):
                n = list_bits(
                    has & r.kinds_in[r.need_group[objective][slot]],
                    MOVE_PLACE_HAND + KIND_STRIDE * (N_NEEDS * objective + slot), out, n,
                )
    while realising and own:
        objective = pop_lowest(&realising)
        for slot in range(r.n_needs[objective]):
            if is_offered(r, s.filled[objective], objective, slot):
                n = list_components(
                    r, s, of_kinds(s, own, r.kinds_in[r.need_group[objective][slot]]),
                    MOVE_PLACE + N_COMPONENTS * (N_NEEDS * objective + slot), out, n,
                )
    return n


cdef inline bint can_swap(const IllusioRules* r, const IllusioState* s, int own, int other) noexcept nogil:
    """True if two components differ: identical ones are not swapped."""
    return r.kind_of[own] != r.kind_of[other] or s.now[own] != s.now[other]


cdef inline bint can_swap_any(const IllusioRules* r, const IllusioState* s, int own, uint64_t others) noexcept nogil:
    """True if there is something different among the others' components."""
    while others:
        if can_swap(r, s, own, pop_lowest(&others)):
            return True
    return False


cdef inline int list_swaps(
    const IllusioRules* r, const IllusioState* s, uint64_t own, move_t* out, int n
) noexcept nogil:
    """Own components for which there is something different in another's Backstage."""
    cdef uint64_t others = all_backstages(r, s) & ~own
    cdef int i
    while own:
        i = pop_lowest(&own)
        if can_swap_any(r, s, i, others) and not is_repeat(r, s, i):
            out[n] = MOVE_SWAP + i
            n += 1
    return n


cdef inline int list_recalls(const IllusioRules* r, const IllusioState* s, move_t* out, int n) noexcept nogil:
    """Components of other Backstages that hold at least two."""
    cdef uint64_t found = 0
    cdef uint64_t theirs
    cdef int seat
    for seat in range(r.seats):
        if seat != s.seat:
            theirs = backstage_of(s, seat)
            if theirs & (theirs - 1):
                found |= theirs
    return list_components(r, s, found, MOVE_RECALL, out, n)


cdef inline uint32_t morphed_kinds(const IllusioRules* r, int magician) noexcept nogil:
    """The kinds that a talent morphs: the types of one group or of all."""
    if r.talent_group[magician] == ANY_GROUP:
        return (1 << N_TYPES) - 1
    return r.kinds_in[r.talent_group[magician]]


cdef inline int list_talents(
    const IllusioRules* r, const IllusioState* s, uint32_t has, uint64_t own, move_t* out, int n
) noexcept nogil:
    """Active talents: once per turn, free. Rules: Cards, talents."""
    cdef int magician = s.magicians[s.seat]
    cdef int talent = r.talent[magician]
    if talent == TALENT_REDRAW:
        return list_bits(has, MOVE_REDRAW, out, n)
    if talent == TALENT_MORPH:
        own = of_kinds(s, all_backstages(r, s), morphed_kinds(r, magician))
        return list_components(r, s, own, MOVE_MORPH, out, n)
    if talent == TALENT_STEAL:
        return list_components(r, s, all_backstages(r, s) & ~own, MOVE_STEAL, out, n)
    if talent == TALENT_SWAP:
        return list_swaps(r, s, own, out, n)
    if talent == TALENT_RECALL:
        return list_recalls(r, s, out, n)
    return n


cdef int legal_act(const IllusioRules* r, const IllusioState* s, move_t* out) noexcept nogil:
    """Step 2: the end, the actions while any are left, the talent."""
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
        if popcount(realising) < MAX_REALISING:
            n = list_claims(r, s, own, out, n)
        n = list_bits(realising, MOVE_GIVE_UP, out, n)
        n = list_specials(r, s, has, own, out, n)
    if not s.talent_used:
        n = list_talents(r, s, has, own, out, n)
    if realising:
        n = list_places(r, s, realising, has, own, out, n)
    return n


# ---- Inside an action or a talent ------------------------------------------------------------------------------------

cdef inline bint comes_before(const IllusioRules* r, const IllusioState* s, int i, int other) noexcept nogil:
    """True if component i goes before another one on equal needs: by printed kind, then by `now`."""
    return (r.kind_of[i] << 8 | s.now[i]) < (r.kind_of[other] << 8 | s.now[other])


cdef inline bint keeps_half(
    const IllusioRules* r, const IllusioState* s, uint64_t own, uint64_t counts, int slot, int i
) noexcept nogil:
    """True if half of the claimed objective can still be filled after component i goes on need `slot`.

    Later components go on later needs. On needs equal to this one they may not be smaller (by printed and present
    kind): two orders of the same components would be the same result.
    """
    cdef int objective = s.focus
    cdef int group = r.need_group[objective][slot]
    cdef int reached = n_filled(s, objective) + 1
    cdef int open_slots[N_GROUPS]
    cdef int n_equal = 0, n_after = 0
    cdef int later
    for later in range(N_GROUPS):
        open_slots[later] = 0
    for later in range(slot + 1, r.n_needs[objective]):
        if r.need[objective][later] == r.need[objective][slot]:
            n_equal += 1
        else:
            open_slots[r.need_group[objective][later]] += 1
    if n_equal:
        own = of_kinds(s, own & ~(<uint64_t>1 << i), r.kinds_in[group])
        while own:
            n_after += not comes_before(r, s, pop_lowest(&own), i)
        open_slots[group] += min(n_equal, n_after)
    for later in range(N_GROUPS):
        reached += min(open_slots[later], count_of(counts, later) - (later == group))
    return reached >= r.half[objective]


cdef inline uint64_t in_order(
    const IllusioRules* r, const IllusioState* s, uint64_t components, int slot
) noexcept nogil:
    """The components that may follow the one on the need before, if that is an equal one."""
    cdef int objective = s.focus
    cdef uint64_t found = 0
    cdef int i, before
    if slot == 0 or r.need[objective][slot] != r.need[objective][slot - 1]:
        return components
    before = component_on(s, objective, slot - 1)
    while components:
        i = pop_lowest(&components)
        if not comes_before(r, s, i, before):
            found |= <uint64_t>1 << i
    return found


cdef int legal_claim(const IllusioRules* r, const IllusioState* s, move_t* out) noexcept nogil:
    """Action D: needs in ascending order, so that no result can be reached twice; stop from half on."""
    cdef int objective = s.focus
    cdef uint64_t own = backstage_of(s, s.seat)
    cdef uint64_t rest
    cdef uint64_t counts = count_groups(r, s, own)
    cdef int n = 0
    cdef int slot, i
    if n_filled(s, objective) >= r.half[objective]:
        out[0] = MOVE_STOP
        n = 1
    for slot in range(s.mark, r.n_needs[objective]):
        if not is_offered(r, s.filled[objective], objective, slot):
            continue
        rest = in_order(r, s, of_kinds(s, own, r.kinds_in[r.need_group[objective][slot]]), slot)
        while rest:
            i = pop_lowest(&rest)
            if not is_repeat(r, s, i) and keeps_half(r, s, own, counts, slot, i):
                out[n] = MOVE_PLACE + N_COMPONENTS * (N_NEEDS * objective + slot) + i
                n += 1
    return n


cdef int legal_discard(const IllusioState* s, move_t* out) noexcept nogil:
    """Step 3: kinds in ascending order, those after which enough cards follow."""
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
        i = pop_lowest(&rest)
        if can_swap(r, s, s.focus, i) and not is_repeat(r, s, i):
            out[n] = MOVE_SWAP_WITH + i
            n += 1
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
            kinds = r.kinds_in[r.group_of[present_kind(s, s.focus)]]
        return list_bits(kinds & ~(<uint32_t>1 << present_kind(s, s.focus)), MOVE_BECOME, out, 0)
    return legal_act(r, s, out)
