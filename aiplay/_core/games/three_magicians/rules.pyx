"""The rules of The Three Magicians as C functions; see three_magicians.pyx for the game and docs/rules for
the rules."""

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, int8_t, move_t, seat_t, uint64_t

# ---- Decisions ---------------------------------------------------------------------------------------------

cdef void magicians_setup(const void* rules, void* state) noexcept nogil:
    cdef MagiciansState* s = <MagiciansState*>state
    cdef int seat
    for seat in range((<const MagiciansRules*>rules).seats):
        s.magicians[seat] = s.apprentices[seat] = LIFE


cdef seat_t magicians_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const MagiciansState* s = <const MagiciansState*>state
    if s.phase == MOVE:
        return s.seat
    if s.phase == THROW:
        # Rules: the cap is checked before a throw
        return CHANCE if s.n_turns < (<const MagiciansRules*>rules).turn_cap else TERMINAL
    if s.phase == FIRST or s.phase == MAGIC or s.phase == DUEL_THROW:
        return CHANCE
    if s.phase == DUEL_KEEP:
        return thrower(s)                       # Rules: the seat that throws decides, also out of its turn
    return TERMINAL if s.phase == OVER else s.seat


cdef inline int list_bits(uint64_t bits, int base, int n, move_t* out) noexcept nogil:
    """Append base + every member of a set to n moves; return how many there are then."""
    while bits:
        out[n] = base + lowest_bit(bits)
        bits &= bits - 1
        n += 1
    return n


cdef inline int list_moves(const MagiciansRules* r, const MagiciansState* s, move_t* out) noexcept nogil:
    cdef uint64_t walks = walk_ends(r, s)
    cdef int n = 0
    if not walks or not r.must_walk:            # Rules: the Apprentice must move when it can
        out[0] = END
        n = 1
    n = list_bits(jump_ends(r, s), JUMP, n, out)
    return list_bits(walks, WALK, n, out)


cdef int list_keeps(const MagiciansRules* r, const MagiciansState* s, move_t* out) noexcept nogil:
    """Stop, or keep some but not all of the wands just thrown; wands of equal value are interchangeable."""
    cdef int limit = s.goal_throws if s.is_second else N_WANDS
    cdef int n_thrown = N_WANDS - s.n_kept
    cdef int n = 1
    cdef int zeros, ones, twos
    out[0] = STOP
    if s.n_throws >= limit:
        return n
    for twos in range(s.thrown[2] + 1):
        for ones in range(s.thrown[1] + 1):
            for zeros in range(s.thrown[0] + 1):
                if 0 < zeros + ones + twos < n_thrown:
                    out[n] = zeros + 4 * ones + 16 * twos
                    n += 1
    return n


cdef int list_victims(const MagiciansState* s, move_t* out) noexcept nogil:
    """The seats that own the card of the place where the seat's figures met."""
    cdef int place = s.magicians[s.seat]
    cdef int n = 0
    cdef int seat
    for seat in range(MAX_PLAYERS):
        if s.cards[seat] >> place & 1:
            out[n] = seat
            n += 1
    return n


cdef int list_symbols(const MagiciansState* s, move_t* out) noexcept nogil:
    """The symbols that are tied for most."""
    cdef int n = 0
    cdef int bit
    for bit in range(3):
        if s.tied >> bit & 1:
            out[n] = 1 << bit
            n += 1
    return n


cdef int magicians_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const MagiciansRules* r = <const MagiciansRules*>rules
    cdef const MagiciansState* s = <const MagiciansState*>state
    if s.phase == MOVE:
        return list_moves(r, s, out)
    if s.phase == OFFER:
        out[0] = DECLINE
        out[1] = CAST
        return 2
    if s.phase == TIE:
        return list_symbols(s, out)
    if s.phase == STAR:                         # Rules: any of the eight places other than the Labyrinth
        return list_bits((1 << LABYRINTH) - 1, 0, 0, out)
    if s.phase == STEAL:
        return list_victims(s, out)
    return list_keeps(r, s, out)


# ---- Chance ------------------------------------------------------------------------------------------------

cdef inline const ChanceTable* chance_table(const MagiciansRules* r, const MagiciansState* s) noexcept nogil:
    if s.phase == THROW:
        return &r.throws
    if s.phase == DUEL_THROW:
        return &r.duels[N_WANDS - s.n_kept]
    return &r.magics if s.phase == MAGIC else &r.first


cdef int magicians_chance_outcomes(
    const void* rules, const void* state, move_t* out, double* p
) noexcept nogil:
    cdef const ChanceTable* table = chance_table(<const MagiciansRules*>rules, <const MagiciansState*>state)
    cdef int i
    for i in range(table.n):
        out[i] = table.moves[i]
        p[i] = table.p[i]
    return table.n


cdef move_t magicians_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef const ChanceTable* table = chance_table(<const MagiciansRules*>rules, <const MagiciansState*>state)
    return table.samples[rng_below(rng, table.n_samples)]


# ---- Cards and the Labyrinth -------------------------------------------------------------------------------

cdef inline void clear_duel(MagiciansState* s) noexcept nogil:
    s.rival = s.is_reversed = s.is_second = 0
    s.n_throws = s.n_kept = s.kept = s.goal = s.goal_throws = 0
    s.thrown[0] = s.thrown[1] = s.thrown[2] = 0


cdef inline void gain_card(MagiciansState* s, int seat, int place) noexcept nogil:
    """Give a card to a seat; the last one wins the game at once."""
    s.cards[seat] |= 1 << place
    if s.cards[seat] == ALL_CARDS:
        s.phase = OVER
        s.jump = s.walk = s.is_again = 0


cdef inline void banish_apprentice(MagiciansState* s, int seat) noexcept nogil:
    # Rules: an Apprentice that goes to the Labyrinth, for whatever reason, loses its Power token
    s.apprentices[seat] = LABYRINTH
    s.powers[seat] = 0


cdef inline void banish_rivals(const MagiciansRules* r, MagiciansState* s, int place) noexcept nogil:
    """Rules: a Magician that arrives sends the Apprentices of the others to the Labyrinth."""
    cdef int seat
    for seat in range(r.seats):
        if seat != s.seat and s.apprentices[seat] == place:
            banish_apprentice(s, seat)


cdef inline void meet(const MagiciansRules* r, MagiciansState* s, int place) noexcept nogil:
    """The seat's own Magician and Apprentice are together on a tarot place, and one of them has arrived."""
    if s.cards[s.seat] >> place & 1:
        return                                  # Rules: a seat owns at most one card of a place
    if n_owners(r, s, place) < r.cards_per_place:
        gain_card(s, s.seat, place)
    else:
        s.phase = STEAL


# ---- Arrivals ----------------------------------------------------------------------------------------------

cdef inline int magician_at(const MagiciansRules* r, const MagiciansState* s, int place) noexcept nogil:
    """The other seat whose Magician stands on a place, or -1."""
    cdef int seat
    for seat in range(r.seats):
        if seat != s.seat and s.magicians[seat] == place:
            return seat
    return -1


cdef inline void arrive_magician(const MagiciansRules* r, MagiciansState* s, int place) noexcept nogil:
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


cdef inline void arrive_apprentice(const MagiciansRules* r, MagiciansState* s, int spot) noexcept nogil:
    """The Apprentice comes to a spot, walking or by magic."""
    s.apprentices[s.seat] = spot
    if spot >= N_TAROT:
        return
    if magician_at(r, s, spot) >= 0:
        banish_apprentice(s, s.seat)
    elif s.magicians[s.seat] == spot:
        meet(r, s, spot)


# ---- Duels -------------------------------------------------------------------------------------------------

cdef void end_duel(const MagiciansRules* r, MagiciansState* s, int winner) noexcept nogil:
    cdef int loser = s.rival if winner == s.seat else s.seat
    cdef int place = s.magicians[s.seat]
    cdef int bit = 1 << place
    clear_duel(s)
    s.magicians[loser] = LABYRINTH
    s.phase = MOVE
    if not s.cards[winner] & bit:
        # Rules: the winner takes the place's card, or, if none is left there, the loser's
        if n_owners(r, s, place) < r.cards_per_place:
            gain_card(s, winner, place)
        elif s.cards[loser] & bit:
            s.cards[loser] &= ~bit
            gain_card(s, winner, place)
    if winner == s.seat and s.phase != OVER:
        # Rules: the arrival goes on. The winner's own Apprentice cannot be here: the rival's Magician was.
        banish_rivals(r, s, place)


cdef inline void throw_again(MagiciansState* s) noexcept nogil:
    """The next thrower starts with all three wands."""
    s.n_throws = s.n_kept = s.kept = 0
    s.thrown[0] = s.thrown[1] = s.thrown[2] = 0
    s.phase = DUEL_THROW


cdef void stop(const MagiciansRules* r, MagiciansState* s) noexcept nogil:
    """The thrower is content with all three wands."""
    cdef int points = s.kept + s.thrown[1] + 2 * s.thrown[2]
    cdef int n_throws = s.n_throws
    cdef int second = thrower(s)
    if not s.is_second:
        throw_again(s)
        s.is_second = 1
        s.goal = points
        s.goal_throws = n_throws
    elif points == s.goal and n_throws == s.goal_throws:
        # Rules: same points, same number of throws: the duel starts over with the roles reversed
        throw_again(s)
        s.is_second = s.goal = s.goal_throws = 0
        s.is_reversed = not s.is_reversed
    elif points >= s.goal:
        end_duel(r, s, second)                  # more points, or the same in fewer throws
    else:
        end_duel(r, s, s.seat + s.rival - second)


cdef void keep(MagiciansState* s, move_t move) noexcept nogil:
    cdef int zeros = move & 3, ones = move >> 2 & 3, twos = move >> 4
    s.n_kept += zeros + ones + twos
    s.kept += ones + 2 * twos
    s.thrown[0] = s.thrown[1] = s.thrown[2] = 0
    s.phase = DUEL_THROW


cdef void throw_duel(MagiciansState* s, move_t move) noexcept nogil:
    s.thrown[1] = move & 3
    s.thrown[2] = move >> 2
    s.thrown[0] = N_WANDS - s.n_kept - s.thrown[1] - s.thrown[2]
    s.n_throws += 1
    s.phase = DUEL_KEEP


# ---- Turns -------------------------------------------------------------------------------------------------

cdef inline void end_turn(const MagiciansRules* r, MagiciansState* s) noexcept nogil:
    if not s.is_again:
        s.seat = s.seat + 1 if s.seat + 1 < r.seats else 0
    s.jump = s.walk = s.is_again = 0
    s.phase = THROW


cdef inline void throw_turn(const MagiciansRules* r, MagiciansState* s, move_t move) noexcept nogil:
    cdef int own = own_notches(move)
    cdef bint is_free = is_triplet(move) and r.exits >> own & 1
    s.n_turns += 1
    if move == TRIPLE_0:
        # Rules: both figures go to the Labyrinth and the turn ends
        s.magicians[s.seat] = LABYRINTH
        banish_apprentice(s, s.seat)
        end_turn(r, s)
        return
    # Rules: figures in the Labyrinth stay there but for the right triplet, which they use
    s.jump = own if is_free or s.magicians[s.seat] != LABYRINTH else 0
    s.walk = all_notches(move) if is_free or s.apprentices[s.seat] != LABYRINTH else 0
    s.is_again = is_triplet(move)
    s.phase = MOVE


cdef inline void move_figure(const MagiciansRules* r, MagiciansState* s, move_t move) noexcept nogil:
    if move == END:
        end_turn(r, s)
    elif move < WALK:
        arrive_magician(r, s, move - JUMP)
    else:
        s.walk = 0
        arrive_apprentice(r, s, move - WALK)
        if r.magic >> (move - WALK) & 1:
            s.phase = OFFER


cdef void choose_symbol(MagiciansState* s, move_t symbols) noexcept nogil:
    """What the wands say, or what the seat chose among the tied ones."""
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


cdef void steal(MagiciansState* s, int victim) noexcept nogil:
    cdef int place = s.magicians[s.seat]
    s.phase = MOVE
    s.cards[victim] &= ~(1 << place)
    gain_card(s, s.seat, place)


cdef void magicians_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const MagiciansRules* r = <const MagiciansRules*>rules
    cdef MagiciansState* s = <MagiciansState*>state
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


cdef void magicians_returns(const void* rules, const void* state, double* out) noexcept nogil:
    """The seat with the most cards gets 1, ties share: the winner has them all, at the cap nobody has."""
    cdef const MagiciansRules* r = <const MagiciansRules*>rules
    cdef const MagiciansState* s = <const MagiciansState*>state
    cdef int n_cards[3]
    cdef int best = 0, n_best = 0
    cdef int seat
    for seat in range(r.seats):
        n_cards[seat] = popcount(s.cards[seat])
        best = max(best, n_cards[seat])
    for seat in range(r.seats):
        n_best += n_cards[seat] == best
    for seat in range(r.seats):
        out[seat] = 1.0 / n_best if n_cards[seat] == best else 0.0


cdef int magicians_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    return playout_loop(
        magicians_to_move, magicians_legal_moves, magicians_sample_chance, magicians_play,
        rules, state, rng, limit,
    )
