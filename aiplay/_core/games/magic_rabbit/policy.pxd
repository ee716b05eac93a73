from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport move_t

cdef void magic_rabbit_priors(
    const void* rules, const void* state, const move_t* moves, int n, double* out
) noexcept nogil
cdef move_t magic_rabbit_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil
