from aiplay._core.games.three_magicians.rules cimport MagiciansRules

# Fills first_wins and second_wins: best play on both sides of a duel.
cdef void solve_duel(MagiciansRules* r) noexcept nogil

# The value of the decision after a throw in a duel, for the thrower: the chance to win with best play.
cdef double keep_value(
    const MagiciansRules* r, int goal, int goal_throws, int n_throws, int n_kept, int kept, const int* thrown
) noexcept nogil

# Writes the solo table (128 x 2 x 9 x n_spots): best play of one seat alone at the table.
cdef void solve_solo(const MagiciansRules* r, float* table) noexcept nogil
