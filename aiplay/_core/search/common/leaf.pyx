"""Sampling of chance at the edge of a search."""

from aiplay._core.rng cimport Rng, rng_double


cdef void spread_outcomes(const double* p, int n, int* counts, int n_samples, Rng* rng) noexcept nogil:
    """Systematic sampling (Madow and Madow 1944): one random number shifts a comb of n_samples teeth over the
    probabilities. Every outcome keeps its probability, its count is off by less than one, and a mean over the
    sample varies less than with independent draws.
    """
    cdef double step = 1.0 / n_samples
    cdef double tooth = rng_double(rng) * step
    cdef double reach = 0.0
    cdef int i, left = n_samples
    for i in range(n):
        reach += p[i]
        counts[i] = 0
        while left > 0 and tooth < reach:
            counts[i] += 1
            tooth += step
            left -= 1
    counts[n - 1] += left       # left over by rounding
