"""The clock of a search, and a flag with which any thread can end it."""

import sys

HAS_THREADS = sys.platform != "emscripten"  # a browser has none: one thread does all work, with the same result


cdef bint clock_look(Clock* clock) noexcept nogil:
    cdef double now, passed
    if read_flag(clock.stop):
        return True
    now = clock_now()
    passed = now - clock.last
    if passed < 5e-5 and clock.stride < 256:
        clock.stride *= 2
    elif passed > 2e-4 and clock.stride > 1:
        clock.stride = 1 if passed > 1e-3 else clock.stride // 2
    clock.last = now
    clock.countdown = clock.stride
    return now >= clock.deadline or now >= clock.pause


cdef class StopFlag:
    """Ends searches from another thread."""

    def set(self):
        """Stop every search that uses this flag."""
        write_flag(&self.is_set, 1)

    def clear(self):
        """Allow the next search."""
        write_flag(&self.is_set, 0)

    def __bool__(self):
        return read_flag(&self.is_set) != 0


def now():
    """Return the time, in seconds, on the clock that deadlines refer to."""
    return clock_now()
