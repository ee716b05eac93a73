from typing import SupportsIndex

from aiplay._core.game import State
from aiplay._core.stream import RandomStream

def playout_values(
    state: State, n: int, cutoff: int, seed: SupportsIndex | None = 0
) -> tuple[float, ...]: ...
def play_run(state: State, stream: RandomStream, longest: int) -> None: ...
