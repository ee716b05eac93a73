"""The moves at the root, of one search or of several: merging and ranking.

Independent trees are merged by adding up the visits of their root moves (root parallelisation: Cazenave and Jouandeau
2007; Chaslot, Winands and van den Herik 2008).
"""

from libc.math cimport sqrt
from libc.stdlib cimport calloc, free

from aiplay._core.game cimport View
from aiplay._core.typedefs cimport MAX_MOVES, move_t


cdef void merge(RootMove* move, const RootMove* other, int seats) noexcept:
    cdef int seat
    move.visits += other.visits
    move.reward += other.reward
    move.late += other.late
    move.sums.count += other.sums.count
    move.sums.squares += other.sums.squares
    for seat in range(seats):
        move.sums.totals[seat] += other.sums.totals[seat]
        if other.is_proven and not move.is_proven:
            move.proof[seat] = other.proof[seat]
    move.is_proven = move.is_proven or other.is_proven


cdef class RootMoves:
    """Statistics of the legal moves of a view; all of them are 0 at first."""

    def __init__(self, View view not None):
        cdef move_t moves[MAX_MOVES]
        cdef int i
        self.reserve(view, view.options_now(moves))
        for i in range(self.n):
            self.moves[i].move = moves[i]

    cdef int reserve(self, View view, int n) except -1:
        free(self.moves)
        self.view, self.n = view, n
        self.moves = <RootMove*>calloc(max(n, 1), sizeof(RootMove))
        if self.moves == NULL:
            raise MemoryError()
        return 0

    def __dealloc__(self):
        free(self.moves)

    def add(self, RootMoves other not None):
        """Merge the statistics of another search of the same view."""
        cdef int i, k = 0
        self.iterations += other.iterations
        self.nodes += other.nodes
        for i in range(other.n):        # both lists ascend
            while k < self.n and self.moves[k].move < other.moves[i].move:
                k += 1
            if k < self.n and self.moves[k].move == other.moves[i].move:
                merge(&self.moves[k], &other.moves[i], self.view.game.ops.seats)

    # ---- Values ----------------------------------------------------------------------------------------------

    cdef double value(self, int i) noexcept:
        cdef const RootMove* move = &self.moves[i]
        if move.is_proven:
            return move.proof[self.view.seat]
        return move.reward / move.visits if move.visits else 0.5

    cdef double error(self, int i) noexcept:
        cdef const RootMove* move = &self.moves[i]
        cdef double count = move.sums.count, mean
        if move.is_proven or count < 2:
            return 0.0
        mean = move.sums.totals[self.view.seat] / count
        return sqrt(max(move.sums.squares / count - mean * mean, 0.0) / (count - 1))

    def odds(self, move_t move):
        """Return the value of a move for every seat: the proven one, or the mean reward; 0.5 if it was not tried."""
        cdef const RootMove* row
        cdef int i, seat, seats = self.view.game.ops.seats
        for i in range(self.n):
            row = &self.moves[i]
            if row.move == move and row.is_proven:
                return tuple([row.proof[seat] for seat in range(seats)])
            if row.move == move and row.sums.count > 0:
                return tuple([row.sums.totals[seat] / row.sums.count for seat in range(seats)])
        return (0.5,) * seats

    # ---- Ranking ---------------------------------------------------------------------------------------------

    def best(self):
        """Return the move that ranks first."""
        return self.moves[min(range(self.n), key=self._rank())].move

    def ranked(self):
        """Return (move, visits, value, standard error, is proven) for every move, best first."""
        cdef int i
        return [
            (self.moves[i].move, self.moves[i].visits, self.value(i), self.error(i), self.moves[i].is_proven != 0)
            for i in sorted(range(self.n), key=self._rank())
        ]

    def _rank(self):
        """Return the key that sorts moves by rank: by visits, unless proofs say otherwise, or what is found of late.

        The best proven move comes first if the most visited of the others does not promise more. Proven moves that
        are worse than another proven one, or cannot be worse, come last. Among the others a move whose answers were
        found late has fewer visits than one that it will overtake: it comes first if it is taken most often of late,
        and promises more.
        """
        cdef double proven = -1.0       # the best proven value
        cdef int i, most = -1           # the most visited move that is not proven
        cdef int latest = -1            # the one of these that is taken most often of late
        for i in range(self.n):
            if self.moves[i].is_proven:
                proven = max(proven, self.value(i))
                continue
            if most < 0 or self.moves[i].visits > self.moves[most].visits:
                most = i
            if latest < 0 or self.moves[i].late > self.moves[latest].late:
                latest = i
        if most >= 0 and self.value(latest) > self.value(most):
            most = latest

        def rank(int i):
            cdef double value = self.value(i)
            cdef int group = 1
            if self.moves[i].is_proven:
                if value < proven or (value <= 0 and most >= 0):
                    group = 2
                elif most < 0 or value >= self.value(most):
                    group = 0
            return group, i != most, -<double>self.moves[i].visits, -value, self.moves[i].move

        return rank
