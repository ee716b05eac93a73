# What a seat of Magic Rabbit can conclude, and what is worth doing. See the .pyx for the reasoning.

from aiplay._core.games.magic_rabbit.state cimport MagicRabbitRules, MagicRabbitState
from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport int8_t, move_t, seat_t, uint32_t


ctypedef struct Insight:    # what one seat can act upon
    int8_t home[9]          # the pile where the rabbit of each pile belongs; -1 unknown
    uint32_t shown          # piles that are home, as all can tell from what somebody who knew did to them
    uint32_t lifted         # piles that anybody has lifted
    int n_unknown           # piles whose rabbit the seat does not know
    int n_fresh             # those among them that nobody has lifted
    int n_misleading        # piles that seem to be shown to be home and are not (known to nobody)


ctypedef struct Outlook:    # every way to lay the rabbits that a seat does not know
    int least               # fewest switches of all of them
    int n_early             # how many would be done with a turn to spare
    int n_just              # how many would be done with the last turn
    int8_t home[9]          # the first one with the fewest switches


ctypedef struct Unknowns:   # the rabbits that a seat does not know, and what lies between them
    int n
    int8_t piles[9]         # where they may be, ascending
    int8_t numbers[9]       # which they are, ascending
    int8_t home[9]          # all rabbits, the unknown ones laid in this order
    int8_t after_number[9]  # from the place of such a number along known rabbits' homes: the unknown pile met first
    int8_t after_pile[9]    # from such a pile along the places of its hat's rabbit: the unknown number met first


ctypedef struct Plan:       # moves worth thinking of
    int n
    move_t moves[64]
    int scores[64]          # the better the higher: see the constants of the .pyx


ctypedef struct Tasks:      # what is still to be done, for the doves' sake
    int n
    uint32_t places[9]      # the piles that have to be free for it
    uint32_t seats[9]       # who can do it
    double weights[9]       # for each pile: how much a dove on it hinders


cdef int state_switches(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil
cdef void magic_rabbit_believe(const void* rules, void* state, seat_t seat, Rng* rng) noexcept nogil
cdef void magic_rabbit_evaluate(const void* rules, const void* state, double* out) noexcept nogil
cdef void magic_rabbit_priors(
    const void* rules, const void* state, const move_t* moves, int n, double* out
) noexcept nogil
cdef move_t magic_rabbit_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil
