"""Levitation: the playout policy. It plays the move with the best expected points."""

from aiplay._core.games.levitation.legal cimport levitation_legal_moves
from aiplay._core.games.levitation.state cimport MAX_OPTIONS, LevitationRules, LevitationState
from aiplay._core.games.levitation.value cimport rate_moves
from aiplay._core.rng cimport Rng
from aiplay._core.typedefs cimport move_t


cdef move_t levitation_playout_move(const void* rules, const void* state, Rng* rng) noexcept nogil:
    """The best move; of equals the last, so that an action goes on rather than ends."""
    cdef move_t moves[MAX_OPTIONS]
    cdef double worths[MAX_OPTIONS]
    cdef int n = levitation_legal_moves(rules, state, moves)
    cdef int best = 0
    cdef int i
    rate_moves(<const LevitationRules*>rules, <const LevitationState*>state, moves, n, worths)
    for i in range(1, n):
        if worths[i] >= worths[best]:
            best = i
    return moves[best]
