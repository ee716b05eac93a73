"""Magic Rabbit: a team sorts hats and brings every rabbit under its own hat, without talking.

Seats: 1-4, all win or lose together. Options: players (2), piles (9; 6-9), doves (true), turns (20; 0: no hourglass),
hats_hidden (false; only for drawings), data (places of the doves). Moves: see state.pxd; a chance move of the deal is a
number 1 .. n, the last one the first seat.

Where the rulebook is silent: turns replace the hourglass, and without one a seat says `done`; the dove decision is
always made, even if `stay` is the only choice; two doves never share a hat; the hat under a dove is known, because
every seat has followed it. A view remembers who first lifted which rabbit when, when hats and piles were last
switched, and all decisions of the last turns: all of that is public.
"""

import itertools

from aiplay._core.bits cimport popcount
from aiplay._core.contract cimport ABI_VERSION, GameOps
from aiplay._core.game cimport Game, State
from aiplay._core.games.magic_rabbit.chances cimport Unknowns, chance_of, reduce
from aiplay._core.games.magic_rabbit.insight cimport Insight, see_all, state_switches
from aiplay._core.games.magic_rabbit.legal cimport magic_rabbit_legal_moves
from aiplay._core.games.magic_rabbit.policy cimport magic_rabbit_playout_move, magic_rabbit_priors
from aiplay._core.games.magic_rabbit.rules cimport (
    magic_rabbit_chance_outcomes, magic_rabbit_play, magic_rabbit_random_playout, magic_rabbit_returns,
    magic_rabbit_sample_chance, magic_rabbit_setup, magic_rabbit_to_move,
)
from aiplay._core.games.magic_rabbit.state cimport (
    FIRST_PILE, MAX_PILES, MAX_TURNS, MOVE_DOVE, N_CYCLED, N_SETS, MagicRabbitRules, MagicRabbitState, turns_left,
)
from aiplay._core.games.magic_rabbit.value cimport magic_rabbit_evaluate
from aiplay._core.games.magic_rabbit.views cimport (
    magic_rabbit_believe, magic_rabbit_conceal, magic_rabbit_determinise, magic_rabbit_perceive,
)
from aiplay._core.typedefs cimport CHANCE

from aiplay.layout import Layout


cdef class MagicRabbitCore(Game):
    """The native half of Magic Rabbit."""

    def _dove_places(self):
        """Return the piles with a dove at the start, counted from 1; the Python face overrides this."""
        raise NotImplementedError

    def _prepare(self):
        cdef MagicRabbitState state
        cdef MagicRabbitRules* r = &self.rules
        self.layout = Layout.of(<MagicRabbitState[:1]>&state)
        r.seats = self.options["players"]
        r.piles = self.options["piles"]
        r.turns = self.options["turns"] or MAX_TURNS
        r.may_end = self.options["turns"] == 0
        r.doves = sum([1 << (place - 1) for place in self._dove_places()])
        r.n_free = r.piles - popcount(r.doves)
        for n in range(N_CYCLED):
            r.cycle[n] = n % r.seats
        for n, (i, k) in enumerate(itertools.combinations(range(r.n_free), 2)):
            r.pairs[n] = i, k
        for members in range(N_SETS):
            for n, i in enumerate([i for i in range(MAX_PILES) if members >> i & 1]):
                r.members[members][n] = i + 1
        self._fill_ops(max(r.n_free * r.n_free + r.may_end, 1 + (r.piles - r.n_free) * r.n_free, r.piles))

    def _fill_ops(self, int max_moves):
        cdef GameOps* ops = &self.ops
        ops.abi_version = ABI_VERSION
        ops.is_cooperative = 1
        ops.rules = &self.rules
        ops.state_size = sizeof(MagicRabbitState)
        ops.max_moves = max_moves
        ops.move_space = MOVE_DOVE + FIRST_PILE * MAX_PILES + MAX_PILES + 1
        ops.chance_space = MAX_PILES + 1
        ops.max_depth = 2 * self.rules.piles + 1 + 2 * self.rules.turns
        ops.seats = self.rules.seats
        ops.min_return = 0.0
        ops.max_return = 1.0
        ops.playout_depth = 0
        ops.setup = magic_rabbit_setup
        ops.to_move = magic_rabbit_to_move
        ops.legal_moves = magic_rabbit_legal_moves
        ops.chance_outcomes = magic_rabbit_chance_outcomes
        ops.sample_chance = magic_rabbit_sample_chance
        ops.play = magic_rabbit_play
        ops.returns = magic_rabbit_returns
        ops.perceive = magic_rabbit_perceive
        ops.conceal = magic_rabbit_conceal
        ops.determinise = magic_rabbit_determinise
        ops.believe = magic_rabbit_believe
        ops.evaluate = magic_rabbit_evaluate
        ops.priors = magic_rabbit_priors
        ops.playout_move = magic_rabbit_playout_move
        ops.random_playout = magic_rabbit_random_playout

    def fewest_switches(self, State state not None):
        """Return the fewest switches to success if all rabbits were known and no dove stood in the way."""
        if state.game != self or state.to_move == CHANCE:
            raise ValueError(f"{state!r} is not a dealt state of {self!r}")
        return state_switches(&self.rules, <const MagicRabbitState*>state.data)

    def best_chance(self, State state not None):
        """Return the chance of a perfect team from here: one that shares what its seats know and meets no doves.

        No team can do better. Rabbits that no seat has lifted are taken to be in any order, all equally likely.
        """
        cdef const MagicRabbitState* s = <const MagicRabbitState*>state.data
        cdef Insight k
        cdef Unknowns u
        if state.game != self or state.to_move == CHANCE:
            raise ValueError(f"{state!r} is not a dealt state of {self!r}")
        see_all(&self.rules, s, &k)
        reduce(&self.rules, s, &k, &u)
        return chance_of(&u, turns_left(&self.rules, s) - u.least)
