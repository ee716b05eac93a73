# Random streams: SplitMix64 (Steele, Lea, Flood 2014). Its state is one 64-bit word, so a new stream for every search
# iteration costs only a few multiplications. Never stored in a game state.

from libc.stdint cimport uint32_t, uint64_t


ctypedef struct Rng:
    uint64_t state          # the complete generator: copying it copies the stream


cdef inline uint64_t mix64(uint64_t z) noexcept nogil:
    """A bijection on 64 bits in which every input bit affects every output bit."""
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint64_t derive_seed(uint64_t seed, uint64_t index) noexcept nogil:
    """Seed number `index` derived from `seed`: statistically independent of the others and of `seed`."""
    return mix64(mix64(seed + <uint64_t>0x9E3779B97F4A7C15) ^ (index * <uint64_t>0xD1342543DE82EF95 + 1))


cdef inline Rng rng_from_seed(uint64_t seed) noexcept nogil:
    """The stream of a seed."""
    cdef Rng rng
    rng.state = mix64(seed ^ <uint64_t>0x6A09E667F3BCC909)
    return rng


cdef inline uint64_t rng_next(Rng* rng) noexcept nogil:
    """64 uniformly random bits."""
    rng.state += <uint64_t>0x9E3779B97F4A7C15
    return mix64(rng.state)


cdef inline uint32_t rng_below(Rng* rng, uint32_t n) noexcept nogil:
    """Exactly uniform on 0 .. n - 1, n >= 1 (Lemire 2019: multiply, and reject the few biased values)."""
    cdef uint64_t product = (rng_next(rng) >> 32) * n
    cdef uint32_t low = <uint32_t>product
    cdef uint32_t threshold
    if low < n:
        threshold = (<uint32_t>0 - n) % n
        while low < threshold:
            product = (rng_next(rng) >> 32) * n
            low = <uint32_t>product
    return <uint32_t>(product >> 32)


cdef inline double rng_double(Rng* rng) noexcept nogil:
    """Uniform on [0, 1), with 53 random bits."""
    return <double>(rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)
