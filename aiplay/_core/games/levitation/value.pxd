# Levitation: the evaluation, and the prospects of a seat that it is made of.

from aiplay._core.games.levitation.state cimport (
    N_CITIES, N_COLOURS, N_MASTERS, N_SIZES, LevitationHorizon, LevitationRules, LevitationState,
)
from aiplay._core.typedefs cimport move_t, uint32_t


# Prospects of one seat, in points; what spends a ticket is net of it. Some need a look at many cards or cities: these
# are found when they are first asked for.
ctypedef struct LevitationOutlook:
    const LevitationHorizon* h      # terms that depend on the actions left
    int seat
    uint32_t open                   # cities that a ticket may enter
    double ticket                   # the next ticket in hand
    double last_ticket              # the last ticket in hand
    double path                     # the best path under way
    double ahead[N_CITIES]          # the best path with one more ticket in each city
    double space                    # the best free point space, net of a ticket
    double icon_gain[N_COLOURS + 1]     # point spaces: one more card with each icon; the last entry (no icon) is 0
    double size_gain[N_SIZES]       # point spaces: one more card of each size
    double card[N_COLOURS + 1]      # the best card to take with each colour; the last entry is not used
    double uses[N_COLOURS]          # further uses of cards with each icon in this action
    double draft[N_MASTERS]         # the best die on each master, if the seat drafted now
    double colours[N_COLOURS]       # the engine by colour: all cards with the icon, as far as the cubes go
    double engine                   # cards in a future action
    double spaces                   # point spaces with a ticket
    double plan                     # the rest of the action under way; 0 if another seat acts
    bint has_ahead                  # True if `ahead` is found
    bint has_spaces                 # True if `space` and the gains are found
    bint has_cards                  # True if `card` is found
    bint has_drafts                 # True if `draft` is found


cdef void levitation_evaluate(const void* rules, const void* state, double* out) noexcept nogil

# Writes the whole outlook of a seat, and returns its expected points at the end. `open_now`: cities that a ticket may
# enter; `left`: actions that the seat has not begun.
cdef double look_ahead(
    const LevitationRules* r, const LevitationState* s, LevitationOutlook* o, int seat, int left, uint32_t open_now
) noexcept nogil

# Writes the expected points of n moves, seen by the acting seat.
cdef void rate_moves(
    const LevitationRules* r, const LevitationState* s, const move_t* moves, int n, double* out
) noexcept nogil
