from aiplay._core.games.levitation.state cimport LevitationRules

# Fills `LevitationRules.horizons` and `counted`. Before: cards, cities, card points and weights are there.
cdef void fill_horizons(LevitationRules* r) noexcept nogil
