from aiplay._core.game cimport Game
from aiplay._core.typedefs cimport int8_t


ctypedef struct LeducState:
    int8_t hands[2]         # the card of each seat: 0 .. 5, rank card // 2; -1 not dealt, or hidden in a view
    int8_t board            # the public card; -1 not dealt
    int8_t betting          # 0 before the public card, 1 after it, 2 showdown
    int8_t seat             # who bets
    int8_t n_raises         # raises in this round of betting
    int8_t n_actions        # decisions in this round of betting
    int8_t folded           # 1 + the seat that folded, 0 for nobody
    int8_t n_dealt          # hands dealt: 0, 1 or 2
    int8_t chips[2]         # what each seat has put into the pot


cdef class LeducPokerCore(Game):
    pass
