from aiplay._core.game cimport Game
from aiplay._core.typedefs cimport int8_t, uint64_t

cpdef enum:
    SEATS = 2
    COLUMNS = 7
    ROWS = 6
    COLUMN_BITS = 7         # ROWS + 1: the bit above a column is always empty
    FULL_COLUMN = 0x3F      # a bit for every row
    CELLS = 42
    N_DIRECTIONS = 4        # vertical, diagonally down, horizontal, diagonally up


ctypedef struct ConnectFourState:
    uint64_t stones[SEATS]  # stones of each seat: bit COLUMN_BITS * column + row, row 0 at the bottom
    int8_t n_stones         # stones on the board; seat n_stones % 2 is to move
    int8_t winner           # 1 + the seat that has four in a row, 0 for nobody


cdef class ConnectFourCore(Game):
    pass
