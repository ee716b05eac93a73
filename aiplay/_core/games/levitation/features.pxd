# Levitation: what a trained value sees of a position.

from aiplay._core.typedefs cimport int16_t, seat_t

cdef enum:
    # Of every seat
    N_PIECES = 9            # score, tickets, cubes, cards
    N_CARD_COUNTS = 19      # icons, sizes, kinds of effects, flair
    N_PROSPECTS = 14        # terms of the evaluation
    N_DRAFTS = 8            # what the next die could bring
    N_ORDER = 4             # when it acts
    N_SEAT_FEATURES = N_PIECES + N_CARD_COUNTS + N_PROSPECTS + N_DRAFTS + N_ORDER
    # Of every seat but the first
    N_LEADS = 4             # lead of the first seat over it
    # Of the table
    N_PHASES = 12
    N_TABLE_FEATURES = N_PHASES + 27


# Number of features with so many seats.
cdef int n_features(int seats) noexcept nogil

cdef void levitation_features(const void* rules, const void* state, seat_t first, int16_t* out) noexcept nogil
