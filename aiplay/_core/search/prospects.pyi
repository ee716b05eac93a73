from typing import SupportsIndex

from aiplay._core.game import State

def playout_values(
    state: State, n: int, cutoff: int, seed: SupportsIndex | None = 0
) -> tuple[float, ...]: ...
