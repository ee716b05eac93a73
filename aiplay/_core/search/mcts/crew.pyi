from collections.abc import Sequence

from aiplay._core.search.common.control import StopFlag
from aiplay._core.search.mcts.core import TreeSearch
from aiplay._core.search.mcts.root import RootMoves

class Crew:
    def __init__(
        self,
        searches: Sequence[TreeSearch],
        iterations: Sequence[int],
        nodes: Sequence[int],
        *,
        workers: int,
        memory: int,
        started: float,
        deadline: float,
        is_choosing: bool,
        ends_cut: bool = False,
    ) -> None: ...
    @property
    def is_cut(self) -> bool: ...
    def work(self, worker: int, stop: StopFlag, pause: float) -> bool: ...
    def end(self) -> None: ...
    def hold(self) -> None: ...
    def go_on(self) -> None: ...
    def root_moves(self) -> RootMoves: ...
