# Illusio: what seats remember of other hands. Rules: Who knows what.

from aiplay._core.games.illusio.state cimport TRAIL, TRAIL_STRIDE, IllusioState

cdef void hand_add(IllusioState* s, int seat, int kind, int observers) noexcept nogil
cdef void hand_drop(IllusioState* s, int seat, int kind) noexcept nogil
cdef void hand_steal(IllusioState* s, int taker, int victim, int kind) noexcept nogil
cdef void remember_certain(IllusioState* s, int seats, int most) noexcept nogil
cdef void set_known(IllusioState* s, int seat, int kind, int observer) noexcept nogil
cdef bint clear_known(IllusioState* s, int seat, int kind, int observer) noexcept nogil
cdef int count_known(const IllusioState* s, int seat, int observer) noexcept nogil


cdef inline int trail_victim(const IllusioState* s, int observer) noexcept nogil:
    """The robbed seat of the Take that an observer remembers, -1 if it remembers none."""
    return <unsigned int>(s.trail[observer] - TRAIL) // TRAIL_STRIDE if s.trail[observer] else -1


cdef inline int trail_taker(const IllusioState* s, int observer) noexcept nogil:
    """The taker of the Take that an observer remembers; only if it remembers one."""
    return s.trail[observer] & (TRAIL_STRIDE - 1)
