from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport move_t, seat_t

cdef void illusio_setup(const void* rules, void* state) noexcept nogil
cdef seat_t illusio_to_move(const void* rules, const void* state) noexcept nogil
cdef void illusio_play(const void* rules, void* state, move_t move) noexcept nogil
cdef int illusio_chance_outcomes(const void* rules, const void* state, move_t* out, double* p) noexcept nogil
cdef move_t illusio_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil
cdef void illusio_returns(const void* rules, const void* state, double* out) noexcept nogil
