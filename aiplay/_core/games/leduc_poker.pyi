from aiplay._core.game import Game

SEATS: int
N_CARDS: int
N_RANKS: int
UNKNOWN: int
ANTE: int
FIRST_RAISE: int
SECOND_RAISE: int
MAX_RAISES: int
MAX_ACTIONS: int
MAX_CHIPS: int
FOLD: int
CALL: int
RAISE: int
BEFORE_BOARD: int
AFTER_BOARD: int
SHOWDOWN: int

class LeducPokerCore(Game): ...
