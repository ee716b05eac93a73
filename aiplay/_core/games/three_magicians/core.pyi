from typing import Any

from aiplay._core.game import Game

SOLO_TABLES: dict[Any, Any]

class ThreeMagiciansCore(Game):
    def _tables(self) -> dict[str, Any]: ...
