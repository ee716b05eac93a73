from aiplay._core.typedefs cimport move_t

cdef int magic_rabbit_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil
