"""The root moves of expectimax: their order, and their values in sampled worlds."""

from libc.stdint cimport uint64_t

from aiplay._core.rng cimport Rng, derive_seed, rng_below, rng_from_seed


cdef list shuffled_order(int n, uint64_t seed):
    cdef Rng rng = rng_from_seed(derive_seed(seed, <uint64_t>-1))
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = rng_below(&rng, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


cdef class _WorldResult:
    """The results of one world."""


cdef _WorldResult new_result():
    cdef _WorldResult result = _WorldResult.__new__(_WorldResult)
    result.values = {}
    result.doubts = {}
    return result


cdef _WorldResult mean_result(list results):
    cdef _WorldResult result, mean = new_result()
    cdef _WorldResult first = results[0]
    for i in first.values:
        columns = zip(*[result.values[i] for result in results])
        mean.values[i] = tuple([sum(column) / len(results) for column in columns])
    return mean
