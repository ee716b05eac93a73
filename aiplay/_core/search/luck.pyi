from collections.abc import Iterable

from aiplay._core.game import Game
from aiplay._core.search.common.value import Network

def game_luck(
    game: Game, moves: Iterable[int], value: Network | None = None
) -> tuple[tuple[float, ...], ...]: ...
