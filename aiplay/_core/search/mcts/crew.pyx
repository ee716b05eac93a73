"""Several searches of one position on several threads, in rounds.

In a round every search hears what the others have found in the last one, makes the same number of iterations as they,
and tells what it has found (exchange.pyx). Any thread may run any search: a thread prefers its own, which are in the
memory of its core, and takes over others that wait. The next round begins when all searches have finished this one. So
results depend on the number of searches, never on the number of threads, on their order or on the time that they take.
Threads that have nothing to do sleep; as a round may end at any moment, they yield to others for a moment first.
"""

from cpython.pythread cimport (
    WAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
    PyThread_type_lock,
)
from libc.math cimport INFINITY
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc

from aiplay._core.game cimport Game, View
from aiplay._core.search.common.control cimport Clock, StopFlag, clock_now, clock_start, read_flag, write_flag
from aiplay._core.search.common.promise cimport raise_broken
from aiplay._core.search.mcts.core cimport TreeSearch
from aiplay._core.search.mcts.exchange cimport Partner, close_partner, hear, open_partner, tell
from aiplay._core.search.mcts.iteration cimport Goal, run_slice
from aiplay._core.search.mcts.root cimport RootMoves
from aiplay._core.search.mcts.search cimport RootSum, Search, count_nodes, late_count, own_tree
from aiplay._core.search.mcts.tree cimport ROOT, Tree


cdef extern from *:
    """
    #if defined(_WIN32)
    #include <windows.h>
    #define aiplay_yield() SwitchToThread()
    #else
    #include <sched.h>
    #define aiplay_yield() sched_yield()
    #endif
    """
    void yield_core "aiplay_yield" () noexcept nogil     # lets another thread have the core, if one wants it


cdef extern from "pythread.h":
    int PyThread_acquire_lock_timed(PyThread_type_lock lock, long long microseconds, int is_interruptible) nogil


cdef enum:
    FIRST_ROUND = 64        # iterations of each search in a short search
    GROWTH = 16             # a round has this share of the iterations so far,
    LONGEST_ROUND = 4096    # at most this number
    NODES_OF_ROUND = 64     # a node is exchanged if it has this share of the visits of a round, and at least 2


# Seconds that a worker waits for the end of a round before it sleeps: about as long as it takes to be woken.
cdef double SOON = 5e-5


ctypedef struct Worker:
    PyThread_type_lock bell     # it sleeps until somebody releases this lock
    int is_asleep
    int search              # the search that it has taken and not finished in this round, or -1
    int has_begun           # 1: that search has begun its round


cdef class Crew:
    """The searches of one position, and the rounds that threads work on together."""
    cdef list searches
    cdef Game game
    cdef View view
    cdef RootMoves adopted      # what the first search has adopted at its root
    cdef Partner* partners      # one for each search
    cdef int n_searches
    cdef int which              # the log that is written in this round
    cdef uint64_t* iterations   # of each search, in all
    cdef uint64_t* nodes        # new nodes of each search, in all
    cdef Worker* workers
    cdef int n_workers
    # Guards everything below. Only `round`, `is_over`, `is_broken` and `is_held` are also read without it, with
    # `read_flag`; so they are written with `write_flag`.
    cdef PyThread_type_lock lock
    cdef uint64_t target        # iterations of every search at the end of the round
    cdef int least              # new visits of a node that are exchanged at the end of the round
    cdef int n_waiting          # searches that wait for a worker in this round
    cdef int round              # number of the round
    cdef int n_left             # searches that are not finished in this round
    cdef int n_running          # workers that run a search just now
    cdef int is_over
    cdef int is_broken          # a world has other moves at the root
    cdef readonly bint is_cut   # True: ended within a round, by the deadline or a stop
    cdef bint ends_cut          # True: repeats a search that ended so
    cdef int is_held            # nobody may begin or go on with a search
    cdef int is_choosing        # end when no other move can catch up
    cdef double started
    cdef double deadline

    def __init__(
        self, searches, iterations, nodes, *, int workers, size_t memory, double started, double deadline,
        bint is_choosing, bint ends_cut=False,
    ):
        """Prepare the searches, which have not run yet, for `workers` threads.

        `iterations`, `nodes`: limits of each search; `memory`: bytes for what they have in common. `ends_cut`: the
        iterations are those of an earlier crew that was cut short.
        """
        cdef TreeSearch search
        cdef int t, n = len(searches)
        self.searches = list(searches)
        search = self.searches[0]
        self.game, self.view = search.game, search.view
        self.adopted = search.root_moves()
        self.started, self.deadline, self.is_choosing, self.ends_cut = started, deadline, is_choosing, ends_cut
        self._allocate(n, workers)
        for t, search in enumerate(self.searches):
            self.iterations[t], self.nodes[t] = iterations[t], nodes[t]
            if not open_partner(&self.partners[t], &search.search, n, memory // <size_t>n):
                raise MemoryError()
        self._begin_round()

    def _allocate(self, int n, int workers):
        cdef int w
        self.partners = <Partner*>calloc(n, sizeof(Partner))
        self.n_searches = n
        self.iterations = <uint64_t*>malloc(n * sizeof(uint64_t))
        self.nodes = <uint64_t*>malloc(n * sizeof(uint64_t))
        self.workers = <Worker*>calloc(workers, sizeof(Worker))
        self.lock = PyThread_allocate_lock()
        if not (self.partners and self.iterations and self.nodes and self.workers and self.lock):
            raise MemoryError()
        for w in range(workers):
            self.workers[w].search = -1
            self.workers[w].bell = PyThread_allocate_lock()
            if self.workers[w].bell == NULL:
                raise MemoryError()
            PyThread_acquire_lock(self.workers[w].bell, WAIT_LOCK)
            self.n_workers += 1

    def __dealloc__(self):
        cdef int w
        for w in range(self.n_workers):
            PyThread_release_lock(self.workers[w].bell)
            PyThread_free_lock(self.workers[w].bell)
        if self.lock != NULL:
            PyThread_free_lock(self.lock)
        if self.partners != NULL:
            for w in range(self.n_searches):
                close_partner(&self.partners[w])
        free(self.partners)
        free(self.iterations)
        free(self.nodes)
        free(self.workers)

    # ---- Working -------------------------------------------------------------------------------------------

    def work(self, int worker, StopFlag stop not None, double pause):
        """Run searches until all are finished, the deadline, or the pause; True if there is more to do."""
        cdef Clock clock
        cdef bint has_more = True
        clock_start(&clock, self.deadline, pause, &stop.is_set)
        with nogil:
            while has_more and clock_now() < pause:
                if self._take(worker):
                    has_more = self._run(worker, &clock)
                else:
                    has_more = self._sleep(worker, pause)
        self.game.raise_failure()
        if read_flag(&self.is_broken):
            raise_broken(self.view)
        return has_more

    def end(self):
        """End the work of all threads at their next look."""
        with nogil:
            PyThread_acquire_lock(self.lock, WAIT_LOCK)
            self._end()
            PyThread_release_lock(self.lock)

    cdef bint _take(self, int worker) noexcept nogil:
        """Let a worker run its search, or the next one; False if there is none now."""
        cdef Worker* me = &self.workers[worker]
        cdef bint is_found = False
        cdef int t
        PyThread_acquire_lock(self.lock, WAIT_LOCK)
        if not self.is_over and not self.is_held:
            for t in range(self.n_searches if me.search < 0 else 0):
                if self.partners[t].is_waiting and (me.search < 0 or t % self.n_workers == worker):
                    me.search = t
                    if t % self.n_workers == worker:
                        break
            is_found = me.search >= 0
            if is_found and self.partners[me.search].is_waiting:
                self.partners[me.search].is_waiting = 0
                me.has_begun = 0
                self.n_waiting -= 1
            self.n_running += is_found
        PyThread_release_lock(self.lock)
        return is_found

    cdef bint _run(self, int worker, Clock* clock) noexcept nogil:
        """Run the search of a worker to the end of the round or a pause; False if the work is over."""
        cdef Worker* me = &self.workers[worker]
        cdef Search* search = self.partners[me.search].search
        cdef Goal goal
        cdef bint has_more, is_done
        goal.iterations = min(self.target, self.iterations[me.search])
        goal.nodes = self.nodes[me.search]
        goal.is_choosing = 0
        if not me.has_begun:
            self._hear_all(me.search)
            me.has_begun = 1
        has_more = run_slice(search, clock, &goal)
        if search.n_iterations >= goal.iterations or self._is_finished(me.search):
            tell(&self.partners[me.search], self.which, self.least)
        PyThread_acquire_lock(self.lock, WAIT_LOCK)
        self.n_running -= 1
        is_done = search.n_iterations >= goal.iterations or self._is_finished(me.search)
        if search.ops.failed != NULL and search.ops.failed(search.ops.rules):
            self._end()
        elif search.is_broken:
            write_flag(&self.is_broken, 1)
            self._end()
        elif is_done:
            me.search = -1
            self.n_left -= 1
            if self.n_left == 0:
                self._end_round()
        elif not has_more:          # the deadline, or stopped
            self.is_cut = 1
            self._end()
        has_more = not self.is_over
        if self.is_held and self.n_running == 0:
            self._wake()
        PyThread_release_lock(self.lock)
        return has_more

    cdef bint _sleep(self, int worker, double pause) noexcept nogil:
        """Sleep until somebody calls, or the pause; False if the work is over."""
        cdef Worker* me = &self.workers[worker]
        cdef double seconds, soon = clock_now() + SOON
        cdef int round = read_flag(&self.round)
        cdef bint has_more
        while clock_now() < soon and read_flag(&self.round) == round:
            if read_flag(&self.is_held) or read_flag(&self.is_over):
                break
            yield_core()
        PyThread_acquire_lock(self.lock, WAIT_LOCK)
        has_more = not self.is_over
        me.is_asleep = has_more and (self.is_held or self.n_waiting == 0)
        if me.is_asleep:
            PyThread_release_lock(self.lock)
            seconds = min(max(pause - clock_now(), 0.0), 1.0)
            if PyThread_acquire_lock_timed(me.bell, <long long>(1e6 * seconds), 0) == 1:
                return True
            PyThread_acquire_lock(self.lock, WAIT_LOCK)
            if not me.is_asleep:        # called after the time was over: the bell has been released
                PyThread_acquire_lock(me.bell, WAIT_LOCK)
            me.is_asleep = 0
        PyThread_release_lock(self.lock)
        return has_more

    # ---- Rounds; the lock is held --------------------------------------------------------------------------

    cdef bint _is_finished(self, int t) noexcept nogil:
        """True if a search has used up its iterations or nodes, or proven its result."""
        cdef const Search* search = self.partners[t].search
        return (
            search.n_iterations >= self.iterations[t] or search.is_proven
            or (search.n_iterations > 0 and count_nodes(search) - search.n_adopted >= self.nodes[t])
        )

    cdef void _wake(self) noexcept nogil:
        cdef int w
        for w in range(self.n_workers):
            if self.workers[w].is_asleep:
                self.workers[w].is_asleep = 0
                PyThread_release_lock(self.workers[w].bell)

    cdef void _end(self) noexcept nogil:
        write_flag(&self.is_over, 1)
        self._wake()

    cdef void _hear_all(self, int t) noexcept nogil:
        """Let a search hear what the others have told in the last round."""
        cdef int other
        for other in range(self.n_searches):
            if other != t:
                hear(&self.partners[t], &self.partners[other].logs[1 - self.which])

    cdef void _begin_round(self) noexcept nogil:
        cdef int t
        self.which = 1 - self.which
        cdef uint64_t length = max(<uint64_t>FIRST_ROUND, min(self.target // GROWTH, <uint64_t>LONGEST_ROUND))
        self.target += length
        self.least = max(2, <int>(length // NODES_OF_ROUND))
        self.n_left = 0
        for t in range(self.n_searches):
            self.partners[t].logs[self.which].n_nodes = 0       # a search that has finished tells nothing more
            self.partners[t].is_waiting = not self._is_finished(t)
            self.n_left += self.partners[t].is_waiting
        self.n_waiting = self.n_left
        write_flag(&self.round, self.round + 1)

    cdef void _end_round(self) noexcept nogil:
        """Begin the next round unless the work is over; then let every search hear the rest, for the next move."""
        cdef int t
        self._begin_round()
        for t in range(self.n_searches):
            if self.partners[t].search.is_proven:
                write_flag(&self.is_over, 1)
        if self.n_left == 0 or (self.is_choosing and self._is_settled()):
            write_flag(&self.is_over, 1)
        # Trees of a single round are better left different from each other.
        if self.is_over and self.round > 2 and not self.ends_cut:
            for t in range(self.n_searches):
                self._hear_all(t)
        self._wake()

    cdef bint _is_settled(self) noexcept nogil:
        """True if no other move can catch up in what is left of the iterations, or is likely to in the time."""
        cdef double done = 0, left = 0, now, rest
        cdef int t
        for t in range(self.n_searches):
            done += self.partners[t].search.n_iterations
            left += self.iterations[t] - self.partners[t].search.n_iterations
        if self.deadline < INFINITY:
            now = clock_now()
            rest = 1.1 * done * (self.deadline - now) / max(now - self.started, 1e-9)
            left = min(left, rest)
        return self._lead() > left

    cdef double _lead(self) noexcept nogil:
        """Lead in visits of the first root move over the second, as in `root_lead`."""
        cdef const Tree* tree = own_tree(self.partners[0].search)
        cdef double visits, first = 0, second = 0
        cdef uint64_t late, most_late = 0
        cdef const RootSum* sums
        cdef int i, t, most = 0, latest = 0, n = tree.nodes[ROOT].n_edges
        for i in range(n):
            if tree.edges[tree.nodes[ROOT].edges + i].proof > 0:
                return -1
            if tree.edges[tree.nodes[ROOT].edges + i].proof == 0:
                continue
            visits = self.adopted.moves[i].visits if self.adopted.n == n else 0
            late = 0
            for t in range(self.n_searches):
                sums = &self.partners[t].search.root_sums[i]
                visits += sums.count
                late += late_count(sums)
            if visits > first:
                first, second, most = visits, first, i
            elif visits > second:
                second = visits
            if late > most_late:
                most_late, latest = late, i
        return first - second if latest == most else -1

    # ---- Results -------------------------------------------------------------------------------------------

    def hold(self):
        """Wait until no search is running, and let none go on before `go_on`. Worker 0 may call it."""
        cdef bint is_idle = False
        with nogil:
            while not is_idle:
                PyThread_acquire_lock(self.lock, WAIT_LOCK)
                write_flag(&self.is_held, 1)
                is_idle = self.n_running == 0
                PyThread_release_lock(self.lock)
                if not is_idle:
                    self._sleep(0, clock_now() + 0.05)

    def go_on(self):
        """Let the searches go on."""
        with nogil:
            PyThread_acquire_lock(self.lock, WAIT_LOCK)
            write_flag(&self.is_held, 0)
            self._wake()
            PyThread_release_lock(self.lock)

    def root_moves(self):
        """Return the statistics of all searches at the root, every iteration once. Before: no search is running."""
        cdef RootMoves merged = RootMoves(self.view), found
        cdef TreeSearch search
        cdef int i
        for search in self.searches:
            found = search.root_moves()
            for i in range(found.n):
                found.moves[i].visits = found.moves[i].sums.count
                found.moves[i].reward = found.moves[i].sums.totals[self.view.seat]
            merged.add(found)
        found = self.adopted
        for i in range(found.n):
            found.moves[i].is_proven = 0
        merged.nodes -= found.nodes
        merged.add(found)
        return merged
