"""Levitation: set-up, chance, the course of turns and actions, and the end."""

from aiplay._core.bits cimport nth_bit, pop_lowest, popcount
from aiplay._core.games.levitation.board cimport acting, card_bit, flair_owned
from aiplay._core.games.levitation.effects cimport (
    activate, claim_path, copy_text, place_flair, play_main_action, play_target, refill_next, spend_amount,
)
from aiplay._core.games.levitation.legal cimport levitation_legal_moves
from aiplay._core.games.levitation.state cimport (
    COUNTED_PIECES, FIRST_CUBES, MOVE_AMOUNT, MOVE_CARD, MOVE_DICE, MOVE_DRAFT, MOVE_END, MOVE_PATH, MOVE_ROLL,
    MOVE_TOKEN, NONE, N_CARDS, N_CITIES, N_COLOURS, N_MASTERS, N_ROLLS, N_ROUNDS, N_SEATS, N_SPACES, N_THROWS,
    N_TICKETS, N_TOKENS, N_TURNS, PHASE_AMOUNT, PHASE_COPY, PHASE_DEAL, PHASE_DICE, PHASE_FLAIR, PHASE_MAIN, PHASE_OVER,
    PHASE_PATH, PHASE_START, PHASE_TARGET, PHASE_TOKENS, SPACE_FLAIR, SPACE_ICON, SPACE_SIZE, SPACE_TICKETS,
    LevitationRules, LevitationState,
)
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, int8_t, move_t, seat_t, uint64_t

cdef enum:
    ALL_TOKENS = (1 << N_TOKENS) - 1


cdef void levitation_setup(const void* rules, void* state) noexcept nogil:
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef LevitationState* s = <LevitationState*>state
    cdef int i
    s.deck = card_bit(N_CARDS) - 1
    for i in range(N_CITIES):
        s.city_cards[i] = NONE
    for i in range(N_SPACES):
        s.space_seats[i] = NONE
    for i in range(N_SEATS):
        s.order[i] = NONE
    for i in range(r.seats):
        s.unused[i] = N_TICKETS
        s.cubes[i] = FIRST_CUBES
        s.tokens[i] = ALL_TOKENS
    s.master = s.colour = s.active = s.source = s.target = s.path_seat = s.path = NONE
    s.phase = PHASE_DEAL


cdef seat_t levitation_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const LevitationState* s = <const LevitationState*>state
    if s.phase > PHASE_PATH:
        return acting(s)
    if s.phase < PHASE_OVER:
        return CHANCE
    return TERMINAL if s.phase == PHASE_OVER else s.path_seat


# ---- Chance ------------------------------------------------------------------------------------------------

cdef inline int put_equal(uint64_t bits, move_t base, move_t* out, double* p) noexcept nogil:
    """Write base + bit for every bit of a set, all with the same probability; return how many."""
    cdef int n_outcomes = popcount(bits)
    cdef int i
    for i in range(n_outcomes):
        out[i] = base + pop_lowest(&bits)
        p[i] = 1.0 / n_outcomes
    return n_outcomes


cdef int levitation_chance_outcomes(const void* rules, const void* state, move_t* out, double* p) noexcept nogil:
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    cdef int roll
    if s.phase == PHASE_TOKENS:
        return put_equal(s.tokens[s.step], MOVE_TOKEN, out, p)
    if s.phase != PHASE_DICE:
        return put_equal(s.deck, MOVE_CARD, out, p)
    for roll in range(N_ROLLS):
        out[roll] = MOVE_DICE + roll
        p[roll] = r.roll_odds[roll]
    return N_ROLLS


cdef inline int random_bit(uint64_t bits, Rng* rng) noexcept nogil:
    """One of the bits of a set that is not empty."""
    return nth_bit(bits, rng_below(rng, popcount(bits)))


cdef move_t levitation_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    if s.phase == PHASE_DICE:
        return MOVE_DICE + r.roll_of[rng_below(rng, N_THROWS)]
    if s.phase == PHASE_TOKENS:
        return MOVE_TOKEN + random_bit(s.tokens[s.step], rng)
    return MOVE_CARD + random_bit(s.deck, rng)


cdef inline void begin_turn(LevitationState* s) noexcept nogil:
    """Let every seat reveal a token."""
    cdef int seat
    for seat in range(N_SEATS):
        s.revealed[seat] = 0
        s.order[seat] = NONE
    s.n_acted = s.step = 0
    s.phase = PHASE_TOKENS


cdef inline int turn_key(const LevitationRules* r, const LevitationState* s, int seat) noexcept nogil:
    """A number that is smaller for a seat that acts earlier. Rules: A turn."""
    if s.first[seat]:
        return s.first[seat]
    return 256 * s.revealed[seat] + r.ties[s.revealed[seat] - 1][seat]


cdef inline void set_order(const LevitationRules* r, LevitationState* s) noexcept nogil:
    """Order the seats by their keys, no two of which are equal, and begin the first action."""
    cdef int seat, other, place
    for seat in range(r.seats):
        place = 0
        for other in range(r.seats):
            place += turn_key(r, s, other) < turn_key(r, s, seat)
        s.order[place] = <int8_t>seat
    for seat in range(r.seats):
        s.first[seat] = 0
    s.step = 0
    s.phase = PHASE_START


cdef inline void play_card(const LevitationRules* r, LevitationState* s, int card) noexcept nogil:
    """Draw a card for the first deal or for a claimed path."""
    s.deck &= ~card_bit(card)
    if s.phase == PHASE_DEAL:
        s.city_cards[s.step] = <int8_t>card
        s.step += 1
        if s.step == r.n_cities:
            begin_turn(s)
    else:
        s.city_cards[r.paths[s.path][s.step]] = <int8_t>card
        s.step += 1
        refill_next(r, s)


cdef inline void play_token(const LevitationRules* r, LevitationState* s, int token) noexcept nogil:
    s.tokens[s.step] &= ~(1 << token)
    s.revealed[s.step] = <int8_t>(token + 1)
    s.step += 1
    if s.step == r.seats:
        set_order(r, s)


cdef inline void play_dice(const LevitationRules* r, LevitationState* s, int roll) noexcept nogil:
    cdef int master
    for master in range(N_MASTERS):
        s.dice[N_COLOURS * master + s.step] = r.rolls[roll][master]
    s.step += 1
    if s.step == N_COLOURS:
        s.step = 0
        s.phase = PHASE_START


# ---- Actions -----------------------------------------------------------------------------------------------

cdef inline void begin_roll(LevitationState* s) noexcept nogil:
    """Throw all twenty dice, those off the board too."""
    cdef int i
    for i in range(N_MASTERS * N_COLOURS):
        s.dice[i] = 0
    s.phase = PHASE_DICE


cdef inline void play_start(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil:
    """Rules: Before the draft, Draft."""
    cdef int choice
    if move >= MOVE_DRAFT:
        choice = move - MOVE_DRAFT
        s.dice[choice] -= 1
        s.master = <int8_t>(choice // N_COLOURS)
        s.colour = <int8_t>(choice % N_COLOURS)
        s.phase = PHASE_MAIN
        return
    if move == MOVE_ROLL:
        s.has_rolled = 1
    else:                                       # a re-roll card
        choice = move - MOVE_CARD
        s.used |= card_bit(choice)
        s.committed += r.costs[choice]
        s.scores[seat] += s.flair[choice]
    begin_roll(s)


cdef inline int space_points(const LevitationRules* r, const LevitationState* s, int seat, int space) noexcept nogil:
    """Points of a ticket of the seat on this space at the end."""
    cdef int kind = r.space_kinds[space]
    cdef int item = r.space_items[space]
    if kind == SPACE_ICON:
        return r.card_points[popcount(s.owned[seat] & r.icons[item])]
    if kind == SPACE_SIZE:
        return r.card_points[popcount(s.owned[seat] & r.sizes[item])]
    if kind == SPACE_FLAIR:
        return min(flair_owned(s, seat), <int>COUNTED_PIECES)
    if kind == SPACE_TICKETS:
        return min(N_TICKETS - s.unused[seat], <int>COUNTED_PIECES)
    return min(<int>s.cubes[seat], <int>COUNTED_PIECES)


cdef inline void end_game(const LevitationRules* r, LevitationState* s) noexcept nogil:
    """Rules: The end."""
    cdef int space, seat
    for seat in range(N_SEATS):
        s.first[seat] = 0                       # void after the last turn
    for space in range(N_SPACES):
        seat = s.space_seats[space]
        if seat != NONE:
            s.scores[seat] += space_points(r, s, seat, space)
    s.phase = PHASE_OVER


cdef inline void end_turn(const LevitationRules* r, LevitationState* s) noexcept nogil:
    cdef int seat
    s.disabled = 0
    if s.round == N_ROUNDS - 1 and s.turn == N_TURNS - 1:
        end_game(r, s)
        return
    s.turn += 1
    if s.turn == N_TURNS:
        s.turn = 0
        s.round += 1
        for seat in range(r.seats):
            s.tokens[seat] = ALL_TOKENS
    begin_turn(s)


cdef inline void end_action(const LevitationRules* r, LevitationState* s) noexcept nogil:
    """Return the cubes and clear all marks of this action."""
    s.used = 0
    s.has_rolled = s.has_acted = s.committed = s.bonus = 0
    s.master = s.colour = NONE
    s.n_acted += 1
    s.phase = PHASE_START
    if s.n_acted == r.seats:
        end_turn(r, s)


cdef inline void play_main(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil:
    if move == MOVE_END:
        end_action(r, s)
    elif move >= MOVE_CARD:
        activate(r, s, seat, move - MOVE_CARD)
    else:
        play_main_action(r, s, seat, move)


cdef void levitation_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef LevitationState* s = <LevitationState*>state
    if s.phase == PHASE_MAIN:
        play_main(r, s, acting(s), move)
    elif s.phase == PHASE_START:
        play_start(r, s, acting(s), move)
    elif s.phase == PHASE_DICE:
        play_dice(r, s, move - MOVE_DICE)
    elif s.phase == PHASE_TOKENS:
        play_token(r, s, move - MOVE_TOKEN)
    elif s.phase == PHASE_FLAIR:
        place_flair(r, s, acting(s), move)
    elif s.phase == PHASE_TARGET:
        play_target(r, s, acting(s), move)
    elif s.phase == PHASE_AMOUNT:
        spend_amount(s, acting(s), move - MOVE_AMOUNT)
    elif s.phase == PHASE_COPY:
        copy_text(r, s, acting(s), move - MOVE_CARD)
    elif s.phase == PHASE_PATH:
        claim_path(r, s, move - MOVE_PATH)
    else:
        play_card(r, s, move - MOVE_CARD)


cdef void levitation_returns(const void* rules, const void* state, double* out) noexcept nogil:
    """The most points win; tied winners share."""
    cdef int seats = (<const LevitationRules*>rules).seats
    cdef const LevitationState* s = <const LevitationState*>state
    cdef int best = s.scores[0]
    cdef int n_best = 0
    cdef int seat
    for seat in range(seats):
        best = max(best, <int>s.scores[seat])
    for seat in range(seats):
        n_best += s.scores[seat] == best
    for seat in range(seats):
        out[seat] = 1.0 / n_best if s.scores[seat] == best else 0.0


cdef int levitation_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    return playout_loop(
        levitation_to_move, levitation_legal_moves, levitation_sample_chance, levitation_play, rules, state, rng, limit
    )
