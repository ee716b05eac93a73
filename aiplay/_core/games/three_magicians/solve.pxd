from aiplay._core.games.three_magicians.state cimport ThreeMagiciansRules

# Fills first_wins and second_wins: best play on both sides of a duel.
cdef void solve_duel(ThreeMagiciansRules* r) noexcept nogil

# The thrower's chance to win with best play, after a throw in a duel.
cdef double keep_value(
    const ThreeMagiciansRules* r, int goal, int goal_throws, int n_throws, int n_kept, int kept, const int* thrown
) noexcept nogil

# Writes the solo values (N_SETS x 2 x N_PLACES x n_spots): good play of one seat alone. See `solo_turns`.
cdef void solve_solo(const ThreeMagiciansRules* r, float* values) noexcept nogil
