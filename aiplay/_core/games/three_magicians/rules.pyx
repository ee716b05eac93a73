"""The rules of The Three Magicians: every move and every throw. aiplay/games/three_magicians/rules.md explains them."""

from aiplay._core.bits cimport popcount
from aiplay._core.games.three_magicians.legal cimport three_magicians_legal_moves
from aiplay._core.games.three_magicians.state cimport (
    ALL_CARDS, CAST, COUNT_BITS, COUNT_MASK, DUEL_KEEP, DUEL_THROW, END, FIRST, JUMP, LABYRINTH, LIFE, MAGIC,
    MAX_PLAYERS, MOVE, N_TAROT, N_WANDS, OFFER, OVER, STAR, STAY, STEAL, STOP, SYMBOL_ARROW, SYMBOL_EMPTY, SYMBOL_STAR,
    THROW, TIE, TRIPLE_0, WALK, Chances, ThreeMagiciansRules, ThreeMagiciansState, all_notches, is_triplet,
    own_notches, thrower,
)
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, int8_t, move_t, seat_t

# ---- Setup and decisions -----------------------------------------------------------------------------------

cdef void three_magicians_setup(const void* rules, void* state) noexcept nogil:
    cdef ThreeMagiciansState* s = <ThreeMagiciansState*>state
    cdef int seat
    for seat in range((<const ThreeMagiciansRules*>rules).seats):
        s.magicians[seat] = s.apprentices[seat] = LIFE


cdef seat_t three_magicians_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const ThreeMagiciansState* s = <const ThreeMagiciansState*>state
    if s.phase == MOVE:
        return s.seat
    if s.phase == THROW:
        # Rules: the cap is checked before a throw
        return CHANCE if s.n_turns < (<const ThreeMagiciansRules*>rules).turn_cap else TERMINAL
    if s.phase == FIRST or s.phase == MAGIC or s.phase == DUEL_THROW:
        return CHANCE
    if s.phase == DUEL_KEEP:
        return thrower(s)                       # Rules: the thrower decides, even if it is not its turn
    return TERMINAL if s.phase == OVER else s.seat


# ---- Chance ------------------------------------------------------------------------------------------------

cdef inline const Chances* chances_of(const ThreeMagiciansRules* r, const ThreeMagiciansState* s) noexcept nogil:
    if s.phase == THROW:
        return &r.throws
    if s.phase == DUEL_THROW:
        return &r.duels[N_WANDS - s.n_kept]
    return &r.magics if s.phase == MAGIC else &r.first


cdef int three_magicians_chance_outcomes(
    const void* rules, const void* state, move_t* out, double* p
) noexcept nogil:
    cdef const Chances* chances = chances_of(<const ThreeMagiciansRules*>rules, <const ThreeMagiciansState*>state)
    cdef int i
    for i in range(chances.n):
        out[i] = chances.moves[i]
        p[i] = chances.p[i]
    return chances.n


cdef move_t three_magicians_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef const Chances* chances = chances_of(<const ThreeMagiciansRules*>rules, <const ThreeMagiciansState*>state)
    return chances.samples[rng_below(rng, chances.n_samples)]


# ---- Cards and the Labyrinth -------------------------------------------------------------------------------

cdef inline int n_owners(const ThreeMagiciansState* s, int place) noexcept nogil:
    """How many seats own the card of a place."""
    cdef int seat, n = 0
    for seat in range(MAX_PLAYERS):
        n += s.cards[seat] >> place & 1
    return n


cdef inline void gain_card(ThreeMagiciansState* s, int seat, int place) noexcept nogil:
    """Give a card to a seat; the seventh wins the game at once."""
    s.cards[seat] |= 1 << place
    if s.cards[seat] == ALL_CARDS:
        s.phase = OVER
        s.jump = s.walk = s.is_again = 0


cdef inline void banish_apprentice(ThreeMagiciansState* s, int seat) noexcept nogil:
    # Rules: an Apprentice that goes to the Labyrinth for any reason loses its Power token
    s.apprentices[seat] = LABYRINTH
    s.powers[seat] = 0


cdef inline void banish_rivals(const ThreeMagiciansRules* r, ThreeMagiciansState* s, int place) noexcept nogil:
    """Rules: a Magician that arrives sends the other seats' Apprentices to the Labyrinth."""
    cdef int seat
    for seat in range(min(r.seats, <int>MAX_PLAYERS)):      # the bound is for the compiler, which warns without it
        if seat != s.seat and s.apprentices[seat] == place:
            banish_apprentice(s, seat)


cdef inline void meet(const ThreeMagiciansRules* r, ThreeMagiciansState* s, int place) noexcept nogil:
    """One of the seat's figures has arrived at the other, on a place with tarot cards."""
    if s.cards[s.seat] >> place & 1:
        return                                  # Rules: a seat owns at most one card of a place
    if n_owners(s, place) < r.cards_per_place:
        gain_card(s, s.seat, place)
    else:
        s.phase = STEAL


# ---- Arrivals ----------------------------------------------------------------------------------------------

cdef inline int magician_at(const ThreeMagiciansRules* r, const ThreeMagiciansState* s, int place) noexcept nogil:
    """The other seat whose Magician stands on a place, or -1."""
    cdef int seat
    for seat in range(r.seats):
        if seat != s.seat and s.magicians[seat] == place:
            return seat
    return -1


cdef inline void arrive_magician(const ThreeMagiciansRules* r, ThreeMagiciansState* s, int place) noexcept nogil:
    cdef int rival
    s.magicians[s.seat] = place
    s.jump = 0
    if place >= N_TAROT:
        return                                  # Rules: nobody fights on Life
    rival = magician_at(r, s, place)
    if rival >= 0:
        s.rival = rival
        s.phase = DUEL_THROW
        return
    banish_rivals(r, s, place)
    if s.apprentices[s.seat] == place:
        meet(r, s, place)


cdef inline void arrive_apprentice(const ThreeMagiciansRules* r, ThreeMagiciansState* s, int spot) noexcept nogil:
    """The Apprentice arrives at a spot, by walking or by magic."""
    s.apprentices[s.seat] = spot
    if spot >= N_TAROT:
        return
    if magician_at(r, s, spot) >= 0:
        banish_apprentice(s, s.seat)
    elif s.magicians[s.seat] == spot:
        meet(r, s, spot)


# ---- Duels -------------------------------------------------------------------------------------------------

cdef inline void take_wands(ThreeMagiciansState* s) noexcept nogil:
    """All three wands are to be thrown, for the first time."""
    s.n_throws = s.n_kept = s.kept = 0
    s.thrown[0] = s.thrown[1] = s.thrown[2] = 0


cdef void end_duel(const ThreeMagiciansRules* r, ThreeMagiciansState* s, int winner) noexcept nogil:
    cdef int loser = s.rival if winner == s.seat else s.seat
    cdef int place = s.magicians[s.seat]
    cdef int bit = 1 << place
    take_wands(s)
    s.rival = s.is_reversed = s.is_second = s.goal = s.goal_throws = 0
    s.magicians[loser] = LABYRINTH
    s.phase = MOVE
    if not s.cards[winner] & bit:
        # Rules: the winner takes the place's card, or, if none is left there, the loser's
        if n_owners(s, place) < r.cards_per_place:
            gain_card(s, winner, place)
        elif s.cards[loser] & bit:
            s.cards[loser] &= ~bit
            gain_card(s, winner, place)
    if winner == s.seat and s.phase != OVER:
        # Rules: the arrival goes on. The winner's own Apprentice is not here, because the rival's Magician was.
        banish_rivals(r, s, place)


cdef void stop(const ThreeMagiciansRules* r, ThreeMagiciansState* s) noexcept nogil:
    """The thrower keeps all three wands as they are."""
    cdef int points = s.kept + s.thrown[1] + 2 * s.thrown[2]
    cdef int n_throws = s.n_throws
    cdef int second = thrower(s)
    if not s.is_second:
        take_wands(s)
        s.is_second = 1
        s.goal = points
        s.goal_throws = n_throws
        s.phase = DUEL_THROW
    elif points == s.goal and n_throws == s.goal_throws:
        # Rules: after a tie in points and throws the duel starts over, and the other seat throws first
        take_wands(s)
        s.is_second = s.goal = s.goal_throws = 0
        s.is_reversed = not s.is_reversed
        s.phase = DUEL_THROW
    elif points >= s.goal:
        end_duel(r, s, second)                  # more points, or as many in fewer throws
    else:
        end_duel(r, s, s.seat + s.rival - second)


cdef void keep(ThreeMagiciansState* s, move_t move) noexcept nogil:
    cdef int zeros = move & COUNT_MASK, ones = move >> COUNT_BITS & COUNT_MASK, twos = move >> 2 * COUNT_BITS
    s.n_kept += zeros + ones + twos
    s.kept += ones + 2 * twos
    s.thrown[0] = s.thrown[1] = s.thrown[2] = 0
    s.phase = DUEL_THROW


cdef void throw_duel(ThreeMagiciansState* s, move_t move) noexcept nogil:
    s.thrown[1] = move & COUNT_MASK
    s.thrown[2] = move >> COUNT_BITS
    s.thrown[0] = N_WANDS - s.n_kept - s.thrown[1] - s.thrown[2]
    s.n_throws += 1
    s.phase = DUEL_KEEP


# ---- Turns -------------------------------------------------------------------------------------------------

cdef inline void end_turn(const ThreeMagiciansRules* r, ThreeMagiciansState* s) noexcept nogil:
    if not s.is_again:
        s.seat = s.seat + 1 if s.seat + 1 < r.seats else 0
    s.jump = s.walk = s.is_again = 0
    s.phase = THROW


cdef inline void throw_turn(const ThreeMagiciansRules* r, ThreeMagiciansState* s, move_t move) noexcept nogil:
    cdef int own = own_notches(move)
    cdef bint is_free = is_triplet(move) and r.exits >> own & 1
    s.n_turns += 1
    if move == TRIPLE_0:
        # Rules: both figures go to the Labyrinth and the turn ends
        s.magicians[s.seat] = LABYRINTH
        banish_apprentice(s, s.seat)
        end_turn(r, s)
        return
    # Rules: figures in the Labyrinth can leave it only with the right triplet, and move by that throw
    s.jump = own if is_free or s.magicians[s.seat] != LABYRINTH else 0
    s.walk = all_notches(move) if is_free or s.apprentices[s.seat] != LABYRINTH else 0
    s.is_again = is_triplet(move)
    s.phase = MOVE


cdef inline void move_figure(const ThreeMagiciansRules* r, ThreeMagiciansState* s, move_t move) noexcept nogil:
    if move == END:
        end_turn(r, s)
    elif move < WALK:
        arrive_magician(r, s, move - JUMP)
    else:
        s.walk = 0
        arrive_apprentice(r, s, move - WALK)
        if r.magic >> (move - WALK) & 1:
            s.phase = OFFER


cdef void choose_symbol(ThreeMagiciansState* s, move_t symbols) noexcept nogil:
    """Apply the symbol seen most; if several are, the seat has to choose."""
    s.tied = 0
    s.phase = MOVE
    if symbols == SYMBOL_STAR:
        s.phase = STAR
    elif symbols == SYMBOL_ARROW:
        s.powers[s.seat] = 1
    elif symbols == SYMBOL_EMPTY:
        banish_apprentice(s, s.seat)
    else:
        s.tied = <int8_t>symbols
        s.phase = TIE


cdef void steal(ThreeMagiciansState* s, int victim) noexcept nogil:
    cdef int place = s.magicians[s.seat]
    s.phase = MOVE
    s.cards[victim] &= ~(1 << place)
    gain_card(s, s.seat, place)


cdef void three_magicians_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const ThreeMagiciansRules* r = <const ThreeMagiciansRules*>rules
    cdef ThreeMagiciansState* s = <ThreeMagiciansState*>state
    if s.phase == THROW:
        throw_turn(r, s, move)
    elif s.phase == MOVE:
        move_figure(r, s, move)
    elif s.phase == OFFER:
        s.phase = MAGIC if move == CAST else MOVE
    elif s.phase == MAGIC or s.phase == TIE:
        choose_symbol(s, move)
    elif s.phase == STAR:
        s.phase = MOVE
        if move != STAY:
            arrive_apprentice(r, s, move)
    elif s.phase == STEAL:
        steal(s, move)
    elif s.phase == DUEL_THROW:
        throw_duel(s, move)
    elif s.phase == DUEL_KEEP:
        if move == STOP:
            stop(r, s)
        else:
            keep(s, move)
    else:
        s.seat = move
        s.phase = THROW


cdef void three_magicians_returns(const void* rules, const void* state, double* out) noexcept nogil:
    """The seat with the most cards gets 1; ties share. At the turn cap no seat owns all of them."""
    cdef const ThreeMagiciansRules* r = <const ThreeMagiciansRules*>rules
    cdef const ThreeMagiciansState* s = <const ThreeMagiciansState*>state
    cdef int n_cards[MAX_PLAYERS]
    cdef int best = 0, n_best = 0
    cdef int seat
    for seat in range(r.seats):
        n_cards[seat] = popcount(s.cards[seat])
        best = max(best, n_cards[seat])
    for seat in range(r.seats):
        n_best += n_cards[seat] == best
    for seat in range(r.seats):
        out[seat] = 1.0 / n_best if n_cards[seat] == best else 0.0


cdef int three_magicians_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    return playout_loop(
        three_magicians_to_move, three_magicians_legal_moves, three_magicians_sample_chance, three_magicians_play,
        rules, state, rng, limit,
    )
