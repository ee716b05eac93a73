from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport move_t, seat_t, uint64_t

cdef uint64_t magic_rabbit_perceive(
    const void* rules, const void* state, move_t move, seat_t seat
) noexcept nogil
cdef void magic_rabbit_conceal(const void* rules, void* state, seat_t seat) noexcept nogil
cdef void magic_rabbit_determinise(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil
cdef void magic_rabbit_believe(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil
