from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport move_t

cdef move_t levitation_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil
