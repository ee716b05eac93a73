# Bit sets in a 64-bit word: the two compiler intrinsics that C has no standard name for.

from libc.stdint cimport uint64_t


cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int aiplay_popcount(unsigned long long x) { return (int)__popcnt64(x); }
    static __inline int aiplay_lowest_bit(unsigned long long x) {
        unsigned long i;
        _BitScanForward64(&i, x);
        return (int)i;
    }
    #else
    static inline int aiplay_popcount(unsigned long long x) { return __builtin_popcountll(x); }
    static inline int aiplay_lowest_bit(unsigned long long x) { return __builtin_ctzll(x); }
    #endif
    """
    int popcount "aiplay_popcount" (uint64_t x) noexcept nogil          # how many bits are set
    int lowest_bit "aiplay_lowest_bit" (uint64_t x) noexcept nogil      # index of the lowest one; x != 0
