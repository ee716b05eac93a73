"""Expectimax over any game (Michie 1966) as Python sees it: the root, deepening, worlds and limits.

Everything is searched to one depth before anything is searched to the next (iterative deepening: Slate and Atkin 1977,
Korf 1985). One value is searched by alphabeta.pyx, a value of every seat by maxn.pyx. A game with hidden information is
searched in several sampled worlds, and the values of a move are averaged over them (worlds.pyx).
"""

import threading

cimport cython
from cpython.exc cimport PyErr_CheckSignals
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
from aiplay._core.search.expectimax.alphabeta cimport search_value
from aiplay._core.search.expectimax.cache cimport DOUBT_EVALUATION, BoundsEntry, ValuesEntry, cache_reserve
from aiplay._core.search.expectimax.lanes cimport (
    Found, Lane, Task, lane_free, lane_reserve, search_first, search_lane,
)
from aiplay._core.search.expectimax.lookahead cimport (
    GOAL_LEAD, GOAL_OWN, LINE, Lookahead, fresh_luck, lookahead_free, lookahead_reserve,
)
from aiplay._core.search.expectimax.maxn cimport search_vector
from aiplay._core.search.expectimax.params cimport PRUNE_NONE
from aiplay._core.search.expectimax.results cimport _WorldResult, mean_result, new_result, shuffled_order
from aiplay._core.search.expectimax.worlds cimport Worlds, search_move, worlds_choose, worlds_free, worlds_reserve
from aiplay._core.typedefs cimport MAX_MOVES, MAX_SEATS, move_t, seat_t

cdef double SLICE = 0.05    # seconds between two checks for signals
cdef int FEW_WORLDS = 4     # worlds in which all moves are compared first
cdef double WORTH_THREADS = 0.001   # seconds of an iteration before the next one uses threads


cdef void pause_search(Lookahead* search) noexcept with gil:
    """Return to Python for a moment; an exception there ends the search, and `run` raises it again."""
    cdef Expectimax owner = <Expectimax>search.owner
    try:
        owner.take_pause()
    except BaseException as failure:
        owner.failure = failure
        search.is_aborted = 1


@cython.no_gc_clear      # the memory below points into the game of the view
cdef class Expectimax:
    """One search of one position; it can be run once."""
    cdef Lookahead search
    cdef StateStack worlds          # sampled worlds, before any move
    cdef int n_worlds
    cdef bint is_planned            # True if the worlds are searched together
    cdef Worlds together            # memory for that
    cdef Lane* lanes                # the first is the memory above
    cdef int n_lanes
    cdef Task task                  # the iteration that the lanes work on
    cdef double seconds             # duration of the last iteration
    cdef int n_chosen               # worlds that are searched: the first ones
    cdef int n_sampled              # worlds that hold a state
    cdef readonly View view
    cdef Network value              # owns what search.judge points to; None: the game's evaluation
    cdef list moves                 # the root moves
    cdef list order                 # indices into `moves`, in the order of search
    cdef list results               # of each world, None before its first iteration
    cdef _WorldResult partial       # of an iteration that was cut short, if that is of use
    cdef list lines                 # for each root move the line that the first world expects
    cdef readonly int depth         # iterations that all worlds have finished
    cdef bint is_vector             # max^n
    cdef int n_values               # values of a root move: one, or one for each seat
    cdef int hero_entry             # index of the hero's value among them
    cdef readonly int n_passes      # searches of all moves that were finished, those in a few worlds included
    cdef readonly tuple tried       # places in `order` that a pass had finished when it was cut short; else None
    cdef int most_passes            # passes of the search that is repeated, if it was cut short; else -1
    cdef tuple places               # and the places of its last pass
    cdef bint has_pruned            # True if only the best root move has its true value
    cdef object failure             # exception raised in a pause
    cdef object callback            # progress callback, or None
    cdef double every               # seconds between two calls of it
    cdef double report              # time of the next call

    def __cinit__(self, View view not None, **settings):
        self.view = view
        self.moves = view.legal_moves()
        self.search.ops = &view.game.ops
        self.search.hero = view.seat
        self.search.owner = <void*>self
        self.search.pause = pause_search
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
        self.n_chosen = worlds
        self.is_planned = worlds > 1 or (ops.determinise != NULL and search.params.playout_depth > 0)
        if self.is_planned:
            self.together.search = search
            self.together.room = worlds
            self.together.n_values, self.together.hero_entry = self.n_values, self.hero_entry
            if worlds_reserve(&self.together, self.worlds) < 0:
                raise MemoryError(f"no memory for {worlds} worlds")
        if self.n_lanes > 1:
            self.reserve_lanes(cache)

    cdef int reserve_lanes(self, size_t cache) except -1:
        cdef Worlds* together = &self.together if self.is_planned else NULL
        cdef int i, n = len(self.moves)
        self.lanes = <Lane*>calloc(self.n_lanes, sizeof(Lane))
        self.task.n_moves, self.task.n_lanes, self.task.n_values = n, self.n_lanes, self.n_values
        self.task.is_vector = self.is_vector
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

    def run(
        self, StopFlag stop not None, double deadline, uint64_t node_limit, int depth_limit, bint is_choosing,
        callback=None, double every=1.0, int most_passes=-1, tuple places=(),
    ):
        """Deepen until a limit is reached, or until deeper search cannot change anything.

        `is_choosing`: only the best move matters; in an open game the others then get bounds only. `callback` is called
        with this search `every` seconds. `most_passes`, `places`: where an earlier search was cut short, to repeat it.
        """
        cdef Lookahead* search = &self.search
        cdef double started = clock_now()
        cdef int i
        self.callback, self.every, self.report = callback, every, started + every
        self.most_passes, self.places = most_passes, places
        self.has_pruned = (
            is_choosing and self.n_worlds == 1 and not self.is_vector and search.params.pruning != PRUNE_NONE
        )
        search.node_limit = max(<uint64_t>1, node_limit // <uint64_t>self.n_lanes)
        search.cache.deadline = deadline
        clock_start(&search.clock, deadline, started + SLICE, &stop.is_set)
        if self.n_lanes > 1:
            for i in range(1, self.n_lanes):
                self.lanes[i].search.node_limit = search.node_limit
                self.lanes[i].search.cache.deadline = deadline
                clock_start(&self.lanes[i].search.clock, deadline, INFINITY, &stop.is_set)
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
        """Compare all moves in a few worlds, then in more, to have an answer early; False if cut short."""
        self.n_chosen = min(FEW_WORLDS, self.n_worlds)
        while self.n_chosen < self.n_worlds:
            if not self.search_all(1, is_choosing):
                return False
            self.reorder()
            self.n_chosen = min(4 * self.n_chosen, self.n_worlds)
        return True

    def take_pause(self):
        """Check for signals and call the callback; called by the running search."""
        cdef double now
        PyErr_CheckSignals()
        now = clock_now()
        if self.callback is not None and now >= self.report and self.results[0] is not None:
            self.callback(self)
            now = clock_now()
            self.report = now + self.every
        self.search.clock.pause = now + SLICE
        # Freeing a large cache takes time, too: a fraction of the time that it took to make it.
        self.search.clock.deadline = self.search.cache.deadline - 0.25 * self.search.cache.growing_time

    cdef bint search_all(self, int depth, bint is_choosing) except -1:
        """Search everything to this depth; False if cut short."""
        cdef bint is_done
        if self.n_passes == self.most_passes:
            return self.search_part(depth, is_choosing)
        is_done = self.search_lanes(depth, is_choosing) if self.n_lanes > 1 else self.search_alone(depth, is_choosing)
        self.n_passes += is_done
        return is_done

    cdef bint search_alone(self, int depth, bint is_choosing) except -1:
        """Search every root move in the first lane; False if cut short."""
        self.search.cache.age += 1
        self.search.horizon = depth
        return self.search_planned(depth) if self.is_planned else self.search_open(depth, is_choosing)

    cdef bint search_part(self, int depth, bint is_choosing) except -1:
        """Repeat the moves of a pass that was cut short; always False."""
        cdef list order = self.order
        self.order = [order[place] for place in self.places]
        self.order += [i for i in order if i not in self.order]
        self.search_alone(depth, is_choosing)
        self.order = order
        return False

    cdef bint is_enough(self, int n_tried) noexcept:
        """True if the pass ends before the next move."""
        if self.n_passes == self.most_passes and n_tried == len(self.places):
            self.search.is_aborted = 1
        return self.search.is_aborted

    cdef bint search_open(self, int depth, bint is_choosing) except -1:
        """Search every root move in the only world; False if cut short."""
        cdef _WorldResult result = new_result()
        cdef double values[MAX_SEATS]
        cdef double alpha = -1.0
        cdef int i
        for i in self.order:
            if not self.is_enough(len(result.values)):
                self.try_move(self.moves[i], depth, alpha, values)
            if self.search.is_aborted:
                self.tried = tuple(range(len(result.values)))
                # Half an iteration is of use, unless all moves are to be compared.
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
        """Search every root move in all chosen worlds; False if cut short."""
        cdef _WorldResult result
        cdef const double* values
        cdef int i, k, world, n_tried = 0, n = self.n_values
        results = [new_result() for _ in range(self.n_chosen)]
        lines = [()] * len(self.moves)
        worlds_choose(&self.together, self.n_chosen)
        self.together.is_cut = 0
        for i in self.order:
            if not self.is_enough(n_tried):
                self.try_in_all(self.moves[i], depth)
            if self.search.is_aborted:
                self.tried = tuple(range(n_tried))
                if self.results[0] is None:
                    self.partial = mean_result(results)
                return False
            values = self.together.levels[1].values
            for world, result in enumerate(results):
                result.values[i] = tuple([values[world * n + k] for k in range(n)])
                result.doubts[i] = self.search.doubt
            n_tried += 1
            lines[i] = self.line_after(i)
        self.results = results + [None] * (self.n_worlds - len(results))
        self.lines = lines
        return True

    # ---- Searching in lanes ----------------------------------------------------------------------------------------

    cdef bint search_lanes(self, int depth, bint is_choosing) except -1:
        """Search every root move in all chosen worlds, divided over the lanes; False if cut short."""
        cdef Task* task = &self.task
        cdef double started = clock_now()
        cdef int i, place
        task.depth, task.alpha, task.first = depth, -1.0, 0
        task.n_worlds = self.n_chosen if self.is_planned else 1
        task.is_pruned = self.has_pruned
        for place, i in enumerate(self.order):
            task.found[place].move, task.found[place].is_done = self.moves[i], 0
        for i in range(self.n_lanes):
            self.lanes[i].search.cache.age += 1
            self.lanes[i].search.horizon = depth
            if self.is_planned:
                worlds_choose(self.lanes[i].together, self.n_chosen)
                self.lanes[i].together.is_cut = 0
        if self.has_pruned:
            with nogil:
                search_first(&self.lanes[0], task)
        if not self.search.is_aborted:
            self.run_lanes()
        self.seconds = clock_now() - started
        return self.collect(is_choosing)

    cdef int run_lanes(self) except -1:
        """Let every lane search its moves: side by side if that is worth it."""
        cdef int i
        if self.seconds < WORTH_THREADS:
            with nogil:
                for i in range(self.n_lanes):
                    search_lane(&self.lanes[i], &self.task, i)
            return 0
        threads = [
            threading.Thread(target=self._help, args=(i,), name=f"expectimax-{i}", daemon=True)
            for i in range(1, self.n_lanes)
        ]
        try:
            for thread in threads:
                thread.start()
            with nogil:
                search_lane(&self.lanes[0], &self.task, 0)
            if self.failure is not None:        # raised in a pause
                self.abort_lanes()
            for thread in threads:
                while thread.is_alive():
                    thread.join(SLICE)
                    self.take_pause()
        except BaseException as failure:
            self.failure = failure
            self.abort_lanes()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        return 0

    def _help(self, int number):
        """Search the moves of a lane, in a thread."""
        with nogil:
            search_lane(&self.lanes[number], &self.task, number)
        try:
            self.view.game.raise_failure()
        except BaseException as failure:
            self.failure = failure
            self.abort_lanes()

    cdef void abort_lanes(self) noexcept:
        cdef int i
        for i in range(self.n_lanes):
            self.lanes[i].search.is_aborted = 1

    cdef bint collect(self, bint is_choosing) except -1:
        """Take the results of the lanes; False if one of them was cut short."""
        cdef Task* task = &self.task
        cdef _WorldResult result
        cdef Found* found
        cdef const double* values
        cdef int i, k, place, n = self.n_values
        cdef bint is_complete = True
        results = [new_result() for _ in range(task.n_worlds)]
        lines = list(self.lines)
        for place, i in enumerate(self.order):
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
        for i in range(1, self.n_lanes):
            self.search.is_aborted |= self.lanes[i].search.is_aborted
            if self.is_planned:
                self.together.is_cut |= self.lanes[i].together.is_cut
        if is_complete or not self.is_planned:
            self.lines = lines
        if is_complete:
            self.results = results + [None] * (self.n_worlds - len(results))
            return True
        self.tried = tuple([place for place in range(len(self.order)) if task.found[place].is_done])
        # Half an iteration is of use if it has the best move of the last one, unless all moves are to be compared.
        result = results[0]
        if self.results[0] is None:
            self.partial = mean_result(results)
        elif is_choosing and not self.is_planned and self.order[0] in result.values:
            self.partial = result
        return False

    # ---- One move --------------------------------------------------------------------------------------------------

    cdef int try_move(self, move_t move, int depth, double alpha, double* values) except -1:
        """Search one root move in the only world; writes the value of the hero, or those of all seats."""
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
        """Search one root move in all chosen worlds; their values are at level 1 afterwards."""
        with nogil:
            search_move(&self.together, 0, move, depth - 1)
        return 0

    cdef tuple line_after(self, int i):
        cdef Lookahead* search = &self.search
        return (self.moves[i], *[search.lines[LINE + k] for k in range(search.line_lengths[1])])

    cdef int reorder(self) except -1:
        """Search the best moves first in the next iteration; equally good ones stay in order."""
        if self.has_pruned:
            best = max(self.order, key=self.mean)       # the others have bounds, which do not rank them
            self.order.remove(best)
            self.order.insert(0, best)
        else:
            self.order.sort(key=lambda i: -self.mean(i))
        return 0

    cdef bint is_settled(self, bint is_choosing) except -1:
        """True if deeper search cannot change anything."""
        cdef _WorldResult result
        cdef bint is_decided = True
        cdef bint is_won = is_choosing and self.mean(self.order[0]) >= 1.0
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
        return self.search.n_nodes + sum([self.lanes[i].search.n_nodes for i in range(1, self.n_lanes)])

    @property
    def leaves(self):
        """Positions valued without search."""
        cdef int i
        return self.search.n_leaves + sum([self.lanes[i].search.n_leaves for i in range(1, self.n_lanes)])

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
