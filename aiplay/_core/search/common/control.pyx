"""When a search has to end, as Python sees it."""

from aiplay._core.search.common.control cimport clock_now


cdef class StopFlag:
    """Ends searches from another thread."""

    def set(self):
        """Stop whatever looks at this flag."""
        self.is_set = 1

    def clear(self):
        """Allow the next search."""
        self.is_set = 0

    def __bool__(self):
        return self.is_set != 0


def now():
    """The clock that deadlines refer to, in seconds."""
    return clock_now()
