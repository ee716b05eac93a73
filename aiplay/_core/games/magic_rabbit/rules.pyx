"""The rules of Magic Rabbit: the deal, turns, and the end. aiplay/games/magic_rabbit/rules.md explains them."""

from libc.string cimport memcpy

from aiplay._core.bits cimport popcount
from aiplay._core.games.magic_rabbit.state cimport (
    ACTION, DONE, DOVE, FIRST_PILE, LIFT, MAX_PLAYERS, MOVE_DOVE, N_LOGGED, OVER, STAY, SWITCH_HATS, SWITCH_PILES,
    MagicRabbitRules, MagicRabbitState, all_piles, first_pile, free_piles, is_over, second_pile,
)
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, move_t, seat_t, uint8_t, uint16_t, uint32_t


# ---- The deal ----------------------------------------------------------------------------------------------

cdef void magic_rabbit_setup(const void* rules, void* state) noexcept nogil:
    (<MagicRabbitState*>state).doves = (<const MagicRabbitRules*>rules).doves


cdef inline uint32_t tiles_left(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil:
    """Bit k: number k + 1 is still to be dealt, first as a hat, then as a rabbit.

    In a view all rabbits are left: nobody sees them dealt.
    """
    cdef uint32_t used = 0
    cdef int i
    if s.n_dealt < r.piles:
        for i in range(s.n_dealt):
            used |= (<uint32_t>1 << s.hats[i]) >> 1
    else:
        for i in range(s.n_dealt - r.piles):
            used |= (<uint32_t>1 << s.rabbits[i]) >> 1
    return all_piles(r) & ~used


cdef int magic_rabbit_chance_outcomes(
    const void* rules, const void* state, move_t* out, double* p
) noexcept nogil:
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    cdef const uint8_t* left
    cdef int i, n = r.seats
    if s.n_dealt == 2 * r.piles:
        for i in range(n):
            out[i] = i
    else:
        left = r.members[tiles_left(r, s)]
        n = popcount(tiles_left(r, s))
        for i in range(n):
            out[i] = left[i]
    for i in range(n):
        p[i] = 1.0 / n
    return n


cdef move_t magic_rabbit_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    cdef int n_left
    if s.n_dealt == 2 * r.piles:
        return rng_below(rng, r.seats)
    n_left = r.piles - (s.n_dealt if s.n_dealt < r.piles else s.n_dealt - r.piles)
    return r.members[tiles_left(r, s)][rng_below(rng, n_left)]


cdef inline void deal(const MagicRabbitRules* r, MagicRabbitState* s, move_t move) noexcept nogil:
    if s.n_dealt < r.piles:
        s.hats[s.n_dealt] = <uint8_t>move
    elif s.n_dealt < 2 * r.piles:
        s.rabbits[s.n_dealt - r.piles] = <uint8_t>move
    else:
        s.seat = <uint8_t>move
    s.n_dealt += 1


# ---- Turns ---------------------------------------------------------------------------------------------------

cdef seat_t magic_rabbit_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    if s.n_dealt <= 2 * r.piles:
        return CHANCE
    if is_over(r, s):
        return TERMINAL
    return s.seat


cdef inline void swap(uint8_t* tiles, int i, int k) noexcept nogil:
    cdef uint8_t kept = tiles[i]
    tiles[i] = tiles[k]
    tiles[k] = kept


cdef inline void switch_piles(MagicRabbitState* s, int i, int k, uint8_t turn) noexcept nogil:
    """Exchange hats, rabbits and what is remembered of them; doves stay at their places in the row."""
    cdef uint32_t first, second
    memcpy(&first, s.lifted[i], MAX_PLAYERS)
    memcpy(&second, s.lifted[k], MAX_PLAYERS)
    memcpy(s.lifted[i], &second, MAX_PLAYERS)
    memcpy(s.lifted[k], &first, MAX_PLAYERS)
    swap(s.hats, i, k)
    swap(s.rabbits, i, k)
    swap(s.rehatted, i, k)
    s.switched[i] = s.switched[k] = turn


cdef inline void act(MagicRabbitState* s, move_t move) noexcept nogil:
    cdef uint8_t turn = s.n_turns + 1
    cdef int first = first_pile(move)
    cdef int second = second_pile(move)
    if move < SWITCH_HATS:
        if s.lifted[move - LIFT - 1][s.seat] == 0:
            s.lifted[move - LIFT - 1][s.seat] = turn
    elif move < SWITCH_PILES:
        swap(s.hats, first, second)
        s.rehatted[first] = s.rehatted[second] = turn
    else:
        switch_piles(s, first, second, turn)
    # The log of this turn takes the place of an older one.
    s.actions[s.n_turns % N_LOGGED] = <uint16_t>move
    s.dove_moves[s.n_turns % N_LOGGED] = 0
    s.phase = DOVE


cdef void magic_rabbit_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef MagicRabbitState* s = <MagicRabbitState*>state
    if s.n_dealt <= 2 * r.piles:
        deal(r, s, move)
        return
    if s.phase == ACTION:
        if move == DONE:
            s.phase = OVER
        else:
            act(s, move)
        return
    if move != STAY:
        s.doves ^= (1 << first_pile(move)) | (1 << second_pile(move))
    s.dove_moves[s.n_turns % N_LOGGED] = <uint16_t>move
    s.phase = ACTION
    s.n_turns += 1
    s.seat = s.seat + 1 if s.seat + 1 < r.seats else 0


cdef void magic_rabbit_returns(const void* rules, const void* state, double* out) noexcept nogil:
    """Rules: success is hats 1 .. n from the Magician's end, with every rabbit under its own."""
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    cdef bint is_done = True
    cdef int i
    for i in range(r.piles):
        is_done = is_done and s.hats[i] == i + 1 and s.rabbits[i] == i + 1
    for i in range(r.seats):
        out[i] = 1.0 if is_done else 0.0


# ---- Random play ---------------------------------------------------------------------------------------------

cdef inline move_t random_move(
    const MagicRabbitRules* r, const MagicRabbitState* s, Rng* rng
) noexcept nogil:
    """The move at a random index of `legal_moves`, found without the list."""
    cdef const uint8_t* free = r.members[free_piles(r, s)]
    cdef const uint8_t* doves = r.members[s.doves]
    cdef int n_pairs = r.n_free * (r.n_free - 1) // 2
    cdef move_t kind = SWITCH_HATS
    cdef int i
    if s.phase == ACTION:
        i = <int>rng_below(rng, r.n_free * r.n_free + r.may_end) - r.may_end
        if i < 0:
            return DONE
        if i < r.n_free:
            return LIFT + free[i]
        i -= r.n_free
        if i >= n_pairs:
            kind = SWITCH_PILES
            i -= n_pairs
        return kind + FIRST_PILE * free[r.pairs[i][0]] + free[r.pairs[i][1]]
    i = <int>rng_below(rng, 1 + (r.piles - r.n_free) * r.n_free) - 1
    return STAY if i < 0 else MOVE_DOVE + FIRST_PILE * doves[i // r.n_free] + free[i % r.n_free]


cdef int magic_rabbit_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef MagicRabbitState* s = <MagicRabbitState*>state
    cdef int n_played = 0
    cdef seat_t seat
    while n_played < limit:
        seat = magic_rabbit_to_move(rules, state)
        if seat == TERMINAL:
            break
        if seat == CHANCE:
            deal(r, s, magic_rabbit_sample_chance(rules, state, rng))
        else:
            magic_rabbit_play(rules, state, random_move(r, s, rng))
        n_played += 1
    return n_played
