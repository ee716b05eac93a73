from aiplay._core.game import Game

FACES: int
MAX_TARGET: int
HOLD_AT: int
TURN: int
ROLL: int
HOLD: int

class PigCore(Game): ...
