from aiplay._core.game cimport Game
from aiplay._core.games.three_magicians.rules cimport MagiciansRules


cdef class ThreeMagiciansCore(Game):
    cdef MagiciansRules rules
    cdef object solo            # keeps the memory of rules.solo
