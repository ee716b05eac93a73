from typing import SupportsIndex

from aiplay._core.game import View

def greedy_values(
    view: View, n_worlds: int, n_samples: int, seed: SupportsIndex | None
) -> tuple[list[tuple[int, list[float], float]], int, int]: ...
