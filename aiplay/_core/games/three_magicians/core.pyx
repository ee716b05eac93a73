"""The Three Magicians: walk, jump and duel for the tarot cards of seven places.

Seats: 2-3. Options: players (3), labyrinth_exit ("2", or "1or2"), fate_on_tie (false), apprentice_must_move
(true), turn_cap (600 throws, then the most cards win), cards_per_place (2 with three seats, 1 with two), data
(another board).

Every turn starts with a throw of three wands (chance: 5 x own wand + the sum of the others). The seat then
jumps with its Magician and walks with its Apprentice, in either order, and ends its turn. Two Magicians on a
place fight a duel; a Magician sends others' Apprentices to the Labyrinth; a seat's own figures together take
the place's card. Nothing is hidden. Where the rulebook is silent, docs/rules/three_magicians.md says what is
decided here.

The rules are in three_magicians_rules.pyx, the heuristic in three_magicians_eval.pyx; this file fills their
tables.
"""

import numpy as np

from aiplay._core.contract cimport ABI_VERSION, GameOps
from aiplay._core.game cimport Game
from aiplay._core.games.three_magicians.rules cimport (
    MAX_OUTCOMES, MAX_SPOTS, MAX_WALK, N_PLACES, WALK, ChanceTable, MagiciansRules, MagiciansState,
    magicians_chance_outcomes, magicians_legal_moves, magicians_play, magicians_random_playout, magicians_returns,
    magicians_sample_chance, magicians_setup, magicians_to_move,
)
from aiplay._core.games.three_magicians.value cimport magicians_evaluate
from aiplay._core.games.three_magicians.solve cimport solve_duel, solve_solo

cdef enum:
    MAX_TABLES = 16         # solo tables to remember, 360 kilobytes each

SOLO_TABLES = {}


cdef void fill_chance(ChanceTable* table, samples) except *:
    """Fill a table from a list of equally likely outcomes."""
    table.n_samples = len(samples)
    table.n = 0
    for i, outcome in enumerate(samples):
        table.samples[i] = outcome
    for outcome in sorted(set(samples)):
        table.moves[table.n] = outcome
        table.p[table.n] = samples.count(outcome) / len(samples)
        table.n += 1


cdef void fill_rules(MagiciansRules* r, options, tables) except *:
    r.seats = options["players"]
    r.cards_per_place = tables["cards_per_place"]
    r.turn_cap = options["turn_cap"]
    r.must_walk = options["apprentice_must_move"]
    r.exits = tables["exits"]
    r.n_spots = len(tables["walks"])
    r.magic = tables["magic"]
    for spot in range(r.n_spots):
        for length in range(MAX_WALK + 1):
            r.walks[spot][length] = tables["walks"][spot][length]
    for place in range(N_PLACES):
        for length in range(3):
            r.jumps[place][length] = tables["jumps"][place][length]
    for n in range(3):
        r.notch_p[n] = tables["duels"][0].count(n if n < 2 else 4) / len(tables["duels"][0])
    fill_chance(&r.first, list(range(r.seats)))
    fill_chance(&r.throws, tables["throws"])
    fill_chance(&r.magics, tables["magics"])
    for n in (1, 2, 3):
        fill_chance(&r.duels[n], tables["duels"][n - 1])


cdef solo_table(MagiciansRules* r, tables):
    """The solo table of a board, worked out once for all games that play on it alike."""
    cdef float[::1] values
    names = ("walks", "jumps", "magic", "throws", "magics", "exits")
    key = repr(([tables[name] for name in names], r.must_walk))
    if key not in SOLO_TABLES:
        values = table = np.zeros(128 * 2 * N_PLACES * r.n_spots, np.float32)
        r.solo = &values[0]
        with nogil:
            solve_solo(r, &values[0])
        table.flags.writeable = False
        if len(SOLO_TABLES) == MAX_TABLES:
            SOLO_TABLES.clear()
        SOLO_TABLES[key] = table
    return SOLO_TABLES[key]


cdef class ThreeMagiciansCore(Game):
    """The native half of The Three Magicians."""

    def _tables(self):
        """The board and the wands as plain numbers; given by the Python face."""
        raise NotImplementedError

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        cdef MagiciansState layout
        tables = self._tables()
        self.dtype = np.asarray(<MagiciansState[:1]>&layout).dtype
        fill_rules(&self.rules, self.options, tables)
        solve_duel(&self.rules)
        self.solo = solo_table(&self.rules, tables)
        cdef const float[::1] solo = self.solo
        self.rules.solo = &solo[0]
        ops.abi_version = ABI_VERSION
        ops.rules = &self.rules
        ops.state_size = sizeof(MagiciansState)
        ops.max_moves = max(<int>MAX_OUTCOMES, tables["max_moves"])
        ops.move_space = WALK + MAX_SPOTS
        ops.chance_space = MAX_OUTCOMES
        ops.max_depth = tables["max_depth"]
        ops.seats = self.rules.seats
        ops.min_return = 0.0
        ops.max_return = 1.0
        ops.setup = magicians_setup
        ops.to_move = magicians_to_move
        ops.legal_moves = magicians_legal_moves
        ops.chance_outcomes = magicians_chance_outcomes
        ops.sample_chance = magicians_sample_chance
        ops.play = magicians_play
        ops.returns = magicians_returns
        ops.evaluate = magicians_evaluate
        ops.random_playout = magicians_random_playout
