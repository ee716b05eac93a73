"""Levitation (masters of magic): draft dice from three masters, learn illusions, tour fifteen cities.

Seats: 2-5. Options: players (2), data (another data file). Three rounds of four turns; in each turn every seat takes
one action: a die from one of the masters, that master's main action, and any of its own cards that match the die. The
most points win, ties share. The rules, with every decision where the rulebook is silent: docs/rules/levitation.md.

An action is a sequence of small moves, MOVE_* in levitation.pxd. Nothing is hidden: the deck is a set, and its order
is decided when a card is drawn. Chance deals the cities, reveals turn tokens, throws the dice colour by colour, draws.
"""

import numpy as np

from aiplay._core.bits cimport lowest_bit, popcount
from aiplay._core.contract cimport ABI_VERSION, GameOps
from aiplay._core.game cimport Game
from aiplay._core.games.levitation.board cimport *
from aiplay._core.games.levitation.effects cimport *
from aiplay._core.games.levitation.policy cimport best_move
from aiplay._core.games.levitation.value cimport levitation_evaluate
from aiplay._core.playout cimport playout_loop
from aiplay._core.rng cimport Rng, rng_below
from aiplay._core.typedefs cimport CHANCE, TERMINAL, int8_t, move_t, seat_t, uint64_t


cdef void levitation_setup(const void* rules, void* state) noexcept nogil:
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef LevitationState* s = <LevitationState*>state
    cdef int i
    s.deck = ((<uint64_t>1) << N_CARDS) - 1
    for i in range(N_CITIES):
        s.city_cards[i] = NONE
    for i in range(N_SPACES):
        s.space_seats[i] = NONE
    for i in range(N_SEATS):
        s.order[i] = NONE
    for i in range(r.seats):
        s.unused[i] = N_TICKETS
        s.cubes[i] = FIRST_CUBES
        s.tokens[i] = 15
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

cdef int levitation_chance_outcomes(const void* rules, const void* state, move_t* out, double* p) noexcept nogil:
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    cdef int i, n
    if s.phase == PHASE_DICE:
        for i in range(N_ROLLS):
            out[i] = MOVE_DICE + i
            p[i] = r.roll_odds[i]
        return N_ROLLS
    if s.phase == PHASE_TOKENS:
        n = put_bits(s.tokens[s.step], MOVE_TOKEN, out, 0)
    else:
        n = put_bits(s.deck, MOVE_CARD, out, 0)
    for i in range(n):
        p[i] = 1.0 / n
    return n


cdef inline int random_bit(uint64_t bits, Rng* rng) noexcept nogil:
    """One of the bits of a set that has any."""
    cdef int skip = rng_below(rng, popcount(bits))
    while skip:
        bits &= bits - 1
        skip -= 1
    return lowest_bit(bits)


cdef move_t levitation_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    if s.phase == PHASE_DICE:                   # each of four dice goes to each of three masters alike
        return MOVE_DICE + r.roll_of[rng_below(rng, 81)]
    if s.phase == PHASE_TOKENS:
        return MOVE_TOKEN + random_bit(s.tokens[s.step], rng)
    return MOVE_CARD + random_bit(s.deck, rng)


cdef inline void begin_turn(LevitationState* s) noexcept nogil:
    """Everybody reveals a token."""
    cdef int seat
    for seat in range(N_SEATS):
        s.revealed[seat] = 0
        s.order[seat] = NONE
    s.n_acted = s.step = 0
    s.phase = PHASE_TOKENS


cdef inline int turn_key(const LevitationRules* r, const LevitationState* s, int seat) noexcept nogil:
    """Smaller goes earlier. Rules: Turn order."""
    if s.first[seat]:
        return s.first[seat]
    return 256 * s.revealed[seat] + r.ties[s.revealed[seat] - 1][seat]


cdef inline void set_order(const LevitationRules* r, LevitationState* s) noexcept nogil:
    """The seats by their tokens, those who asked for the first action before all others; no two keys are equal."""
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
    """A card is drawn, for the first deal or for a claimed path."""
    s.deck &= ~card_bit(card)
    if s.phase == PHASE_DEAL:
        s.city_cards[s.step] = <int8_t>card
        s.step += 1
        if s.step == N_CITIES:
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


cdef inline void begin_roll(LevitationState* s) noexcept nogil:
    """All twenty dice are thrown, those off the board too."""
    cdef int i
    for i in range(N_MASTERS * N_COLOURS):
        s.dice[i] = 0
    s.phase = PHASE_DICE


# ---- Decisions ---------------------------------------------------------------------------------------------

cdef inline bint lacks_dice(const LevitationState* s) noexcept nogil:
    """Whether some master has no dice."""
    cdef int master, colour, n
    for master in range(N_MASTERS):
        n = 0
        for colour in range(N_COLOURS):
            n += s.dice[N_COLOURS * master + colour]
        if n == 0:
            return True
    return False


cdef inline int list_start(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """Rules: Before the draft, Draft. Without any die there is nothing but a roll."""
    cdef uint64_t cards = s.owned[seat] & r.rerolls & ~s.used & ~s.disabled
    cdef int n = 0
    cdef int i
    if not s.has_rolled and lacks_dice(s):
        out[n] = MOVE_ROLL
        n += 1
    while cards:
        i = lowest_bit(cards)
        cards &= cards - 1
        if r.costs[i] <= free_cubes(s, seat):
            out[n] = MOVE_CARD + i
            n += 1
    for i in range(N_MASTERS * N_COLOURS):
        out[n] = MOVE_DRAFT + i
        n += s.dice[i] > 0
    return n


cdef inline int list_main_action(
    const LevitationRules* r, const LevitationState* s, int seat, move_t* out, int n
) noexcept nogil:
    """Append what the master offers; the new number of moves."""
    if s.master == HERRMANN:
        if s.unused[seat]:
            out[n] = MOVE_TICKETS
            n += 1
    elif s.master == THURSTON:
        n = put_cities(cities_of_cards(s, r.icons[s.colour]), out, n)
    elif s.hand[seat]:
        n = put_cities(open_cities(s) & r.colour_cities[s.colour], out, n)
        n = put_bits(free_spaces(s), MOVE_SPACE, out, n)
    return n


cdef inline int list_main(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """Main action and activations in any order, or the end of the action."""
    cdef uint64_t cards = ready_cards(r, s, seat)
    cdef int n = 1
    cdef int card
    out[0] = MOVE_END
    if not s.has_acted:
        n = list_main_action(r, s, seat, out, n)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if is_activable(r, s, seat, card):
            out[n] = MOVE_CARD + card
            n += 1
    return n


cdef inline int list_flair(const LevitationRules* r, const LevitationState* s, int seat, move_t* out) noexcept nogil:
    """Rules: Flair. On an own card with room, or discarded for a point."""
    cdef uint64_t cards = s.owned[seat] >> s.flair_from << s.flair_from
    cdef int n = 1
    cdef int card
    out[0] = MOVE_DISCARD
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if s.flair[card] < r.limits[card]:
            out[n] = MOVE_CARD + card
            n += 1
    return n


cdef int levitation_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const LevitationRules* r = <const LevitationRules*>rules
    cdef const LevitationState* s = <const LevitationState*>state
    cdef int seat = acting(s)
    if s.phase == PHASE_MAIN:
        return list_main(r, s, seat, out)
    if s.phase == PHASE_START:
        return list_start(r, s, seat, out)
    if s.phase == PHASE_FLAIR:
        return list_flair(r, s, seat, out)
    if s.phase == PHASE_TARGET:
        return list_targets(r, s, seat, out)
    if s.phase == PHASE_AMOUNT:
        return list_amounts(r, s, seat, out)
    if s.phase == PHASE_COPY:
        return list_copies(r, s, seat, s.active, free_cubes(s, seat), out)
    return list_paths(r, s.tickets[s.path_seat], out, MOVE_PATH)


cdef inline void play_start(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil:
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


cdef inline void play_main(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil:
    if move == MOVE_END:
        end_action(r, s)
        return
    if move >= MOVE_CARD:
        activate(r, s, seat, move - MOVE_CARD)
        return
    s.has_acted = 1
    if move == MOVE_TICKETS:
        gain_tickets(s, seat, MASTER_TICKETS)
    elif move >= MOVE_SPACE:
        place_on_space(s, seat, move - MOVE_SPACE)
    elif s.master == THURSTON:
        take_card(s, seat, move - MOVE_CITY)
    else:
        place_in_city(r, s, seat, move - MOVE_CITY)


cdef inline void end_action(const LevitationRules* r, LevitationState* s) noexcept nogil:
    """The cubes come back, and all that was for this action only is void."""
    s.used = 0
    s.has_rolled = s.has_acted = s.committed = s.bonus = 0
    s.master = s.colour = NONE
    s.n_acted += 1
    s.phase = PHASE_START
    if s.n_acted == r.seats:
        end_turn(r, s)


cdef inline void end_turn(const LevitationRules* r, LevitationState* s) noexcept nogil:
    cdef int seat
    s.disabled = 0
    if s.round == N_ROUNDS - 1 and s.turn == N_TURNS - 1:
        for seat in range(N_SEATS):
            s.first[seat] = 0                   # void after the last turn
        score_spaces(r, s)
        s.phase = PHASE_OVER
        return
    s.turn += 1
    if s.turn == N_TURNS:
        s.turn = 0
        s.round += 1
        for seat in range(r.seats):
            s.tokens[seat] = 15
    begin_turn(s)


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
    """The most points win; winners who are tied share."""
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


cdef move_t levitation_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil:
    cdef const LevitationState* s = <const LevitationState*>state
    cdef move_t moves[MAX_OPTIONS]
    cdef int n = levitation_legal_moves(rules, state, moves)
    return best_move(<const LevitationRules*>rules, s, levitation_to_move(rules, state), moves, n)


cdef int levitation_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil:
    return playout_loop(
        levitation_to_move, levitation_legal_moves, levitation_sample_chance, levitation_play, rules, state, rng, limit
    )


# ---- The tables --------------------------------------------------------------------------------------------

cdef void fill_paths(LevitationRules* r) noexcept:
    """All chains of three neighbouring cities, ascending by top, middle, bottom."""
    cdef int top, middle, bottom
    cdef int n = 0
    for top in range(N_COLUMNS):
        for middle in range(N_COLUMNS):
            for bottom in range(N_COLUMNS):
                if abs(top - middle) <= 1 and abs(middle - bottom) <= 1:
                    r.paths[n][0] = <int8_t>top
                    r.paths[n][1] = <int8_t>(N_COLUMNS + middle)
                    r.paths[n][2] = <int8_t>(2 * N_COLUMNS + bottom)
                    r.path_masks[n] = city_bit(top) | city_bit(5 + middle) | city_bit(10 + bottom)
                    n += 1


cdef void fill_rolls(LevitationRules* r) noexcept:
    """The 15 ways in which four dice fall, and which of them each of the 81 equally likely throws is."""
    cdef int n = 0
    cdef int first, second, throw, roll, rest, _die
    cdef int counts[3]
    for first in range(N_DICE + 1):
        for second in range(N_DICE + 1 - first):
            r.rolls[n][0] = <int8_t>first
            r.rolls[n][1] = <int8_t>second
            r.rolls[n][2] = <int8_t>(N_DICE - first - second)
            r.roll_odds[n] = 0.0
            n += 1
    for throw in range(81):
        counts[0] = counts[1] = counts[2] = 0
        rest = throw
        for _die in range(N_DICE):
            counts[rest % 3] += 1
            rest = rest // 3
        for roll in range(N_ROLLS):
            if r.rolls[roll][0] == counts[0] and r.rolls[roll][1] == counts[1]:
                r.roll_of[throw] = <int8_t>roll
                r.roll_odds[roll] += 1.0
    for roll in range(N_ROLLS):
        r.roll_odds[roll] /= 81.0


# The weights of the guess, in the order of W_*. Fitted: first by games of the one-move player against itself, then to
# predict who won thousands of such games.
WEIGHT_VALUES = (
    0.0582, 0, 0.169, 0.225, 0.178,               # W_MORE_*: icons, sizes, flair, tickets, cubes
    1.95, 0.639, 1.36,                            # tickets in hand
    0.126, 0.0953, 0.243, 0.354, 0.286,           # tickets in cities, paths
    0.259, 0.169,                                 # cubes, flair
    0.356, 0.123, 0.167,                          # cards, free spaces
    0.906, 0.0734, 2.23, 0.872,                   # engine, actions to come, plan
    1.97, 1.24,                                   # spread
    0.359, 0.203, 6.6,                            # growth, room for flair, roll
    0.963, 1.88, 0.609, 0.539,                    # W_EFFECTS: points
    1.9, 0.594, 2.32, 1.08, 2.77,                 # gains
    2.23, 2.26,                                   # placing
    3.17, 1.78, 0.121, 0.274, 0.269, 0.162,       # duplicating, disabling, first action, tickets
    0.295, 0.333, 0.232, 0.0597, 0.139,           # cards, re-roll, bonus, colour
    2.47, 1.83, 0.0216, 0.411, 0.343, 2.38,       # W_USES: duplicating, disabling, first action, tickets
    0.139, 0.241, 0.237, 0.095, 0.582,            # cards, re-roll, bonus, colour
)


cdef class LevitationCore(Game):
    """The native half of Levitation."""

    def _numbers(self):
        """What the data file says, as lists of numbers: see aiplay/games/levitation_data.py."""
        raise TypeError("the tables of Levitation come with its Python face: load it with aiplay.load_game")

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        cdef LevitationState layout
        self.dtype = np.asarray(<LevitationState[:1]>&layout).dtype
        self._fill(self._numbers())
        ops.abi_version = ABI_VERSION
        ops.rules = &self.rules
        ops.state_size = sizeof(LevitationState)
        ops.max_moves = MAX_OPTIONS
        ops.move_space = MOVE_PATH + N_PATHS
        ops.chance_space = MOVE_DICE + N_ROLLS
        ops.max_depth = self._longest()
        ops.seats = self.rules.seats
        ops.min_return = 0.0
        ops.max_return = 1.0
        ops.setup = levitation_setup
        ops.to_move = levitation_to_move
        ops.legal_moves = levitation_legal_moves
        ops.chance_outcomes = levitation_chance_outcomes
        ops.sample_chance = levitation_sample_chance
        ops.play = levitation_play
        ops.returns = levitation_returns
        ops.evaluate = levitation_evaluate
        ops.playout_move = levitation_playout_move
        ops.playout_depth = 1
        ops.random_playout = levitation_random_playout

    def _fill(self, tables):
        self.rules.seats = self.options["players"]
        self._fill_cities(tables["cities"])
        self._fill_cards(tables["cards"])
        self._fill_rest(tables["spaces"], tables["ties"])
        fill_paths(&self.rules)
        fill_rolls(&self.rules)
        self._set_weights(WEIGHT_VALUES)

    def _fill_cities(self, cities):
        cdef LevitationRules* r = &self.rules
        cdef int city, colour, reward, amount
        for city, (colour, reward, amount) in enumerate(cities):
            r.rewards[city] = <int8_t>reward
            r.amounts[city] = <int8_t>amount
            r.colour_cities[colour] |= city_bit(city)
            if reward == REWARD_POINTS:
                r.point_cities |= city_bit(city)

    def _fill_cards(self, cards):
        cdef LevitationRules* r = &self.rules
        cdef int card, effect, icon, size, cost, limit, text, colour
        for card, (effect, colours, icons, size, cost, limit, text) in enumerate(cards):
            r.effects[card] = <int8_t>effect
            r.colours[card] = colours[0] if colours else NONE
            r.costs[card] = <int8_t>cost
            r.limits[card] = <int8_t>limit
            r.texts[card] = <int8_t>text
            r.sizes[size] |= card_bit(card)
            r.card_size[card] = <int8_t>size
            r.first_icon[card] = icons[0]
            r.second_icon[card] = icons[1] if len(icons) > 1 else N_COLOURS
            for icon in icons:
                r.icons[icon] |= card_bit(card)
            if effect == EFFECT_PLACE_CITY:
                for colour in colours:
                    r.places[card] |= r.colour_cities[colour]
            if effect == EFFECT_REROLL:
                r.rerolls |= card_bit(card)
            if effect == EFFECT_REROLL or effect == EFFECT_COPY_OTHER or effect == EFFECT_COPY_OWN:
                r.uncopied |= card_bit(card)
            if effect == EFFECT_TRADE_CARD:
                r.untraded |= card_bit(card)

    def _set_weights(self, weights):
        """Guess with other weights: for fitting them, before anybody plays."""
        cdef int i
        for i in range(N_WEIGHTS):
            self.rules.weights[i] = weights[i]

    def _fill_rest(self, spaces, ties):
        cdef LevitationRules* r = &self.rules
        cdef int i, seat
        for i, (kind, item) in enumerate(spaces):
            r.space_kinds[i] = kind
            r.space_items[i] = item
        for i in range(N_TOKENS):
            for seat in range(N_SEATS):
                r.ties[i][seat] = ties[i][seat]
        for i in range(N_CARDS + 1):
            r.card_points[i] = (0, 1, 3, 6, 10)[min(i, 4)]

    def _longest(self):
        """More moves than a game can have, chance included.

        In a turn a card is used once by each seat that has it, and it changes hands only by a trade. A card that trades
        stays with its seat, one that duplicates may trade for every seat: so many uses can there be besides one for
        each card. Flair is at most what a city gives, and a use ends with two paths at most.
        """
        cdef LevitationRules* r = &self.rules
        cdef int flair = max([1] + [r.amounts[i] for i in range(N_CITIES) if r.rewards[i] == REWARD_FLAIR])
        cdef int uses = N_CARDS + popcount(r.untraded) + r.seats * popcount(r.uncopied & ~r.rerolls)
        cdef int path = 1 + 3                           # claim, new cards
        cdef int use = 1 + 1 + 2 + flair + 2 * path     # activate, copy, targets ...; longer than a re-roll
        cdef int action = 1 + 1 + N_COLOURS + 1 + 1 + flair + path + 1    # token, roll, dice, draft, main action ... end
        return N_CITIES + N_ROUNDS * N_TURNS * (uses * use + r.seats * action)

    def count_moves(self, bytes data not None):
        """How many moves the state in these bytes offers; for checks of a state whose fields are in range."""
        cdef move_t moves[MAX_OPTIONS]
        cdef double p[MAX_OPTIONS]
        cdef const unsigned char[::1] view = data
        cdef const void* s = &view[0]
        cdef seat_t seat = levitation_to_move(&self.rules, s)
        if seat == TERMINAL:
            return 0
        if seat == CHANCE:
            return levitation_chance_outcomes(&self.rules, s, moves, p)
        return levitation_legal_moves(&self.rules, s, moves)
