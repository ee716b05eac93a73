from aiplay._core.games.three_magicians.state cimport ThreeMagiciansRules, ThreeMagiciansState
from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport move_t, seat_t

cdef void three_magicians_setup(const void* rules, void* state) noexcept nogil
cdef seat_t three_magicians_to_move(const void* rules, const void* state) noexcept nogil
cdef int three_magicians_chance_outcomes(
    const void* rules, const void* state, move_t* out, double* p
) noexcept nogil
cdef move_t three_magicians_sample_chance(const void* rules, const void* state, Rng* rng) noexcept nogil
cdef void three_magicians_play(const void* rules, void* state, move_t move) noexcept nogil
cdef void three_magicians_returns(const void* rules, const void* state, double* out) noexcept nogil
cdef int three_magicians_random_playout(const void* rules, void* state, Rng* rng, int limit) noexcept nogil

# Ends a duel: the loser's Magician goes to the Labyrinth, the winner may take a card, and the arrival goes on.
cdef void end_duel(const ThreeMagiciansRules* r, ThreeMagiciansState* s, int winner) noexcept nogil

# Takes the card of the place where the seat's figures met from another seat.
cdef void steal(ThreeMagiciansState* s, int victim) noexcept nogil
