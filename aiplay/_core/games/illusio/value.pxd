from aiplay._core.typedefs cimport move_t

cdef void illusio_evaluate(const void* rules, const void* state, double* out) noexcept nogil
