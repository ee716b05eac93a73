from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport move_t, seat_t

cdef void magic_rabbit_setup(const void* rules, void* state) noexcept nogil
cdef seat_t magic_rabbit_to_move(const void* rules, const void* state) noexcept nogil
cdef int magic_rabbit_chance_outcomes(
    const void* rules, const void* state, move_t* out, double* p
) noexcept nogil
cdef move_t magic_rabbit_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil
cdef void magic_rabbit_play(const void* rules, void* state, move_t move) noexcept nogil
cdef void magic_rabbit_returns(const void* rules, const void* state, double* out) noexcept nogil
cdef int magic_rabbit_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil
