cdef void three_magicians_evaluate(const void* rules, const void* state, double* out) noexcept nogil
