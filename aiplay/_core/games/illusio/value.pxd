from aiplay._core.games.illusio.state cimport IllusioRules, IllusioState
from aiplay._core.typedefs cimport move_t, seat_t, uint32_t, uint64_t

cdef enum:
    KIND_BITS = 4           # of a count in Stock.back and Stock.hand: 15 stands for 15 or more
    KIND_MASK = (1 << KIND_BITS) - 1


ctypedef struct Stock:
    # The components that a seat has not placed yet, as numbers side by side in words.
    uint64_t back           # counts of those in its Backstage, by present kind
    uint64_t hand           # counts of those in its hand, by kind
    uint64_t kinds          # for each kind EXACT_BACK and EXACT_HAND, if there is one
    uint64_t back_of        # counts of those in its Backstage, by group: GROUP_BITS each
    uint32_t back_groups    # groups in its Backstage, one bit each
    uint32_t hand_groups    # groups in its hand, one bit each


# What a seat has and expects, in prestige.
ctypedef struct Outlook:
    double secured          # prestige, and tricks on display
    double works            # objectives under realisation
    double best_work        # the best of them
    double spare            # components in the Backstage that they do not need
    double contest          # objectives of the Contest
    double hand             # cards in the hand, and about to be drawn
    double tempo            # actions left, or the next turn
    double total            # all of it but `best_work`


# Fills the tables of the value of objectives and `hand_values` from the needs, talents, costs and weights.
cdef void fill_prospects(IllusioRules* r) noexcept nogil

cdef void count_stock(const IllusioRules* r, const IllusioState* s, int seat, Stock* stock) noexcept nogil

# The value to a seat of an objective of the Contest: its points, at most `most`, discounted. `domains` are those that
# the seat keeps or displays.
cdef double offer_value(
    const IllusioRules* r, int magician, const Stock* stock, int objective, int domains, double most
) noexcept nogil

# True if the components of a stock fill these needs of an objective; writes how many come from the hand, and how many
# are exact and of a type.
cdef bint can_fill(
    const IllusioRules* r, const Stock* stock, int objective, uint32_t needs, int* n_hand, int* n_typed
) noexcept nogil

# `contest`: the objectives of the Contest, one bit each.
cdef void seat_outlook(
    const IllusioRules* r, const IllusioState* s, int seat, uint32_t contest, Outlook* o
) noexcept nogil

cdef void illusio_evaluate(const void* rules, const void* state, double* out) noexcept nogil

cdef void illusio_evaluate_moves(
    const void* rules, const void* state, const move_t* moves, int n, seat_t seat, double* out
) noexcept nogil
