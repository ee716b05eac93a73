from cpython.object cimport PyObject

from aiplay._core.game cimport Game


ctypedef struct PythonState:
    PyObject* value         # the user's state: an owned reference, or NULL


ctypedef struct PythonRules:
    PyObject* game          # the PythonGameCore itself, borrowed: it owns this struct
    int has_failed          # 1 after a method raised, until the exception has been raised again


cdef class PythonGameCore(Game):
    cdef PythonRules rules
    cdef object failure     # the first exception that a method raised

    cdef int note_failure(self, object exception) noexcept
