"""Leduc poker (Southey and others, 2005): six cards, one in each hand, one on the board, two betting rounds.

Seats: 2. Options: none. Moves: 0 fold, 1 call (or check), 2 raise; a chance move is a card. Three ranks in
two suits, card // 2 is the rank. Ante 1; raises of 2 before the public card and 4 after it, at most two a
round. Folding is legal only against a bet. A pair with the board wins, then the higher rank; equal ranks
share. Returns are chips won or lost.

This is the shortest game with hidden information: it shows `perceive`, `conceal` and `determinise`.
"""

import numpy as np

from aiplay._core.contract cimport ABI_VERSION, PERCEIVE_HIDDEN, PLAY_TO_THE_END, GameOps
from aiplay._core.game cimport Game
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, int8_t, move_t, seat_t, uint64_t

cdef enum:
    FOLD = 0
    CALL = 1
    RAISE = 2
    CARDS = 6
    UNKNOWN = -1            # a card that is not dealt, or not seen
    MAX_RAISES = 2
    MAX_CHIPS = 13          # ante 1, two raises of 2, two of 4


cdef void leduc_setup(const void* rules, void* state) noexcept nogil:
    cdef LeducState* s = <LeducState*>state
    s.hands[0] = s.hands[1] = s.board = UNKNOWN
    s.chips[0] = s.chips[1] = 1


cdef seat_t leduc_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const LeducState* s = <const LeducState*>state
    if s.folded or s.betting == 2:
        return TERMINAL
    if s.n_dealt < 2 or (s.betting == 1 and s.board == UNKNOWN):
        return CHANCE
    return s.seat


cdef int leduc_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const LeducState* s = <const LeducState*>state
    cdef int n = 0
    if s.chips[s.seat] < s.chips[1 - s.seat]:
        out[n] = FOLD
        n += 1
    out[n] = CALL
    n += 1
    if s.n_raises < MAX_RAISES:
        out[n] = RAISE
        n += 1
    return n


cdef inline int cards_left(const LeducState* s, move_t* out) noexcept nogil:
    """The cards that no known hand and not the board shows; how many."""
    cdef int n = 0
    cdef int card
    for card in range(CARDS):
        if card != s.hands[0] and card != s.hands[1] and card != s.board:
            out[n] = card
            n += 1
    return n


cdef int leduc_chance_outcomes(const void* rules, const void* state, move_t* out, double* p) noexcept nogil:
    cdef int n = cards_left(<const LeducState*>state, out)
    cdef int i
    for i in range(n):
        p[i] = 1.0 / n
    return n


cdef move_t leduc_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef move_t cards[CARDS]
    return cards[rng_below(rng, cards_left(<const LeducState*>state, cards))]


cdef void leduc_deal(LeducState* s, int8_t card) noexcept nogil:
    if s.n_dealt < 2:
        s.hands[s.n_dealt] = card
        s.n_dealt += 1
    else:
        s.board = card


cdef void leduc_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef LeducState* s = <LeducState*>state
    cdef int other = 1 - s.seat
    if leduc_to_move(rules, state) == CHANCE:
        leduc_deal(s, <int8_t>move)
        return
    s.n_actions += 1
    if move == FOLD:
        s.folded = 1 + s.seat
        return
    s.chips[s.seat] = s.chips[other]
    if move == RAISE:
        s.chips[s.seat] += 4 if s.betting else 2
        s.n_raises += 1
    elif s.n_actions > 1:                       # a call that answers something closes the round
        s.betting += 1
        s.n_raises = s.n_actions = s.seat = 0
        return
    s.seat = other


cdef inline int strength(const LeducState* s, int seat, int board) noexcept nogil:
    """A number that is larger for the better hand."""
    cdef int rank = s.hands[seat] >> 1
    return rank + 3 * (rank == board >> 1)


cdef inline int showdown(const LeducState* s, int board) noexcept nogil:
    """1 if seat 0 has the better hand, -1 if seat 1 has, else 0."""
    cdef int first = strength(s, 0, board)
    cdef int second = strength(s, 1, board)
    return (first > second) - (first < second)


cdef void leduc_returns(const void* rules, const void* state, double* out) noexcept nogil:
    cdef const LeducState* s = <const LeducState*>state
    if s.folded:
        out[0] = -s.chips[0] if s.folded == 1 else s.chips[1]
    else:
        out[0] = showdown(s, s.board) * s.chips[0]
    out[1] = -out[0]


cdef void leduc_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """The chips that a showdown now would move, averaged over the board if it is not out."""
    cdef const LeducState* s = <const LeducState*>state
    cdef move_t cards[CARDS]
    cdef double edge = 0.0
    cdef int i, n
    if s.n_dealt == 2:
        if s.board != UNKNOWN:
            edge = showdown(s, s.board)
        else:
            n = cards_left(s, cards)
            for i in range(n):
                edge += <double>showdown(s, cards[i]) / n
    out[0] = 0.5 + 0.5 * edge * max(s.chips[0], s.chips[1]) / MAX_CHIPS
    out[1] = 1.0 - out[0]


cdef uint64_t leduc_perceive(const void* rules, const void* state, move_t move, seat_t seat) noexcept nogil:
    cdef const LeducState* s = <const LeducState*>state
    if s.n_dealt < 2 and s.n_dealt != seat:
        return PERCEIVE_HIDDEN                  # the other seat gets its card
    return <uint64_t>move


cdef void leduc_conceal(const void* rules, void* state, seat_t seat) noexcept nogil:
    (<LeducState*>state).hands[1 - seat] = UNKNOWN


cdef void leduc_determinise(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    cdef LeducState* s = <LeducState*>state
    cdef move_t cards[CARDS]
    if s.n_dealt > 1 - seat:
        s.hands[1 - seat] = <int8_t>cards[rng_below(rng, cards_left(s, cards))]


cdef int leduc_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    return playout_loop(
        leduc_to_move, leduc_legal_moves, leduc_sample_chance, leduc_play, rules, state, rng, limit
    )


cdef class LeducPokerCore(Game):
    """The native half of Leduc poker."""

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        cdef LeducState layout
        self.dtype = np.asarray(<LeducState[:1]>&layout).dtype
        ops.abi_version = ABI_VERSION
        ops.state_size = sizeof(LeducState)
        ops.max_moves = CARDS
        ops.move_space = RAISE + 1
        ops.chance_space = CARDS
        ops.max_depth = 11                       # three deals, four decisions in each round
        ops.seats = 2
        ops.min_return = -MAX_CHIPS
        ops.max_return = MAX_CHIPS
        ops.playout_depth = PLAY_TO_THE_END
        ops.setup = leduc_setup
        ops.to_move = leduc_to_move
        ops.legal_moves = leduc_legal_moves
        ops.chance_outcomes = leduc_chance_outcomes
        ops.sample_chance = leduc_sample_chance
        ops.play = leduc_play
        ops.returns = leduc_returns
        ops.evaluate = leduc_evaluate
        ops.perceive = leduc_perceive
        ops.conceal = leduc_conceal
        ops.determinise = leduc_determinise
        ops.random_playout = leduc_random_playout
