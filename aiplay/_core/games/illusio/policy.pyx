"""Illusio: one sensible move, quickly, for playouts. It looks only at what the seat to move can see.

Place what fits, play special actions that help, claim an objective, put useful components backstage, or exchange
useless cards. Enough is left to chance for playouts to differ.
"""

from aiplay._core.bits cimport lowest_bit, pop_lowest, popcount
from aiplay._core.games.illusio.components cimport (
    GROUP_BITS, backstage_of, count_groups, count_of, hand_kinds, is_claimable, is_offered, kept_domains, objectives_at,
    present_kind, trick_points,
)
from aiplay._core.games.illusio.legal cimport illusio_legal_moves
from aiplay._core.games.illusio.state cimport (
    ALL_COMPONENTS, DEJA_VU, DISPLAYED, ENCORE, GRAND, IN_CONTEST, KIND_STRIDE, MAX_REALISING, MOVE_BACK, MOVE_CLAIM,
    MOVE_DEJA_VU, MOVE_DONE, MOVE_ENCORE, MOVE_END, MOVE_GRAND, MOVE_PLACE, MOVE_PLACE_HAND, MOVE_STOP, MOVE_SUCCESS,
    MOVE_TAKE, MOVE_THROW, N_COMPONENTS, N_COMPONENT_KINDS, N_NEEDS, PHASE_ACT, PHASE_CLAIM, PHASE_EXCHANGE, REALISING,
    SUCCESS, TAKE, UNSPENT, IllusioRules, IllusioState,
)
from aiplay._core.games.illusio.value cimport Stock, count_stock, offer_value
from aiplay._core.rng cimport Rng, rng_below, rng_next
from aiplay._core.typedefs cimport MAX_MOVES, move_t, uint32_t, uint64_t

cdef enum:
    NO_MOVE = -1
    NO_LIMIT = 100          # points that no objective exceeds


cdef inline int find_kind(const IllusioState* s, uint64_t components, uint32_t kinds) noexcept nogil:
    """The first component whose present kind is one of `kinds`, or -1."""
    cdef int i
    while components:
        i = pop_lowest(&components)
        if kinds >> present_kind(s, i) & 1:
            return i
    return -1


cdef inline move_t fill_slot(
    const IllusioRules* r, const IllusioState* s, int target, uint32_t has, uint64_t own, uint32_t kinds
) noexcept nogil:
    """Action E with a component of one of `kinds` from the Backstage, else from the hand, or NO_MOVE."""
    cdef int i = find_kind(s, own, kinds)
    if i >= 0:
        return MOVE_PLACE + N_COMPONENTS * target + i
    if has & kinds:
        return MOVE_PLACE_HAND + KIND_STRIDE * target + lowest_bit(has & kinds)
    return NO_MOVE


cdef inline move_t work_on(
    const IllusioRules* r, const IllusioState* s, uint32_t realising, uint32_t has, uint64_t own
) noexcept nogil:
    """Action E with an exact component if there is one, else with one of the group."""
    cdef move_t move, found = NO_MOVE
    cdef int objective, slot, target, need
    while realising:
        objective = pop_lowest(&realising)
        for slot in range(r.n_needs[objective]):
            if not is_offered(r, s.filled[objective], objective, slot):
                continue
            target = N_NEEDS * objective + slot
            need = r.need[objective][slot]
            if need < N_COMPONENT_KINDS:
                move = fill_slot(r, s, target, has, own, <uint32_t>1 << need)
                if move != NO_MOVE:
                    return move
            move = fill_slot(r, s, target, has, own, r.kinds_in[r.need_group[objective][slot]])
            if move != NO_MOVE:
                found = move
    return found


cdef inline move_t play_on_tricks(const IllusioRules* r, const IllusioState* s, uint32_t has) noexcept nogil:
    """Action B on a displayed trick: what helps one's own, or harms or delays another's."""
    cdef uint32_t tricks = objectives_at(s, DISPLAYED + s.seat)
    cdef int trick, seat
    if tricks:
        trick = lowest_bit(tricks)
        if has >> SUCCESS & 1 and s.scores[s.seat] + trick_points(r, s, s.seat, trick) >= r.goal:
            return MOVE_SUCCESS + trick
        if has >> GRAND & 1:
            return MOVE_GRAND + trick
    if not has & (1 << DEJA_VU | 1 << ENCORE):
        return NO_MOVE
    for seat in range(r.seats):
        tricks = objectives_at(s, DISPLAYED + seat)
        if seat != s.seat and tricks:
            trick = lowest_bit(tricks)
            if has >> DEJA_VU & 1 and trick_points(r, s, seat, trick) > 0:
                return MOVE_DEJA_VU + trick
            if has >> ENCORE & 1 and not s.encores[trick] & UNSPENT:
                return MOVE_ENCORE + trick
    return NO_MOVE


cdef inline int choose_target(
    const IllusioRules* r, const IllusioState* s, const Stock* stock, Rng* rng
) noexcept nogil:
    """The objective of the Contest to work for: the best one by value times a random factor; -1 if there is none."""
    cdef uint32_t contest = objectives_at(s, IN_CONTEST)
    cdef int domains = kept_domains(r, s, s.seat)
    cdef double value, best = 0.0
    cdef int objective, target = -1
    while contest:
        objective = pop_lowest(&contest)
        value = offer_value(r, s.magicians[s.seat], stock, objective, domains, NO_LIMIT)
        value *= 128 + <double>(rng_next(rng) & 127)
        if value > best:
            best = value
            target = objective
    return target


cdef inline uint32_t wanted_kinds(
    const IllusioRules* r, const IllusioState* s, int objective, Stock* stock, uint32_t* exact
) noexcept nogil:
    """The kinds for the needs of an objective that the Backstage cannot fill; adds the exact ones to `exact`."""
    cdef uint32_t kinds = 0
    cdef int slot, need, group
    for slot in range(r.n_needs[objective]):
        if s.filled[objective] >> slot & 1:
            continue
        need = r.need[objective][slot]
        group = r.need_group[objective][slot]
        if count_of(stock.back_of, group):
            stock.back_of -= <uint64_t>1 << (GROUP_BITS * group)
            continue
        kinds |= r.kinds_in[group]
        if need < N_COMPONENT_KINDS:
            exact[0] |= <uint32_t>1 << need
    return kinds


cdef inline uint32_t useful_kinds(
    const IllusioRules* r, const IllusioState* s, uint32_t realising, int target, const Stock* stock, uint32_t* exact
) noexcept nogil:
    """The kinds that the own objectives and the target need; adds the exact ones of the target to `exact`."""
    cdef Stock trial = stock[0]
    cdef uint32_t ignored = 0
    cdef uint32_t kinds = 0
    while realising:
        kinds |= wanted_kinds(r, s, pop_lowest(&realising), &trial, &ignored)
    if target >= 0:
        kinds |= wanted_kinds(r, s, target, &trial, exact)
    return kinds


cdef inline int useless_card(const IllusioState* s, uint32_t useful, int low) noexcept nogil:
    """The first component of kind `low` or later in the hand that is not useful, or -1."""
    cdef int i
    for i in range(s.n_hand[s.seat]):
        if s.hands[s.seat][i] >= N_COMPONENT_KINDS:
            break
        if s.hands[s.seat][i] >= low and not useful >> s.hands[s.seat][i] & 1:
            return s.hands[s.seat][i]
    return -1


cdef inline int random_victim(const IllusioRules* r, const IllusioState* s, Rng* rng) noexcept nogil:
    """A random other seat, or -1 if it has no cards."""
    cdef int victim = s.seat + 1 + <int>rng_below(rng, r.seats - 1)
    if victim >= r.seats:
        victim -= r.seats
    return victim if s.n_hand[victim] else -1


cdef move_t prepare(
    const IllusioRules* r, const IllusioState* s, uint32_t realising, uint32_t has, uint64_t own, Rng* rng
) noexcept nogil:
    """Claim the target, or get what it needs, when nothing can be placed or played."""
    cdef Stock stock
    cdef uint32_t useful, exact = 0
    cdef int target, victim, card
    count_stock(r, s, s.seat, &stock)
    target = choose_target(r, s, &stock, rng)
    if target >= 0 and popcount(realising) < MAX_REALISING:
        if is_claimable(r, target, count_groups(r, s, own)):
            return MOVE_CLAIM + target
    useful = useful_kinds(r, s, realising, target, &stock, &exact)
    if has & exact:
        return MOVE_BACK + lowest_bit(has & exact)
    if has & useful & ALL_COMPONENTS:
        return MOVE_BACK + lowest_bit(has & useful)
    if has >> TAKE & 1 and rng_next(rng) & 1:
        victim = random_victim(r, s, rng)
        if victim >= 0:
            return MOVE_TAKE + victim
    card = useless_card(s, useful, 0)
    if card >= 0:
        return MOVE_THROW + card
    if s.n_hand[s.seat]:
        return MOVE_THROW + s.hands[s.seat][rng_below(rng, s.n_hand[s.seat])]
    return MOVE_END


cdef move_t playout_act(const IllusioRules* r, const IllusioState* s, Rng* rng) noexcept nogil:
    cdef uint32_t has, realising
    cdef uint64_t own
    cdef move_t move
    if s.actions == 0:
        return MOVE_END
    has = hand_kinds(s, s.seat)
    own = backstage_of(s, s.seat)
    realising = objectives_at(s, REALISING + s.seat)
    move = work_on(r, s, realising, has, own)
    if move == NO_MOVE:
        move = play_on_tricks(r, s, has)
    if move == NO_MOVE:
        move = prepare(r, s, realising, has, own, rng)
    return move


cdef move_t playout_claim(const IllusioRules* r, const IllusioState* s, Rng* rng) noexcept nogil:
    """Fill the first need that can be filled, with an exact component if there is one."""
    cdef move_t moves[MAX_MOVES]
    cdef int n = illusio_legal_moves(r, s, moves)
    cdef int first = moves[0] == MOVE_STOP and n > 1
    cdef int target, need, i
    if moves[first] == MOVE_STOP:
        return MOVE_STOP
    target = (moves[first] - MOVE_PLACE) // N_COMPONENTS
    need = r.need[target // N_NEEDS][target % N_NEEDS]
    for i in range(first, n):
        if (moves[i] - MOVE_PLACE) // N_COMPONENTS != target:
            break
        if present_kind(s, (moves[i] - MOVE_PLACE) % N_COMPONENTS) == need:
            return moves[i]
    return moves[first]


cdef move_t playout_throw(const IllusioRules* r, const IllusioState* s, Rng* rng) noexcept nogil:
    """Throw a card that is not useful."""
    cdef Stock stock
    cdef uint32_t useful, exact = 0
    cdef int target, card
    count_stock(r, s, s.seat, &stock)
    target = choose_target(r, s, &stock, rng)
    useful = useful_kinds(r, s, objectives_at(s, REALISING + s.seat), target, &stock, &exact)
    card = useless_card(s, useful, s.mark)
    return MOVE_THROW + card if card >= 0 else MOVE_DONE


cdef move_t illusio_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef const IllusioRules* r = <const IllusioRules*>rules
    cdef const IllusioState* s = <const IllusioState*>state
    cdef move_t moves[MAX_MOVES]
    if s.phase == PHASE_ACT:
        return playout_act(r, s, rng)
    if s.phase == PHASE_CLAIM:
        return playout_claim(r, s, rng)
    if s.phase == PHASE_EXCHANGE:
        return playout_throw(r, s, rng)
    return moves[rng_below(rng, illusio_legal_moves(rules, state, moves))]
