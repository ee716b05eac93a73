from aiplay._core.games.levitation.state cimport LevitationRules, LevitationState
from aiplay._core.typedefs cimport move_t

cdef void play_main_action(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil
cdef void activate(const LevitationRules* r, LevitationState* s, int seat, int card) noexcept nogil
cdef void copy_text(const LevitationRules* r, LevitationState* s, int seat, int card) noexcept nogil
cdef void spend_amount(LevitationState* s, int seat, int amount) noexcept nogil
cdef void play_target(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil
cdef void place_flair(const LevitationRules* r, LevitationState* s, int seat, move_t move) noexcept nogil
cdef void claim_path(const LevitationRules* r, LevitationState* s, int path) noexcept nogil
cdef void refill_next(const LevitationRules* r, LevitationState* s) noexcept nogil
