"""What a player thought about a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Analysis", "MoveAnalysis"]


@dataclass(frozen=True)
class MoveAnalysis:
    """One move of the position; unpacks as ``move, text, visits, value``."""

    move: int
    text: str
    visits: int  # how often the search tried it (for players that do not count: 0)
    value: float  # what the seat can expect from it, 0 (worst return) .. 1 (best return)
    # Standard error of the value; 0 where it is exact or unknown. Of mcts: the spread of the results so far, not how
    # far the value may still move when the search goes on.
    error: float = 0.0
    proven: bool = False  # whether the value is certain

    def __iter__(self) -> Iterator[int | str | float]:
        return iter((self.move, self.text, self.visits, self.value))


@dataclass(frozen=True)
class Analysis:
    """Every move of a position, best first, and what it cost to find out."""

    seat: int
    moves: tuple[MoveAnalysis, ...]  # best first
    line: tuple[str, ...]  # the best line that the player foresees, as notation, its own move first
    odds: tuple[float, ...]  # what every seat can expect, 0 (worst return) .. 1 (best return)
    iterations: int  # playouts of mcts, evaluated positions of the others
    seconds: float
    nodes: int = 0  # size of the search tree
    worlds: int = 1  # how many worlds were sampled
    depth: int = 0  # how far ahead the player looked
    is_final: bool = True  # False while the search goes on (for callbacks)

    @property
    def best(self) -> int:
        """The best move."""
        return self.moves[0].move

    @property
    def iterations_per_second(self) -> float:
        """Speed of the search."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0
