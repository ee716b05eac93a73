"""Expectimax over any game: the root, deepening, worlds and limits. The searching itself is in alphabeta and maxn.

A game with hidden information is searched in several sampled worlds, and the values of a move are averaged over them
(see worlds.pyx). Everything is searched to one depth before anything is searched to the next.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from aiplay._core.contract cimport GameOps, imagine_world, state_copy, state_drop
from aiplay._core.game cimport State, View
from aiplay._core.rng cimport Rng, derive_seed, rng_below, rng_from_seed
from aiplay._core.search.expectimax.alphabeta cimport search_value
from aiplay._core.search.common.control cimport StopFlag, clock_now, clock_start
from aiplay._core.search.common.leaf cimport position_values
from aiplay._core.search.expectimax.lookahead cimport (
    GOAL_LEAD, GOAL_OWN, LINE, MAX_PLIES, PRUNE_NONE, Lookahead, fresh_luck,
)
from aiplay._core.search.expectimax.maxn cimport search_vector
from aiplay._core.search.common.states cimport StateStack, states_at, states_free, states_reserve
from aiplay._core.search.expectimax.cache cimport DOUBT_GUESS, table_free, table_reserve
from aiplay._core.search.expectimax.worlds cimport Worlds, search_move, worlds_choose, worlds_free, worlds_reserve
from aiplay._core.typedefs cimport MAX_SEATS, move_t, seat_t

cdef double SLICE = 0.05    # seconds between two looks at signals
cdef int FEW_WORLDS = 4


cdef void pause_search(Lookahead* search) noexcept with gil:
    """Let Python have a look; what it raises ends the search and is raised there."""
    cdef Expectimax owner = <Expectimax>search.owner
    try:
        owner.take_pause()
    except BaseException as failure:
        owner.failure = failure
        search.is_aborted = 1


cdef class _WorldResult:
    """What the search of one world has found."""
    cdef dict values        # index of a root move -> value of the hero alone, or of every seat (max^n)
    cdef dict doubts        # index of a root move -> DOUBT_*


cdef _WorldResult new_result():
    cdef _WorldResult result = _WorldResult.__new__(_WorldResult)
    result.values = {}
    result.doubts = {}
    return result


cdef _WorldResult mean_result(list results):
    """The moves that were searched in all worlds, with the means of their values."""
    cdef _WorldResult result, mean = new_result()
    cdef _WorldResult first = results[0]
    for i in first.values:
        columns = zip(*[result.values[i] for result in results])
        mean.values[i] = tuple([sum(column) / len(results) for column in columns])
    return mean


@cython.no_gc_clear      # the memory below points into the game of the view until the end
cdef class Expectimax:
    """One search of one position; it can be run once."""
    cdef Lookahead search
    cdef StateStack worlds          # the sampled ones, before any move
    cdef readonly int n_worlds
    cdef bint is_planned            # whether the worlds are searched together
    cdef Worlds together            # then: what that needs
    cdef int n_chosen               # how many of them, the first ones, are searched
    cdef int n_sampled              # worlds that hold a state
    cdef readonly View view
    cdef readonly list moves        # the root moves
    cdef list order                 # indices into `moves`: what to search first
    cdef list results               # of each world, None before its first iteration
    cdef _WorldResult partial        # of an iteration that was cut short, where that is of use
    cdef list lines                 # for each root move the line that the first world expects
    cdef readonly int depth         # iterations that all worlds have finished
    cdef bint is_vector             # max^n
    cdef int n_values               # values of a root move: one, or one for each seat
    cdef int hero_entry             # which of them is the hero's
    cdef bint has_pruned            # whether only the best root move has its true value
    cdef object failure             # what a pause raised
    cdef object callback            # called now and then, or None
    cdef double every               # seconds between two calls
    cdef double report              # when to call next

    def __cinit__(self, View view not None, **params):
        cdef GameOps* ops = &view.game.ops
        cdef Lookahead* search = &self.search
        cdef size_t room
        cdef int i
        self.view = view
        self.moves = view.legal_moves()
        search.ops = ops
        search.hero = view.seat
        search.owner = <void*>self
        search.pause = pause_search
        search.n_plies = min(ops.max_depth, MAX_PLIES) + 4
        room = <size_t>search.n_plies * ops.max_moves
        search.moves = <move_t*>malloc(room * sizeof(move_t))
        search.scores = <double*>malloc(room * sizeof(double))
        search.low = <double*>malloc(room * sizeof(double))
        search.high = <double*>malloc(room * sizeof(double))
        search.counts = <int*>malloc(room * sizeof(int))
        search.lines = <move_t*>malloc(search.n_plies * LINE * sizeof(move_t))
        search.line_lengths = <int*>malloc(search.n_plies * sizeof(int))
        search.killers = <move_t*>malloc(2 * search.n_plies * sizeof(move_t))
        if states_reserve(&search.states, ops, search.n_plies) < 0 or not (
            search.moves and search.scores and search.low and search.high and search.counts
            and search.lines and search.line_lengths and search.killers
        ):
            raise MemoryError()
        memset(search.line_lengths, 0, search.n_plies * sizeof(int))
        for i in range(2 * search.n_plies):
            search.killers[i] = -1

    def __init__(
        self, view, *, seed, int worlds, size_t table, bint is_vector, bint is_paranoid, int pruning, bint is_ordered,
        int width, int playout_depth,
    ):
        """Prepare a search. `worlds`: how many to sample; `table`: bytes of the transposition table.

        `is_vector`: max^n; `is_paranoid`: all other seats are against this one; `pruning`: PRUNE_*;
        `playout_depth`: moves of the game's `playout_move`, which it needs to have, before it guesses.
        """
        cdef const GameOps* ops = self.search.ops
        cdef seat_t seat
        self.is_vector = is_vector
        self.n_values = ops.seats if is_vector else 1
        self.hero_entry = self.search.hero if is_vector else 0
        self.search.pruning = pruning
        self.search.is_ordered = is_ordered
        self.search.width = width
        self.search.playout_depth = playout_depth
        self.search.seed = seed
        self.search.playout_seed = derive_seed(seed, <uint64_t>1 << 62)
        self.search.goal = GOAL_LEAD if ops.seats == 2 and not ops.is_cooperative and not is_paranoid else GOAL_OWN
        for seat in range(ops.seats):
            self.search.maximises[seat] = seat == self.search.hero or (ops.is_cooperative and not is_paranoid)
        if table_reserve(&self.search.table, table, is_vector) < 0:
            raise MemoryError()
        self.results = [None] * worlds
        self.lines = [()] * len(self.moves)
        self.order = self.shuffled_order()
        self.sample_worlds(worlds)
        self.n_chosen = worlds
        self.is_planned = worlds > 1 or (ops.determinise != NULL and playout_depth > 0)
        if self.is_planned:
            self.together.search = &self.search
            self.together.room = worlds
            self.together.n_values, self.together.hero_entry = self.n_values, self.hero_entry
            if worlds_reserve(&self.together, self.worlds) < 0:
                raise MemoryError(f"no memory for {worlds} worlds")

    def __dealloc__(self):
        cdef int i
        for i in range(self.n_sampled):
            state_drop(self.search.ops, states_at(&self.worlds, i))
        states_free(&self.worlds)
        worlds_free(&self.together)
        states_free(&self.search.states)
        table_free(&self.search.table)
        free(self.search.moves)
        free(self.search.scores)
        free(self.search.low)
        free(self.search.high)
        free(self.search.counts)
        free(self.search.lines)
        free(self.search.line_lengths)
        free(self.search.killers)

    cdef list shuffled_order(self):
        """All root moves in random order: the seed decides between equally good ones."""
        cdef Rng rng = rng_from_seed(derive_seed(self.search.seed, <uint64_t>-1))
        order = list(range(len(self.moves)))
        for i in range(len(order) - 1, 0, -1):
            j = rng_below(&rng, i + 1)
            order[i], order[j] = order[j], order[i]
        return order

    cdef int sample_worlds(self, int worlds) except -1:
        """World number i comes from the stream (seed, i)."""
        cdef const GameOps* ops = self.search.ops
        cdef Rng rng
        cdef int i
        if states_reserve(&self.worlds, ops, worlds) < 0:
            raise MemoryError(f"no memory for {worlds} worlds")
        for i in range(worlds):
            state_copy(ops, states_at(&self.worlds, i), self.view.data)
            self.n_sampled += 1
            if ops.determinise != NULL:
                rng = rng_from_seed(derive_seed(self.search.seed, i))
                imagine_world(ops, states_at(&self.worlds, i), self.search.hero, &rng)
                self.view.game.raise_failure()
        self.n_worlds = worlds
        return 0

    # ---- Searching -------------------------------------------------------------------------------------------------

    def run(
        self, StopFlag stop not None, double deadline, uint64_t node_limit, int depth_limit, bint is_choosing,
        callback=None, double every=1.0,
    ):
        """Deepen until a limit, or until there is nothing more to find out.

        `is_choosing`: only the best move is wanted; in an open game the others then get bounds only. `callback` is
        called with this search every so many seconds.
        """
        cdef Lookahead* search = &self.search
        cdef double started = clock_now()
        self.callback, self.every, self.report = callback, every, started + every
        self.has_pruned = is_choosing and self.n_worlds == 1 and not self.is_vector and search.pruning != PRUNE_NONE
        search.node_limit = node_limit
        search.table.deadline = deadline
        clock_start(&search.clock, deadline, started + SLICE, &stop.is_set)
        depth_limit = min(depth_limit, search.ops.max_depth)
        is_going = self.look_around(is_choosing)
        while is_going and self.depth < depth_limit and self.search_all(self.depth + 1, is_choosing):
            self.depth += 1
            self.reorder()
            if self.is_settled(is_choosing):
                break
        self.callback = None
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure
        self.view.game.raise_failure()

    cdef bint look_around(self, bint is_choosing) except -1:
        """Compare all moves in a few worlds, then in more, so that there is an answer early; False if cut short."""
        self.n_chosen = min(FEW_WORLDS, self.n_worlds)
        while self.n_chosen < self.n_worlds:
            if not self.search_all(1, is_choosing):
                return False
            self.reorder()
            self.n_chosen = min(4 * self.n_chosen, self.n_worlds)
        return True

    def take_pause(self):
        """Look after signals and the callback; called by the search in full flight."""
        cdef double now
        PyErr_CheckSignals()
        now = clock_now()
        if self.callback is not None and now >= self.report and self.results[0] is not None:
            self.callback(self)
            now = clock_now()
            self.report = now + self.every
        self.search.clock.pause = now + SLICE
        # Giving a large table back takes time, too: a fraction of what it took to make it.
        self.search.clock.deadline = self.search.table.deadline - 0.25 * self.search.table.growing_time

    cdef bint search_all(self, int depth, bint is_choosing) except -1:
        """One iteration: everything to this depth; False if it was cut short."""
        self.search.table.age += 1
        self.search.horizon = depth
        return self.search_planned(depth) if self.is_planned else self.search_open(depth, is_choosing)

    cdef bint search_open(self, int depth, bint is_choosing) except -1:
        """Every root move where there is one world; False if it was cut short."""
        cdef _WorldResult result = new_result()
        cdef double values[MAX_SEATS]
        cdef double alpha = -1.0
        cdef int i
        for i in self.order:
            self.try_move(self.moves[i], depth, alpha, values)
            if self.search.is_aborted:
                # Half an iteration tells something, unless all moves are to be compared.
                if self.results[0] is None or is_choosing:
                    self.partial = result
                return False
            result.values[i] = tuple([values[k] for k in range(self.n_values)])
            result.doubts[i] = self.search.doubt
            if self.n_values > 1 or values[0] > alpha:
                self.lines[i] = self.line_after(i)
            if self.has_pruned:
                alpha = max(alpha, values[0])
        self.results[0] = result
        return True

    cdef bint search_planned(self, int depth) except -1:
        """Every root move in all chosen worlds; False if it was cut short."""
        cdef _WorldResult result
        cdef const double* values
        cdef int i, k, world, n = self.n_values
        results = [new_result() for _ in range(self.n_chosen)]
        lines = [()] * len(self.moves)
        worlds_choose(&self.together, self.n_chosen)
        self.together.is_cut = 0
        for i in self.order:
            self.try_in_all(self.moves[i], depth)
            if self.search.is_aborted:
                if self.results[0] is None:
                    self.partial = mean_result(results)
                return False
            values = self.together.levels[1].values
            for world, result in enumerate(results):
                result.values[i] = tuple([values[world * n + k] for k in range(n)])
                result.doubts[i] = self.search.doubt
            lines[i] = self.line_after(i)
        self.results = results + [None] * (self.n_worlds - len(results))
        self.lines = lines
        return True

    cdef int try_move(self, move_t move, int depth, double alpha, double* values) except -1:
        """Search one root move in the only world: the value of the hero in values[0], or those of all seats."""
        cdef Lookahead* search = &self.search
        cdef const GameOps* ops = search.ops
        cdef void* child = states_at(&search.states, 1)
        with nogil:
            state_copy(ops, child, states_at(&self.worlds, 0))
            ops.play(ops.rules, child, move)
            if self.is_vector:
                search_vector(search, 1, depth - 1, fresh_luck(search, depth - 1), values)
            else:
                values[0] = search_value(search, 1, depth - 1, fresh_luck(search, depth - 1), alpha, 2.0)
            state_drop(ops, child)
        return 0

    cdef int try_in_all(self, move_t move, int depth) except -1:
        """Search one root move in all chosen worlds; their values are at level 1 then."""
        with nogil:
            search_move(&self.together, 0, move, depth - 1)
        return 0

    cdef tuple line_after(self, int i):
        cdef Lookahead* search = &self.search
        return (self.moves[i], *[search.lines[LINE + k] for k in range(search.line_lengths[1])])

    cdef int reorder(self) except -1:
        """Search the best moves first in the next iteration; equally good ones stay in order."""
        if self.has_pruned:
            best = max(self.order, key=self.mean)       # the values of the others are bounds: no reason to sort
            self.order.remove(best)
            self.order.insert(0, best)
        else:
            self.order.sort(key=lambda i: -self.mean(i))
        return 0

    cdef bint is_settled(self, bint is_choosing) except -1:
        """Whether looking further ahead cannot change anything."""
        cdef _WorldResult result
        cdef bint is_decided = True
        cdef bint is_won = is_choosing and self.mean(self.order[0]) >= 1.0
        if self.is_planned and self.search.playout_depth > 0 and not self.together.is_cut:
            return True                     # every line ends where the game plays on
        for result in self.results:
            if any([doubt & DOUBT_GUESS for doubt in result.doubts.values()]):
                is_decided = False
            if result.doubts[self.order[0]]:
                is_won = False
        return is_decided or is_won

    # ---- What was found ----------------------------------------------------------------------------------------------

    @property
    def nodes(self):
        """Nodes visited."""
        return self.search.n_nodes

    @property
    def leaves(self):
        """Positions valued by the game."""
        return self.search.n_leaves

    @property
    def n_searched(self):
        """Worlds that were searched to the end of an iteration at least once."""
        return sum([result is not None for result in self.results])

    def mean(self, int i, k=None):
        """The value of root move i for the hero (or entry k of its values) over the worlds searched so far."""
        found = self.values_of(i, self.hero_entry if k is None else k)
        return sum(found) / len(found)

    cdef list values_of(self, int i, int k):
        """Entry k of the values of root move i, in every world searched so far."""
        cdef _WorldResult result
        return [result.values[i][k] for result in self.results if result is not None]

    def ranking(self):
        """The indices of the root moves, best first."""
        if self.partial is None:
            return list(self.order) if self.has_pruned else sorted(self.order, key=lambda i: -self.mean(i))
        # It began with the best move of the iteration before: one that is better than that now is better.
        tried = sorted(self.partial.values, key=lambda i: -self.partial.values[i][self.hero_entry])
        if self.n_searched:
            tried = tried[:1]
        return tried + [i for i in self.order if i not in tried]

    def root_move(self, int i):
        """Root move i: (move, value, standard error over the worlds, whether the value is certain)."""
        cdef _WorldResult result
        if self.partial is not None and i in self.partial.values:
            return self.moves[i], self.partial.values[i][self.hero_entry], 0.0, False
        if not self.n_searched:
            return self.moves[i], self.guess()[self.search.hero], 0.0, False
        found = self.values_of(i, self.hero_entry)
        mean = sum(found) / len(found)
        error = 0.0
        if len(found) > 1:
            error = sqrt(sum([(value - mean) ** 2 for value in found]) / (len(found) - 1) / len(found))
        is_certain = self.search.ops.determinise == NULL and not any([result.doubts[i] for result in self.results])
        return self.moves[i], mean, error, is_certain

    def first_world(self):
        """The world that the line belongs to."""
        cdef State world = State.__new__(State)
        world.reserve(self.view.game)
        state_copy(self.search.ops, world.data, states_at(&self.worlds, 0))
        return world

    def line(self, int i):
        """The moves that are expected in the first world after root move i, itself first; it ends at chance."""
        return self.lines[i] or (self.moves[i],)

    def odds(self, int i):
        """What every seat can expect after root move i."""
        cdef const GameOps* ops = self.search.ops
        cdef int seat
        value = self.root_move(i)[1]
        guess = self.guess()
        if self.is_vector and self.n_searched and self.partial is None:
            return [self.mean(i, seat) for seat in range(ops.seats)]
        if ops.is_cooperative:
            return [value] * ops.seats
        # The others share what is left as the game guesses that they do.
        others = sum(guess) - guess[self.search.hero]
        left = 1.0 - value if self.search.goal == GOAL_LEAD else sum(guess) - value
        odds = [share / others * left if others > 0 else 0.0 for share in guess]
        odds[self.search.hero] = value
        return odds

    cdef list guess(self):
        """The game's own guess of the position, for every seat."""
        cdef double values[MAX_SEATS]
        cdef const GameOps* ops = self.search.ops
        position_values(ops, states_at(&self.worlds, 0), self.search.hero, values)
        self.view.game.raise_failure()
        return [values[seat] for seat in range(ops.seats)]
