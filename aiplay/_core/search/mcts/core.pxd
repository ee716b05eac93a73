# One search as Python sees it.

from libc.stdint cimport uint32_t

from aiplay._core.game cimport Game, State, View
from aiplay._core.search.common.value cimport Network
from aiplay._core.search.mcts.root cimport RootMove
from aiplay._core.search.mcts.search cimport Search
from aiplay._core.search.mcts.tree cimport Edge, Tree


cdef class TreeSearch:
    cdef Search search
    cdef Game game
    cdef View view
    cdef readonly bint is_adopted       # True if it goes on with an earlier search
    cdef Network value      # owns what search.buffers.judge points to; None: the game's evaluation
    cdef State origin       # owns what search.root points to (a plain state that holds a view or a world)

    cdef void _copy_edge(self, const Edge* edge, RootMove* move) noexcept
    cdef bint _has_moves_of(self, const Tree* tree, uint32_t node) except -1
    cdef bint _take_trees(self, TreeSearch old) except -1
    cdef int _release(self) except -1
