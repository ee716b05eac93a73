# The clock of a search, and a flag with which any thread can end it.

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
    static __inline void aiplay_write_flag(volatile int* flag, int value) { *flag = value; }
    #else
    static inline int aiplay_read_flag(int* flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
    static inline void aiplay_write_flag(int* flag, int value) { __atomic_store_n(flag, value, __ATOMIC_RELAXED); }
    #endif
    """
    double clock_now "aiplay_clock" () noexcept nogil               # seconds on a monotonic clock
    int read_flag "aiplay_read_flag" (int* flag) noexcept nogil     # a flag that another thread may set
    void write_flag "aiplay_write_flag" (int* flag, int value) noexcept nogil


ctypedef struct Clock:
    double deadline         # clock_now() at which to stop; infinity for no limit
    double pause            # clock_now() at which to return to Python for a moment (signals, progress)
    double last             # clock_now() at the last look
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


# The slow half of `clock_is_due`: reads the clock and adapts the stride.
cdef bint clock_look(Clock* clock) noexcept nogil


cdef inline bint clock_is_due(Clock* clock) noexcept nogil:
    """True if the search has to leave its loop now (time, stop or pause). Call it once per step.

    Reading the time costs about as much as a move, so the stride adapts to about 100 microseconds between reads.
    """
    clock.countdown -= 1
    return clock.countdown <= 0 and clock_look(clock)
