from aiplay._core.game cimport Game
from aiplay._core.games.levitation.state cimport LevitationRules


cdef class LevitationCore(Game):
    cdef LevitationRules rules
