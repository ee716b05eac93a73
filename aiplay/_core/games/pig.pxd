from aiplay._core.game cimport Game
from aiplay._core.typedefs cimport int8_t, int16_t


ctypedef struct PigState:
    int16_t scores[6]       # points that each seat has banked
    int16_t turn_total      # points of this turn, not yet banked
    int16_t n_decisions     # rolls and holds so far; the game is over at the horizon
    int8_t seat             # whose turn it is
    int8_t is_rolling       # 1 while the die is in the air
    int8_t winner           # 1 + the seat that has reached the target, 0 for nobody


ctypedef struct PigRules:
    int seats               # 2 .. 6
    int target              # points that win
    int horizon             # decisions after which nobody wins


cdef class PigCore(Game):
    cdef PigRules rules
