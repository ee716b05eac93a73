from aiplay._core.rng cimport Rng


cdef class RandomStream:
    cdef Rng rng            # the generator (rng.pxd)
