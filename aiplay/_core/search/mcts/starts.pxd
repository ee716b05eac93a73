from aiplay._core.rng cimport Rng
from aiplay._core.search.mcts.search cimport Search

# Decides which trees are split, and whether the searching seat imagines other views; before the first iteration.
cdef void split_trees(Search* search) noexcept nogil

# Turns a sampled world into one that another seat believes in. If the searching seat has another view there, its tree
# for these stands in for its own, until `end_imagined`; else False. Before: has_imagined.
cdef bint imagine_own(Search* search, Rng* rng) noexcept nogil

# Puts the own tree in its place again.
cdef void end_imagined(Search* search) noexcept nogil

# Finds the node at which the world of an iteration enters each tree.
cdef void find_starts(Search* search) noexcept nogil
