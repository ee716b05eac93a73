# What a game says about itself, without any position: the lower half of `Game`.

from aiplay._core.contract cimport GameOps


cdef class GameFacts:
    cdef GameOps ops                    # filled by `_prepare` of the subclass
    cdef readonly object options        # read-only mapping: every option of the game with its value
    cdef readonly object dtype          # numpy dtype of a state, None for a game written in Python
