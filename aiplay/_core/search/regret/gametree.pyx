"""A small game as a whole: its tree, an equilibrium of it, and the best response to any strategy.

Regret: how much better a move would have been than what was played, summed over all iterations. Each iteration plays in
proportion to the positive regrets, and the average of all strategies approaches an equilibrium in games of two seats
whose returns sum to a constant (counterfactual regret minimisation: Zinkevich et al. 2007). Regrets never fall below 0,
seats take turns, and later strategies count more (CFR+: Tammelin 2014). With more seats nothing is promised.

Strategies are kept for what a seat sees, its view: a player is asked with a view. If views forget how a position came
about, the seat plays the same in all these cases. The best response remembers everything its seat has noticed.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from aiplay._core.contract cimport GameOps, perceive_move, state_copy, state_drop
from aiplay._core.game cimport Game, View
from aiplay._core.rng cimport mix64
from aiplay._core.search.common.control cimport StopFlag, clock_is_due, clock_now, clock_start, read_flag
from aiplay._core.search.common.leaf cimport returns_values
from aiplay._core.search.common.promise cimport raise_uneven
from aiplay._core.search.common.states cimport states_at, states_free, states_reserve
from aiplay._core.search.regret.infosets cimport (
    NO_MEMORY, Infoset, grown, key_of, map_add, map_find, map_free, map_reserve, shares,
)
from aiplay._core.search.regret.strategies cimport Strategies
from aiplay._core.typedefs cimport CHANCE, MAX_SEATS, TERMINAL, move_t, seat_t

cdef enum:                  # why a tree does not grow
    TOO_LARGE = -2
    STOPPED = -3
    FAILED = -4
    UNEVEN = -5             # the game breaks its contract

cdef uint64_t ODD = <uint64_t>0x9E3779B97F4A7C15


cdef class GameTree(Strategies):
    """The tree of a game with at most `max_nodes` nodes, and a strategy for every decision in it.

    Raises OverflowError if the game is larger, and TimeoutError if the deadline (`now()`) or `stop` comes first.
    """

    def __init__(self, Game game, *, uint32_t max_nodes, StopFlag stop, double deadline=INFINITY):
        cdef uint64_t noticed[2 * MAX_SEATS]
        cdef GameOps* ops = &game.ops
        cdef int found
        self.open_strategies(game, True)
        self.max_nodes = max_nodes
        memset(noticed, 0, sizeof(noticed))
        if map_reserve(&self.by_recall, 1024) < 0:
            raise MemoryError()
        self.choices = <move_t*>malloc(<size_t>ops.max_moves * MAX_LEVELS * sizeof(move_t))
        self.chances = <double*>malloc(<size_t>ops.max_moves * MAX_LEVELS * sizeof(double))
        if self.choices == NULL or self.chances == NULL or states_reserve(&self.states, ops, MAX_LEVELS + 1) < 0:
            raise MemoryError()
        clock_start(&self.clock, deadline, INFINITY, &stop.is_set)
        with nogil:
            memset(states_at(&self.states, 0), 0, ops.state_size)
            ops.setup(ops.rules, states_at(&self.states, 0))
            found = self.grow(0, 0, 0, 1.0, noticed)
            state_drop(ops, states_at(&self.states, 0))
        game.raise_failure()
        PyErr_CheckSignals()
        if found == NO_MEMORY:
            raise MemoryError()
        if found == UNEVEN:
            raise_uneven(game)
        if found == TOO_LARGE:
            raise OverflowError(f"{game.name} has more than {max_nodes} positions, or games of more than {MAX_LEVELS}")
        if found == STOPPED:
            raise TimeoutError(f"{game.name} was not unrolled in time")
        self.sort_by_depth()
        self.reserve_passes()

    def __dealloc__(self):
        free(self.nodes)
        free(self.recall_first)
        free(self.first_moves)
        free(self.is_merged)
        free(self.payoffs)
        free(self.strategy)
        free(self.own_reach)
        free(self.other_reach)
        free(self.values)
        free(self.choices)
        free(self.chances)
        map_free(&self.by_recall)
        states_free(&self.states)

    # ---- Growing ---------------------------------------------------------------------------------------------------

    cdef int grow(self, int level, uint32_t parent, int slot, double chance, const uint64_t* noticed) noexcept nogil:
        """Add the position of a level, and everything below it.

        `noticed` hashes what each seat noticed so far, and after that, what each noticed of the moves of seats only.
        """
        cdef const GameOps* ops = &self.game.ops
        cdef void* s = states_at(&self.states, level)
        cdef void* child = states_at(&self.states, level + 1)
        cdef move_t* choices = self.choices + <size_t>level * ops.max_moves
        cdef double* chances = self.chances + <size_t>level * ops.max_moves
        cdef uint64_t after[2 * MAX_SEATS]
        cdef uint64_t key
        cdef seat_t seat = ops.to_move(ops.rules, s), other
        cdef uint32_t here = self.n_nodes
        cdef int i, n, found
        if ops.failed != NULL and ops.failed(ops.rules):
            return FAILED
        if self.add_node(level, parent, slot, chance) < 0:
            return NO_MEMORY
        if self.n_nodes > self.max_nodes:
            return TOO_LARGE
        if clock_is_due(&self.clock):
            return STOPPED
        if seat == TERMINAL:
            return self.add_end(s, &self.nodes[here])
        if level + 1 >= MAX_LEVELS:
            return TOO_LARGE
        if seat == CHANCE:
            n = ops.chance_outcomes(ops.rules, s, choices, chances)
            self.nodes[here].infoset = IS_CHANCE
        else:
            n = ops.legal_moves(ops.rules, s, choices)
            found = self.add_decision(level, seat, n, noticed, &self.nodes[here])
            if found < 0:
                return found
        for i in range(n):
            for other in range(ops.seats):
                key = (perceive_move(ops, s, choices[i], other) + 1) * ODD
                after[other] = mix64(noticed[other] ^ key)
                after[MAX_SEATS + other] = noticed[MAX_SEATS + other]
                if seat != CHANCE:
                    after[MAX_SEATS + other] = mix64(noticed[MAX_SEATS + other] ^ key)
            state_copy(ops, child, s)
            ops.play(ops.rules, child, choices[i])
            found = self.grow(level + 1, here, i, chances[i] if seat == CHANCE else 1.0, after)
            state_drop(ops, child)
            if found < 0:
                return found
        return 0

    cdef int add_node(self, int level, uint32_t parent, int slot, double chance) noexcept nogil:
        cdef int32_t room = <int32_t>self.room_nodes
        cdef void* memory = grown(self.nodes, &room, <int32_t>self.n_nodes + 1, sizeof(TreeNode))
        cdef TreeNode* node
        if memory == NULL:
            return NO_MEMORY
        self.nodes, self.room_nodes = <TreeNode*>memory, <uint32_t>room
        node = &self.nodes[self.n_nodes]
        node.parent, node.slot, node.chance, node.depth, node.recall = parent, slot, chance, level, 0
        self.n_nodes += 1
        return 0

    cdef int add_end(self, const void* s, TreeNode* node) noexcept nogil:
        cdef int seats = self.game.ops.seats
        cdef void* memory = grown(self.payoffs, &self.room_ends, self.n_ends + 1, seats * sizeof(double))
        if memory == NULL:
            return NO_MEMORY
        self.payoffs = <double*>memory
        node.infoset, node.recall = IS_END, self.n_ends
        returns_values(&self.game.ops, s, self.payoffs + self.n_ends * seats)
        self.n_ends += 1
        return 0

    cdef int add_decision(
        self, int level, seat_t seat, int n, const uint64_t* noticed, TreeNode* node
    ) noexcept nogil:
        """Find the information sets of a decision, or add them."""
        cdef const GameOps* ops = &self.game.ops
        cdef void* view = states_at(&self.states, level + 1)
        cdef uint64_t key
        cdef int32_t infoset, recall
        state_copy(ops, view, states_at(&self.states, level))
        if ops.conceal != NULL:
            ops.conceal(ops.rules, view, seat)
        key = self.view_key(view, seat)
        infoset = map_find(&self.by_view, key)
        if infoset < 0 and self.widen_recall() == 0:
            infoset = self.add_infoset(seat, key, n, view)
        state_drop(ops, view)
        if infoset < 0:
            return NO_MEMORY
        recall = self.add_recall(seat, noticed[seat], n)
        if recall < 0:
            return NO_MEMORY
        if self.infosets[infoset].n_moves != n:
            return UNEVEN
        if self.is_merged[infoset] < 0:
            self.first_moves[infoset], self.is_merged[infoset] = noticed[MAX_SEATS + seat], 0
        elif self.first_moves[infoset] != noticed[MAX_SEATS + seat]:
            self.is_merged[infoset] = 1
        node.infoset, node.recall = infoset, recall
        return 0

    cdef int widen_recall(self) noexcept nogil:
        """Room for what is remembered of one more information set."""
        cdef int32_t here = self.by_view.n_ids
        cdef void* memory = grown(self.first_moves, &self.room_first, here + 1, sizeof(uint64_t))
        if memory == NULL:
            return NO_MEMORY
        self.first_moves = <uint64_t*>memory
        memory = grown(self.is_merged, &self.room_merged, here + 1, sizeof(char))
        if memory == NULL:
            return NO_MEMORY
        self.is_merged = <signed char*>memory
        self.is_merged[here] = -1
        return 0

    cdef int32_t add_recall(self, seat_t seat, uint64_t noticed, int n) noexcept nogil:
        """The set of everything that gives a seat the same to notice and as many moves, found or new; NO_MEMORY."""
        cdef uint64_t key = key_of(mix64(noticed + <uint64_t>n), seat)
        cdef int32_t found = map_find(&self.by_recall, key)
        cdef void* memory
        if found >= 0:
            return found
        memory = grown(self.recall_first, &self.room_recall, self.by_recall.n_ids + 1, sizeof(int32_t))
        if memory == NULL:
            return NO_MEMORY
        self.recall_first = <int32_t*>memory
        found = map_add(&self.by_recall, key)
        if found >= 0:
            self.recall_first[found] = self.n_recall_moves
            self.n_recall_moves += n
        return found

    cdef void sort_by_depth(self) except *:
        """Number the nodes level by level: passes then go through memory in order."""
        cdef TreeNode* sorted_nodes = <TreeNode*>malloc(self.n_nodes * sizeof(TreeNode))
        cdef uint32_t* place = <uint32_t*>malloc(self.n_nodes * sizeof(uint32_t))
        cdef uint32_t starts[MAX_LEVELS + 1]
        cdef uint32_t k
        cdef int depth
        if sorted_nodes == NULL or place == NULL:
            free(sorted_nodes)
            free(place)
            raise MemoryError()
        memset(starts, 0, sizeof(starts))
        for k in range(self.n_nodes):
            starts[self.nodes[k].depth + 1] += 1
        for depth in range(MAX_LEVELS):
            starts[depth + 1] += starts[depth]
        for k in range(self.n_nodes):       # parents come before their children, so their places are known
            place[k] = starts[self.nodes[k].depth]
            starts[self.nodes[k].depth] += 1
            sorted_nodes[place[k]] = self.nodes[k]
            sorted_nodes[place[k]].parent = place[self.nodes[k].parent]
        free(place)
        free(self.nodes)
        self.nodes = sorted_nodes

    cdef void reserve_passes(self) except *:
        cdef size_t n_moves = max(self.n_moves, 1)
        self.strategy = <double*>calloc(n_moves, sizeof(double))
        self.own_reach = <double*>malloc(self.n_nodes * sizeof(double))
        self.other_reach = <double*>malloc(self.n_nodes * sizeof(double))
        self.values = <double*>malloc(self.n_nodes * sizeof(double))
        if self.strategy == NULL or self.own_reach == NULL or self.other_reach == NULL or self.values == NULL:
            raise MemoryError()

    # ---- Passes ----------------------------------------------------------------------------------------------------

    cdef void match_regrets(self) noexcept nogil:
        """The strategy of the next pass: every move as often as it is regretted."""
        cdef int32_t i
        for i in range(self.by_view.n_ids):
            shares(self.regrets, &self.infosets[i], self.strategy)

    cdef void average_into(self, double* out) noexcept nogil:
        """The average of all strategies so far."""
        cdef int32_t i
        for i in range(self.by_view.n_ids):
            shares(self.sums, &self.infosets[i], out)

    cdef void reach_down(self, seat_t seat, const double* strategy) noexcept nogil:
        """How probable each node is: the part of the seat's own moves, and that of all others and chance."""
        cdef const TreeNode* node
        cdef const Infoset* infoset
        cdef uint32_t k
        self.own_reach[0] = self.other_reach[0] = 1.0
        for k in range(1, self.n_nodes):
            node = &self.nodes[k]
            self.own_reach[k], self.other_reach[k] = self.own_reach[node.parent], self.other_reach[node.parent]
            if self.nodes[node.parent].infoset == IS_CHANCE:
                self.other_reach[k] *= node.chance
                continue
            infoset = &self.infosets[self.nodes[node.parent].infoset]
            if infoset.seat == seat:
                self.own_reach[k] *= strategy[infoset.first + node.slot]
            else:
                self.other_reach[k] *= strategy[infoset.first + node.slot]

    cdef void values_up(self, seat_t seat, const double* strategy) noexcept nogil:
        """The value of each node for the seat, if all play the strategy."""
        cdef const TreeNode* node
        cdef const TreeNode* parent
        cdef uint32_t k
        cdef double share
        memset(self.values, 0, self.n_nodes * sizeof(double))
        for k in range(self.n_nodes - 1, 0, -1):
            node = &self.nodes[k]
            if node.infoset == IS_END:
                self.values[k] = self.payoffs[node.recall * self.game.ops.seats + seat]
            parent = &self.nodes[node.parent]
            share = node.chance
            if parent.infoset >= 0:
                share = strategy[self.infosets[parent.infoset].first + node.slot]
            self.values[node.parent] += share * self.values[k]

    cdef void improve(self, seat_t seat, double weight) noexcept nogil:
        """One pass for a seat: its regrets, and its part of the average."""
        cdef const TreeNode* node
        cdef const Infoset* infoset
        cdef uint32_t k
        cdef int32_t i, m
        self.match_regrets()
        self.reach_down(seat, self.strategy)
        self.values_up(seat, self.strategy)
        for k in range(1, self.n_nodes):
            node = &self.nodes[self.nodes[k].parent]
            if node.infoset >= 0 and self.infosets[node.infoset].seat == seat:
                m = self.infosets[node.infoset].first + self.nodes[k].slot
                self.regrets[m] += self.other_reach[self.nodes[k].parent] * (
                    self.values[k] - self.values[self.nodes[k].parent]
                )
                self.sums[m] += weight * self.own_reach[self.nodes[k].parent] * self.strategy[m]
        for i in range(self.by_view.n_ids):
            infoset = &self.infosets[i]
            if infoset.seat == seat:
                for m in range(infoset.first, infoset.first + infoset.n_moves):
                    self.regrets[m] = max(self.regrets[m], 0.0)

    def solve(self, StopFlag stop, double deadline, double pause, long iterations):
        """Improve until `iterations` are made in all, the deadline or a stop; True if a pause ended it."""
        cdef seat_t seat
        cdef bint is_over = False
        with nogil:
            while self.iterations < iterations:
                self.iterations += 1
                for seat in range(self.game.ops.seats):
                    self.improve(seat, <double>self.iterations * self.iterations)
                if read_flag(&stop.is_set) or clock_now() >= deadline:
                    is_over = True
                    break
                if clock_now() >= pause:
                    break
        PyErr_CheckSignals()
        return not is_over and self.iterations < iterations

    # ---- The best response -----------------------------------------------------------------------------------------

    cdef double respond(self, seat_t seat, const double* strategy, double* totals, int32_t* best) noexcept nogil:
        """The value of the best answer of a seat to the strategy of all others.

        `totals` has an entry for each move of the sets of `by_recall`, `best` one for each set.
        """
        cdef const TreeNode* node
        cdef const TreeNode* parent
        cdef uint32_t k, first, end = self.n_nodes
        cdef int32_t m
        self.reach_down(seat, strategy)
        memset(self.values, 0, self.n_nodes * sizeof(double))
        memset(totals, 0, max(self.n_recall_moves, 1) * sizeof(double))
        memset(best, 0xFF, max(self.by_recall.n_ids, 1) * sizeof(int32_t))
        while end > 0:                      # one level after the other, the deepest first
            first = end - 1
            while first > 0 and self.nodes[first - 1].depth == self.nodes[end - 1].depth:
                first -= 1
            for k in range(first, end):     # 1. the ends, and what the moves above are worth together
                node = &self.nodes[k]
                if node.infoset == IS_END:
                    self.values[k] = self.payoffs[node.recall * self.game.ops.seats + seat]
                if k == 0:
                    return self.values[0]
                parent = &self.nodes[node.parent]
                if parent.infoset >= 0 and self.infosets[parent.infoset].seat == seat:
                    m = self.recall_first[parent.recall] + node.slot
                    totals[m] += self.other_reach[k] * self.values[k]
            for k in range(first, end):     # 2. the best move of every set
                parent = &self.nodes[self.nodes[k].parent]
                if parent.infoset >= 0 and self.infosets[parent.infoset].seat == seat:
                    best[parent.recall] = best_of(
                        totals, self.recall_first[parent.recall], self.infosets[parent.infoset].n_moves
                    )
            for k in range(first, end):     # 3. the values above
                node = &self.nodes[k]
                parent = &self.nodes[node.parent]
                if parent.infoset == IS_CHANCE:
                    self.values[node.parent] += node.chance * self.values[k]
                elif self.infosets[parent.infoset].seat != seat:
                    m = self.infosets[parent.infoset].first + node.slot
                    self.values[node.parent] += strategy[m] * self.values[k]
                elif best[parent.recall] == self.recall_first[parent.recall] + node.slot:
                    self.values[node.parent] = self.values[k]
            end = first
        return self.values[0]

    def best_response(self, seat_t seat, const double[::1] strategy):
        """Return what the best answer of a seat to a strategy of all seats is worth to it, in returns of the game.

        `strategy` has the probability of every move of every information set, in their order.
        """
        cdef double* totals = <double*>malloc(max(self.n_recall_moves, 1) * sizeof(double))
        cdef int32_t* best = <int32_t*>malloc(max(self.by_recall.n_ids, 1) * sizeof(int32_t))
        cdef double value = 0.0
        self.require_strategy(strategy)
        try:
            if totals == NULL or best == NULL:
                raise MemoryError()
            value = self.respond(seat, &strategy[0], totals, best)
        finally:
            free(totals)
            free(best)
        return self.unscaled(value)

    def value(self, seat_t seat, const double[::1] strategy):
        """Return what a strategy of all seats is worth to one of them, in returns of the game."""
        self.require_strategy(strategy)
        self.values_up(seat, &strategy[0])
        return self.unscaled(self.values[0])

    def unscaled(self, double value):
        """Return a value from 0 to 1 as a return of the game."""
        return self.game.ops.min_return + value * (self.game.ops.max_return - self.game.ops.min_return)

    def require_strategy(self, const double[::1] strategy):
        """Raise ValueError if a strategy has another number of moves."""
        if strategy.shape[0] != max(self.n_moves, 1):
            raise ValueError(f"the strategy has {strategy.shape[0]} entries; allowed: {max(self.n_moves, 1)}")

    # ---- Information sets ------------------------------------------------------------------------------------------

    def restore(self, View view not None, regrets, sums):
        """Set the regrets and the sums of an information set; ValueError if the game has none with this view."""
        if self.find(view) < 0:
            raise ValueError(f"{self.game.name} has no such view")
        Strategies.restore(self, view, regrets, sums)

    @property
    def size(self):
        """Positions of the tree."""
        return self.n_nodes

    @property
    def bytes(self):
        """Memory of the tree."""
        return Strategies.bytes.__get__(self) + self.n_nodes * (sizeof(TreeNode) + 3 * sizeof(double))

    @property
    def n_merged(self):
        """Information sets whose view comes after different moves of seats, as far as its own seat noticed them."""
        cdef int32_t i, n = 0
        for i in range(self.by_view.n_ids):
            n += self.is_merged[i]
        return n

    def move_values(self, int i):
        """Return the value of each move for every seat, 0 .. 1, if all go on with the average strategy."""
        cdef const Infoset* infoset
        cdef double total, plain
        cdef uint32_t k
        cdef seat_t seat
        self.require_infoset(i)
        infoset = &self.infosets[i]
        self.average_into(self.strategy)
        self.reach_down(infoset.seat, self.strategy)
        sums = [[0.0] * self.game.ops.seats for _ in range(infoset.n_moves)]
        total, plain = 0.0, 0.0
        for k in range(1, self.n_nodes):
            if self.nodes[self.nodes[k].parent].infoset == i and self.nodes[k].slot == 0:
                total += self.other_reach[k]
                plain += 1
        for seat in range(self.game.ops.seats):
            self.values_up(seat, self.strategy)
            for k in range(1, self.n_nodes):
                if self.nodes[self.nodes[k].parent].infoset == i:
                    share = self.other_reach[k] / total if total > 0 else 1 / plain
                    sums[self.nodes[k].slot][seat] += share * self.values[k]
        return sums


cdef inline int32_t best_of(const double* totals, int32_t first, int32_t n) noexcept nogil:
    """The largest of n entries; of equal ones the first."""
    cdef int32_t m, best = first
    for m in range(first + 1, first + n):
        if totals[m] > totals[best]:
            best = m
    return best
