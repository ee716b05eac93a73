"""Expectimax over any game (Michie 1966) as Python sees it: the root, deepening, worlds and limits.

Everything is searched to one depth before anything is searched to the next (iterative deepening: Slate and Atkin 1977,
Korf 1985). One value is searched by alphabeta.pyx, a value of every seat by maxn.pyx. A game with hidden information is
searched in several sampled worlds, and the values of a move are averaged over them (worlds.pyx).
"""

import threading

from aiplay._core.search.common.control import HAS_THREADS

cimport cython
from libc.math cimport INFINITY, sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from aiplay._core.contract cimport GameOps, imagine_world, state_copy, state_drop
from aiplay._core.game cimport State, View, make_state
from aiplay._core.rng cimport Rng, derive_seed, rng_from_seed
from aiplay._core.search.common.control cimport StopFlag, clock_now, clock_start
from aiplay._core.search.common.leaf cimport position_values
from aiplay._core.search.common.promise cimport keeps_moves, raise_broken, raise_unsteady
from aiplay._core.search.common.states cimport StateStack, states_at, states_free, states_reserve
from aiplay._core.search.common.value cimport Network
from aiplay._core.search.expectimax.cache cimport DOUBT_EVALUATION, BoundsEntry, ValuesEntry, cache_reserve
from aiplay._core.search.expectimax.lanes cimport (
    Found, Lane, Task, lane_begin, lane_free, lane_reserve, search_lane,
)
from aiplay._core.search.expectimax.lookahead cimport (
    GOAL_LEAD, GOAL_OWN, Lookahead, lookahead_free, lookahead_reserve,
)
from aiplay._core.search.expectimax.params cimport PRUNE_NONE
from aiplay._core.search.expectimax.results cimport _WorldResult, mean_result, new_result, shuffled_order
from aiplay._core.search.expectimax.worlds cimport Worlds, worlds_choose, worlds_free, worlds_reserve
from aiplay._core.typedefs cimport MAX_MOVES, MAX_SEATS, move_t, seat_t

cdef int FEW_WORLDS = 4     # worlds in which all moves are compared first
cdef double WORTH_THREADS = 0.001   # seconds of a pass before the next one uses threads


@cython.no_gc_clear      # the memory below points into the game of the view
cdef class Expectimax:
    """One search of one position; it can be started once."""
    cdef Lookahead search
    cdef StateStack worlds          # sampled worlds, before any move
    cdef int n_worlds
    cdef bint is_planned            # True if the worlds are searched together
    cdef Worlds together            # memory for that
    cdef Lane* lanes                # the first is the memory above
    cdef int n_lanes
    cdef int n_chosen               # worlds that are searched: the first ones
    cdef int n_sampled              # worlds that hold a state
    cdef readonly View view
    cdef Network value              # owns what search.judge points to; None: the game's evaluation
    cdef StopFlag stop
    cdef list moves                 # the root moves

    # ---- Limits ------------------------------------------------------------------------------------------------
    cdef bint is_choosing           # True if only the best move matters
    cdef bint has_pruned            # True if only the best root move gets its true value
    cdef int depth_limit
    cdef int most_passes            # passes of the search that is repeated, if it was cut short; else -1
    cdef tuple places               # and the places of its last pass

    # ---- The pass that is under way ----------------------------------------------------------------------------
    cdef Task task
    cdef bint is_passing            # True if there is one
    cdef bint is_leading            # True if its first move is searched, before all others
    cdef bint is_threaded           # True if the lanes are searched side by side
    cdef list sequence              # indices into `moves` of the moves that it searches
    cdef list threads               # that are searching
    cdef double seconds             # spent on it, before the first one: 0
    cdef object failure             # exception raised in a thread

    # ---- Results -----------------------------------------------------------------------------------------------
    cdef list order                 # indices into `moves`, best first after the first pass
    cdef list results               # of each world, None before its first iteration
    cdef _WorldResult partial       # of an iteration that was cut short, if that is of use
    cdef list lines                 # for each root move the line that the first world expects
    cdef readonly int depth         # iterations that all worlds have finished
    cdef bint is_over               # True if no pass follows
    cdef bint is_vector             # max^n
    cdef int n_values               # values of a root move: one, or one for each seat
    cdef int hero_entry             # index of the hero's value among them
    cdef readonly int n_passes      # searches of all moves that were finished, those in a few worlds included
    cdef readonly tuple tried       # places in `order` that a pass had finished when it was cut short; else None

    def __cinit__(self, View view not None, **settings):
        self.view = view
        self.moves = view.legal_moves()
        self.search.ops = &view.game.ops
        self.search.hero = view.seat
        self.threads = []
        if lookahead_reserve(&self.search) < 0:
            raise MemoryError()

    def __init__(
        self, view, *, seed, int worlds, size_t cache, bint is_vector, bint is_paranoid, int threads=1,
        Network value=None, **params
    ):
        """Prepare a search.

        `worlds`: number of worlds to sample; `cache`: bytes that the cache may take; `is_vector`: max^n;
        `is_paranoid`: all other seats are against this one; `threads`: lanes that share the root moves; `value`:
        values positions instead of the game; `params`: the members of ExpectimaxParams.
        """
        cdef Lookahead* search = &self.search
        cdef const GameOps* ops = search.ops
        cdef seat_t seat
        self.value = value
        search.judge = &value.judge if value is not None else NULL
        search.params = params
        search.seed = seed
        search.playout_seed = derive_seed(seed, <uint64_t>1 << 62)
        search.goal = GOAL_LEAD if ops.seats == 2 and not ops.is_cooperative and not is_paranoid else GOAL_OWN
        for seat in range(ops.seats):
            search.maximises[seat] = seat == search.hero or (ops.is_cooperative and not is_paranoid)
        self.n_lanes = max(1, min(threads, len(self.moves)))
        cache //= self.n_lanes
        if cache_reserve(&search.cache, cache, sizeof(ValuesEntry) if is_vector else sizeof(BoundsEntry)) < 0:
            raise MemoryError()
        self.is_vector, self.n_values = is_vector, ops.seats if is_vector else 1
        self.hero_entry = search.hero if is_vector else 0
        self.results = [None] * worlds
        self.lines = [()] * len(self.moves)
        self.order = shuffled_order(len(self.moves), search.seed)
        self.sample_worlds(worlds)
        self.n_chosen = min(FEW_WORLDS, worlds)
        self.is_planned = worlds > 1 or (ops.determinise != NULL and search.params.playout_depth > 0)
        if self.is_planned:
            self.together.search = search
            self.together.room = worlds
            self.together.n_values, self.together.hero_entry = self.n_values, self.hero_entry
            if worlds_reserve(&self.together, self.worlds) < 0:
                raise MemoryError(f"no memory for {worlds} worlds")
        self.reserve_lanes(cache)

    cdef int reserve_lanes(self, size_t cache) except -1:
        cdef Worlds* together = &self.together if self.is_planned else NULL
        cdef int i, n = len(self.moves)
        self.lanes = <Lane*>calloc(self.n_lanes, sizeof(Lane))
        self.task.is_vector, self.task.n_values = self.is_vector, self.n_values
        self.task.root = states_at(&self.worlds, 0)
        self.task.found = <Found*>calloc(n, sizeof(Found))
        self.task.values = <double*>calloc(<size_t>n * self.n_worlds * self.n_values, sizeof(double))
        if not (self.lanes and self.task.found and self.task.values):
            raise MemoryError()
        self.lanes[0].search, self.lanes[0].together = &self.search, together
        for i in range(1, self.n_lanes):
            if lane_reserve(&self.lanes[i], &self.search, together, cache) < 0:
                raise MemoryError(f"no memory for {self.n_lanes} threads")
        return 0

    def __dealloc__(self):
        cdef int i
        if self.lanes != NULL:
            self.leave_lanes()
            for i in range(1, self.n_lanes):
                lane_free(&self.lanes[i])
        free(self.lanes)
        free(self.task.found)
        free(self.task.values)
        for i in range(self.n_sampled):
            state_drop(self.search.ops, states_at(&self.worlds, i))
        states_free(&self.worlds)
        worlds_free(&self.together)
        lookahead_free(&self.search)

    cdef int sample_worlds(self, int worlds) except -1:
        """Sample worlds; number i comes from the stream (seed, i)."""
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
                self.check_world(states_at(&self.worlds, i))
        self.n_worlds = worlds
        return 0

    cdef int check_world(self, const void* world) except -1:
        """Raise ContractError unless the hero has the same moves in a world as in the view."""
        cdef move_t wanted[MAX_MOVES]
        cdef int n = self.view.options_now(wanted)
        if not keeps_moves(self.search.ops, world, self.search.hero, wanted, n, self.search.moves):
            raise_broken(self.view)
        self.view.game.raise_failure()
        return 0

    # ---- Searching -------------------------------------------------------------------------------------------------

    def start(
        self, StopFlag stop not None, double deadline, uint64_t node_limit, int depth_limit, bint is_choosing,
        int most_passes=-1, tuple places=(),
    ):
        """Set the limits; `work` does the rest.

        `is_choosing`: only the best move matters; in an open game the others then get bounds only. `most_passes`,
        `places`: where an earlier search was cut short, to repeat it.
        """
        cdef Lookahead* search
        cdef int i
        self.stop, self.is_choosing = stop, is_choosing
        self.depth_limit = min(depth_limit, self.search.ops.max_depth)
        self.most_passes, self.places = most_passes, places
        self.has_pruned = (
            is_choosing and self.n_worlds == 1 and not self.is_vector and self.search.params.pruning != PRUNE_NONE
        )
        for i in range(self.n_lanes):
            search = self.lanes[i].search
            search.node_limit = max(<uint64_t>1, node_limit // <uint64_t>self.n_lanes)
            search.cache.deadline = deadline
            clock_start(&search.clock, deadline, INFINITY, &stop.is_set)

    def work(self, double pause):
        """Search until this time, and return True if there is more to do.

        The search ends at a limit, or if going deeper cannot change anything. Pauses do not change its results.
        """
        cdef double started = clock_now()
        cdef bint is_paused = False
        self.set_pause(pause)
        while not is_paused and (self.is_passing or self.begin_pass()):
            is_paused = not self.run_lanes(pause)
            self.seconds += clock_now() - started
            started = clock_now()
            if not is_paused:
                self.end_pass()
        if is_paused:
            return True
        if self.failure is not None:
            raise self.failure
        self.view.game.raise_failure()
        return False

    def close(self):
        """End the search if it is under way."""
        self.abort_lanes()
        for thread in self.threads:
            thread.join()
        self.threads = []
        self.leave_lanes()

    cdef void set_pause(self, double pause) noexcept:
        """Let the lanes that this thread searches go on until a time."""
        cdef Lookahead* search
        cdef int i
        for i in range(1 if self.threads else self.n_lanes):
            search = self.lanes[i].search
            search.wants_pause, search.is_paused = 0, 0
            search.clock.pause = pause
        # Freeing a large cache takes time, too: a fraction of the time that it took to make it.
        self.search.clock.deadline = self.search.cache.deadline - 0.25 * self.search.cache.growing_time

    # ---- Passes ----------------------------------------------------------------------------------------------------

    cdef bint begin_pass(self) except -1:
        """Prepare the next pass; False if there is none.

        The first ones compare all moves in a few worlds, then in more, to have an answer early.
        """
        cdef Task* task = &self.task
        cdef int i, place
        if self.is_over or (self.n_chosen == self.n_worlds and self.depth >= self.depth_limit):
            return False
        self.sequence, task.n_lanes = self.order, self.n_lanes
        if self.n_passes == self.most_passes:       # only the moves that the repeated search had finished
            self.sequence, task.n_lanes = [self.order[place] for place in dict.fromkeys(self.places)], 1
        task.depth, task.n_moves, task.is_pruned = self.depth + 1, len(self.sequence), self.has_pruned
        task.n_worlds = self.n_chosen if self.is_planned else 1
        for place, i in enumerate(self.sequence):
            task.found[place].move, task.found[place].is_done = self.moves[i], 0
        for i in range(task.n_lanes):
            self.lanes[i].search.cache.age += 1
            self.lanes[i].search.horizon = task.depth
            lane_begin(&self.lanes[i], i, -1.0)
            if self.is_planned:
                worlds_choose(self.lanes[i].together, self.n_chosen)
                self.lanes[i].together.is_cut = 0
        self.is_passing, self.is_leading = True, self.has_pruned and task.n_lanes > 1
        self.is_threaded = HAS_THREADS and task.n_lanes > 1 and self.seconds >= WORTH_THREADS
        self.seconds = 0.0
        return True

    cdef int end_pass(self) except -1:
        """Take the results of a pass, and order the moves for the next one."""
        self.is_passing = False
        if not self.collect():
            self.is_over = True
            return 0
        self.n_passes += 1
        if self.n_chosen < self.n_worlds:
            self.reorder()
            self.n_chosen = min(4 * self.n_chosen, self.n_worlds)
            return 0
        self.depth += 1
        self.reorder()
        self.is_over = self.is_settled()
        return 0

    cdef bint collect(self) except -1:
        """Take the results of the lanes; False if one of them was cut short."""
        cdef Task* task = &self.task
        cdef _WorldResult result
        cdef Found* found
        cdef const double* values
        cdef int i, k, place, n = self.n_values
        cdef bint is_complete = task.n_moves == len(self.moves)
        results = [new_result() for _ in range(task.n_worlds)]
        lines = list(self.lines)
        for place, i in enumerate(self.sequence):
            found = &task.found[place]
            if not found.is_done:
                is_complete = False
                continue
            for world, result in enumerate(results):
                values = &task.values[(<size_t>place * task.n_worlds + <size_t>world) * n]
                result.values[i] = tuple([values[k] for k in range(n)])
                result.doubts[i] = found.doubt
            if found.n_line >= 0:
                lines[i] = (found.move, *[found.line[k] for k in range(found.n_line)])
        if self.is_planned:
            for i in range(1, task.n_lanes):
                self.together.is_cut |= self.lanes[i].together.is_cut
        if is_complete or not self.is_planned:
            self.lines = lines
        if is_complete:
            self.results = results + [None] * (self.n_worlds - len(results))
            return True
        self.tried = tuple([place for place in range(task.n_moves) if task.found[place].is_done])
        # Half an iteration is of use if it has the best move of the last one, unless all moves are to be compared.
        result = results[0]
        if self.results[0] is None:
            self.partial = mean_result(results)
        elif self.is_choosing and not self.is_planned and self.order[0] in result.values:
            self.partial = result
        return False

    # ---- Lanes -----------------------------------------------------------------------------------------------------

    cdef bint run_lanes(self, double pause) except -1:
        """Let every lane search its moves; False if the search has paused."""
        cdef int i
        if self.is_leading:
            with nogil:
                search_lane(&self.lanes[0], &self.task, 1)
            if self.search.is_paused or self.search.is_aborted:
                return not self.search.is_paused
            self.is_leading = False
            for i in range(self.n_lanes - 1, -1, -1):
                lane_begin(&self.lanes[i], 1 + i, self.lanes[0].alpha)
        return self.run_side_by_side(pause) if self.is_threaded else self.run_in_turn()

    cdef bint run_in_turn(self) except -1:
        """Search one lane after the other; False if the search has paused."""
        cdef Lane* lane
        cdef int i
        for i in range(self.task.n_lanes):
            lane = &self.lanes[i]
            if not lane.search.is_aborted:
                with nogil:
                    search_lane(lane, &self.task, self.task.n_moves)
            if lane.search.is_paused:
                return False
        return True

    cdef bint run_side_by_side(self, double pause) except -1:
        """Search the first lane here and the others in threads, which do not pause; False if this thread has to."""
        if not self.threads:
            self.start_threads()
        if not self.search.is_aborted:
            with nogil:
                search_lane(&self.lanes[0], &self.task, self.task.n_moves)
        if self.search.is_paused:
            return False
        for thread in self.threads:
            thread.join(max(0.0, pause - clock_now()))
            if thread.is_alive():
                return False
        self.threads = []
        return True

    cdef int start_threads(self) except -1:
        cdef int i
        for i in range(1, self.n_lanes):
            self.lanes[i].search.wants_pause = 0
            self.lanes[i].search.clock.pause = INFINITY
        for i in range(1, self.n_lanes):
            thread = threading.Thread(target=self._help, args=(i,), name=f"expectimax-{i}", daemon=True)
            thread.start()
            self.threads.append(thread)
        return 0

    def _help(self, int number):
        """Search the moves of a lane, in a thread."""
        with nogil:
            search_lane(&self.lanes[number], &self.task, self.task.n_moves)
        try:
            self.view.game.raise_failure()
        except BaseException as failure:
            self.failure = failure
            self.abort_lanes()

    cdef void abort_lanes(self) noexcept:
        cdef int i
        for i in range(self.n_lanes):
            self.lanes[i].search.is_aborted = 1

    cdef void leave_lanes(self) noexcept:
        """Drop the states of a search that has paused and will not go on."""
        cdef int i
        for i in range(self.n_lanes):
            if self.lanes[i].search != NULL and self.lanes[i].search.is_paused:
                self.lanes[i].search.is_aborted = 1
                self.lanes[i].search.is_paused = 0
                search_lane(&self.lanes[i], &self.task, self.task.n_moves)

    cdef int reorder(self) except -1:
        """Search the best moves first in the next iteration; equally good ones stay in order."""
        if self.has_pruned:
            best = max(self.order, key=self.mean)       # the others have bounds, which do not rank them
            self.order.remove(best)
            self.order.insert(0, best)
        else:
            self.order.sort(key=lambda i: -self.mean(i))
        return 0

    cdef bint is_settled(self) except -1:
        """True if deeper search cannot change anything."""
        cdef _WorldResult result
        cdef bint is_decided = True
        cdef bint is_won = self.is_choosing and self.mean(self.order[0]) >= 1.0
        if self.is_planned and self.search.params.playout_depth > 0 and not self.together.is_cut:
            return True                     # the game's policy plays on everywhere
        for result in self.results:
            if any([doubt & DOUBT_EVALUATION for doubt in result.doubts.values()]):
                is_decided = False
            if result.doubts[self.order[0]]:
                is_won = False
        return is_decided or is_won

    # ---- Results -----------------------------------------------------------------------------------------------------

    @property
    def nodes(self):
        """Nodes visited."""
        cdef int i
        return sum([self.lanes[i].search.n_nodes for i in range(self.n_lanes)])

    @property
    def leaves(self):
        """Positions valued without search."""
        cdef int i
        return sum([self.lanes[i].search.n_leaves for i in range(self.n_lanes)])

    @property
    def n_searched(self):
        """Worlds that were searched to the end of an iteration at least once."""
        return sum([result is not None for result in self.results])

    def best(self):
        """Return the best move."""
        return self.moves[self.ranking()[0]]

    def ranked(self):
        """Return (move, visits, value, standard error, is certain) for every move, best first; visits are 0."""
        return [(self.moves[i], 0, *self.value_of(i)) for i in self.ranking()]

    def odds(self, move_t move):
        """Return the value of a root move for every seat."""
        cdef const GameOps* ops = self.search.ops
        cdef int i = self.moves.index(move)
        if self.is_vector and self.n_searched and self.partial is None:
            return tuple([self.mean(i, seat) for seat in range(ops.seats)])
        value = self.value_of(i)[0]
        if ops.is_cooperative:
            return (value,) * ops.seats
        # The others share the rest in proportion to their evaluations.
        shares = self.evaluation()
        others = sum(shares) - shares[self.search.hero]
        rest = 1.0 - value if self.search.goal == GOAL_LEAD else sum(shares) - value
        odds = [share / others * rest if others > 0 else 0.0 for share in shares]
        odds[self.search.hero] = value
        return tuple(odds)

    def line(self, move_t first):
        """Return the line that is expected in the first world, `first` first, as notation; it ends at chance."""
        cdef State world = make_state(self.view.game)
        state_copy(self.search.ops, world.data, states_at(&self.worlds, 0))
        texts = []
        for move in self.lines[self.moves.index(first)] or (first,):
            if move not in world.legal_moves():
                raise_unsteady(self.view)
            texts.append(world.move_text(move))
            world.play(move)
        return texts

    cdef list ranking(self):
        """The indices of the root moves, best first."""
        if self.partial is None:
            return list(self.order) if self.has_pruned else sorted(self.order, key=lambda i: -self.mean(i))
        # It began with the best move of the iteration before: one that is better than that now is better.
        tried = sorted(self.partial.values, key=lambda i: -self.partial.values[i][self.hero_entry])
        if self.n_searched:
            tried = tried[:1]
        return tried + [i for i in self.order if i not in tried]

    cdef tuple value_of(self, int i):
        """Root move i: (value, standard error over the worlds, is certain)."""
        cdef _WorldResult result
        if self.partial is not None and i in self.partial.values:
            return self.partial.values[i][self.hero_entry], 0.0, False
        if not self.n_searched:
            return self.evaluation()[self.search.hero], 0.0, False
        found = self.values_of(i, self.hero_entry)
        mean = sum(found) / len(found)
        error = 0.0
        if len(found) > 1:
            error = sqrt(sum([(value - mean) ** 2 for value in found]) / (len(found) - 1) / len(found))
        is_certain = self.search.ops.determinise == NULL and not any([result.doubts[i] for result in self.results])
        return mean, error, is_certain

    def mean(self, int i, k=None):
        """Return the value of root move i for the hero (or entry k of its values) over the worlds searched so far."""
        found = self.values_of(i, self.hero_entry if k is None else k)
        return sum(found) / len(found)

    cdef list values_of(self, int i, int k):
        """Entry k of the values of root move i, in every world searched so far."""
        cdef _WorldResult result
        return [result.values[i][k] for result in self.results if result is not None]

    cdef list evaluation(self):
        """The game's evaluation of the position, for every seat."""
        cdef double values[MAX_SEATS]
        cdef const GameOps* ops = self.search.ops
        position_values(ops, self.search.judge, states_at(&self.worlds, 0), self.search.hero, values)
        self.view.game.raise_failure()
        return [values[seat] for seat in range(ops.seats)]
