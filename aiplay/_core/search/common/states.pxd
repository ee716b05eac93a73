# Room for the states of a search, one for each level of it, allocated once.

from libc.stdlib cimport free, malloc

from aiplay._core.contract cimport GameOps


ctypedef struct StateStack:
    char* memory            # `size` times `stride` bytes, owned; raw until a state is copied into it
    size_t stride           # bytes from one state to the next: state_size, rounded up to a cache line
    int size                # how many states there is room for


cdef inline int states_reserve(StateStack* stack, const GameOps* ops, int size) noexcept nogil:
    """Allocate room for `size` states; -1 when memory runs out. Before: nothing is reserved."""
    stack.stride = (ops.state_size + 63) & ~(<size_t>63)
    stack.size = size
    stack.memory = <char*>malloc(stack.stride * <size_t>size)
    return 0 if stack.memory != NULL else -1


cdef inline void states_free(StateStack* stack) noexcept nogil:
    """Give the memory back; every state in it has to be dropped before."""
    free(stack.memory)
    stack.memory = NULL
    stack.size = 0


cdef inline void* states_at(const StateStack* stack, int level) noexcept nogil:
    return stack.memory + stack.stride * <size_t>level
