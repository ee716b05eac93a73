from typing import Any

from aiplay._core.game import Game

class IllusioCore(Game):
    def _tables(self) -> dict[str, Any]: ...
