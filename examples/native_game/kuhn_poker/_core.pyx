"""The native half of Kuhn poker (Kuhn, 1950): one hidden card each, one bet.

Each of two seats puts in a chip and gets one card of a small deck of different cards. In turn, they pass or bet one
more chip, until both have passed, or one has answered the other's bet. Passing after a bet folds; otherwise the higher
card wins the chips. A chance outcome is a card, 1 .. cards; the moves of a seat are PASS and BET.
"""

from aiplay._core.contract cimport ABI_VERSION, PERCEIVE_HIDDEN, PLAY_TO_THE_END, GameOps
from aiplay._core.game cimport Game
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, int8_t, move_t, seat_t, uint64_t

from aiplay.layout import Layout

cdef enum:
    PASS = 0
    BET = 1
    NO_CARD = 0             # not dealt, or hidden in a view
    MAX_CARDS = 13


ctypedef struct KuhnState:  # plain numbers, no pointers; a view has the same struct with hidden fields blanked
    int8_t cards[2]         # card of each seat, 1 .. cards, or NO_CARD
    int8_t chips[2]         # chips that each seat has put in: 1, or 2 after a bet
    int8_t n_dealt          # cards dealt
    int8_t n_actions        # passes and bets so far; seat n_actions % 2 is to move


ctypedef struct KuhnRules:  # the first argument of every function
    int n_cards             # cards in the deck


cdef void kuhn_setup(const void* rules, void* state) noexcept nogil:
    cdef KuhnState* s = <KuhnState*>state
    s.chips[0] = s.chips[1] = 1


cdef seat_t kuhn_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const KuhnState* s = <const KuhnState*>state
    if s.n_dealt < 2:
        return CHANCE
    if s.n_actions == 3 or (s.n_actions == 2 and s.chips[1] <= s.chips[0]):
        return TERMINAL                         # two actions end the game, except a pass and a bet
    return s.n_actions % 2


cdef int kuhn_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    out[0] = PASS
    out[1] = BET
    return 2


cdef inline int cards_left(const KuhnRules* rules, const KuhnState* s, move_t* out) noexcept nogil:
    """Write the cards that are in no known hand; return their number."""
    cdef int n = 0
    cdef int card
    for card in range(1, rules.n_cards + 1):
        if card != s.cards[0] and card != s.cards[1]:
            out[n] = card
            n += 1
    return n


cdef int kuhn_chance_outcomes(const void* rules, const void* state, move_t* out, double* p) noexcept nogil:
    cdef int n = cards_left(<const KuhnRules*>rules, <const KuhnState*>state, out)
    cdef int i
    for i in range(n):
        p[i] = 1.0 / n
    return n


cdef void kuhn_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef KuhnState* s = <KuhnState*>state
    if s.n_dealt < 2:
        s.cards[s.n_dealt] = <int8_t>move
        s.n_dealt += 1
        return
    if move == BET:
        s.chips[s.n_actions % 2] = 2
    s.n_actions += 1


cdef void kuhn_returns(const void* rules, const void* state, double* out) noexcept nogil:
    cdef const KuhnState* s = <const KuhnState*>state
    cdef bint first_wins = s.cards[0] > s.cards[1]
    if s.chips[0] != s.chips[1]:                # the seat with fewer chips has folded
        first_wins = s.chips[0] > s.chips[1]
    out[0] = min(s.chips[0], s.chips[1]) * (1 if first_wins else -1)
    out[1] = -out[0]


cdef void kuhn_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    """0.5 for both seats, plus or minus a share for the seat with the higher card."""
    cdef const KuhnState* s = <const KuhnState*>state
    cdef double edge = 0.0
    if s.n_dealt == 2:
        edge = 0.25 * max(s.chips[0], s.chips[1])
    out[0] = 0.5 + (edge if s.cards[0] > s.cards[1] else -edge)
    out[1] = 1.0 - out[0]


# ---- Hidden information: keeps the bots fair ---------------------------------------------------------------

cdef uint64_t kuhn_perceive(const void* rules, const void* state, move_t move, seat_t seat) noexcept nogil:
    cdef const KuhnState* s = <const KuhnState*>state
    if s.n_dealt < 2 and s.n_dealt != seat:
        return PERCEIVE_HIDDEN                  # the other seat gets its card
    return <uint64_t>move


cdef void kuhn_conceal(const void* rules, void* state, seat_t seat) noexcept nogil:
    (<KuhnState*>state).cards[1 - seat] = NO_CARD


cdef void kuhn_determinise(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    cdef KuhnState* s = <KuhnState*>state
    cdef move_t cards[MAX_CARDS]
    if s.n_dealt > 1 - seat:                    # the other seat has a card: sample one of those left
        s.cards[1 - seat] = <int8_t>cards[rng_below(rng, cards_left(<const KuhnRules*>rules, s, cards))]


cdef class KuhnPokerCore(Game):
    """Fills the operations."""
    cdef KuhnRules rules

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        cdef KuhnState state
        self.layout = Layout.of(<KuhnState[:1]>&state)
        self.rules.n_cards = self.options["cards"]
        ops.abi_version = ABI_VERSION
        ops.rules = &self.rules
        ops.state_size = sizeof(KuhnState)
        ops.max_moves = max(2, self.rules.n_cards)
        ops.move_space = 2                      # PASS and BET
        ops.chance_space = self.rules.n_cards + 1
        ops.max_depth = 5                       # two cards, three actions
        ops.seats = 2
        ops.min_return = -2.0
        ops.max_return = 2.0
        ops.playout_depth = PLAY_TO_THE_END     # a short game: its end is better than the evaluation
        ops.setup = kuhn_setup
        ops.to_move = kuhn_to_move
        ops.legal_moves = kuhn_legal_moves
        ops.chance_outcomes = kuhn_chance_outcomes
        ops.play = kuhn_play
        ops.returns = kuhn_returns
        ops.evaluate = kuhn_evaluate
        ops.perceive = kuhn_perceive
        ops.conceal = kuhn_conceal
        ops.determinise = kuhn_determinise
