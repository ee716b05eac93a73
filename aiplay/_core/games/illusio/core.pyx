"""Illusio (Philippe Nouhra, Funforge 2008): magicians of 1896 collect components, claim tricks and put them on display.

Seats: 2-6. Options: players (2), goal (12 prestige), turn_cap (60 turns for every seat), data (another set of cards).
The rules, and what is decided where the rulebook is silent, are in docs/rules/illusio.md; the moves and the state are
described in illusio.pxd. The files of the game, lowest layer first:

    illusio_table   hands, components and objectives: what moves them about (inline)
    illusio_play    what every move does, and what chance decides
    illusio_legal   what a seat may do
    illusio_views   who knows what: perceive, conceal, determinise
    illusio_eval    what a position is worth, and sensible moves for playouts
"""

import numpy as np

from aiplay._core.contract cimport ABI_VERSION, GameOps
from aiplay._core.game cimport Game
from aiplay._core.games.illusio.value cimport illusio_evaluate
from aiplay._core.games.illusio.legal cimport illusio_legal_moves
from aiplay._core.games.illusio.rules cimport (
    illusio_chance_outcomes, illusio_play, illusio_returns, illusio_sample_chance, illusio_setup, illusio_to_move,
)
from aiplay._core.games.illusio.policy cimport illusio_playout_move
from aiplay._core.games.illusio.state cimport (
    DISCOUNTS, MOVE_PLACE, N_CARDS, N_COMPONENT_KINDS, N_COMPONENTS, N_GROUPS, N_KINDS, N_MAGICIANS, N_NEEDS,
    N_OBJECTIVES, N_TYPES, N_WEIGHTS, TRANSFORM, W_DISCOUNT, W_MISSING, W_RARE, IllusioRules, IllusioState,
)
from aiplay._core.games.illusio.views cimport illusio_conceal, illusio_determinise, illusio_perceive

cdef enum:
    # Most moves of a turn: 5 drawn in step 1, two exchanges of 14 cards (14 throws, done, 14 draws), 2 for a talent,
    # the end, 6 discards. Once in a game: first seat, magicians, Contest, deal, and one validation of every objective.
    MOVES_PER_TURN = 5 + 2 * 29 + 2 + 1 + 6
    MOVES_ONCE = 1 + 6 + 4 + 24 + 32
    PLAYOUT_DEPTH = 10      # about one turn of sensible play


# Fitted to the results of 2,500 games between greedy players (27,000 positions, logistic loss).
WEIGHTS = (
    1.03, 1.05, 0.821, 4.03, 3.26, 0.596, 0.314, 0.973, 0.243, 0.972,  # W_DISPLAY .. W_SLACK
    0.207, 0.187, 0.0517, 1.11, 0.931, 1.03,  # W_BACKSTAGE .. W_SPREAD
    0.383, 0.153, 0.205, 0.39, 0.426, 0.688,  # W_SPECIAL: Transform, Take, Encore, Immediate success, Deja vu, Grand
    0.4,  # W_NEXT_DRAW: chosen so that the guess does not drift, on average, from the middle of a turn to the next one
)


cdef class IllusioCore(Game):
    """The native half of Illusio."""

    def _prepare(self):
        cdef IllusioState layout
        self.dtype = np.asarray(<IllusioState[:1]>&layout).dtype
        self._fill_rules(self._tables())
        self._fill_weights(self._weights())
        self._fill_ops()

    def _weights(self):
        """What `evaluate` weighs with, in the order of the W_ constants."""
        return WEIGHTS

    def _fill_weights(self, weights):
        """Weights, and the tables that follow from them."""
        cdef IllusioRules* r = &self.rules
        cdef int i
        for i in range(N_WEIGHTS):
            r.weights[i] = weights[i]
        for i in range(DISCOUNTS):
            r.discount[i] = r.weights[W_DISCOUNT] ** (0.25 * i)
        for i, count in enumerate(self._group_counts()):
            rarity = max(0.0, N_CARDS / (7.0 * count) - 1.0)
            r.missing_cost[i] = round(4 * min(r.weights[W_MISSING] + r.weights[W_RARE] * rarity, 15.0))

    def _tables(self):
        """The cards as whole numbers, checked; the face reads them from the data file."""
        raise NotImplementedError

    def _fill_rules(self, tables):
        cdef IllusioRules* r = &self.rules
        cdef int i, slot, m
        r.seats = self.options["players"]
        r.goal = self.options["goal"]
        r.max_turns = self.options["turn_cap"] * r.seats
        for i in range(N_KINDS):
            r.total[i] = tables["total"][i]
        for i in range(N_COMPONENT_KINDS):
            r.group_of[i] = tables["group_of"][i]
            r.kinds_in[r.group_of[i]] |= 1 << i
            r.first[i + 1] = r.first[i] + r.total[i]
            for slot in range(r.first[i], r.first[i + 1]):
                r.kind_of[slot] = i
        for i in range(N_OBJECTIVES):
            r.level[i] = tables["level"][i]
            r.half[i] = (r.level[i] + 1) // 2
            r.domain[i] = tables["domain"][i]
            for slot in range(r.level[i]):
                r.need[i][slot] = tables["need"][i][slot]
                r.need_group[i][slot] = tables["need_group"][i][slot]
                r.n_exact[i] += r.need[i][slot] < N_TYPES
        for m in range(N_MAGICIANS):
            r.talent[m] = tables["talent"][m]
            r.talent_group[m] = tables["talent_group"][m]
            for i in range(N_OBJECTIVES):
                r.bonus[m][i] = tables["bonus"][m][i]

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
        ops.playout_move = illusio_playout_move
        ops.perceive = illusio_perceive
        ops.conceal = illusio_conceal
        ops.determinise = illusio_determinise

    def _bound_moves(self):
        """No state offers more moves than this: the sum of what step 2 can offer at most.

        The end, 5 hands to take from, 5 for actions D and F. For each of 14 hand cards: Backstage, throw, and the four
        requirements that two half-filled objectives leave open (84). With c components in Backstages and d tricks on
        display, c + d <= 64 and d <= 32: a talent c, Transform c, four cards on tricks 4 d, together at most 192.
        Action E from the Backstage: four requirements for those of one group, Transforms included.
        """
        largest = max(self._group_counts()) + self.rules.total[TRANSFORM]
        return 1 + 5 + 5 + 84 + 192 + 4 * min(N_COMPONENTS, largest)

    def _group_counts(self):
        """How many cards each group of components has."""
        cdef int kind
        counts = [0] * N_GROUPS
        for kind in range(N_COMPONENT_KINDS):
            counts[self.rules.group_of[kind]] += self.rules.total[kind]
        return counts
