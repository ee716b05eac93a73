"""The player that plays a strategy file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiplay._core.search.common.control import now
from aiplay.errors import TokenError
from aiplay.options import Option
from aiplay.players.mixed import MixedPlayer
from aiplay.players.mixture import MixingPlayer, Mixture
from aiplay.strategy import Strategy

if TYPE_CHECKING:
    from aiplay._core.game import View
    from aiplay._core.stream import RandomStream
    from aiplay.limit import Limit
    from aiplay.players.base import Effort, Progress, Slices
    from aiplay.players.search import Findings

__all__ = ["StrategyPlayer"]

SCALE = 1000  # visits of all moves in an analysis


class StrategyPlayer(MixingPlayer):
    """Plays a strategy file, as ``aiplay learn`` writes it; ``mixed`` plays where the file knows nothing."""

    name = "strategy"
    OPTIONS = (
        *MixingPlayer.limit_options("time", "iterations"),
        Option("file", None, "the strategy file; without one, mixed plays", kind=str),
    )

    def __init__(self, *, seed: int | None = None, **options: object) -> None:
        super().__init__(seed=seed, **options)
        file = self.options["file"]
        self.strategy = None if file is None else Strategy.read(file)
        self._mixed = MixedPlayer(seed=self.seed)
        self._mixed._stop, self._mixed.stream = self._stop, self.stream

    def forget(self) -> None:
        """Free the memory of the last search."""
        super().forget()
        self._mixed.forget()

    @property
    def kept_bytes(self) -> int:
        """The memory of the last search."""
        return self._mixed.kept_bytes

    def _search(
        self, view: View, limit: Limit, progress: Progress | None, every: float, *, is_choosing: bool
    ) -> Slices[Findings]:
        policy = None if self.strategy is None else self.strategy.policy(view)
        if policy is not None:
            return _Known(view, policy, self.stream)
        return (yield from self._mixed._search(view, limit, progress, every, is_choosing=is_choosing))

    def _repeat(self, view: View, effort: Effort, *, is_choosing: bool) -> Slices[Findings]:
        if effort.method != _Known.method:
            return (yield from self._mixed._repeat(view, effort, is_choosing=is_choosing))
        policy = None if self.strategy is None else self.strategy.policy(view)
        if policy is None:
            raise TokenError("the strategy file does not know the view of the token")
        return _Known(view, policy, self.stream)


class _Known(Mixture):
    """The strategy of a view that the file knows. The file has no values of moves."""

    method = "file"
    scale = SCALE
    iterations = 0

    def __init__(self, view: View, policy: dict[int, float], stream: RandomStream) -> None:
        super().__init__(view, now(), stream)
        self.known = policy

    def shares(self) -> list[float]:
        return list(self.known.values())

    def values(self) -> tuple[list[float], tuple[float, ...]]:
        return [0.5] * len(self.known), (0.5,) * self.view.game.seats
