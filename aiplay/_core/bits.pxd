# Sets of small numbers as the bits of a word.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

ctypedef fused bits_t:      # any unsigned word
    uint8_t
    uint16_t
    uint32_t
    uint64_t


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
    int popcount "aiplay_popcount" (uint64_t x) noexcept nogil          # number of bits set
    int lowest_bit "aiplay_lowest_bit" (uint64_t x) noexcept nogil      # index of the lowest bit set; x != 0


cdef inline int pop_lowest(bits_t* members) noexcept nogil:
    """Remove the smallest member of a non-empty set and return it."""
    cdef int lowest = lowest_bit(members[0])
    members[0] &= <bits_t>(members[0] - 1)
    return lowest


cdef inline int nth_bit(uint64_t members, int n) noexcept nogil:
    """Member number n of a set, counted from 0 in ascending order. Before: the set has more than n members."""
    cdef int _i
    for _i in range(n):
        members &= members - 1
    return lowest_bit(members)
