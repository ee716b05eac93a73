"""The Three Magicians: walk, jump and duel for the tarot cards of seven places.

Seats: 2-3. Options: players (3), labyrinth_exit ("2", or "1or2"), fate_on_tie (false), apprentice_must_move
(false), turn_cap (600 throws, then the most cards win), cards_per_place (2 with three seats, 1 with two), data
(another board).

Every turn starts with a throw of three wands. The seat then jumps with its Magician and walks with its Apprentice,
in either order, and ends its turn. Two Magicians on a place fight a duel; a Magician sends the Apprentices of
other seats to the Labyrinth; a seat whose own figures meet takes the card of the place. Nothing is hidden. Where the
rulebook is silent, aiplay/games/three_magicians/rules.md lists our decisions.
"""

from array import array

from aiplay._core.contract cimport ABI_VERSION, GameOps
from aiplay._core.game cimport Game
from aiplay._core.games.three_magicians.legal cimport three_magicians_legal_moves
from aiplay._core.games.three_magicians.rules cimport (
    three_magicians_chance_outcomes, three_magicians_play, three_magicians_random_playout, three_magicians_returns,
    three_magicians_sample_chance, three_magicians_setup, three_magicians_to_move,
)
from aiplay._core.games.three_magicians.solve cimport solve_duel, solve_solo
from aiplay._core.games.three_magicians.state cimport (
    MAX_OUTCOMES, MAX_SPOTS, MAX_WALK, N_NOTCHES, N_PLACES, N_SETS, N_WANDS, WALK, Chances, ThreeMagiciansRules,
    ThreeMagiciansState,
)
from aiplay._core.games.three_magicians.value cimport three_magicians_evaluate

from aiplay.layout import Layout

cdef enum:
    MAX_BOARDS = 16         # solo values to remember, 360 kilobytes each

SOLO_VALUES = {}            # by board: games that differ only in other options share them


cdef void fill_chances(Chances* chances, samples) except *:
    """Fill in the chances of a list of equally likely outcomes."""
    chances.n_samples = len(samples)
    chances.n = 0
    for i, outcome in enumerate(samples):
        chances.samples[i] = outcome
    for outcome in sorted(set(samples)):
        chances.moves[chances.n] = outcome
        chances.p[chances.n] = samples.count(outcome) / len(samples)
        chances.n += 1


cdef void fill_rules(ThreeMagiciansRules* r, options, data) except *:
    r.seats = options["players"]
    r.cards_per_place = data["cards_per_place"]
    r.turn_cap = options["turn_cap"]
    r.must_walk = options["apprentice_must_move"]
    r.exits = data["exits"]
    r.n_spots = len(data["walks"])
    r.magic = data["magic"]
    for spot in range(r.n_spots):
        for length in range(MAX_WALK + 1):
            r.walks[spot][length] = data["walks"][spot][length]
    for place in range(N_PLACES):
        for number in range(N_NOTCHES):
            r.jumps[place][number] = data["jumps"][place][number]
    for n in range(N_NOTCHES):
        r.notch_p[n] = data["notches"].count(n) / len(data["notches"])
    fill_chances(&r.first, list(range(r.seats)))
    fill_chances(&r.throws, data["throws"])
    fill_chances(&r.magics, data["magics"])
    for n in range(1, N_WANDS + 1):
        fill_chances(&r.duels[n], data["duels"][n - 1])


cdef solo_values(ThreeMagiciansRules* r, data):
    """The solo values of a board, calculated once for all games that they fit."""
    cdef float[::1] values
    names = ("walks", "jumps", "magic", "throws", "magics", "exits")
    key = repr(([data[name] for name in names], r.must_walk))
    if key not in SOLO_VALUES:
        found = array("f", bytes(sizeof(float) * N_SETS * 2 * N_PLACES * r.n_spots))
        values = found
        r.solo = &values[0]
        with nogil:
            solve_solo(r, &values[0])
        if len(SOLO_VALUES) == MAX_BOARDS:
            SOLO_VALUES.clear()
        SOLO_VALUES[key] = memoryview(found).toreadonly()
    return SOLO_VALUES[key]


cdef class ThreeMagiciansCore(Game):
    """The native half of The Three Magicians."""

    def _board_data(self):
        """Return the board and the wands as plain numbers; the Python face overrides this."""
        raise NotImplementedError

    def _prepare(self):
        cdef GameOps* ops = &self.ops
        cdef ThreeMagiciansState state
        data = self._board_data()
        self.layout = Layout.of(<ThreeMagiciansState[:1]>&state)
        fill_rules(&self.rules, self.options, data)
        solve_duel(&self.rules)
        self.solo = solo_values(&self.rules, data)
        cdef const float[::1] solo = self.solo
        self.rules.solo = &solo[0]
        ops.abi_version = ABI_VERSION
        ops.rules = &self.rules
        ops.state_size = sizeof(ThreeMagiciansState)
        ops.max_moves = max(<int>MAX_OUTCOMES, data["max_moves"])
        ops.move_space = WALK + MAX_SPOTS
        ops.chance_space = MAX_OUTCOMES
        ops.max_depth = data["max_depth"]
        ops.seats = self.rules.seats
        ops.min_return = 0.0
        ops.max_return = 1.0
        ops.setup = three_magicians_setup
        ops.to_move = three_magicians_to_move
        ops.legal_moves = three_magicians_legal_moves
        ops.chance_outcomes = three_magicians_chance_outcomes
        ops.sample_chance = three_magicians_sample_chance
        ops.play = three_magicians_play
        ops.returns = three_magicians_returns
        ops.evaluate = three_magicians_evaluate
        ops.random_playout = three_magicians_random_playout
