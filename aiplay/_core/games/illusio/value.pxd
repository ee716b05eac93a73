from aiplay._core.games.illusio.state cimport N_COMPONENT_KINDS, N_GROUPS, IllusioRules, IllusioState
from aiplay._core.typedefs cimport uint8_t


ctypedef struct Stock:
    # The components that a seat has not placed yet. Padded to 48 bytes, which are quick to copy.
    uint8_t back[N_COMPONENT_KINDS + 1]     # in its Backstage, by present kind
    uint8_t hand[N_COMPONENT_KINDS + 1]     # in its hand, by kind
    uint8_t back_of[N_GROUPS + 2]           # in its Backstage, by group
    uint8_t hand_of[N_GROUPS + 2]           # in its hand, by group


cdef void count_stock(const IllusioRules* r, const IllusioState* s, int seat, Stock* stock) noexcept nogil
cdef double work_value(
    const IllusioRules* r, const IllusioState* s, int seat, Stock* stock, int objective, int domains, double most
) noexcept nogil
cdef void illusio_evaluate(const void* rules, const void* state, double* out) noexcept nogil
