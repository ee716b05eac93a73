from aiplay._core.search.mcts.search cimport Search

# Decides which trees are split; before the first iteration.
cdef void split_trees(Search* search) noexcept nogil

# Finds the node at which the world of an iteration enters each tree.
cdef void find_starts(Search* search) noexcept nogil
