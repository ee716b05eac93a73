# The Three Magicians: the guess of the result, `GameOps.evaluate`.

cdef void magicians_evaluate(const void* rules, const void* state, double* out) noexcept nogil
