from aiplay._core.game cimport Game
from aiplay._core.games.illusio.state cimport IllusioRules


cdef class IllusioCore(Game):
    cdef IllusioRules rules     # the cards, the options and what follows from them
