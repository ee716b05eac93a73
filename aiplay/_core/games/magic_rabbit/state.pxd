# Magic Rabbit: the state, the numbers of its moves, the rules, and a few questions that several modules ask.
#
# A pile is a place in the row, 0 .. n-1 from the Magician; hats and rabbits have the numbers 1 .. n, so rabbit k is
# at home on pile k - 1. Turns count from 1.

from aiplay._core.typedefs cimport move_t, uint8_t, uint16_t, uint32_t

cpdef enum:
    MIN_PILES = 6
    MAX_PILES = 9
    MAX_PLAYERS = 4
    MAX_TURNS = 200         # also the end of a game without an hourglass
    TURN_CYCLE = 204        # more than MAX_TURNS, and a multiple of every number of seats
    N_CYCLED = 2 * TURN_CYCLE + MAX_PLAYERS     # entries of `cycle`
    N_SETS = 512            # sets of piles
    MAX_PAIRS = 36          # pairs of piles
    N_LOGGED = 32           # turns that the log holds; a power of two

cpdef enum:                 # moves: a kind + FIRST_PILE * first pile + second pile, piles counted from 1
    DONE = 0                # the team has finished, it says; only without an hourglass
    LIFT = 0                # + pile
    SWITCH_HATS = 100       # + two piles, the smaller one first
    SWITCH_PILES = 200      # + two piles, the smaller one first
    STAY = 300              # no dove moves
    MOVE_DOVE = 300         # + from, to
    KIND = 100              # every kind is a multiple of this
    FIRST_PILE = 10

cpdef enum:                 # phases: what the seat decides
    ACTION = 0              # lift a pile, or switch hats or piles
    DOVE = 1                # move a dove, or not
    OVER = 2                # nothing: the team has said that it is done


ctypedef struct MagicRabbitState:
    # The first five belong to a pile and move with it when piles are switched.
    uint8_t lifted[MAX_PILES][MAX_PLAYERS]  # turn in which each seat first lifted the rabbit of a pile; 0 never
    uint8_t hats[MAX_PILES]                 # hat of each pile; 0 not dealt, or no such pile
    uint8_t rabbits[MAX_PILES]              # rabbit of each pile; 0 not dealt, no such pile, or hidden in a view
    uint8_t rehatted[MAX_PILES]             # turn in which a pile got its hat by a switch of hats; 0 never
    uint8_t switched[MAX_PILES]             # turn in which a pile came to its place by a switch of piles; 0 never
    uint16_t doves                          # bit i: a dove is on pile i
    uint8_t n_dealt                         # hats and rabbits dealt, plus 1 when the first seat is chosen
    uint8_t n_turns                         # finished turns
    uint8_t seat                            # whose turn it is
    uint8_t phase                           # ACTION, DOVE or OVER
    # The log of the last N_LOGGED turns: turn t is entry (t - 1) % N_LOGGED.
    uint16_t actions[N_LOGGED]              # the action of each turn; 0 for a turn to come
    uint16_t dove_moves[N_LOGGED]           # the dove decision of each turn; 0 for a turn to come, or not decided yet


ctypedef struct MagicRabbitRules:
    int seats                               # 1 .. MAX_PLAYERS
    int piles                               # MIN_PILES .. MAX_PILES
    int turns                               # turns of all seats together, after which the game is over
    int may_end                             # 1: there is no hourglass, and a seat may say that the team is done
    int n_free                              # piles without a dove; doves move, but their number stays the same
    uint16_t doves                          # piles with a dove at the start, as in the state
    uint8_t members[N_SETS][MAX_PILES]      # members of a set of piles or numbers, ascending, counted from 1
    uint8_t pairs[MAX_PAIRS][2]             # pairs of 0 .. n_free - 1, in the order of moves
    uint8_t cycle[N_CYCLED]                 # i % seats


cdef inline uint32_t all_piles(const MagicRabbitRules* r) noexcept nogil:
    """A bit for every pile."""
    return (<uint32_t>1 << r.piles) - 1


cdef inline uint32_t free_piles(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil:
    """The piles without a dove."""
    return all_piles(r) & ~<uint32_t>s.doves


cdef inline int first_pile(move_t move) noexcept nogil:
    """The first of the two piles of a move, counted from 0."""
    return move % KIND // FIRST_PILE - 1


cdef inline int second_pile(move_t move) noexcept nogil:
    """The second of the two piles of a move, counted from 0."""
    return move % FIRST_PILE - 1


cdef inline int turns_left(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil:
    """Actions that can still be made."""
    return r.turns - s.n_turns - (s.phase == DOVE)


cdef inline int seat_of_turn(const MagicRabbitRules* r, const MagicRabbitState* s, int turn) noexcept nogil:
    """The seat that played an earlier turn: seats take turns, and turn n_turns + 1 is that of `seat`."""
    return r.cycle[s.seat + TURN_CYCLE + turn - s.n_turns - 1]


cdef inline bint is_over(const MagicRabbitRules* r, const MagicRabbitState* s) noexcept nogil:
    """True if the turns are used up, or the team has said that it is done. Rules: nothing else ends the game."""
    return s.n_turns == r.turns or s.phase == OVER
