from typing import SupportsIndex, TypedDict, type_check_only

from aiplay._core.game import Game

@type_check_only
class Soaked(TypedDict):
    games: int
    moves: int
    worlds: int
    problem: str | None
    played: list[int]

def soak(game: Game, n: int, seed: SupportsIndex | None = 0, **bounds: float) -> Soaked: ...
