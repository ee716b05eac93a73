from collections.abc import Iterable

from aiplay._core.game import Game

def game_luck(game: Game, moves: Iterable[int]) -> tuple[tuple[float, ...], ...]: ...
