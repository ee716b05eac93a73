from collections.abc import Callable
from typing import Any

from aiplay._core.game import View
from aiplay._core.search.common.control import StopFlag
from aiplay._core.search.common.value import Network

class Expectimax:
    @property
    def view(self) -> View: ...
    @property
    def depth(self) -> int: ...
    def __init__(
        self,
        view: View,
        *,
        seed: int,
        worlds: int,
        cache: int,
        is_vector: bool,
        is_paranoid: bool,
        threads: int = 1,
        value: Network | None = None,
        **params: Any,
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
        most_passes: int = -1,
        places: tuple[int, ...] = (),
    ) -> None: ...
    @property
    def n_passes(self) -> int: ...
    @property
    def tried(self) -> tuple[int, ...] | None: ...
    def take_pause(self) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def leaves(self) -> int: ...
    @property
    def n_searched(self) -> int: ...
    def best(self) -> int: ...
    def ranked(self) -> list[tuple[int, int, float, float, bool]]: ...
    def odds(self, move: int) -> tuple[float, ...]: ...
    def line(self, first: int) -> list[str]: ...
    def mean(self, i: int, k: int | None = None) -> float: ...
