# Memory for the states of a search, one for each level, allocated once.

from libc.stdlib cimport free, malloc

from aiplay._core.contract cimport GameOps


ctypedef struct StateStack:
    char* memory            # `size` times `stride` bytes, owned; raw until a state is copied into it
    size_t stride           # bytes from one state to the next: state_size, rounded up to a cache line
    int size                # number of states


cdef inline int states_reserve(StateStack* stack, const GameOps* ops, int size) noexcept nogil:
    """Allocate memory for `size` states; -1 if there is none. Before: nothing is reserved."""
    stack.stride = (ops.state_size + 63) & ~(<size_t>63)
    stack.size = size
    stack.memory = <char*>malloc(stack.stride * <size_t>size)
    return 0 if stack.memory != NULL else -1


cdef inline void states_free(StateStack* stack) noexcept nogil:
    """Free the memory. Before: every state in it has been dropped."""
    free(stack.memory)
    stack.memory = NULL
    stack.size = 0


cdef inline void* states_at(const StateStack* stack, int level) noexcept nogil:
    return stack.memory + stack.stride * <size_t>level
