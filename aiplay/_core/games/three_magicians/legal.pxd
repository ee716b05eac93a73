from aiplay._core.typedefs cimport move_t

cdef int three_magicians_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil
