from cpython.object cimport PyObject

from aiplay._core.game cimport Game


ctypedef struct PythonState:
    PyObject* value         # the state as the game sees it: an owned reference, or NULL


ctypedef struct PythonRules:
    PyObject* game          # the PythonGameCore that owns this struct; a borrowed reference
    int has_failed          # 1 from a method's exception until that exception is raised again


cdef class PythonGameCore(Game):
    cdef PythonRules rules
    cdef object failure     # the exception behind `has_failed`

    cdef int note_failure(self, object exception) noexcept      # stores the first exception
