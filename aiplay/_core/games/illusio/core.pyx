"""Illusio (Philippe Nouhra, Funforge 2008): magicians of 1896 collect components, claim tricks and put them on display.

Seats: 2-6. Options: players (2), goal (12 prestige), turn_cap (60 turns for every seat), data (another set of cards).
The rules, and what is decided where the rulebook is silent, are in aiplay/games/illusio/rules.md; the state and the
moves are described in state.pxd. The files of the game, lowest layer first:

    state       the state, the rules of a loaded game, the numbers of moves
    memory      cards enter and leave hands, and what the seats remember of it
    components  decks, components and objectives
    rules       the effect of every move, the outcomes of chance
    legal       the legal moves
    views       who knows what: perceive, conceal, determinise
    value       the value of objectives and positions
    features    what a trained value sees
    policy      sensible moves for playouts
    core        the game as a whole (this file)
    audit       games with every card counted, for tests
"""

from aiplay._core.contract cimport ABI_VERSION, GameOps
from aiplay._core.game cimport Game
from aiplay._core.games.illusio.features cimport N_GLOBAL, N_OF_SEAT, illusio_features
from aiplay._core.games.illusio.legal cimport illusio_legal_moves
from aiplay._core.games.illusio.policy cimport illusio_playout_move
from aiplay._core.games.illusio.rules cimport (
    illusio_chance_outcomes, illusio_play, illusio_returns, illusio_sample_chance, illusio_setup, illusio_to_move,
)
from aiplay._core.games.illusio.state cimport (
    ACTION, CONTEST_SIZE, DRAW_UP_TO, HAND_SIZE, ILLUSIO_SEATS, KEEP_LIMIT, MAX_REALISING, MOVE_PLACE, N_ACTIONS,
    N_COMPONENTS, N_COMPONENT_KINDS, N_DISCOUNTS, N_GROUPS, N_KINDS, N_NEEDS, N_OBJECTIVES, N_WEIGHTS, START_HAND,
    TRANSFORM, W_DISCOUNT, W_MISSING, W_RARE, IllusioRules, IllusioState,
)
from aiplay._core.games.illusio.value cimport fill_prospects, illusio_evaluate, illusio_evaluate_moves
from aiplay._core.games.illusio.views cimport illusio_conceal, illusio_determinise, illusio_perceive

from aiplay.layout import Layout

cdef enum:
    # Most moves of a turn: the draws of step 1, exchanges of a whole hand (throws, done, draws), 2 for a talent, the
    # end, and the discards of step 3.
    MOVES_PER_TURN = DRAW_UP_TO + N_ACTIONS * (2 * HAND_SIZE + 1) + 2 + 1 + HAND_SIZE - KEEP_LIMIT
    # Once in a game: first seat, magicians, Contest, deal, and one validation of every objective.
    MOVES_ONCE = 1 + ILLUSIO_SEATS + CONTEST_SIZE + START_HAND * ILLUSIO_SEATS + N_OBJECTIVES
    PLAYOUT_DEPTH = 10      # about one turn of sensible play
    RARE_SHARE = 7          # a group is rare if it has less than a seventh of the cards


# Fitted to the results of 2,500 games between greedy players (27,000 positions, logistic loss).
WEIGHTS = (
    1.03, 1.05, 0.821, 4.03, 3.26, 0.596, 0.314, 0.973, 0.243, 0.972,  # W_DISPLAY .. W_SLACK
    0.207, 0.187, 0.0517, 1.11, 0.931, 1.03,  # W_BACKSTAGE .. W_SPREAD
    0.383, 0.153, 0.205, 0.39, 0.426, 0.688,  # W_SPECIAL: Transform, Take, Encore, Immediate success, Deja vu, Grand
    0.4,  # W_NEXT_DRAW: chosen so that evaluations do not drift, on average, from mid-turn to the next turn
)


cdef class IllusioCore(Game):
    """The native half of Illusio."""

    def _prepare(self):
        cdef IllusioState state
        self.layout = Layout.of(<IllusioState[:1]>&state)
        self._fill_rules(self._data())
        self._fill_weights(self._weights())
        self._fill_ops()

    def _weights(self):
        """The weights of `evaluate`, in the order of the W_ constants."""
        return WEIGHTS

    def _fill_weights(self, weights):
        """Set the weights, and the discounts and costs that follow from them."""
        cdef IllusioRules* r = &self.rules
        cdef int i
        for i in range(N_WEIGHTS):
            r.weights[i] = weights[i]
        for i in range(N_DISCOUNTS):
            r.discount[i] = r.weights[W_DISCOUNT] ** (i / <double>ACTION)
        for i, count in enumerate(self._group_counts()):
            rarity = max(0.0, r.n_cards / (RARE_SHARE * max(count, 1)) - 1.0)
            actions = r.weights[W_MISSING] + r.weights[W_RARE] * rarity
            r.missing_cost[i] = round(ACTION * min(actions, N_DISCOUNTS / ACTION - 1.0))
        fill_prospects(r)

    def _data(self):
        """Return the cards as whole numbers, checked; the face reads them from the data file."""
        raise NotImplementedError

    def _fill_rules(self, data):
        cdef IllusioRules* r = &self.rules
        cdef int i, slot, m
        r.seats = self.options["players"]
        r.goal = self.options["goal"]
        r.max_turns = self.options["turn_cap"] * r.seats
        r.n_cards = sum(data["total"])
        r.most = max(data["total"])
        r.n_objectives = len(data["level"])
        r.n_magicians = len(data["talent"])
        for i in range(N_KINDS):
            r.total[i] = data["total"][i]
        for i in range(N_COMPONENT_KINDS):
            r.group_of[i] = data["group_of"][i]
            r.kinds_in[r.group_of[i]] |= 1 << i
            r.first[i + 1] = r.first[i] + r.total[i]
            for slot in range(r.first[i], r.first[i + 1]):
                r.kind_of[slot] = i
        for i in range(r.n_objectives):
            r.level[i] = data["level"][i]
            r.n_needs[i] = len(data["need"][i])
            r.all_needs[i] = (1 << r.n_needs[i]) - 1
            r.half[i] = (r.n_needs[i] + 1) // 2
            r.domain[i] = data["domain"][i]
            for slot in range(r.n_needs[i]):
                r.need[i][slot] = data["need"][i][slot]
                r.need_group[i][slot] = data["need_group"][i][slot]
        for m in range(r.n_magicians):
            r.talent[m] = data["talent"][m]
            r.talent_group[m] = data["talent_group"][m]
            for i in range(r.n_objectives):
                r.bonus[m][i] = data["bonus"][m][i]

    def _fill_ops(self):
        cdef GameOps* ops = &self.ops
        ops.abi_version = ABI_VERSION
        ops.rules = &self.rules
        ops.state_size = sizeof(IllusioState)
        ops.max_moves = self._bound_moves()
        ops.move_space = MOVE_PLACE + N_OBJECTIVES * N_NEEDS * N_COMPONENTS
        ops.chance_space = N_OBJECTIVES
        ops.max_depth = MOVES_ONCE + self.rules.max_turns * MOVES_PER_TURN
        ops.seats = self.rules.seats
        ops.playout_depth = PLAYOUT_DEPTH
        ops.min_return = 0.0
        ops.max_return = 1.0
        ops.setup = illusio_setup
        ops.to_move = illusio_to_move
        ops.legal_moves = illusio_legal_moves
        ops.chance_outcomes = illusio_chance_outcomes
        ops.sample_chance = illusio_sample_chance
        ops.play = illusio_play
        ops.returns = illusio_returns
        ops.evaluate = illusio_evaluate
        ops.evaluate_moves = illusio_evaluate_moves
        ops.playout_move = illusio_playout_move
        ops.perceive = illusio_perceive
        ops.conceal = illusio_conceal
        ops.determinise = illusio_determinise
        ops.n_features = N_GLOBAL + self.rules.seats * N_OF_SEAT
        ops.features = illusio_features

    def _bound_moves(self):
        """Return a bound on the moves of a state: the sum of all that step 2 can offer.

        The end, a hand of each other seat to take from, and actions D and F: 4 objectives to claim and 1 to give up, or
        none to claim and 2 to give up. For each hand card: Backstage, throw, and the four needs that two half-filled
        objectives leave open. With c components in Backstages and d tricks on display, c + d <= 64 and d <= 32: talent
        c, Transform c, four cards on tricks 4 d, together at most 192. Action E from the Backstage: four needs for the
        components of one group, Transforms included.
        """
        claims = CONTEST_SIZE + MAX_REALISING - 1
        in_play = 2 * (N_COMPONENTS - N_OBJECTIVES) + 4 * N_OBJECTIVES
        largest = max(self._group_counts()) + self.rules.total[TRANSFORM]
        return 1 + ILLUSIO_SEATS - 1 + claims + 6 * HAND_SIZE + in_play + 4 * min(N_COMPONENTS, largest)

    def _group_counts(self):
        """Return the number of cards of each group of components."""
        cdef int kind
        counts = [0] * N_GROUPS
        for kind in range(N_COMPONENT_KINDS):
            counts[self.rules.group_of[kind]] += self.rules.total[kind]
        return counts
