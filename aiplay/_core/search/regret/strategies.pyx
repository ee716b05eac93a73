"""Information sets with their regrets and average strategies, kept for the views of the seats."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from aiplay._core.contract cimport state_copy, state_drop, state_hash
from aiplay._core.game cimport Game, View, make_view
from aiplay._core.search.regret.infosets cimport (
    NO_MEMORY, Infoset, grown, key_of, map_add, map_find, map_free, map_reserve,
)
from aiplay._core.typedefs cimport seat_t


cdef class Strategies:
    """The base of the searches by regret: an information set for every view in which a seat has to move."""

    cdef int open_strategies(self, Game game, bint keeps_views) except -1:
        self.game, self.keeps_views = game, keeps_views
        self.stride = (game.ops.state_size + 7) & ~(<size_t>7)
        if map_reserve(&self.by_view, 1024) < 0:
            raise MemoryError()
        return 0

    def __dealloc__(self):
        cdef int32_t i
        if self.views != NULL:
            for i in range(self.by_view.n_ids):
                state_drop(&self.game.ops, self.views + <size_t>i * self.stride)
        map_free(&self.by_view)
        free(self.infosets)
        free(self.views)
        free(self.regrets)
        free(self.sums)

    cdef uint64_t view_key(self, const void* view, seat_t seat) noexcept nogil:
        return key_of(state_hash(&self.game.ops, view), seat)

    cdef int32_t add_infoset(self, seat_t seat, uint64_t key, int n, const void* view) noexcept nogil:
        cdef int32_t here
        if self.reserve_infoset(n) < 0:
            return NO_MEMORY
        here = map_add(&self.by_view, key)
        if here < 0:
            return NO_MEMORY
        self.infosets[here].seat, self.infosets[here].n_moves, self.infosets[here].first = seat, n, self.n_moves
        self.infosets[here].visits = 0
        memset(self.regrets + self.n_moves, 0, n * sizeof(double))
        memset(self.sums + self.n_moves, 0, n * sizeof(double))
        if self.keeps_views:
            state_copy(&self.game.ops, self.views + <size_t>here * self.stride, view)
        self.n_moves += n
        return here

    cdef int reserve_infoset(self, int n) noexcept nogil:
        """Make room for one more information set with n moves."""
        cdef int32_t wanted = self.by_view.n_ids + 1
        cdef void* memory = grown(self.infosets, &self.room_infosets, wanted, sizeof(Infoset))
        if memory == NULL:
            return NO_MEMORY
        self.infosets = <Infoset*>memory
        memory = grown(self.regrets, &self.room_regrets, self.n_moves + n, sizeof(double))
        if memory == NULL:
            return NO_MEMORY
        self.regrets = <double*>memory
        memory = grown(self.sums, &self.room_sums, self.n_moves + n, sizeof(double))
        if memory == NULL:
            return NO_MEMORY
        self.sums = <double*>memory
        if self.keeps_views:
            memory = grown(self.views, &self.room_views, wanted, self.stride)
            if memory == NULL:
                return NO_MEMORY
            self.views = <char*>memory
        return 0

    # ---- For Python ------------------------------------------------------------------------------------------------

    @property
    def n_infosets(self):
        """Decisions that a player can tell apart by its view."""
        return self.by_view.n_ids

    @property
    def strategy_size(self):
        """Moves of all information sets."""
        return self.n_moves

    @property
    def bytes(self):
        """Memory of the information sets."""
        cdef size_t keys = self.by_view.size * (sizeof(uint64_t) + sizeof(int32_t))
        cdef size_t views = self.room_views * self.stride + self.room_infosets * sizeof(Infoset)
        return keys + views + (self.room_regrets + self.room_sums) * sizeof(double)

    def require_infoset(self, int i):
        """Raise IndexError if there is no information set i."""
        if not 0 <= i < self.by_view.n_ids:
            raise IndexError(f"information set {i}; allowed: 0 to {self.by_view.n_ids - 1}")

    def find(self, View view not None):
        """Return the information set of a view whose seat is to move; -1 if it has none."""
        return map_find(&self.by_view, self.view_key(view.data, view.seat))

    def view(self, int i):
        """Return the view of an information set; ValueError if views are not kept."""
        cdef View view
        self.require_infoset(i)
        if not self.keeps_views:
            raise ValueError("the views are not kept")
        view = make_view(self.game, self.infosets[i].seat)
        state_copy(&self.game.ops, view.data, self.views + <size_t>i * self.stride)
        return view

    def moves_of(self, int i):
        """Return the moves of an information set."""
        return self.view(i).legal_moves()

    def average(self, int i):
        """Return how often the average strategy makes each of the moves."""
        sums = self.progress(i)[1]
        total = sum(sums)
        return [one / total for one in sums] if total > 0 else [1.0 / len(sums)] * len(sums)

    def visits(self, int i):
        """Return how many iterations came to an information set."""
        self.require_infoset(i)
        return self.infosets[i].visits

    def progress(self, int i):
        """Return the regrets and the sums of an information set."""
        cdef int32_t m, first, end
        self.require_infoset(i)
        first, end = self.infosets[i].first, self.infosets[i].first + self.infosets[i].n_moves
        return [self.regrets[m] for m in range(first, end)], [self.sums[m] for m in range(first, end)]

    def restore(self, View view not None, regrets, sums):
        """Set the regrets and the sums of an information set, which may be new; ValueError for a wrong number."""
        cdef int32_t k, here = self.find(view)
        cdef int n = len(view.legal_moves())
        if here < 0:
            here = self.add_infoset(view.seat, self.view_key(view.data, view.seat), n, view.data)
            if here < 0:
                raise MemoryError()
        if not len(regrets) == len(sums) == n == self.infosets[here].n_moves:
            raise ValueError(f"{len(regrets)} regrets and {len(sums)} sums for {n} moves")
        for k in range(n):
            self.regrets[self.infosets[here].first + k] = regrets[k]
            self.sums[self.infosets[here].first + k] = sums[k]

    def restore_iterations(self, long iterations):
        """Set the number of iterations so far."""
        self.iterations = iterations
