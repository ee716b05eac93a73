# The half of a game that works on many states at once, as numpy arrays; between `GameFacts` and `Game`.

from aiplay._core.facts cimport GameFacts
from aiplay._core.observe cimport Scaler


cdef class GameArrays(GameFacts):
    cdef Scaler scaler              # made for the first observation

    cdef Scaler get_scaler(self)    # TypeError for a game written in Python
