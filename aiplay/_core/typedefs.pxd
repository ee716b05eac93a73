# Types and constants that all files of the core share. Python code imports the constants from here, too.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef int32_t move_t     # one small decision; at least 0
ctypedef int32_t seat_t     # 0 .. seats - 1, or CHANCE, or TERMINAL

cpdef enum:
    CHANCE = -1             # to_move: dice or a shuffled deck decide
    TERMINAL = -4           # to_move: the game is over
    MAX_SEATS = 6           # most seats of a game
    MAX_MOVES = 1024        # most legal moves, or chance outcomes, of a state
