cdef void magic_rabbit_evaluate(const void* rules, const void* state, double* out) noexcept nogil
