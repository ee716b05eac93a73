"""Magic Rabbit: a team brings hats into order and every rabbit under its hat, without talking.

Seats: 1-4, all win or lose together. Options: players (2), piles (9; 6-9), doves (true), turns (20), data (places of
the doves). Moves: see magic_rabbit_state.pxd; a chance move of the deal is a number 1..n, the last one the first seat.

Decided where the rulebook is silent: turns instead of the hourglass; the dove decision is always made, also where it
can only be `stay`; two doves never share a hat; the hat under a dove is known, because every seat has followed it. A
view remembers who lifted which rabbit when, and when hats and piles were last switched: all that is public.

This file is the rules. What a seat can conclude and what is worth doing is in magic_rabbit_team.pyx.
"""

import itertools

import numpy as np

from libc.string cimport memcpy

from aiplay._core.contract cimport ABI_VERSION, PERCEIVE_HIDDEN, PLAY_TO_THE_END, GameOps
from aiplay._core.game cimport Game, State
from aiplay._core.games.magic_rabbit.state cimport (
    ACTION, DOVE, MOST_PILES, MOVE_DOVE, STAY, SWITCH_HATS, SWITCH_PILES, MagicRabbitRules, MagicRabbitState,
    all_piles, free_piles,
)
from aiplay._core.games.magic_rabbit.policy cimport (
    magic_rabbit_believe, magic_rabbit_evaluate, magic_rabbit_playout_move, magic_rabbit_priors, state_switches,
)
from aiplay._core.bits cimport popcount
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, move_t, seat_t, uint8_t, uint32_t, uint64_t


# ---- The deal ----------------------------------------------------------------------------------------------

cdef void magic_rabbit_setup(const void* rules, void* state) noexcept nogil:
    (<MagicRabbitState*>state).doves = (<const MagicRabbitRules*>rules).doves


cdef inline uint32_t tiles_left(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil:
    """Bit k: number k + 1 is still to be dealt, among the hats first, then among the rabbits.

    On a view all rabbits seem to be left: nobody sees them dealt.
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
    if s.n_turns == r.turns:                    # Rules: nothing ends the game earlier
        return TERMINAL
    return s.seat


cdef int magic_rabbit_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    cdef const uint8_t* free = r.members[free_piles(r, s)]
    cdef const uint8_t* doves = r.members[s.doves]
    cdef int n_pairs = r.n_free * (r.n_free - 1) // 2
    cdef int i, k, n = 0
    cdef move_t both
    if s.phase == ACTION:                       # Rules: lift one, switch two hats, or switch two piles
        for n in range(r.n_free):
            out[n] = free[n]
        n = r.n_free
        for i in range(n_pairs):
            both = 10 * free[r.pairs[i][0]] + free[r.pairs[i][1]]
            out[n + i] = SWITCH_HATS + both
            out[n + n_pairs + i] = SWITCH_PILES + both
        return n + 2 * n_pairs
    out[n] = STAY
    for i in range(r.piles - r.n_free):
        for k in range(r.n_free):
            n += 1
            out[n] = MOVE_DOVE + 10 * doves[i] + free[k]
    return n + 1


cdef inline move_t random_move(
    const MagicRabbitRules* r, const MagicRabbitState* s, Rng* rng
) noexcept nogil:
    """The move that legal_moves would list in a random place, without the list."""
    cdef const uint8_t* free = r.members[free_piles(r, s)]
    cdef const uint8_t* doves = r.members[s.doves]
    cdef int n_pairs = r.n_free * (r.n_free - 1) // 2
    cdef move_t base = SWITCH_HATS
    cdef int i
    if s.phase == ACTION:
        i = <int>rng_below(rng, r.n_free * r.n_free)
        if i < r.n_free:
            return free[i]
        i -= r.n_free
        if i >= n_pairs:
            base = SWITCH_PILES
            i -= n_pairs
        return base + 10 * free[r.pairs[i][0]] + free[r.pairs[i][1]]
    i = <int>rng_below(rng, 1 + (r.piles - r.n_free) * r.n_free) - 1
    return STAY if i < 0 else MOVE_DOVE + 10 * doves[i // r.n_free] + free[i % r.n_free]


cdef inline void swap(uint8_t* tiles, int i, int k) noexcept nogil:
    cdef uint8_t kept = tiles[i]
    tiles[i] = tiles[k]
    tiles[k] = kept


cdef inline void switch_piles(MagicRabbitState* s, int i, int k, uint8_t turn) noexcept nogil:
    """Hat, rabbit and what is remembered of them change places; doves stay where they are on the line."""
    cdef uint32_t first, second
    memcpy(&first, s.lifted[i], 4)
    memcpy(&second, s.lifted[k], 4)
    memcpy(s.lifted[i], &second, 4)
    memcpy(s.lifted[k], &first, 4)
    swap(s.hats, i, k)
    swap(s.rabbits, i, k)
    swap(s.rehatted, i, k)
    s.switched[i] = s.switched[k] = turn


cdef inline void act(MagicRabbitState* s, move_t move) noexcept nogil:
    cdef uint8_t turn = s.n_turns + 1
    cdef int first = move % 100 // 10 - 1
    cdef int second = move % 10 - 1
    if move < SWITCH_HATS:
        if s.lifted[move - 1][s.seat] == 0:
            s.lifted[move - 1][s.seat] = turn
    elif move < SWITCH_PILES:
        swap(s.hats, first, second)
        s.rehatted[first] = s.rehatted[second] = turn
    else:
        switch_piles(s, first, second, turn)
    s.phase = DOVE


cdef void magic_rabbit_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef MagicRabbitState* s = <MagicRabbitState*>state
    if s.n_dealt <= 2 * r.piles:
        deal(r, s, move)
        return
    if s.phase == ACTION:
        act(s, move)
        return
    if move != STAY:
        s.doves ^= (1 << (move % 100 // 10 - 1)) | (1 << (move % 10 - 1))
    s.phase = ACTION
    s.n_turns += 1
    s.seat = s.seat + 1 if s.seat + 1 < r.seats else 0


cdef void magic_rabbit_returns(const void* rules, const void* state, double* out) noexcept nogil:
    """Rules: hats 1..n from the Magician's end, every rabbit under its own."""
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    cdef bint is_done = True
    cdef int i
    for i in range(r.piles):
        is_done = is_done and s.hats[i] == i + 1 and s.rabbits[i] == i + 1
    for i in range(r.seats):
        out[i] = 1.0 if is_done else 0.0


# ---- Who knows what ------------------------------------------------------------------------------------------

cdef uint64_t magic_rabbit_perceive(
    const void* rules, const void* state, move_t move, seat_t seat
) noexcept nogil:
    """Everybody sees every move; only the one who lifts sees the rabbit, and nobody those that are dealt."""
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    if s.n_dealt <= 2 * r.piles:
        return PERCEIVE_HIDDEN if r.piles <= s.n_dealt < 2 * r.piles else <uint64_t>move
    if s.phase == ACTION and move < SWITCH_HATS and seat == s.seat:
        return <uint64_t>(1000 * s.rabbits[move - 1] + move)
    return <uint64_t>move


cdef void magic_rabbit_conceal(const void* rules, void* state, seat_t seat) noexcept nogil:
    """Rabbits that the seat has not lifted are blank; but who has lifted all but one knows the last as well."""
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef MagicRabbitState* s = <MagicRabbitState*>state
    cdef int i, n_known = 0
    for i in range(r.piles):
        n_known += s.lifted[i][seat] != 0
    if n_known >= r.piles - 1:
        return
    for i in range(r.piles):
        if s.lifted[i][seat] == 0:
            s.rabbits[i] = 0


cdef void magic_rabbit_determinise(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    """The numbers that the seat does not see, in any order, all equally likely."""
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef MagicRabbitState* s = <MagicRabbitState*>state
    cdef uint8_t numbers[MOST_PILES]
    cdef uint32_t seen = 0
    cdef int n_rabbits = min(max(s.n_dealt - r.piles, 0), r.piles)
    cdef int i, k, n = 0
    for i in range(n_rabbits):
        seen |= <uint32_t>1 << s.rabbits[i]
    for i in range(1, r.piles + 1):
        if not seen >> i & 1:
            numbers[n] = <uint8_t>i
            n += 1
    for i in range(n_rabbits):
        if s.rabbits[i] == 0:
            k = <int>rng_below(rng, n)
            s.rabbits[i] = numbers[k]
            n -= 1
            numbers[k] = numbers[n]


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


cdef class MagicRabbitCore(Game):
    """The native half of Magic Rabbit."""

    def _prepare(self):
        cdef MagicRabbitState layout
        cdef MagicRabbitRules* r = &self.rules
        self.dtype = np.asarray(<MagicRabbitState[:1]>&layout).dtype
        r.seats = self.options["players"]
        r.piles = self.options["piles"]
        r.turns = self.options["turns"]
        r.doves = sum([1 << (place - 1) for place in self._dove_places])      # the face reads the data file
        r.n_free = r.piles - popcount(r.doves)
        for n, (i, k) in enumerate(itertools.combinations(range(r.n_free), 2)):
            r.pairs[n] = i, k
        for members in range(512):
            for n, i in enumerate([i for i in range(MOST_PILES) if members >> i & 1]):
                r.members[members][n] = i + 1
        self._fill_ops(max(r.n_free * r.n_free, 1 + (r.piles - r.n_free) * r.n_free, r.piles))

    def _fill_ops(self, int max_moves):
        cdef GameOps* ops = &self.ops
        ops.abi_version = ABI_VERSION
        ops.is_cooperative = 1
        ops.rules = &self.rules
        ops.state_size = sizeof(MagicRabbitState)
        ops.max_moves = max_moves
        ops.move_space = MOVE_DOVE + 10 * MOST_PILES + MOST_PILES + 1
        ops.chance_space = MOST_PILES + 1
        ops.max_depth = 2 * self.rules.piles + 1 + 2 * self.rules.turns
        ops.seats = self.rules.seats
        ops.min_return = 0.0
        ops.max_return = 1.0
        ops.playout_depth = PLAY_TO_THE_END
        ops.setup = magic_rabbit_setup
        ops.to_move = magic_rabbit_to_move
        ops.legal_moves = magic_rabbit_legal_moves
        ops.chance_outcomes = magic_rabbit_chance_outcomes
        ops.sample_chance = magic_rabbit_sample_chance
        ops.play = magic_rabbit_play
        ops.returns = magic_rabbit_returns
        ops.perceive = magic_rabbit_perceive
        ops.conceal = magic_rabbit_conceal
        ops.determinise = magic_rabbit_determinise
        ops.believe = magic_rabbit_believe
        ops.evaluate = magic_rabbit_evaluate
        ops.priors = magic_rabbit_priors
        ops.playout_move = magic_rabbit_playout_move
        ops.random_playout = magic_rabbit_random_playout

    def fewest_switches(self, State state not None):
        """How many switches would do if all rabbits were known and no dove stood in the way."""
        if state.game != self or state.to_move == CHANCE:
            raise ValueError(f"{state!r} is not a dealt state of {self!r}")
        return state_switches(&self.rules, <const MagicRabbitState*>state.data)
