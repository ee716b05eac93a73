from aiplay._core.games.levitation.state cimport LevitationRules, LevitationState
from aiplay._core.typedefs cimport move_t

cdef void levitation_evaluate(const void* rules, const void* state, double* out) noexcept nogil
cdef void rate_moves(
    const LevitationRules* r, const LevitationState* s, const move_t* moves, int n, double* out
) noexcept nogil
