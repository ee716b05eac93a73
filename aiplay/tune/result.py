"""The result of tuning a player, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.match import Sprt
    from aiplay.profile.result import Score
    from aiplay.tune.space import Value

__all__ = ["Tuning", "ValueScore"]


@dataclass(frozen=True)
class ValueScore:
    """A value of an option: what it adds to the score of a variant against the player as given."""

    option: str
    value: Value | None  # None: as given
    deals: int  # played with it
    effect: float  # by regression over all variants; 0 for the value as given
    error: float  # standard error of the effect


@dataclass(frozen=True)
class Tuning:
    """The result of a tuning."""

    game: Game
    player: str  # as given, with its limit
    seed: int
    games: int  # of the search
    variants: int  # that it tried
    values: tuple[ValueScore, ...]
    changes: dict[str, Value]  # options of the best variant
    best: str  # its specification
    final: Score  # of the best variant against the player as given, on fresh deals
    sprt: Sprt = field(compare=False)
    seconds: float

    @property
    def is_better(self) -> bool:
        """True if the final duel shows that the best variant is better."""
        return self.sprt.verdict == self.sprt.elo1 or (self.sprt.verdict is None and self.final.is_better)

    @property
    def spec(self) -> str:
        """The specification to use: of the best variant if it is better, else as given."""
        return self.best if self.is_better else self.player
