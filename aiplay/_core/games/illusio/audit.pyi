from typing import SupportsIndex

from aiplay._core.game import State

def audit_games(state: State, games: int, eager: int, seed: SupportsIndex | None = 0) -> int: ...
