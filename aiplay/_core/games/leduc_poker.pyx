"""Leduc poker (Southey and others, 2005): six cards, one in each hand, one on the board, two rounds of betting.

Seats: 2. Options: none. Moves: 0 fold, 1 call (or check), 2 raise; a chance move is a card. There are three
ranks in two suits, and card // 2 is the rank. The ante is 1; raises are 2 before the public card and 4 after
it, at most two in a round. Folding is legal only against a bet. A pair with the board wins, then the higher
rank; equal ranks share. Returns are chips won or lost.

This is the shortest game with hidden information: see `perceive`, `conceal` and `determinise`.
"""

from aiplay._core.contract cimport ABI_VERSION, PERCEIVE_HIDDEN, GameOps
from aiplay._core.game cimport Game
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, int8_t, move_t, seat_t, uint64_t

from aiplay.layout import Layout


cdef void leduc_poker_setup(const void* rules, void* state) noexcept nogil:
    cdef LeducPokerState* s = <LeducPokerState*>state
    s.hands[0] = s.hands[1] = s.board = UNKNOWN
    s.chips[0] = s.chips[1] = ANTE


cdef seat_t leduc_poker_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const LeducPokerState* s = <const LeducPokerState*>state
    if s.folded or s.betting == SHOWDOWN:
        return TERMINAL
    if s.n_dealt < SEATS or (s.betting == AFTER_BOARD and s.board == UNKNOWN):
        return CHANCE
    return s.seat


cdef int leduc_poker_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const LeducPokerState* s = <const LeducPokerState*>state
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


cdef inline int cards_left(const LeducPokerState* s, move_t* out) noexcept nogil:
    """List the cards that are neither in a known hand nor on the board; return how many there are."""
    cdef int n = 0
    cdef int card
    for card in range(N_CARDS):
        if card != s.hands[0] and card != s.hands[1] and card != s.board:
            out[n] = card
            n += 1
    return n


cdef int leduc_poker_chance_outcomes(const void* rules, const void* state, move_t* out, double* p) noexcept nogil:
    cdef int n = cards_left(<const LeducPokerState*>state, out)
    cdef int i
    for i in range(n):
        p[i] = 1.0 / n
    return n


cdef move_t leduc_poker_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef move_t cards[N_CARDS]
    return cards[rng_below(rng, cards_left(<const LeducPokerState*>state, cards))]


cdef inline void deal(LeducPokerState* s, int8_t card) noexcept nogil:
    if s.n_dealt < SEATS:
        s.hands[s.n_dealt] = card
        s.n_dealt += 1
    else:
        s.board = card


cdef void leduc_poker_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef LeducPokerState* s = <LeducPokerState*>state
    cdef int other = 1 - s.seat
    if leduc_poker_to_move(rules, state) == CHANCE:
        deal(s, <int8_t>move)
        return
    s.n_actions += 1
    if move == FOLD:
        s.folded = 1 + s.seat
        return
    s.chips[s.seat] = s.chips[other]
    if move == RAISE:
        s.chips[s.seat] += SECOND_RAISE if s.betting == AFTER_BOARD else FIRST_RAISE
        s.n_raises += 1
        if s.betting == BEFORE_BOARD and s.opener == 0:
            s.opener = 1 + s.seat
    elif s.n_actions > 1:                       # the other seat has acted, so a call closes the round
        s.betting += 1
        s.n_raises = s.n_actions = s.seat = 0
        return
    s.seat = other


cdef inline int strength(const LeducPokerState* s, int seat, int board) noexcept nogil:
    """The larger, the better the hand."""
    cdef int rank = s.hands[seat] >> 1
    return rank + N_RANKS * (rank == board >> 1)


cdef inline int showdown(const LeducPokerState* s, int board) noexcept nogil:
    """1 if seat 0 has the better hand, -1 if seat 1 has, else 0."""
    cdef int first = strength(s, 0, board)
    cdef int second = strength(s, 1, board)
    return (first > second) - (first < second)


cdef void leduc_poker_returns(const void* rules, const void* state, double* out) noexcept nogil:
    cdef const LeducPokerState* s = <const LeducPokerState*>state
    if s.folded:
        out[0] = -s.chips[0] if s.folded == 1 else s.chips[1]
    else:
        out[0] = showdown(s, s.board) * s.chips[0]
    out[1] = -out[0]


cdef void leduc_poker_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """The chips that a showdown would move now, averaged over the public card if it is not dealt."""
    cdef const LeducPokerState* s = <const LeducPokerState*>state
    cdef move_t cards[N_CARDS]
    cdef double edge = 0.0
    cdef int i, n
    if s.n_dealt == SEATS:
        if s.board != UNKNOWN:
            edge = showdown(s, s.board)
        else:
            n = cards_left(s, cards)
            for i in range(n):
                edge += <double>showdown(s, cards[i]) / n
    out[0] = 0.5 + 0.5 * edge * max(s.chips[0], s.chips[1]) / MAX_CHIPS
    out[1] = 1.0 - out[0]


cdef uint64_t leduc_poker_perceive(
    const void* rules, const void* state, move_t move, seat_t seat
) noexcept nogil:
    cdef const LeducPokerState* s = <const LeducPokerState*>state
    if s.n_dealt < SEATS and s.n_dealt != seat:
        return PERCEIVE_HIDDEN                  # the other seat gets its card
    return <uint64_t>move


cdef void leduc_poker_conceal(const void* rules, void* state, seat_t seat) noexcept nogil:
    (<LeducPokerState*>state).hands[1 - seat] = UNKNOWN


cdef void leduc_poker_determinise(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    cdef LeducPokerState* s = <LeducPokerState*>state
    cdef move_t cards[N_CARDS]
    if s.n_dealt > 1 - seat:
        s.hands[1 - seat] = <int8_t>cards[rng_below(rng, cards_left(s, cards))]


cdef int leduc_poker_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    return playout_loop(
        leduc_poker_to_move, leduc_poker_legal_moves, leduc_poker_sample_chance, leduc_poker_play,
        rules, state, rng, limit,
    )


cdef class LeducPokerCore(Game):
    """The native half of Leduc poker."""

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        cdef LeducPokerState state
        self.layout = Layout.of(<LeducPokerState[:1]>&state)
        ops.abi_version = ABI_VERSION
        ops.state_size = sizeof(LeducPokerState)
        ops.max_moves = N_CARDS
        ops.move_space = RAISE + 1
        ops.chance_space = N_CARDS
        ops.max_depth = SEATS + 1 + 2 * MAX_ACTIONS     # cards dealt, and two rounds of betting
        ops.seats = SEATS
        ops.min_return = -MAX_CHIPS
        ops.max_return = MAX_CHIPS
        # The evaluation is better than random bets to the end (docs/search_figures.md, Advice of the games).
        ops.playout_depth = 0
        ops.setup = leduc_poker_setup
        ops.to_move = leduc_poker_to_move
        ops.legal_moves = leduc_poker_legal_moves
        ops.chance_outcomes = leduc_poker_chance_outcomes
        ops.sample_chance = leduc_poker_sample_chance
        ops.play = leduc_poker_play
        ops.returns = leduc_poker_returns
        ops.evaluate = leduc_poker_evaluate
        ops.perceive = leduc_poker_perceive
        ops.conceal = leduc_poker_conceal
        ops.determinise = leduc_poker_determinise
        ops.random_playout = leduc_poker_random_playout
