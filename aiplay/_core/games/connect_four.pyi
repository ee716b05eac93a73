from aiplay._core.game import Game

SEATS: int
COLUMNS: int
ROWS: int
COLUMN_BITS: int
FULL_COLUMN: int
CELLS: int
N_DIRECTIONS: int

class ConnectFourCore(Game): ...
