from typing import Any

from aiplay._core.game import Game

class ThreeMagiciansCore(Game):
    def _tables(self) -> dict[str, Any]: ...
