from typing import Any

from aiplay._core.game import Game

WEIGHTS: tuple[float, ...]

class IllusioCore(Game):
    def _weights(self) -> tuple[float, ...]: ...
    def _data(self) -> dict[str, Any]: ...
