# One walk from the root of the trees to a leaf.

from aiplay._core.rng cimport Rng
from aiplay._core.search.mcts.search cimport Search

# Walks down from the root, in the world in `search.buffers.state`, which is used up. Writes the path, and the rewards
# that the leaf leads to. Before: the path is empty.
cdef void descend(Search* search, Rng* rng) noexcept nogil
