from aiplay._core.game cimport Game
from aiplay._core.typedefs cimport MAX_SEATS, int8_t, int16_t

cpdef enum:
    FACES = 6               # of the die

cpdef enum:                 # moves; a chance move is the face of the die minus 1
    ROLL = 0
    HOLD = 1


ctypedef struct PigState:
    int16_t scores[MAX_SEATS]       # points that each seat has banked
    int16_t turn_total              # points of this turn, not banked yet
    int16_t n_decisions             # rolls and holds so far; the game is over at the horizon
    int8_t seat                     # whose turn it is
    int8_t is_rolling               # 1 while the die rolls
    int8_t winner                   # 1 + the seat that has reached the target, 0 for nobody


ctypedef struct PigRules:
    int seats               # 2 .. MAX_SEATS
    int target              # points that win
    int horizon             # decisions after which nobody wins


cdef class PigCore(Game):
    cdef PigRules rules
