"""The native half of Love Letter for two seats; the rules are in examples/love_letter.md.

Moves are those of examples/love_letter.py: 100 * card + choice. The choice is the guess of a Guard, or the target of a
Prince. A chance outcome is a card.
"""

from aiplay._core.contract cimport ABI_VERSION, PERCEIVE_HIDDEN, PLAY_TO_THE_END, GameOps
from aiplay._core.game cimport Game
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, int8_t, move_t, seat_t, uint64_t

from aiplay.layout import Layout

cdef enum:
    GUARD = 1
    PRIEST = 2
    BARON = 3
    HANDMAID = 4
    PRINCE = 5
    KING = 6
    COUNTESS = 7
    PRINCESS = 8
    HIDDEN = 0              # no card, or a hidden one
    NOBODY = -1
    SELF = 1                # targets of a Prince
    OTHER = 2
    N_SHOWN = 3             # cards face up at the start
    N_DEALT = 6             # cards dealt before the first turn
    N_CARDS = 16
    SHOWN_FROM = 1          # cards that have been dealt before the first one is shown

cdef int8_t* COPIES = [0, 5, 2, 2, 2, 2, 1, 1, 1]


ctypedef struct LetterState:
    int8_t dealt            # cards that have left the deck; N_CARDS + 1 if the card set aside was drawn too
    int8_t aside            # the card set aside face down; HIDDEN in a view
    int8_t shown[3]         # the cards set aside face up
    int8_t hands[4]         # cards of seat s: [2 * s] the older one, [2 * s + 1] the one just drawn
    int8_t n_hand[2]        # cards in each hand
    int8_t played[32]       # played and discarded cards of seat s, in order, from [16 * s] on
    int8_t n_played[2]
    int8_t seat             # whose turn it is
    int8_t drawer           # the seat that draws a card now, or NOBODY
    int8_t is_safe[2]       # 1: protected by a Handmaid
    int8_t out              # the seat that is out, or NOBODY
    int8_t known[2]         # the card of each seat that the other one has seen, or HIDDEN
    int8_t ruled_out[18]    # [9 * s + card] is 1 if seat s does not hold the card, as everybody knows


# ---- The rules ---------------------------------------------------------------------------------------------

cdef void letter_setup(const void* rules, void* state) noexcept nogil:
    cdef LetterState* s = <LetterState*>state
    s.out = NOBODY


cdef seat_t letter_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const LetterState* s = <const LetterState*>state
    if s.out != NOBODY:
        return TERMINAL
    if s.dealt < N_DEALT or s.drawer != NOBODY:
        return CHANCE
    return s.seat if s.n_hand[s.seat] == 2 else TERMINAL


cdef inline bint holds(const LetterState* s, int seat, int card) noexcept nogil:
    return s.hands[2 * seat] == card or s.hands[2 * seat + 1] == card


cdef int letter_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const LetterState* s = <const LetterState*>state
    cdef bint is_open = not s.is_safe[1 - s.seat]
    cdef int n = 0
    cdef int card, guess
    if holds(s, s.seat, COUNTESS) and (holds(s, s.seat, KING) or holds(s, s.seat, PRINCE)):
        out[0] = 100 * COUNTESS
        return 1
    for card in range(GUARD, PRINCESS + 1):
        if not holds(s, s.seat, card):
            continue
        if card == GUARD and is_open:
            for guess in range(PRIEST, PRINCESS + 1):
                out[n] = 100 * GUARD + guess
                n += 1
        else:
            out[n] = 100 * card + (SELF if card == PRINCE else 0)
            n += 1
            if card == PRINCE and is_open:
                out[n] = 100 * PRINCE + OTHER
                n += 1
    return n


cdef int count_unseen(const LetterState* s, int8_t* left) noexcept nogil:
    """Count the copies of each card that lie nowhere in a state or view; return their number."""
    cdef int n = N_CARDS
    cdef int i
    for i in range(PRINCESS + 1):
        left[i] = COPIES[i]
    left[s.aside] -= 1
    for i in range(N_SHOWN):
        left[s.shown[i]] -= 1
    for i in range(4):
        left[s.hands[i]] -= 1
    for i in range(s.n_played[0]):
        left[s.played[i]] -= 1
    for i in range(s.n_played[1]):
        left[s.played[16 + i]] -= 1
    n = 0
    for i in range(GUARD, PRINCESS + 1):
        n += left[i]
    return n


cdef int letter_chance_outcomes(const void* rules, const void* state, move_t* out, double* p) noexcept nogil:
    cdef int8_t left[9]
    cdef int total = count_unseen(<const LetterState*>state, left)
    cdef int n = 0
    cdef int card
    for card in range(GUARD, PRINCESS + 1):
        if left[card]:
            out[n] = card
            p[n] = <double>left[card] / total
            n += 1
    return n


cdef inline void add_card(LetterState* s, int seat, int card) noexcept nogil:
    s.hands[2 * seat + s.n_hand[seat]] = <int8_t>card
    s.n_hand[seat] += 1


cdef inline void put_down(LetterState* s, int seat, int card) noexcept nogil:
    s.played[16 * seat + s.n_played[seat]] = <int8_t>card
    s.n_played[seat] += 1


cdef inline void forget_ruled_out(LetterState* s, int seat) noexcept nogil:
    cdef int card
    for card in range(9):
        s.ruled_out[9 * seat + card] = 0


cdef void deal(LetterState* s, int card) noexcept nogil:
    """Set one card aside, show three, give one to each seat."""
    if s.dealt == 0:
        s.aside = <int8_t>card
    elif s.dealt <= N_SHOWN:
        s.shown[s.dealt - SHOWN_FROM] = <int8_t>card
    else:
        add_card(s, s.dealt - SHOWN_FROM - N_SHOWN, card)
    s.dealt += 1


cdef void next_turn(LetterState* s) noexcept nogil:
    """Pass the turn, unless somebody still draws or the round is over."""
    if s.drawer != NOBODY or s.out != NOBODY:
        return
    s.seat = 1 - s.seat
    s.is_safe[s.seat] = 0
    s.drawer = s.seat if s.dealt < N_CARDS else NOBODY


cdef void draw(LetterState* s, int card) noexcept nogil:
    """Let a seat draw; after a Prince, the turn then goes on."""
    cdef int seat = s.drawer
    s.dealt += 1
    s.drawer = NOBODY
    add_card(s, seat, card)
    if s.n_hand[seat] == 1:
        next_turn(s)


cdef void lay_down(LetterState* s, int card) noexcept nogil:
    """Move a card from the hand of the seat to those that it has played."""
    cdef int seat = s.seat
    if s.hands[2 * seat] == card:
        s.hands[2 * seat] = s.hands[2 * seat + 1]
    s.hands[2 * seat + 1] = HIDDEN
    s.n_hand[seat] = 1
    put_down(s, seat, card)
    if s.known[seat] == card:
        s.known[seat] = HIDDEN
    forget_ruled_out(s, seat)
    s.ruled_out[9 * seat + COUNTESS] = card == PRINCE or card == KING
    s.is_safe[seat] = card == HANDMAID
    if card == PRINCESS:
        s.out = <int8_t>seat


cdef void discard(LetterState* s, int seat) noexcept nogil:
    """Let a seat discard its hand and draw again: from the deck, or the card that was set aside."""
    cdef int card = s.hands[2 * seat]
    s.hands[2 * seat] = HIDDEN
    s.n_hand[seat] = 0
    put_down(s, seat, card)
    s.known[seat] = HIDDEN
    forget_ruled_out(s, seat)
    if card == PRINCESS:
        s.out = <int8_t>seat
    elif s.dealt < N_CARDS:
        s.drawer = <int8_t>seat
    else:
        add_card(s, seat, s.aside)
        s.aside = HIDDEN
        s.dealt += 1


cdef void act(LetterState* s, int card, int choice) noexcept nogil:
    """Carry out the effect of a card that has been laid down."""
    cdef int seat = s.seat
    cdef int other = 1 - seat
    cdef int8_t mine = s.hands[2 * seat]
    cdef int8_t theirs = s.hands[2 * other]
    if card == PRINCE:
        discard(s, seat if choice == SELF else other)
    elif s.is_safe[other]:
        return
    elif card == GUARD:
        if theirs == choice:
            s.out = <int8_t>other
        else:
            s.ruled_out[9 * other + choice] = 1
    elif card == PRIEST:
        s.known[other] = theirs
    elif card == BARON:
        if mine == theirs:
            s.known[0] = s.known[1] = mine
        else:
            s.out = <int8_t>(seat if mine < theirs else other)
    elif card == KING:
        s.hands[2 * seat] = s.known[seat] = theirs
        s.hands[2 * other] = s.known[other] = mine
        forget_ruled_out(s, 0)
        forget_ruled_out(s, 1)


cdef void letter_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef LetterState* s = <LetterState*>state
    if s.dealt < N_DEALT:
        deal(s, move)
    elif s.drawer != NOBODY:
        draw(s, move)
    else:
        lay_down(s, move // 100)
        act(s, move // 100, move % 100)
        next_turn(s)


cdef inline int strength(const LetterState* s, int seat) noexcept nogil:
    """The card in hand, and the sum of the played ones for ties."""
    cdef int total = 1000 * s.hands[2 * seat]
    cdef int i
    for i in range(s.n_played[seat]):
        total += s.played[16 * seat + i]
    return total


cdef void letter_returns(const void* rules, const void* state, double* out) noexcept nogil:
    cdef const LetterState* s = <const LetterState*>state
    cdef int lead = strength(s, 0) - strength(s, 1)
    if s.out != NOBODY:
        lead = 1 if s.out == 1 else -1
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]


cdef void letter_evaluate(const void* rules, const void* state, double* out) noexcept nogil:
    cdef const LetterState* s = <const LetterState*>state
    cdef int lead = max(s.hands[0], s.hands[1]) - max(s.hands[2], s.hands[3])
    out[0] = 0.5 + 0.04 * lead
    out[1] = 1.0 - out[0]


# ---- Who knows what ----------------------------------------------------------------------------------------

cdef int revealed(const LetterState* s, int card, int choice, int seat) noexcept nogil:
    """The card that a move shows a seat, besides the move itself; 0 for none."""
    cdef int mine = s.hands[2 * s.seat]
    cdef int theirs = s.hands[2 - 2 * s.seat]
    if mine == card:
        mine = s.hands[2 * s.seat + 1]
    if card == PRINCE:
        return mine if choice == SELF else theirs
    if s.is_safe[1 - s.seat]:
        return 0
    if card == GUARD:
        return choice if theirs == choice else 0
    if card == PRIEST:
        return theirs if seat == s.seat else 0
    if card == BARON or card == KING:
        return theirs if seat == s.seat else mine
    return 0


cdef uint64_t letter_perceive(const void* rules, const void* state, move_t move, seat_t seat) noexcept nogil:
    cdef const LetterState* s = <const LetterState*>state
    if s.dealt < N_DEALT:
        if 1 <= s.dealt <= N_SHOWN or s.dealt == 1 + N_SHOWN + seat:
            return <uint64_t>move
        return PERCEIVE_HIDDEN
    if s.drawer != NOBODY:
        return <uint64_t>move if s.drawer == seat else PERCEIVE_HIDDEN
    return <uint64_t>(move + 1000 * revealed(s, move // 100, move % 100, seat))


cdef void letter_conceal(const void* rules, void* state, seat_t seat) noexcept nogil:
    cdef LetterState* s = <LetterState*>state
    cdef int other = 1 - seat
    s.aside = HIDDEN
    s.hands[2 * other] = s.known[other]
    s.hands[2 * other + 1] = HIDDEN


cdef int pick(int8_t* left, const int8_t* banned, Rng* rng) noexcept nogil:
    """Take one of the cards that are left and not banned, each copy as likely; `banned` may be NULL."""
    cdef int n = 0
    cdef int card
    cdef int number
    for card in range(GUARD, PRINCESS + 1):
        if banned == NULL or not banned[card]:
            n += left[card]
    number = rng_below(rng, n)
    for card in range(GUARD, PRINCESS + 1):
        if banned == NULL or not banned[card]:
            number -= left[card]
            if number < 0:
                left[card] -= 1
                return card
    return HIDDEN                               # not reached: `check` makes sure that a card is left


cdef void letter_determinise(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil:
    cdef LetterState* s = <LetterState*>state
    cdef int other = 1 - seat
    cdef int8_t left[9]
    count_unseen(s, left)
    if s.n_hand[other] > 0 and s.hands[2 * other] == HIDDEN:
        s.hands[2 * other] = <int8_t>pick(left, &s.ruled_out[9 * other], rng)
    if s.n_hand[other] > 1:
        s.hands[2 * other + 1] = <int8_t>pick(left, NULL, rng)
    if 0 < s.dealt <= N_CARDS:
        s.aside = <int8_t>pick(left, NULL, rng)


cdef class LoveLetterCore(Game):
    """Fills the operations."""

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        cdef LetterState state
        self.layout = Layout.of(<LetterState[:1]>&state)
        ops.abi_version = ABI_VERSION
        ops.state_size = sizeof(LetterState)
        ops.max_moves = 9                       # seven guesses and two targets; eight cards
        ops.move_space = 100 * PRINCESS + 1
        ops.chance_space = PRINCESS + 1
        ops.max_depth = 30
        ops.seats = 2
        ops.min_return = 0.0
        ops.max_return = 1.0
        ops.playout_depth = PLAY_TO_THE_END     # a round is short: its end tells more than the estimate
        ops.setup = letter_setup
        ops.to_move = letter_to_move
        ops.legal_moves = letter_legal_moves
        ops.chance_outcomes = letter_chance_outcomes
        ops.play = letter_play
        ops.returns = letter_returns
        ops.evaluate = letter_evaluate
        ops.perceive = letter_perceive
        ops.conceal = letter_conceal
        ops.determinise = letter_determinise
