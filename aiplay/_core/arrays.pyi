from collections.abc import Sequence
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from aiplay._core.facts import GameFacts

if TYPE_CHECKING:
    from aiplay._core.game import Position, State, View

class GameArrays(GameFacts):
    def to_array(self, states: Sequence[Position]) -> NDArray[np.void]: ...
    def from_array(self, array: NDArray[np.void]) -> list[State]: ...
    @property
    def observation_layout(self) -> dict[str, slice[int, int, None]]: ...
    def observations(self, views: Sequence[View] | NDArray[np.void]) -> NDArray[np.float32]: ...
    def playouts(
        self,
        states: Sequence[State] | NDArray[np.void],
        n: int = 1,
        seed: SupportsIndex | None = 0,
        check: bool = True,
    ) -> NDArray[np.float64]: ...
