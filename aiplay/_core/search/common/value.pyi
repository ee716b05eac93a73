from collections.abc import Iterable
from typing import Any, Protocol

from aiplay._core.features import FieldFeatures
from aiplay._core.game import Game, State

HIDDEN_BITS: int
MAX_HIDDEN: int
WEIGHT_BITS: int
AMOUNT_BITS: int

class _ObjectFeatures(Protocol):
    @property
    def size(self) -> int: ...
    def active(self, value: Any, seat: int, is_chance: bool) -> Iterable[tuple[int, int]]: ...

class NativeFeatures:
    @property
    def size(self) -> int: ...
    def __init__(self, game: Game) -> None: ...

class Network:
    @property
    def game(self) -> Game: ...
    def __init__(
        self,
        game: Game,
        features: FieldFeatures | NativeFeatures | _ObjectFeatures,
        kept: Iterable[int],
        hidden: int,
        first: Any,
        first_bias: Any,
        second: Any,
        second_bias: Any,
    ) -> None: ...
    def values(self, state: State) -> list[float]: ...
    def active(self, state: State) -> tuple[list[tuple[int, int]], int]: ...

def active_of(
    features: FieldFeatures | NativeFeatures | _ObjectFeatures, state: State
) -> tuple[list[tuple[int, int]], int]: ...
def write_inputs(
    features: FieldFeatures | NativeFeatures | _ObjectFeatures, state: State, out: Any
) -> int: ...
def features_of(state: State, seat: int) -> list[float]: ...
