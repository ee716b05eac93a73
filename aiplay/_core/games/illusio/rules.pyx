"""Illusio: setup, the effect of every move, the outcomes of chance, and the returns."""

from libc.string cimport memset

from aiplay._core.bits cimport nth_bit, pop_lowest, popcount
from aiplay._core.games.illusio.components cimport (
    component_enter, component_leave, component_on, component_shift, count_cards, deck_to_draw, due_tricks,
    hand_discard, objectives_at, present_kind, renew_deck, trick_points,
)
from aiplay._core.games.illusio.memory cimport hand_add, hand_drop, hand_steal
from aiplay._core.games.illusio.state cimport (
    ALL_NEEDS, BACKSTAGE, CONTEST_SIZE, COUNT_BITS, COUNT_STRIDE, DEJA_VU, DISPLAYED, DRAW_BELOW, DRAW_UP_TO, ENCORE,
    GRAND, IN_CONTEST, IN_DECK, IN_DISCARDS, KEEP_LIMIT, KEPT, KIND_STRIDE, MOVE_BACK, MOVE_BECOME, MOVE_CLAIM,
    MOVE_DEJA_VU, MOVE_DONE, MOVE_ENCORE, MOVE_END, MOVE_GIVE_UP, MOVE_GRAND, MOVE_MORPH, MOVE_PLACE, MOVE_PLACE_HAND,
    MOVE_RECALL, MOVE_REDRAW, MOVE_STEAL, MOVE_STOP, MOVE_SWAP_WITH, MOVE_TAKE, MOVE_THROW, MOVE_TRANSFORM,
    MOVE_VALIDATE, NOT_IN_GAME, NOT_IN_PLAY, NO_CARD, NO_MAGICIAN, N_ACTIONS, N_COMPONENTS, N_KINDS, N_NEEDS,
    N_OBJECTIVES, N_TYPES, PHASE_ACT, PHASE_CLAIM, PHASE_CONTEST, PHASE_DEAL, PHASE_DISCARD, PHASE_DRAW, PHASE_EXCHANGE,
    PHASE_FIRST, PHASE_MAGICIAN, PHASE_MORPH, PHASE_OVER, PHASE_REFILL, PHASE_SWAP, PHASE_TAKE, PHASE_TRANSFORM,
    PHASE_VALIDATE, PLACED, REALISING, START_HAND, SUCCESS, TAKE, TRANSFORM, UNSPENT, VERB_STRIDE, IllusioRules,
    IllusioState,
)
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, move_t, seat_t, uint8_t, uint32_t


cdef void illusio_setup(const void* rules, void* state) noexcept nogil:
    cdef const IllusioRules* r = <const IllusioRules*>rules
    cdef IllusioState* s = <IllusioState*>state
    cdef int kind, i
    memset(s.hands, NO_CARD, sizeof(s.hands))
    memset(s.magicians, NO_MAGICIAN, sizeof(s.magicians))
    for kind in range(N_KINDS):
        s.deck[kind] = r.total[kind]
    s.n_deck = <uint8_t>r.n_cards
    for i in range(r.n_objectives, N_OBJECTIVES):
        s.objectives[i] = NOT_IN_GAME


cdef seat_t illusio_to_move(const void* rules, const void* state) noexcept nogil:
    cdef const IllusioState* s = <const IllusioState*>state
    if s.phase == PHASE_OVER:
        return TERMINAL
    if s.phase < PHASE_VALIDATE or s.phase == PHASE_DRAW or s.phase == PHASE_TAKE or s.phase == PHASE_REFILL:
        return CHANCE
    return s.seat


# ---- The course of a turn -----------------------------------------------------------------------------------------

cdef inline void go_to(IllusioState* s, int phase) noexcept nogil:
    """Begin a phase that has nothing pending."""
    s.phase = <uint8_t>phase
    s.pending = s.focus = s.mark = 0


cdef inline void end_game(IllusioState* s) noexcept nogil:
    go_to(s, PHASE_OVER)
    s.actions = s.talent_used = 0


cdef inline void start_draw(IllusioState* s, int n) noexcept nogil:
    """Draw n cards, or all that are left, then act."""
    go_to(s, PHASE_ACT)
    if n > 0 and (s.n_deck or count_cards(s.discards)):
        s.phase = PHASE_DRAW
        s.pending = <uint8_t>n


cdef inline void finish_validation(IllusioState* s) noexcept nogil:
    """Spend the Encores that have bought their round, then begin step 1. Rules: A turn."""
    cdef uint32_t tricks = objectives_at(s, DISPLAYED + s.seat)
    while tricks:
        s.encores[pop_lowest(&tricks)] &= COUNT_BITS
    start_draw(s, DRAW_UP_TO - s.n_hand[s.seat] if s.n_hand[s.seat] < DRAW_BELOW else 1)


cdef inline void start_turn(IllusioState* s) noexcept nogil:
    s.actions = N_ACTIONS
    s.talent_used = 0
    if due_tricks(s):
        go_to(s, PHASE_VALIDATE)
    else:
        finish_validation(s)


cdef inline void next_turn(const IllusioRules* r, IllusioState* s) noexcept nogil:
    s.turn += 1
    if s.turn >= r.max_turns:
        end_game(s)
        return
    s.seat = <uint8_t>(s.seat + 1 if s.seat + 1 < r.seats else 0)
    start_turn(s)


cdef inline void end_actions(const IllusioRules* r, IllusioState* s) noexcept nogil:
    """Begin step 3 if there is anything to discard, else the next turn."""
    cdef int surplus = s.n_hand[s.seat] - KEEP_LIMIT
    if surplus <= 0:
        next_turn(r, s)
        return
    go_to(s, PHASE_DISCARD)
    s.pending = <uint8_t>surplus


# ---- Tricks -------------------------------------------------------------------------------------------------------

cdef inline void clear_trick(const IllusioRules* r, IllusioState* s, int trick) noexcept nogil:
    """Discard the components and cards on a validated trick."""
    cdef int slot, i
    for slot in range(r.n_needs[trick]):
        i = component_on(s, trick, slot)
        s.discards[r.kind_of[i]] += 1
        component_leave(r, s, i)
    s.discards[ENCORE] += s.encores[trick] & COUNT_BITS
    s.discards[DEJA_VU] += s.marks[trick] % COUNT_STRIDE
    s.discards[GRAND] += s.marks[trick] // COUNT_STRIDE
    s.encores[trick] = s.marks[trick] = s.filled[trick] = 0


cdef inline bint validate(const IllusioRules* r, IllusioState* s, int trick) noexcept nogil:
    """Score a displayed trick for its owner, who keeps it; return True if that ends the game. Rules: Scoring."""
    cdef int owner = s.objectives[trick] - DISPLAYED
    s.scores[owner] += <uint8_t>trick_points(r, s, owner, trick)
    s.objectives[trick] = <uint8_t>(KEPT + owner)
    clear_trick(r, s, trick)
    if s.scores[owner] < r.goal:
        return False
    end_game(s)
    return True


cdef inline void fill(const IllusioRules* r, IllusioState* s, int objective, int slot, int now) noexcept nogil:
    """Note that a need has a component, and if it is the exact one."""
    cdef int need = r.need[objective][slot]
    cdef bint is_exact = need < N_TYPES and need == now % KIND_STRIDE
    cdef int exact_bit = 1 << (N_NEEDS + slot)
    s.filled[objective] = <uint8_t>((s.filled[objective] | 1 << slot) & ~exact_bit | exact_bit * is_exact)


cdef inline bint is_complete(const IllusioRules* r, const IllusioState* s, int objective) noexcept nogil:
    return (s.filled[objective] & ALL_NEEDS) == (1 << r.n_needs[objective]) - 1


cdef inline void settle(const IllusioRules* r, IllusioState* s, int i, int objective, int slot) noexcept nogil:
    """Put component i on a need; on equal needs components lie in order of (printed kind, now)."""
    cdef int kind = r.kind_of[i]
    cdef int now = s.now[i]
    cdef int other, other_now
    component_shift(r, s, i, NOT_IN_PLAY, 0)
    while slot > 0 and r.need[objective][slot] == r.need[objective][slot - 1]:
        other = component_on(s, objective, slot - 1)
        other_now = s.now[other]
        if (r.kind_of[other] << 8 | other_now) <= (kind << 8 | now):
            break
        component_shift(r, s, other, PLACED + N_NEEDS * objective + slot, other_now)
        fill(r, s, objective, slot, other_now)
        slot -= 1
    component_shift(r, s, r.first[kind], PLACED + N_NEEDS * objective + slot, now)
    fill(r, s, objective, slot, now)
    if is_complete(r, s, objective):            # Rules: on display at once, without an action
        s.objectives[objective] = <uint8_t>(DISPLAYED + s.seat)


cdef inline void refill_contest(IllusioState* s) noexcept nogil:
    """Fill the Contest up after action D or F, as far as there are objectives."""
    cdef uint32_t discards
    go_to(s, PHASE_ACT)
    if popcount(objectives_at(s, IN_CONTEST)) == CONTEST_SIZE:
        return
    if objectives_at(s, IN_DECK) == 0:
        discards = objectives_at(s, IN_DISCARDS)
        if discards == 0:
            return
        while discards:
            s.objectives[pop_lowest(&discards)] = IN_DECK
    s.phase = PHASE_REFILL


cdef inline void give_up(const IllusioRules* r, IllusioState* s, int objective) noexcept nogil:
    """Action F: the components return to the Backstage, the objective goes to its discards."""
    cdef int slot, i
    for slot in range(r.n_needs[objective]):
        if s.filled[objective] >> slot & 1:
            i = component_on(s, objective, slot)
            component_shift(r, s, i, BACKSTAGE + s.seat, s.now[i])
    s.filled[objective] = 0
    s.objectives[objective] = IN_DISCARDS
    refill_contest(s)


# ---- Moves of a seat ----------------------------------------------------------------------------------------------

cdef inline void spend_action(IllusioState* s, int card) noexcept nogil:
    """Spend one action and the special action card that is played with it."""
    s.actions -= 1
    hand_drop(s, s.seat, card)


cdef inline void play_special(const IllusioRules* r, IllusioState* s, move_t move) noexcept nogil:
    """Action B with a card on a displayed trick. Rules: Special actions."""
    cdef int trick = move % VERB_STRIDE
    move -= trick
    if move == MOVE_ENCORE:
        spend_action(s, ENCORE)
        s.encores[trick] = <uint8_t>(s.encores[trick] + 1 | UNSPENT)
    elif move == MOVE_DEJA_VU:
        spend_action(s, DEJA_VU)
        s.marks[trick] += 1
    elif move == MOVE_GRAND:
        spend_action(s, GRAND)
        s.marks[trick] += COUNT_STRIDE
    else:
        spend_action(s, SUCCESS)
        s.discards[SUCCESS] += 1
        validate(r, s, trick)


cdef inline void use_talent(const IllusioRules* r, IllusioState* s, move_t move) noexcept nogil:
    """Use an active talent. Rules: Cards, talents."""
    cdef int i = move % VERB_STRIDE
    cdef int owner
    s.talent_used = 1
    move -= i
    if move == MOVE_REDRAW:
        hand_discard(s, s.seat, i)
        start_draw(s, 1)
    elif move == MOVE_RECALL:
        owner = s.place[i] - BACKSTAGE
        component_leave(r, s, i)
        hand_add(s, owner, r.kind_of[i], ((1 << r.seats) - 1) & ~(1 << owner))
    elif move == MOVE_STEAL:
        component_shift(r, s, i, BACKSTAGE + s.seat, s.now[i])
    else:
        go_to(s, PHASE_MORPH if move == MOVE_MORPH else PHASE_SWAP)
        s.focus = <uint8_t>i


cdef inline void play_transform(const IllusioRules* r, IllusioState* s, int i) noexcept nogil:
    """Put the card on the component; its new kind is the next decision."""
    spend_action(s, TRANSFORM)
    go_to(s, PHASE_TRANSFORM)
    s.focus = <uint8_t>component_shift(r, s, i, s.place[i], s.now[i] + KIND_STRIDE)


cdef inline void place_move(const IllusioRules* r, IllusioState* s, move_t move) noexcept nogil:
    """Action E, or a component of action D."""
    cdef int target, objective, slot, kind, i
    if move >= MOVE_PLACE:
        target = (move - MOVE_PLACE) // N_COMPONENTS
        i = (move - MOVE_PLACE) % N_COMPONENTS
    else:
        target = (move - MOVE_PLACE_HAND) // KIND_STRIDE
        kind = (move - MOVE_PLACE_HAND) % KIND_STRIDE
        hand_drop(s, s.seat, kind)
        i = component_enter(r, s, kind, BACKSTAGE + s.seat)
    objective = target // N_NEEDS
    slot = target % N_NEEDS
    settle(r, s, i, objective, slot)
    if s.phase == PHASE_CLAIM:
        s.mark = <uint8_t>(slot + 1)
        if is_complete(r, s, objective):
            refill_contest(s)
    else:
        s.actions -= 1


cdef inline void simple_move(const IllusioRules* r, IllusioState* s, move_t move) noexcept nogil:
    """A move that names no card, or Take."""
    if move == MOVE_END:
        end_actions(r, s)
    elif move == MOVE_DONE:
        start_draw(s, s.pending)
    elif move == MOVE_STOP:
        refill_contest(s)
    else:
        spend_action(s, TAKE)
        s.discards[TAKE] += 1
        go_to(s, PHASE_TAKE)
        s.focus = <uint8_t>(move - MOVE_TAKE)


cdef inline void card_move(const IllusioRules* r, IllusioState* s, move_t move) noexcept nogil:
    """Put a card of the hand backstage, throw it or discard it."""
    cdef int kind = move % VERB_STRIDE
    move -= kind
    if move == MOVE_BACK:
        s.actions -= 1
        hand_drop(s, s.seat, kind)
        component_enter(r, s, kind, BACKSTAGE + s.seat)
        return
    hand_discard(s, s.seat, kind)
    s.mark = <uint8_t>kind
    if move == MOVE_THROW:
        s.pending += 1
        if s.phase == PHASE_ACT:
            s.actions -= 1
            s.phase = PHASE_EXCHANGE
        return
    s.pending -= 1
    if s.pending == 0:
        go_to(s, PHASE_DISCARD)
        next_turn(r, s)


cdef inline void objective_move(const IllusioRules* r, IllusioState* s, move_t move) noexcept nogil:
    """Action D or F, or step 0."""
    cdef int objective = move % VERB_STRIDE
    move -= objective
    if move == MOVE_VALIDATE:
        if not validate(r, s, objective) and due_tricks(s) == 0:
            finish_validation(s)
        return
    s.actions -= 1
    if move == MOVE_GIVE_UP:
        give_up(r, s, objective)
        return
    s.objectives[objective] = <uint8_t>(REALISING + s.seat)
    go_to(s, PHASE_CLAIM)
    s.focus = <uint8_t>objective


cdef inline void become(const IllusioRules* r, IllusioState* s, int kind) noexcept nogil:
    """Give the chosen component its new kind, by Transform or by a talent."""
    component_shift(r, s, s.focus, s.place[s.focus], s.now[s.focus] - present_kind(s, s.focus) + kind)
    go_to(s, PHASE_ACT)


cdef inline void swap(const IllusioRules* r, IllusioState* s, int other) noexcept nogil:
    """Exchange the chosen component for another's, with the Transforms on them."""
    cdef int own = s.focus
    cdef int own_now = s.now[own]
    cdef int other_now = s.now[other]
    cdef int other_place = s.place[other]
    cdef int own_kind = r.kind_of[own]
    cdef int other_kind = r.kind_of[other]
    # Both go out of play first. If they are of one printed kind, the first to go pushes the other up by one.
    component_shift(r, s, max(own, other), NOT_IN_PLAY, 0)
    component_shift(r, s, min(own, other) + (own_kind == other_kind), NOT_IN_PLAY, 0)
    component_shift(r, s, r.first[own_kind], other_place, own_now)
    component_shift(r, s, r.first[other_kind], BACKSTAGE + s.seat, other_now)
    go_to(s, PHASE_ACT)


cdef inline void seat_move(const IllusioRules* r, IllusioState* s, move_t move) noexcept nogil:
    if move >= MOVE_PLACE_HAND:
        place_move(r, s, move)
    elif move < MOVE_BACK:
        simple_move(r, s, move)
    elif move < MOVE_CLAIM:
        card_move(r, s, move)
    elif move < MOVE_ENCORE:
        objective_move(r, s, move)
    elif move < MOVE_TRANSFORM:
        play_special(r, s, move)
    elif move < MOVE_BECOME:
        play_transform(r, s, move - MOVE_TRANSFORM)
    elif move < MOVE_REDRAW:
        become(r, s, move - MOVE_BECOME)
    elif MOVE_SWAP_WITH <= move < MOVE_STEAL:
        swap(r, s, move - MOVE_SWAP_WITH)
    else:
        use_talent(r, s, move)


# ---- Chance -------------------------------------------------------------------------------------------------------

cdef inline void draw_card(const IllusioRules* r, IllusioState* s, int kind) noexcept nogil:
    """Deal a card of the deck to `seat`, or draw it in a turn."""
    if s.n_deck == 0:
        renew_deck(r, s)
    s.deck[kind] -= 1
    s.n_deck -= 1
    hand_add(s, s.seat, kind, 0)
    s.pending -= 1
    if s.phase == PHASE_DRAW:
        start_draw(s, s.pending)
    elif s.pending == 0:
        s.seat = <uint8_t>(s.seat + 1 if s.seat + 1 < r.seats else 0)
        s.pending = START_HAND
        if s.n_hand[s.seat]:                    # everybody has cards: the first seat begins
            start_turn(s)


cdef inline void draw_magician(const IllusioRules* r, IllusioState* s, int magician) noexcept nogil:
    s.magicians[s.seat] = <uint8_t>magician
    s.seat = <uint8_t>(s.seat + 1 if s.seat + 1 < r.seats else 0)
    if s.magicians[s.seat] != NO_MAGICIAN:
        s.phase = PHASE_CONTEST


cdef inline void draw_objective(IllusioState* s, int objective) noexcept nogil:
    s.objectives[objective] = IN_CONTEST
    if s.phase == PHASE_REFILL:
        refill_contest(s)
    elif popcount(objectives_at(s, IN_CONTEST)) == CONTEST_SIZE:
        s.phase = PHASE_DEAL
        s.pending = START_HAND


cdef void illusio_play(const void* rules, void* state, move_t move) noexcept nogil:
    cdef const IllusioRules* r = <const IllusioRules*>rules
    cdef IllusioState* s = <IllusioState*>state
    if s.phase == PHASE_DRAW or s.phase == PHASE_DEAL:
        draw_card(r, s, move)
    elif s.phase == PHASE_TAKE:
        hand_steal(s, s.seat, s.focus, move)
        go_to(s, PHASE_ACT)
    elif s.phase == PHASE_REFILL or s.phase == PHASE_CONTEST:
        draw_objective(s, move)
    elif s.phase == PHASE_MAGICIAN:
        draw_magician(r, s, move)
    elif s.phase == PHASE_FIRST:
        s.seat = <uint8_t>move
        s.phase = PHASE_MAGICIAN
    else:
        seat_move(r, s, move)


cdef inline uint32_t open_outcomes(const IllusioRules* r, const IllusioState* s) noexcept nogil:
    """The equally likely outcomes of a chance decision that draws no card, one bit each."""
    cdef uint32_t outcomes
    cdef int seat
    if s.phase == PHASE_FIRST:
        return (1 << r.seats) - 1
    if s.phase != PHASE_MAGICIAN:
        return objectives_at(s, IN_DECK)
    outcomes = (1 << r.n_magicians) - 1
    for seat in range(r.seats):
        if s.magicians[seat] != NO_MAGICIAN:
            outcomes &= ~(<uint32_t>1 << s.magicians[seat])
    return outcomes


cdef int card_outcomes(const uint8_t* counts, move_t* out, double* p) noexcept nogil:
    """List one outcome for each kind of card, as likely as its share of the cards."""
    cdef int n = 0
    cdef int total = 0
    cdef int kind
    for kind in range(N_KINDS):
        if counts[kind]:
            out[n] = kind
            p[n] = counts[kind]
            total += counts[kind]
            n += 1
    for kind in range(n):
        p[kind] /= total
    return n


cdef int illusio_chance_outcomes(const void* rules, const void* state, move_t* out, double* p) noexcept nogil:
    cdef const IllusioState* s = <const IllusioState*>state
    cdef uint8_t counts[N_KINDS + 1]            # the last one is for cards that a view hides
    cdef uint32_t outcomes
    cdef int i
    cdef int n = 0
    if s.phase == PHASE_DRAW or s.phase == PHASE_DEAL:
        return card_outcomes(deck_to_draw(s), out, p)
    if s.phase == PHASE_TAKE:
        memset(counts, 0, sizeof(counts))
        for i in range(s.n_hand[s.focus]):
            counts[s.hands[s.focus][i]] += 1
        return card_outcomes(counts, out, p)
    outcomes = open_outcomes(<const IllusioRules*>rules, s)
    while outcomes:
        out[n] = pop_lowest(&outcomes)
        n += 1
    for i in range(n):
        p[i] = 1.0 / n
    return n


cdef move_t illusio_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef const IllusioState* s = <const IllusioState*>state
    cdef const uint8_t* counts
    cdef uint32_t outcomes
    cdef int left
    cdef int kind = 0
    if s.phase == PHASE_DRAW or s.phase == PHASE_DEAL:
        counts = deck_to_draw(s)
        left = <int>rng_below(rng, s.n_deck if s.n_deck else count_cards(counts))
        while left >= counts[kind]:
            left -= counts[kind]
            kind += 1
        return kind
    if s.phase == PHASE_TAKE:
        return s.hands[s.focus][rng_below(rng, s.n_hand[s.focus])]
    outcomes = open_outcomes(<const IllusioRules*>rules, s)
    return nth_bit(outcomes, <int>rng_below(rng, popcount(outcomes)))


cdef void illusio_returns(const void* rules, const void* state, double* out) noexcept nogil:
    """The most prestige wins, ties share; a seat that reached the goal has the most, since the game ended at once."""
    cdef const IllusioState* s = <const IllusioState*>state
    cdef int seats = (<const IllusioRules*>rules).seats
    cdef int best = 0, n_best = 0
    cdef int seat
    for seat in range(seats):
        if s.scores[seat] > best:
            best = s.scores[seat]
            n_best = 0
        n_best += s.scores[seat] == best
    for seat in range(seats):
        out[seat] = 1.0 / n_best if s.scores[seat] == best else 0.0
