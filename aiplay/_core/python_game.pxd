from cpython.object cimport PyObject

from aiplay._core.game cimport Game


ctypedef struct PythonState:
    PyObject* value         # the state as the game sees it: an owned reference, or NULL


ctypedef struct PythonRules:
    PyObject* game          # the PythonGameCore that owns this struct; a borrowed reference


cdef class PythonGameCore(Game):
    cdef PythonRules rules


# Stores an exception for `raise_failure`, unless the thread has one already.
cdef void note_failure(object exception) noexcept
