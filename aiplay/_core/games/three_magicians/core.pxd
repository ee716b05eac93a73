from aiplay._core.game cimport Game
from aiplay._core.games.three_magicians.state cimport ThreeMagiciansRules


cdef class ThreeMagiciansCore(Game):
    cdef ThreeMagiciansRules rules
    cdef object solo            # keeps the memory of rules.solo alive
