from aiplay._core.game cimport Game
from aiplay._core.typedefs cimport int8_t

cpdef enum:
    SEATS = 2
    N_CARDS = 6             # three ranks in two suits: card // 2 is the rank
    N_RANKS = 3
    UNKNOWN = -1            # a card that is not dealt, or not seen
    ANTE = 1
    FIRST_RAISE = 2         # before the public card
    SECOND_RAISE = 4        # after it
    MAX_RAISES = 2          # in a round of betting
    MAX_ACTIONS = 4         # in a round of betting: a check, two raises and a call
    MAX_CHIPS = 13          # of one seat: ante and all raises

cpdef enum:                 # moves; a chance move is a card
    FOLD = 0
    CALL = 1                # or check
    RAISE = 2

cpdef enum:                 # rounds of betting
    BEFORE_BOARD = 0
    AFTER_BOARD = 1
    SHOWDOWN = 2            # betting is over


ctypedef struct LeducPokerState:
    int8_t hands[SEATS]     # the card of each seat: 0 .. 5, or UNKNOWN
    int8_t board            # the public card, or UNKNOWN
    int8_t betting          # BEFORE_BOARD, AFTER_BOARD or SHOWDOWN
    int8_t seat             # who bets
    int8_t n_raises         # raises in this round
    int8_t n_actions        # decisions in this round
    int8_t folded           # 1 + the seat that folded, 0 for nobody
    int8_t n_dealt          # hands dealt: 0, 1 or 2
    int8_t chips[SEATS]     # chips of each seat in the pot
    int8_t opener           # 1 + the seat that raised first before the public card, 0 for nobody: with the other
                            # fields it tells every bet so far, which says something about the cards


cdef class LeducPokerCore(Game):
    pass
