from typing import Any

from aiplay._core.game import Game

SOLO_VALUES: dict[str, Any]

class ThreeMagiciansCore(Game):
    def _board_data(self) -> dict[str, Any]: ...
