"""Search by regret in sampled walks to the end of the game, from a view or from the start.

An iteration walks through the game for one seat: it tries all moves of this seat, while chance and the other seats move
at random, as their present strategies say (external sampling: Lanctot, Waugh, Zinkevich and Bowling 2009). Where that
would be too many games at once, it tries one move (outcome sampling). Every seat plays by what it sees. Later
iterations count more, in regrets and averages (linear weights: Brown and Sandholm 2019).

From the start of the game, the average strategies approach an equilibrium in games of two seats whose returns sum to a
constant. From a view, each iteration samples a world that fits it. The hidden cards of others are then any that fit,
whatever the moves so far may tell: such a search does not conclude from a bet what its maker holds.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from aiplay._core.contract cimport GameOps, imagine_world, sample_outcome, state_copy, state_drop
from aiplay._core.game cimport Game, Position, View
from aiplay._core.rng cimport derive_seed, rng_double, rng_from_seed
from aiplay._core.search.common.control cimport StopFlag, clock_is_due, clock_start, read_flag
from aiplay._core.search.common.leaf cimport returns_values
from aiplay._core.search.common.promise cimport raise_uneven
from aiplay._core.search.common.states cimport states_at, states_free, states_reserve
from aiplay._core.search.regret.infosets cimport map_find
from aiplay._core.search.regret.strategies cimport Strategies
from aiplay._core.typedefs cimport CHANCE, MAX_SEATS, TERMINAL, move_t, seat_t

from aiplay._core.stream import check_seed

cdef double CURIOSITY = 0.5         # share of random moves where one move is sampled


cdef class SampledRegrets(Strategies):
    """The strategies of all seats after a view, or from the state before the first move, as far as sampled."""

    def __init__(self, Position root not None, *, seed, long memory, bint keeps_views=False):
        cdef Game game = root.game
        cdef GameOps* ops = &game.ops
        cdef int n_levels = min(ops.max_depth, <int>MAX_LEVELS)
        cdef size_t room = <size_t>ops.max_moves * (n_levels + 2)
        self.n_levels = n_levels
        self.open_strategies(game, keeps_views)
        self.root, self.seed = root, check_seed(seed)
        self.seat = (<View>root).seat if isinstance(root, View) else -1
        self.most_moves = <int32_t>min(memory // (32 + (<long>self.stride if keeps_views else 0)), 2**30)
        self.moves = <move_t*>malloc(room * sizeof(move_t))
        self.strategy = <double*>malloc(room * sizeof(double))
        self.values = <double*>malloc(room * sizeof(double))
        self.root_sums = <double*>calloc(ops.max_moves, sizeof(double))
        if (
            states_reserve(&self.states, ops, n_levels + 2) < 0
            or self.moves == NULL or self.strategy == NULL or self.values == NULL or self.root_sums == NULL
        ):
            raise MemoryError()

    def __dealloc__(self):
        states_free(&self.states)
        free(self.moves)
        free(self.strategy)
        free(self.values)
        free(self.root_sums)

    def solve(self, StopFlag stop, double deadline, double pause, long iterations):
        """Search until `iterations` are made in all, the deadline or a stop; True if a pause ended it."""
        cdef const GameOps* ops = &self.game.ops
        clock_start(&self.clock, deadline, pause, &stop.is_set)
        with nogil:
            while self.iterations < iterations:
                self.iterate()
                if self.is_uneven or (ops.failed != NULL and ops.failed(ops.rules)):
                    break
                if read_flag(&stop.is_set) or (self.iterations >= 2 * ops.seats and clock_is_due(&self.clock)):
                    break
        self.game.raise_failure()
        if self.is_uneven:
            raise_uneven(self.game)
        PyErr_CheckSignals()
        return self.iterations < iterations and not read_flag(&stop.is_set) and self.clock.last < deadline

    cdef void iterate(self) noexcept nogil:
        cdef const GameOps* ops = &self.game.ops
        cdef void* world = states_at(&self.states, 0)
        self.rng = rng_from_seed(derive_seed(self.seed, self.iterations))
        self.walker = self.next_walker()
        self.iterations += 1
        state_copy(ops, world, self.root.data)
        if self.seat >= 0:
            imagine_world(ops, world, self.seat, &self.rng)
        self.value_sums[self.walker] += self.walk(0, 1)
        self.n_values[self.walker] += 1
        state_drop(ops, world)

    cdef seat_t next_walker(self) noexcept nogil:
        """The seat of the next walk: the one that searches every other time, since its moves are asked for."""
        cdef int seats = self.game.ops.seats
        if self.seat < 0:
            return <seat_t>(self.iterations % seats)
        if self.iterations % 2 == 0:
            return self.seat
        return <seat_t>((self.seat + 1 + (self.iterations // 2) % (seats - 1 or 1)) % seats)

    # ---- Walks -----------------------------------------------------------------------------------------------------

    cdef double walk(self, int level, int width) noexcept nogil:
        """The value of the position of a level for the seat that walks, and what it regrets on the way.

        `width` is the number of games that the iteration tries side by side.
        """
        cdef const GameOps* ops = &self.game.ops
        cdef void* s = states_at(&self.states, level)
        cdef seat_t seat = ops.to_move(ops.rules, s)
        cdef size_t place = <size_t>level * ops.max_moves
        cdef double returns[MAX_SEATS]
        if seat == TERMINAL:
            returns_values(ops, s, returns)
            return returns[self.walker]
        if level >= self.n_levels or (ops.failed != NULL and ops.failed(ops.rules)):
            return 0.5
        if seat == CHANCE:
            return self.below(
                level, sample_outcome(ops, s, &self.rng, self.moves + place, self.strategy + place), width
            )
        return self.decide(level, seat, width)

    cdef double decide(self, int level, seat_t seat, int width) noexcept nogil:
        cdef const GameOps* ops = &self.game.ops
        cdef size_t place = <size_t>level * ops.max_moves
        cdef move_t* moves = self.moves + place
        cdef double* strategy = self.strategy + place
        cdef int n = ops.legal_moves(ops.rules, states_at(&self.states, level), moves)
        cdef int32_t here = self.find(level, seat, n)
        cdef int i
        self.present(here, n, strategy)
        if seat == self.walker:
            if (level == 0 and self.seat >= 0) or width * n <= MAX_WIDTH:
                return self.walk_all(level, here, n, width)
            return self.walk_one(level, here, n, width)
        # The average of a seat is kept where another one walks: the seat gets here as often as it plays so.
        if here >= 0 and (self.seat < 0 or self.walker == self.seat or seat == self.seat):
            self.infosets[here].visits += 1
            for i in range(n):
                self.sums[self.infosets[here].first + i] += self.iterations * strategy[i]
        return self.below(level, moves[draw(strategy, n, rng_double(&self.rng))], width)

    cdef double walk_all(self, int level, int32_t here, int n, int width) noexcept nogil:
        """Try all n moves of the seat that walks."""
        cdef size_t place = <size_t>level * self.game.ops.max_moves
        cdef double* values = self.values + place
        cdef double value = 0.0
        cdef int i
        for i in range(n):
            values[i] = self.below(level, self.moves[place + i], width * n)
            value += self.strategy[place + i] * values[i]
        if here >= 0:
            for i in range(n):
                self.regrets[self.infosets[here].first + i] += self.iterations * (values[i] - value)
        if level == 0 and self.walker == self.seat:
            self.n_root += 1
            for i in range(n):
                self.root_sums[i] += values[i]
                if here >= 0:       # it is always reached
                    self.sums[self.infosets[here].first + i] += self.iterations * self.strategy[place + i]
        return value

    cdef double walk_one(self, int level, int32_t here, int n, int width) noexcept nogil:
        """Try one of n moves, and weight it by how rarely it is tried."""
        cdef size_t place = <size_t>level * self.game.ops.max_moves
        cdef double* strategy = self.strategy + place
        cdef double curious = rng_double(&self.rng), value, probability
        cdef int i, tried
        if curious < CURIOSITY:
            tried = <int>(curious / CURIOSITY * n)
        else:
            tried = draw(strategy, n, (curious - CURIOSITY) / (1.0 - CURIOSITY))
        probability = CURIOSITY / n + (1.0 - CURIOSITY) * strategy[tried]
        value = self.below(level, self.moves[place + tried], MAX_WIDTH) / probability
        if here >= 0:
            for i in range(n):
                self.regrets[self.infosets[here].first + i] += (
                    self.iterations * value * ((i == tried) - strategy[tried])
                )
        return strategy[tried] * value

    cdef double below(self, int level, move_t move, int width) noexcept nogil:
        """The value after a move."""
        cdef const GameOps* ops = &self.game.ops
        cdef void* child = states_at(&self.states, level + 1)
        cdef double value
        state_copy(ops, child, states_at(&self.states, level))
        ops.play(ops.rules, child, move)
        value = self.walk(level + 1, width)
        state_drop(ops, child)
        return value

    # ---- Information sets ------------------------------------------------------------------------------------------

    cdef int32_t find(self, int level, seat_t seat, int n) noexcept nogil:
        """The information set of a decision, found or new; -1: there is no memory for it."""
        cdef const GameOps* ops = &self.game.ops
        cdef void* seen = states_at(&self.states, level + 1)
        cdef uint64_t key
        cdef int32_t here
        state_copy(ops, seen, states_at(&self.states, level))
        if ops.conceal != NULL:
            ops.conceal(ops.rules, seen, seat)
        key = self.view_key(seen, seat)
        here = map_find(&self.by_view, key)
        if here >= 0 and self.infosets[here].n_moves != n:
            self.is_uneven, here = True, -1
        elif here < 0 and (self.is_full or self.n_moves + n > self.most_moves):
            self.is_full = True
        elif here < 0:
            here = self.add_infoset(seat, key, n, seen)
            self.is_full = here < 0
        state_drop(ops, seen)
        return here

    cdef void present(self, int32_t here, int n, double* out) noexcept nogil:
        """The strategy of this iteration: moves in proportion to their positive regrets."""
        cdef double total = 0.0
        cdef int i
        for i in range(n):
            out[i] = max(self.regrets[self.infosets[here].first + i], 0.0) if here >= 0 else 0.0
            total += out[i]
        for i in range(n):
            out[i] = out[i] / total if total > 0 else 1.0 / n

    # ---- Results ---------------------------------------------------------------------------------------------------

    def move_values(self):
        """Return the mean value of each legal move for the seat, 0 .. 1."""
        cdef int i, n = len(self.root.legal_moves())
        return [self.root_sums[i] / self.n_root if self.n_root else 0.5 for i in range(n)]

    def odds(self):
        """Return the mean value of the position for every seat."""
        cdef int seat
        return tuple([
            self.value_sums[seat] / self.n_values[seat] if self.n_values[seat] else 0.5
            for seat in range(self.game.ops.seats)
        ])


cdef inline int draw(const double* p, int n, double left) noexcept nogil:
    """One of n entries with probabilities p, by a number from 0 to 1."""
    cdef int i
    for i in range(n - 1):
        left -= p[i]
        if left < 0:
            return i
    return n - 1
