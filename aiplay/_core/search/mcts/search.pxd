from aiplay._core.game cimport Game, State, View
from aiplay._core.search.mcts.uct cimport Search


cdef class TreeSearch:
    cdef Search search
    cdef Game game
    cdef View view
    cdef State origin       # owns what search.root points to (as a plain state that holds a view or a world)
