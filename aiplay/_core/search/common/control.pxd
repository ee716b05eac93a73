# When a search has to end: a clock, and a flag that any thread may set.

cdef class StopFlag:
    cdef int is_set         # 1: stop

cdef extern from *:
    """
    #if defined(_WIN32)
    #include <windows.h>
    static double aiplay_clock(void) {
        LARGE_INTEGER now, per_second;
        QueryPerformanceCounter(&now);
        QueryPerformanceFrequency(&per_second);
        return (double)now.QuadPart / (double)per_second.QuadPart;
    }
    #else
    #include <time.h>
    static inline double aiplay_clock(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    #if defined(_MSC_VER)
    static __inline int aiplay_read_flag(volatile int* flag) { return *flag; }
    #else
    static inline int aiplay_read_flag(volatile int* flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
    #endif
    """
    double clock_now "aiplay_clock" () noexcept nogil               # seconds on a clock that never goes back
    int read_flag "aiplay_read_flag" (int* flag) noexcept nogil     # a flag that another thread may set


ctypedef struct Clock:
    double deadline         # clock_now() at which to stop; infinity for no limit
    double pause            # clock_now() at which to return to Python for a moment (signals, progress)
    double last             # clock_now() when it was last looked at
    int stride              # steps of the search between two looks
    int countdown           # steps until the next look
    int* stop               # set by another thread: stop at once


cdef inline void clock_start(Clock* clock, double deadline, double pause, int* stop) noexcept nogil:
    clock.deadline = deadline
    clock.pause = pause
    clock.last = clock_now()
    clock.stride = 1
    clock.countdown = 1
    clock.stop = stop


cdef inline bint clock_is_due(Clock* clock) noexcept nogil:
    """Call it once in every step of a search: whether to leave the loop now (time, stop or pause).

    Looking at the time costs about as much as a move, so fast searches look only every few steps: so often
    that it is about 100 microseconds between two looks.
    """
    cdef double now, passed
    clock.countdown -= 1
    if clock.countdown > 0:
        return False
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
