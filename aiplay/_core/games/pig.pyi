from aiplay._core.game import Game

FACES: int
ROLL: int
HOLD: int

class PigCore(Game): ...
