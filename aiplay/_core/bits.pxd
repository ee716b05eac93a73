# Sets of small numbers as the bits of a word.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

ctypedef fused bits_t:      # any unsigned word
    uint8_t
    uint16_t
    uint32_t
    uint64_t


cdef extern from *:
    """
    #include <string.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int aiplay_popcount(unsigned long long x) { return (int)__popcnt64(x); }
    static __inline int aiplay_lowest_bit(unsigned long long x) {
        unsigned long i;
        _BitScanForward64(&i, x);
        return (int)i;
    }
    #else
    static inline int aiplay_popcount(unsigned long long x) {
    #if defined(__x86_64__) && defined(__linux__) && !defined(__POPCNT__)
        /* Compiled for processors of 2003, which lack the instruction: ask the processor of today. */
        if (__builtin_cpu_supports("popcnt")) {
            unsigned long long n;
            __asm__("popcnt %1, %0" : "=r"(n) : "r"(x) : "cc");
            return (int)n;
        }
    #endif
        return __builtin_popcountll(x);
    }
    static inline int aiplay_lowest_bit(unsigned long long x) { return __builtin_ctzll(x); }
    #endif

    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    static inline unsigned int aiplay_match8(const unsigned char* p, unsigned char v) {
        const __m128i bytes = _mm_loadl_epi64((const __m128i*)p);
        return (unsigned int)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)v))) & 0xFF;
    }
    static inline unsigned int aiplay_match16(const unsigned char* p, unsigned char v) {
        const __m128i bytes = _mm_loadu_si128((const __m128i*)p);
        return (unsigned int)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)v)));
    }
    #else
    /* Bit i is set if byte i equals v: a zero-byte test without carries, then the eight top bits gathered in a byte. */
    static inline unsigned int aiplay_match8(const unsigned char* p, unsigned char v) {
        const unsigned long long low7 = 0x7F7F7F7F7F7F7F7FULL;
        unsigned long long x, hit;
        memcpy(&x, p, 8);
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        x = __builtin_bswap64(x);
    #endif
        x ^= 0x0101010101010101ULL * v;
        hit = ~(((x & low7) + low7) | x | low7);
        return (unsigned int)(((hit >> 7) * 0x0102040810204080ULL) >> 56);
    }
    static inline unsigned int aiplay_match16(const unsigned char* p, unsigned char v) {
        return aiplay_match8(p, v) | aiplay_match8(p + 8, v) << 8;
    }
    #endif
    static inline unsigned int aiplay_match32(const unsigned char* p, unsigned char v) {
        return aiplay_match16(p, v) | aiplay_match16(p + 16, v) << 16;
    }
    static inline unsigned long long aiplay_match64(const unsigned char* p, unsigned char v) {
        return aiplay_match32(p, v) | (unsigned long long)aiplay_match32(p + 32, v) << 32;
    }
    """
    int popcount "aiplay_popcount" (uint64_t x) noexcept nogil          # number of bits set
    int lowest_bit "aiplay_lowest_bit" (uint64_t x) noexcept nogil      # index of the lowest bit set; x != 0
    # The positions of v among the 8, 32 or 64 bytes from p on, one bit each.
    uint32_t match8 "aiplay_match8" (const uint8_t* p, uint8_t v) noexcept nogil
    uint32_t match32 "aiplay_match32" (const uint8_t* p, uint8_t v) noexcept nogil
    uint64_t match64 "aiplay_match64" (const uint8_t* p, uint8_t v) noexcept nogil


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
