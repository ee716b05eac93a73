# The half of a game that people and front ends see; between `GameArrays` and `Game`.

from aiplay._core.arrays cimport GameArrays


cdef class GameScenes(GameArrays):
    pass
