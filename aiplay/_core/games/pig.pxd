from aiplay._core.game cimport Game
from aiplay._core.typedefs cimport MAX_SEATS, int8_t, int16_t

cpdef enum:
    FACES = 6               # of the die
    MAX_TARGET = 10_000     # points that win, at most
    HOLD_AT = 20            # points at risk at which another roll gains nothing on average: 5 / 6 * 4 = 20 / 6
    TURN = 8                # decisions of a turn of a seat that lets time run out, about

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


ctypedef struct PigEstimate:
    double rivals           # strength of the other seats when this turn has ended
    double passed           # part of its strength that the seat in turn keeps until it is in turn again
    int others              # decisions until it is in turn again, about


cdef class PigCore(Game):
    cdef PigRules rules
