from aiplay._core.game cimport Game
from aiplay._core.typedefs cimport int8_t, uint64_t


ctypedef struct ConnectFourState:
    uint64_t stones[2]      # a bit per stone of each seat: bit 7 * column + row, row 0 at the bottom
    int8_t n_stones         # stones on the board; seat n_stones % 2 is to move
    int8_t winner           # 1 + the seat that has four in a row, 0 for nobody


cdef class ConnectFourCore(Game):
    pass
