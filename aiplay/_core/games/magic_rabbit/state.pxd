# The state of Magic Rabbit, its moves, and the few questions that both the rules and the judgement ask of it.
#
# A pile is a place on the line, 0 .. n-1 from the Magician; numbers of hats and rabbits are 1 .. n, so number r
# is at home on pile r - 1. Turns count from 1.

from aiplay._core.typedefs cimport uint8_t, uint16_t, uint32_t

cdef enum:
    MOST_PILES = 9
    MOST_SEATS = 4

cdef enum:                  # moves: a base plus 10 * first pile + second pile, piles counted from 1
    LIFT = 0                # + pile
    SWITCH_HATS = 100       # + 10 * pile + pile, the smaller one first
    SWITCH_PILES = 200      # likewise
    STAY = 300              # no dove moves
    MOVE_DOVE = 300         # + 10 * from + to

cdef enum:                  # what the seat has to decide
    ACTION = 0              # lift, or switch something
    DOVE = 1                # move a dove, or not


ctypedef struct MagicRabbitState:
    uint8_t lifted[9][4]    # the turn in which each seat first lifted the rabbit of this pile; 0 never. This and
                            # the next four belong to the pile and travel with it when piles switch
    uint8_t hats[9]         # the hat of each pile; 0 not dealt, or no such pile
    uint8_t rabbits[9]      # the rabbit of each pile; 0 not dealt, no such pile, or unknown to the seat of a view
    uint8_t rehatted[9]     # the turn in which this pile got its hat by a switch of hats; 0 never
    uint8_t switched[9]     # the turn in which this pile came to its place by a switch of piles; 0 never
    uint16_t doves          # bit i: a dove stands on pile i
    uint8_t n_dealt         # hats, then rabbits dealt, then the first seat chosen: 2n + 1 when the game has begun
    uint8_t n_turns         # turns that are over
    uint8_t seat            # whose turn it is
    uint8_t phase           # ACTION or DOVE


ctypedef struct MagicRabbitRules:
    int seats               # 1 .. 4
    int piles               # 6 .. 9
    int turns               # the budget that stands for the hourglass
    int n_free              # piles without a dove: always the same number
    uint16_t doves          # where they stand at the start, as in the state
    uint8_t members[512][9] # for every set of piles or numbers, a bit each: its members, ascending, from 1
    uint8_t pairs[36][2]    # all pairs of 0 .. n_free - 1, in the order of moves


cdef inline uint32_t all_piles(const MagicRabbitRules* r) noexcept nogil:
    """A bit for every pile."""
    return (<uint32_t>1 << r.piles) - 1


cdef inline uint32_t free_piles(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil:
    """The piles without a dove."""
    return all_piles(r) & ~<uint32_t>s.doves


cdef inline int turns_left(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil:
    """Actions that can still be made."""
    return r.turns - s.n_turns - (s.phase == DOVE)


cdef inline int seat_of_turn(const MagicRabbitRules* r, const MagicRabbitState* s, int turn) noexcept nogil:
    """Who made an earlier turn: seats take turns, and turn n_turns + 1 is that of `seat`."""
    # 204 is more than all turns, and divisible by 1, 2, 3 and 4.
    return <int>(<uint32_t>(s.seat + 204 + turn - s.n_turns - 1) % <uint32_t>r.seats)
