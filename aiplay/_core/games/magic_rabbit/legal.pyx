"""The legal moves of Magic Rabbit."""

from aiplay._core.games.magic_rabbit.state cimport (
    ACTION, DONE, FIRST_PILE, LIFT, MOVE_DOVE, STAY, SWITCH_HATS, SWITCH_PILES, MagicRabbitRules, MagicRabbitState,
    free_piles,
)
from aiplay._core.typedefs cimport move_t, uint8_t


cdef int magic_rabbit_legal_moves(const void* rules, const void* state, move_t* out) noexcept nogil:
    cdef const MagicRabbitRules* r = <const MagicRabbitRules*>rules
    cdef const MagicRabbitState* s = <const MagicRabbitState*>state
    cdef const uint8_t* free = r.members[free_piles(r, s)]
    cdef const uint8_t* doves = r.members[s.doves]
    cdef int n_pairs = r.n_free * (r.n_free - 1) // 2
    cdef int i, k, n = 0
    cdef move_t both
    if s.phase == ACTION:                       # Rules: lift one, switch two hats, or switch two piles
        if r.may_end:                           # Rules: without an hourglass a seat may end the game here
            out[0] = DONE
            n = 1
        for i in range(r.n_free):
            out[n + i] = LIFT + free[i]
        n += r.n_free
        for i in range(n_pairs):
            both = FIRST_PILE * free[r.pairs[i][0]] + free[r.pairs[i][1]]
            out[n + i] = SWITCH_HATS + both
            out[n + n_pairs + i] = SWITCH_PILES + both
        return n + 2 * n_pairs
    out[n] = STAY
    for i in range(r.piles - r.n_free):
        for k in range(r.n_free):
            n += 1
            out[n] = MOVE_DOVE + FIRST_PILE * doves[i] + free[k]
    return n + 1
