"""Levitation (masters of magic): draft dice from three masters, learn illusions, tour fifteen cities.

Seats: 2-5. Options: players (2), data (another data file). Three rounds of four turns; in each turn every seat takes
one action: a die from one of the masters, that master's main action, and any of its own cards that match the die. The
most points win, ties share. The rules, with every decision where the rulebook is silent:
aiplay/games/levitation/rules.md.

An action is a sequence of small moves (MOVE_* in state.pxd). Nothing is hidden: the deck is a set, and its order is
decided when a card is drawn. Chance deals the cities, reveals turn tokens, throws the dice colour by colour, and draws.
The files of the game, lowest layer first:

    state     the state, the rules as numbers, and the numbers of phases, effects and moves
    board     small functions that several of these files share
    horizon   terms of the evaluation by the number of actions left
    effects   what main actions and cards do
    legal     the moves of a seat
    rules     set-up, chance, the course of turns and actions, the end
    value     the evaluation of positions and of single moves
    policy    the moves of playouts
    features  what a trained value sees
"""

from aiplay._core.bits cimport popcount
from aiplay._core.contract cimport ABI_VERSION, GameOps
from aiplay._core.game cimport Game
from aiplay._core.games.levitation.board cimport card_bit, city_bit
from aiplay._core.games.levitation.features cimport levitation_features, n_features
from aiplay._core.games.levitation.horizon cimport fill_horizons
from aiplay._core.games.levitation.legal cimport levitation_legal_moves
from aiplay._core.games.levitation.policy cimport levitation_playout_move
from aiplay._core.games.levitation.rules cimport (
    levitation_chance_outcomes, levitation_play, levitation_random_playout, levitation_returns,
    levitation_sample_chance, levitation_setup, levitation_to_move,
)
from aiplay._core.games.levitation.state cimport (
    COUNTED_CARDS, EFFECT_COPY_OTHER, EFFECT_COPY_OWN, EFFECT_PLACE_CITY, EFFECT_REROLL, EFFECT_TRADE_CARD, MAX_OPTIONS,
    MOVE_DICE, MOVE_PATH, NONE, N_CARDS, N_CITIES, N_COLOURS, N_DICE, N_MASTERS, N_ROLLS, N_ROUNDS, N_ROWS, N_SEATS,
    N_THROWS, N_TOKENS, N_TURNS, N_WEIGHTS, SPACE_ICON, SPACE_SIZE, LevitationRoute, LevitationRules, LevitationState,
)
from aiplay._core.games.levitation.value cimport levitation_evaluate
from aiplay._core.typedefs cimport CHANCE, TERMINAL, int8_t, move_t, seat_t, uint32_t

from aiplay.layout import Layout


# ---- Rolls -------------------------------------------------------------------------------------------------

cdef void fill_rolls(LevitationRules* r) noexcept:
    """List the ways in which four dice fall, and which of them each equally likely throw is."""
    cdef int n = 0
    cdef int first, second, throw, roll, rest, _die
    cdef int counts[N_MASTERS]
    for first in range(N_DICE + 1):
        for second in range(N_DICE + 1 - first):
            r.rolls[n][0] = <int8_t>first
            r.rolls[n][1] = <int8_t>second
            r.rolls[n][2] = <int8_t>(N_DICE - first - second)
            r.roll_odds[n] = 0.0
            n += 1
    for throw in range(N_THROWS):
        counts[0] = counts[1] = counts[2] = 0
        rest = throw
        for _die in range(N_DICE):
            counts[rest % N_MASTERS] += 1
            rest = rest // N_MASTERS
        for roll in range(N_ROLLS):
            if r.rolls[roll][0] == counts[0] and r.rolls[roll][1] == counts[1]:
                r.roll_of[throw] = <int8_t>roll
                r.roll_odds[roll] += 1.0
    for roll in range(N_ROLLS):
        r.roll_odds[roll] /= N_THROWS


# The weights of the evaluation, in the order of W_*. Fitted first by games of the greedy player against itself, then to
# predict the winners of thousands of such games.
WEIGHTS = (
    0.0582, 0, 0.169, 0.225, 0.178,               # W_MORE_ICONS ..: icons, sizes, flair, tickets, cubes
    1.95, 0.639, 1.36,                            # tickets in hand
    0.126, 0.0953, 0.243, 0.354, 0.286,           # tickets in cities, paths
    0.259, 0.169,                                 # cubes, flair
    0.356, 0.123, 0.167,                          # cards, free spaces
    0.906, 0.0734, 2.23, 0.872,                   # engine, future actions, plan
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

KINDS = (0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 4, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6)     # the kind of each effect

CARD_POINTS = (0, 1, 3, 6, 10)                     # of an icon or size space, for 0 .. COUNTED_CARDS cards


cdef class LevitationCore(Game):
    """The compiled half of Levitation."""

    def _data(self):
        """Return the data file as lists of numbers (LevitationData.numbers); the face overrides this."""
        raise TypeError("LevitationCore has no cards; load the game with aiplay.load_game('levitation')")

    def _prepare(self):
        cdef LevitationState state
        self.layout = Layout.of(<LevitationState[:1]>&state)
        self._fill_rules(self._data())
        self._fill_ops()

    def _fill_rules(self, data):
        self.rules.seats = self.options["players"]
        self._fill_cities(data["cities"])
        self._fill_paths(data["paths"])
        self._fill_cards(data["cards"])
        self._fill_rest(data["spaces"], data["ties"])
        fill_rolls(&self.rules)
        self._set_weights(WEIGHTS)

    def _fill_cities(self, cities):
        cdef LevitationRules* r = &self.rules
        cdef int city, row, colour, flair, cubes, other
        r.n_cities = len(cities)
        for city, (row, colours, flair, cubes, above) in enumerate(cities):
            r.cities |= city_bit(city)
            r.city_flair[city] = <int8_t>flair
            r.city_cubes[city] = <int8_t>cubes
            for colour in colours:
                r.colour_cities[colour] |= city_bit(city)
            if row == 1:
                r.middle |= city_bit(city)
            for other in above:
                if row == 1:
                    r.above[city] |= city_bit(other)
                else:
                    r.below[other] |= city_bit(city)

    def _fill_paths(self, paths):
        """Fill the paths from (top, middle, bottom, points of each), and group them into routes."""
        cdef LevitationRules* r = &self.rules
        cdef int path, row, city
        routes = {}
        r.n_paths = len(paths)
        for path, (cities, points) in enumerate(paths):
            r.path_points[path] = sum(points)
            for row, city in enumerate(cities):
                r.paths[path][row] = <int8_t>city
                r.path_masks[path] |= city_bit(city)
                if points[row]:
                    r.paying[<int>cities[1]] |= city_bit(city)
            routes.setdefault((cities[1], cities[0], sum(points)), []).append(cities[2])
        self._fill_routes(sorted((middle, bottoms, top, points) for (middle, top, points), bottoms in routes.items()))

    def _fill_routes(self, routes):
        cdef LevitationRoute* route
        cdef int i, city
        self.rules.n_routes = len(routes)
        for i, (middle, bottoms, top, points) in enumerate(routes):
            route = &self.rules.routes[i]
            route.top, route.middle, route.points = top, middle, points
            route.is_last = i + 1 == len(routes) or routes[i + 1][:2] != (middle, bottoms)
            for city in bottoms:
                route.bottoms |= city_bit(city)

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
            r.kinds[KINDS[effect]] |= card_bit(card)
            r.card_size[card] = <int8_t>size
            r.first_icon[card] = icons[0]
            r.second_icon[card] = icons[1] if len(icons) > 1 else N_COLOURS
            for icon in icons:
                r.icons[icon] |= card_bit(card)
                r.has_icon[card][icon] = 1.0
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
        """Evaluate with other weights; for fitting them, before the game is played."""
        cdef int i
        for i in range(N_WEIGHTS):
            self.rules.weights[i] = weights[i]
        fill_horizons(&self.rules)

    def _fill_rest(self, spaces, ties):
        cdef LevitationRules* r = &self.rules
        cdef int i, seat
        for i, (kind, item) in enumerate(spaces):
            r.space_kinds[i] = kind
            r.space_items[i] = item
            r.card_spaces |= <uint32_t>(kind <= SPACE_SIZE) << i
            if kind == SPACE_ICON:
                r.space_cards[i] = r.icons[<int>item]
            elif kind == SPACE_SIZE:
                r.space_cards[i] = r.sizes[<int>item]
        for i in range(N_TOKENS):
            for seat in range(N_SEATS):
                r.ties[i][seat] = ties[i][seat]
        for i in range(N_CARDS + 1):
            r.card_points[i] = CARD_POINTS[min(i, <int>COUNTED_CARDS)]

    def _fill_ops(self):
        cdef GameOps* ops = &self.ops
        ops.abi_version = ABI_VERSION
        ops.rules = &self.rules
        ops.state_size = sizeof(LevitationState)
        ops.max_moves = MAX_OPTIONS
        ops.move_space = MOVE_PATH + self.rules.n_paths
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
        # A turn is many moves, and what a move is worth shows only when the right ones have followed it: 52.2 and
        # 56.0 % of 400 games each against none at 4,000 iterations (docs/search_figures.md, Advice of the games).
        ops.advice.root_exploration = 0.2
        ops.random_playout = levitation_random_playout
        ops.n_features = n_features(self.rules.seats)
        ops.features = levitation_features

    def _longest(self):
        """Return more moves than a game can have, chance included.

        In a turn a card is used once by each seat that has it, and it changes hands only by a trade. A card that trades
        stays with its seat; one that duplicates may trade for every seat. This bounds the uses beyond one for each
        card. A use places at most the flair of a city, and ends with at most two paths.
        """
        cdef LevitationRules* r = &self.rules
        cdef int flair = max([1] + [r.city_flair[i] for i in range(N_CITIES)])
        cdef int uses = N_CARDS + popcount(r.untraded) + r.seats * popcount(r.uncopied & ~r.rerolls)
        cdef int path = 1 + N_ROWS                      # claim, new cards
        cdef int use = 1 + 1 + 2 + flair + 2 * path     # activate, copy, targets ...; longer than a re-roll
        cdef int main = 1 + flair + path
        cdef int action = 1 + 1 + N_COLOURS + 1 + main + 1      # token, roll, dice, draft, main action, end
        return r.n_cities + N_ROUNDS * N_TURNS * (uses * use + r.seats * action)

    def count_moves(self, bytes data not None):
        """Return the number of moves of the state in these bytes, whose fields must be in range; for checks."""
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
