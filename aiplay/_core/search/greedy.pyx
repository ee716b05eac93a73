"""One move ahead: every legal move in sampled worlds, averaged over chance, then evaluated by the game.

A scan that is stopped leaves out what is left of its worlds. In the first one every move still gets one outcome of
chance, so that all moves have a value.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from aiplay._core.contract cimport GameOps, imagine_world, sample_outcome, state_copy, state_drop
from aiplay._core.game cimport View
from aiplay._core.rng cimport Rng, derive_seed, rng_from_seed
from aiplay._core.search.common.control cimport Clock, StopFlag, clock_is_due, clock_now, clock_start, read_flag
from aiplay._core.search.common.leaf cimport Judge, position_values, spread_outcomes
from aiplay._core.search.common.promise cimport keeps_moves, raise_broken
from aiplay._core.search.common.states cimport StateStack, states_at, states_free, states_reserve
from aiplay._core.search.common.value cimport Network
from aiplay._core.typedefs cimport CHANCE, MAX_MOVES, MAX_SEATS, move_t, seat_t

from aiplay._core.stream import check_seed

cdef enum:
    LEVELS = 32             # chance decisions in a row that branch; beyond them a single outcome is sampled


cdef double SLICE = 0.02    # seconds between two checks for signals


ctypedef struct Scan:
    Clock clock
    void* owner             # the _GreedyScan
    int is_stopped          # 1: stopped, out of time, or a signal handler has raised
    uint64_t n_looks        # calls of `is_stopped` so far: the same for the same position and seed
    uint64_t most_looks     # the scan is stopped at this one
    const GameOps* ops
    const Judge* judge      # values positions; NULL: the game's evaluation
    StateStack states       # the world, then one state for each level of branching chance
    Rng rng                 # the stream of chance
    long n_positions        # positions valued so far
    move_t* moves           # max_moves entries for each level
    double* p               # the same, probabilities
    int* counts             # the same, how often each outcome was sampled


cdef bint is_stopped(Scan* scan) noexcept nogil:
    """True if the scan has to end; looks at the clock, and now and then for signals."""
    if scan.is_stopped:
        return True
    scan.n_looks += 1
    if scan.n_looks == scan.most_looks:
        scan.is_stopped = 1
    elif clock_is_due(&scan.clock):
        if read_flag(scan.clock.stop) or scan.clock.last >= scan.clock.deadline:
            scan.is_stopped = 1
        else:
            look_for_signals(scan)
    return scan.is_stopped


cdef void look_for_signals(Scan* scan) noexcept with gil:
    cdef _GreedyScan owner = <_GreedyScan>scan.owner
    try:
        PyErr_CheckSignals()
    except BaseException as raised:
        owner.raised = raised
        scan.is_stopped = 1
    scan.clock.pause = clock_now() + SLICE


cdef void mean_values(Scan* scan, int level, int n_samples, double* out) noexcept nogil:
    """Mean values of the position at `level` for every seat, after the chance decisions that come first.

    Tries all combinations of outcomes if there are at most n_samples, else a sample. The state is used up: played on
    in place, not dropped.
    """
    cdef const GameOps* ops = scan.ops
    cdef void* s = states_at(&scan.states, level)
    cdef move_t* moves = scan.moves + level * ops.max_moves
    cdef double* p = scan.p + level * ops.max_moves
    cdef seat_t seat = ops.to_move(ops.rules, s)
    cdef int n, n_played = 0
    if level + 1 == LEVELS or is_stopped(scan):
        n_samples = 1
    while seat == CHANCE:
        n = 1
        if n_samples > 1:
            n = ops.chance_outcomes(ops.rules, s, moves, p)
        if n > 1:
            mean_of_outcomes(scan, level, n, n_samples, out)
            return
        if n_played > ops.max_depth:
            break                       # a game whose chance decisions never end
        ops.play(ops.rules, s, moves[0] if n_samples > 1 else sample_outcome(ops, s, &scan.rng, moves, p))
        seat = ops.to_move(ops.rules, s)
        n_played += 1
    scan.n_positions += 1
    position_values(ops, scan.judge, s, seat, out)


cdef void mean_of_outcomes(Scan* scan, int level, int n, int n_samples, double* out) noexcept nogil:
    """The mean over the n outcomes listed at `level`, or over a sample of them."""
    cdef const GameOps* ops = scan.ops
    cdef const move_t* moves = scan.moves + level * ops.max_moves
    cdef const double* p = scan.p + level * ops.max_moves
    cdef int* counts = scan.counts + level * ops.max_moves
    cdef void* child = states_at(&scan.states, level + 1)
    cdef bint is_sampled = n > n_samples
    cdef double below[MAX_SEATS]
    cdef double weight, total = 0.0
    cdef int i, seat
    memset(out, 0, ops.seats * sizeof(double))
    if is_sampled:
        spread_outcomes(p, n, counts, n_samples, &scan.rng)
    for i in range(n):
        if is_sampled and counts[i] == 0:
            continue
        weight = <double>counts[i] / n_samples if is_sampled else p[i]
        state_copy(ops, child, states_at(&scan.states, level))
        ops.play(ops.rules, child, moves[i])
        mean_values(scan, level + 1, counts[i] if is_sampled else n_samples // n, below)
        state_drop(ops, child)
        total += weight
        for seat in range(ops.seats):
            out[seat] += weight * below[seat]
        if scan.is_stopped:
            break
    if scan.is_stopped:         # the mean of what was tried
        for seat in range(ops.seats):
            out[seat] /= total


cdef class _GreedyScan:
    """The memory of a scan, freed with the object, and its results so far."""
    cdef Scan scan
    cdef View view
    cdef int n_moves
    cdef move_t moves[MAX_MOVES]
    cdef double* sums       # [move][seat], over the worlds so far
    cdef double* squares    # [move]: squares of the values for the seat that moves
    cdef double* values     # [move][seat]: of the world under way
    cdef int n_worlds       # so far
    cdef bint is_broken     # a world has other moves
    cdef object raised      # exception of a signal handler

    def __cinit__(self, View view not None):
        cdef GameOps* ops = &view.game.ops
        cdef int room = LEVELS * ops.max_moves
        self.view = view
        self.scan.ops, self.scan.owner = ops, <void*>self
        self.n_moves = view.options_now(self.moves)
        self.scan.moves = <move_t*>malloc(room * sizeof(move_t))
        self.scan.p = <double*>malloc(room * sizeof(double))
        self.scan.counts = <int*>malloc(room * sizeof(int))
        self.sums = <double*>malloc(self.n_moves * MAX_SEATS * sizeof(double))
        self.values = <double*>malloc(self.n_moves * MAX_SEATS * sizeof(double))
        self.squares = <double*>malloc(self.n_moves * sizeof(double))
        if (
            states_reserve(&self.scan.states, ops, LEVELS) < 0 or self.scan.moves == NULL
            or self.scan.p == NULL or self.scan.counts == NULL or self.sums == NULL or self.squares == NULL
            or self.values == NULL
        ):
            raise MemoryError()
        memset(self.sums, 0, self.n_moves * MAX_SEATS * sizeof(double))
        memset(self.squares, 0, self.n_moves * sizeof(double))

    def __dealloc__(self):
        states_free(&self.scan.states)
        free(self.scan.moves)
        free(self.scan.p)
        free(self.scan.counts)
        free(self.sums)
        free(self.values)
        free(self.squares)

    cdef void add_world(self, uint64_t seed, int n_samples) noexcept nogil:
        """Try every move in one more world; all under the same luck, which reduces noise between them.

        A world that is cut short does not count, unless it is the first.
        """
        cdef const GameOps* ops = self.scan.ops
        cdef void* world = states_at(&self.scan.states, 0)
        cdef Rng rng = rng_from_seed(derive_seed(seed, 0))
        cdef int i = 0
        state_copy(ops, world, self.view.data)
        imagine_world(ops, world, self.view.seat, &rng)
        self.is_broken = not keeps_moves(ops, world, self.view.seat, self.moves, self.n_moves, self.scan.moves)
        while i < self.n_moves and not self.is_broken and (self.n_worlds == 0 or not self.scan.is_stopped):
            self.scan.rng = rng_from_seed(derive_seed(seed, 1))
            self.try_move(self.moves[i], n_samples, self.values + i * MAX_SEATS)
            self.is_broken = ops.failed != NULL and ops.failed(ops.rules)
            i += 1
        state_drop(ops, world)
        if i == self.n_moves:
            self.add_values()

    cdef void try_move(self, move_t move, int n_samples, double* values) noexcept nogil:
        """The mean values after a move in the world of level 0."""
        cdef const GameOps* ops = self.scan.ops
        cdef void* child = states_at(&self.scan.states, 1)
        state_copy(ops, child, states_at(&self.scan.states, 0))
        ops.play(ops.rules, child, move)
        mean_values(&self.scan, 1, n_samples, values)
        state_drop(ops, child)

    cdef void add_values(self) noexcept nogil:
        """Count the world under way."""
        cdef double own
        cdef int i, seat
        for i in range(self.n_moves):
            for seat in range(self.scan.ops.seats):
                self.sums[i * MAX_SEATS + seat] += self.values[i * MAX_SEATS + seat]
            own = self.values[i * MAX_SEATS + self.view.seat]
            self.squares[i] += own * own
        self.n_worlds += 1

    def result(self, int i):
        """Return (move, mean value of every seat, standard error of the mover's value over the worlds) of move i."""
        cdef double n = self.n_worlds
        cdef double mean = self.sums[i * MAX_SEATS + self.view.seat] / n
        cdef double variance = self.squares[i] / n - mean * mean
        cdef int seat
        values = [self.sums[i * MAX_SEATS + seat] / n for seat in range(self.scan.ops.seats)]
        return self.moves[i], values, sqrt(max(variance, 0.0) / (n - 1)) if n > 1 else 0.0


def greedy_values(
    View view not None, int n_worlds, int n_samples, seed, StopFlag stop not None, double deadline=INFINITY,
    uint64_t most_looks=0, Network value=None,
):
    """Return a list of (move, mean values of all seats, standard error), and the number of positions valued, of worlds,
    and of looks at the clock after which the scan was stopped (0: it was not).

    Before: the seat of the view is to move. A game that hides nothing needs one world only. `most_looks` stops the scan
    where an earlier one was stopped. `value` values positions instead of the game.
    """
    cdef _GreedyScan scan = _GreedyScan(view)
    cdef uint64_t base = check_seed(seed)
    cdef int world = 0
    scan.scan.judge = &value.judge if value is not None else NULL
    if view.game.ops.determinise == NULL:
        n_worlds = 1
    scan.scan.most_looks = most_looks
    clock_start(&scan.scan.clock, deadline, clock_now() + SLICE, &stop.is_set)
    with nogil:
        while world < n_worlds and not scan.is_broken and not scan.scan.is_stopped:
            scan.add_world(derive_seed(base, world), n_samples)
            world += 1
    if scan.raised is not None:
        raise scan.raised
    if scan.is_broken:
        raise_broken(view)
    n_looks = scan.scan.n_looks if scan.scan.is_stopped else 0
    return [scan.result(i) for i in range(scan.n_moves)], scan.scan.n_positions, scan.n_worlds, n_looks
