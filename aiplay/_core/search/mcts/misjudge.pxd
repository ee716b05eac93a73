# Errors of judgement, for levels that play weaker: a part `blur` of every value is a guess.
#
#     value = (1 - blur) * value + blur * guess
#
# The guess, 0 .. 1, is a hash of what the searching seat sees of the position, and of `guess_seed`: the same position
# is misjudged in the same way, whenever and however the search comes to it. The result of a finished game is never a
# guess.

from libc.stdint cimport uint32_t, uint64_t

from aiplay._core.search.mcts.search cimport Search
from aiplay._core.search.mcts.tree cimport Tree


# Blurs the rewards of a playout that began at a position with this `view_hash` of the searching seat, in which the
# game was not over.
cdef void misjudge_rewards(Search* search, uint64_t seen) noexcept nogil

# Blurs the priors of a node, whose position is in the buffer. Overwrites `buffers.scratch`.
cdef void misjudge_priors(Search* search, Tree* tree, uint32_t node) noexcept nogil
