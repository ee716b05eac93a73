# Illusio: what a trained value sees of a position.

from aiplay._core.games.illusio.state cimport N_COMPONENT_KINDS, N_GROUPS, N_KINDS, N_MAGICIANS
from aiplay._core.typedefs cimport int16_t, seat_t

cdef enum:
    N_DOMAINS = 4
    N_PHASES = 16
    N_GLOBAL = N_PHASES + 7                 # besides the seat whose turn it is
    N_READY = 3                             # by the actions that a trick still costs: 1, 2, 3 or more
    N_CHAIN = 4                             # the two best tricks together
    N_SINGLE = 24 + 4 * N_READY + N_CHAIN   # numbers of a seat that stand alone
    N_SPECIALS = N_KINDS - N_COMPONENT_KINDS
    N_OF_SEAT = N_SINGLE + N_SPECIALS + 2 * N_GROUPS + N_DOMAINS + N_MAGICIANS + 1

# Number of features with so many seats: N_GLOBAL + seats * N_OF_SEAT.
cdef void illusio_features(const void* rules, const void* state, seat_t first, int16_t* out) noexcept nogil
