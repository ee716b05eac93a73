# The half of a game that needs no positions: the base of `Game`.

from aiplay._core.contract cimport GameOps


cdef class GameFacts:
    cdef GameOps ops                    # filled by `_prepare` of the subclass
    cdef readonly object options        # read-only mapping: the value of every option by name
    cdef readonly object layout         # aiplay.layout.Layout of a state; None for a game written in Python
