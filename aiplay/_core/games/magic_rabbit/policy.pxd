from aiplay._core.games.magic_rabbit.state cimport MagicRabbitRules
from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport move_t

# Fills `MagicRabbitRules.orders`.
cdef void count_orders(MagicRabbitRules* r) noexcept nogil

cdef void magic_rabbit_priors(
    const void* rules, const void* state, const move_t* moves, int n, double* out
) noexcept nogil
cdef move_t magic_rabbit_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil
