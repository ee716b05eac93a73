from collections.abc import Callable

from aiplay._core.game import State, View
from aiplay._core.search.common.control import StopFlag

class Expectimax:
    view: View
    moves: list[int]
    n_worlds: int
    depth: int

    def __init__(
        self,
        view: View,
        *,
        seed: int,
        worlds: int,
        table: int,
        is_vector: bool,
        is_paranoid: bool,
        pruning: int,
        is_ordered: bool,
        width: int,
        playout_depth: int,
    ) -> None: ...
    def run(
        self,
        stop: StopFlag,
        deadline: float,
        node_limit: int,
        depth_limit: int,
        is_choosing: bool,
        callback: Callable[[Expectimax], object] | None = None,
        every: float = 1.0,
    ) -> None: ...
    def take_pause(self) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def leaves(self) -> int: ...
    @property
    def n_searched(self) -> int: ...
    def mean(self, i: int, k: int | None = None) -> float: ...
    def ranking(self) -> list[int]: ...
    def root_move(self, i: int) -> tuple[int, float, float, bool]: ...
    def first_world(self) -> State: ...
    def line(self, i: int) -> tuple[int, ...]: ...
    def odds(self, i: int) -> list[float]: ...
