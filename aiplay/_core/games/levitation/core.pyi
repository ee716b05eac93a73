from typing import Any

from aiplay._core.game import Game

WEIGHTS: tuple[float, ...]
CARD_POINTS: tuple[int, ...]
KINDS: tuple[int, ...]

class LevitationCore(Game):
    def _data(self) -> dict[str, Any]: ...
    def count_moves(self, data: bytes) -> int: ...
