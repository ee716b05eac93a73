"""Illusio: one sensible move, quickly, for playouts. It looks only at what the seat to move can see.

Place what fits, play on tricks what helps, take an objective, put useful components backstage, else exchange useless
cards. Chance decides often enough that playouts differ.
"""

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.games.illusio.state cimport (
    DEJA_VU, DISPLAYED, ENCORE, GRAND, IN_CONTEST, MOVE_BACK, MOVE_CLAIM, MOVE_DEJA_VU, MOVE_DONE,
    MOVE_ENCORE, MOVE_END, MOVE_GRAND, MOVE_PLACE, MOVE_PLACE_HAND, MOVE_STOP, MOVE_SUCCESS, MOVE_TAKE,
    MOVE_THROW, N_COMPONENT_KINDS, N_GROUPS, PHASE_ACT, PHASE_CLAIM, PHASE_EXCHANGE, REALISING, SUCCESS,
    TAKE, UNSPENT, IllusioRules, IllusioState,
)
from aiplay._core.games.illusio.legal cimport illusio_legal_moves
from aiplay._core.games.illusio.stock cimport Stock, count_stock, work_value
from aiplay._core.games.illusio.components cimport (
    backstage_of, count_groups, hand_kinds, is_claimable, is_offered, kept_domains, objectives_at,
    trick_points,
)
from aiplay._core.rng cimport Rng, rng_below, rng_next
from aiplay._core.typedefs cimport move_t, uint32_t, uint64_t

cdef enum:
    ALL_COMPONENTS = (1 << N_COMPONENT_KINDS) - 1
    NO_MOVE = -1
    MOST_MOVES = 1024


cdef inline int find_kind(const IllusioState* s, uint64_t components, uint32_t kinds) noexcept nogil:
    """The first of some components whose present kind is one of `kinds`, or -1."""
    while components:
        if kinds >> (s.now[lowest_bit(components)] & 15) & 1:
            return lowest_bit(components)
        components &= components - 1
    return -1


cdef inline move_t fill_slot(
    const IllusioRules* r, const IllusioState* s, int target, uint32_t has, uint64_t own, uint32_t kinds
) noexcept nogil:
    """Action E with a component of one of `kinds` from hand or Backstage."""
    cdef int i = find_kind(s, own, kinds)
    if i >= 0:
        return MOVE_PLACE + 64 * target + i
    if has & kinds:
        return MOVE_PLACE_HAND + 16 * target + lowest_bit(has & kinds)
    return NO_MOVE


cdef inline move_t work_on(
    const IllusioRules* r, const IllusioState* s, uint32_t realising, uint32_t has, uint64_t own
) noexcept nogil:
    """Action E: an exact component if there is one, else one of the group."""
    cdef move_t move, found = NO_MOVE
    cdef int objective, slot, need
    while realising:
        objective = lowest_bit(realising)
        for slot in range(r.level[objective]):
            if not is_offered(r, s.filled[objective], objective, slot):
                continue
            need = r.need[objective][slot]
            if need < N_COMPONENT_KINDS:
                move = fill_slot(r, s, 4 * objective + slot, has, own, <uint32_t>1 << need)
                if move != NO_MOVE:
                    return move
            move = fill_slot(r, s, 4 * objective + slot, has, own, r.kinds_in[r.need_group[objective][slot]])
            if move != NO_MOVE:
                found = move
        realising &= realising - 1
    return found


cdef inline move_t play_on_tricks(
    const IllusioRules* r, const IllusioState* s, uint32_t has
) noexcept nogil:
    """Action B on a displayed trick: more for one's own, less and later for others."""
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
    """The objective of the Contest to work for: the best one, give or take some luck; -1 if there is none."""
    cdef uint32_t contest = objectives_at(s, IN_CONTEST)
    cdef int domains = kept_domains(r, s, s.seat)
    cdef Stock trial
    cdef double value, best = 0.0
    cdef int target = -1
    while contest:
        trial = stock[0]
        value = work_value(r, s, s.seat, &trial, lowest_bit(contest), domains, 100.0)
        value *= 128 + <double>(rng_next(rng) & 127)
        if value > best:
            best = value
            target = lowest_bit(contest)
        contest &= contest - 1
    return target


cdef inline uint32_t wanted_kinds(
    const IllusioRules* r, const IllusioState* s, int objective, Stock* stock, uint32_t* exact
) noexcept nogil:
    """The kinds that would fill what the Backstage leaves open of an objective; the exact ones apart."""
    cdef uint32_t kinds = 0
    cdef int slot, need, group
    for slot in range(r.level[objective]):
        if s.filled[objective] >> slot & 1:
            continue
        need = r.need[objective][slot]
        group = r.need_group[objective][slot]
        if stock.back_of[group]:
            stock.back_of[group] -= 1
            continue
        kinds |= r.kinds_in[group]
        if need < N_COMPONENT_KINDS:
            exact[0] |= <uint32_t>1 << need
    return kinds


cdef inline uint32_t useful_kinds(
    const IllusioRules* r, const IllusioState* s, uint32_t realising, int target, const Stock* stock, uint32_t* exact
) noexcept nogil:
    """The kinds that the own objectives and the target ask for; `exact` gets the exact ones of the target."""
    cdef Stock trial = stock[0]
    cdef uint32_t ignored = 0
    cdef uint32_t kinds = 0
    while realising:
        kinds |= wanted_kinds(r, s, lowest_bit(realising), &trial, &ignored)
        realising &= realising - 1
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


cdef inline int take_from(const IllusioRules* r, const IllusioState* s, Rng* rng) noexcept nogil:
    """Another seat that has cards, or -1."""
    cdef int victim = s.seat + 1 + <int>rng_below(rng, r.seats - 1)
    if victim >= r.seats:
        victim -= r.seats
    return victim if s.n_hand[victim] else -1


cdef move_t prepare(
    const IllusioRules* r, const IllusioState* s, uint32_t realising, uint32_t has, uint64_t own, Rng* rng
) noexcept nogil:
    """Nothing can be placed or played: take the target, or get what it needs."""
    cdef Stock stock
    cdef int counts[N_GROUPS]
    cdef uint32_t useful, exact = 0
    cdef int target, card
    count_stock(r, s, s.seat, &stock)
    target = choose_target(r, s, &stock, rng)
    if target >= 0 and popcount(realising) < 2:
        count_groups(r, s, own, counts)
        if is_claimable(r, target, counts):
            return MOVE_CLAIM + target
    useful = useful_kinds(r, s, realising, target, &stock, &exact)
    if has & exact:
        return MOVE_BACK + lowest_bit(has & exact)
    if has & useful & ALL_COMPONENTS:
        return MOVE_BACK + lowest_bit(has & useful)
    if has >> TAKE & 1 and rng_next(rng) & 1:
        card = take_from(r, s, rng)
        if card >= 0:
            return MOVE_TAKE + card
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
    """The first requirement that can be filled, by an exact component if there is one."""
    cdef move_t moves[MOST_MOVES]
    cdef int n = illusio_legal_moves(r, s, moves)
    cdef int first = moves[0] == MOVE_STOP and n > 1
    cdef int target = (moves[first] - MOVE_PLACE) >> 6
    cdef int need, i
    if moves[first] == MOVE_STOP:
        return MOVE_STOP
    need = r.need[target >> 2][target & 3]
    for i in range(first, n):
        if (moves[i] - MOVE_PLACE) >> 6 != target:
            break
        if (s.now[(moves[i] - MOVE_PLACE) & 63] & 15) == need:
            return moves[i]
    return moves[first]


cdef move_t playout_throw(const IllusioRules* r, const IllusioState* s, Rng* rng) noexcept nogil:
    """Throw what is not useful."""
    cdef Stock stock
    cdef uint32_t exact = 0
    cdef int target, card
    count_stock(r, s, s.seat, &stock)
    target = choose_target(r, s, &stock, rng)
    card = useless_card(
        s, useful_kinds(r, s, objectives_at(s, REALISING + s.seat), target, &stock, &exact), s.mark
    )
    return MOVE_THROW + card if card >= 0 else MOVE_DONE


cdef move_t illusio_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef const IllusioRules* r = <const IllusioRules*>rules
    cdef const IllusioState* s = <const IllusioState*>state
    cdef move_t moves[MOST_MOVES]
    if s.phase == PHASE_ACT:
        return playout_act(r, s, rng)
    if s.phase == PHASE_CLAIM:
        return playout_claim(r, s, rng)
    if s.phase == PHASE_EXCHANGE:
        return playout_throw(r, s, rng)
    return moves[rng_below(rng, illusio_legal_moves(rules, state, moves))]
