from typing import SupportsIndex

from aiplay._core.game import View
from aiplay._core.search.common.control import StopFlag
from aiplay._core.search.common.value import Network

def greedy_values(
    view: View,
    n_worlds: int,
    n_samples: int,
    seed: SupportsIndex | None,
    stop: StopFlag,
    deadline: float = ...,
    most_looks: int = 0,
    value: Network | None = None,
) -> tuple[list[tuple[int, list[float], float]], int, int, int]: ...
