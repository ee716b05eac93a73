"""The result of a player's analysis of a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Analysis", "MoveAnalysis"]


@dataclass(frozen=True)
class MoveAnalysis:
    """One move of the position; unpacks as ``move, text, visits, value``."""

    move: int
    text: str  # its notation
    visits: int  # iterations that tried it; 0 for players that do not count
    value: float  # value for the seat, 0 (worst return) .. 1 (best return)
    # Standard error of the value; 0 if it is exact or unknown. In mcts: the spread of the results so far, not how far
    # the value may still move if the search goes on.
    error: float = 0.0
    proven: bool = False  # True if the value is certain

    def __iter__(self) -> Iterator[int | str | float]:
        return iter((self.move, self.text, self.visits, self.value))


@dataclass(frozen=True)
class Analysis:
    """Every move of a position, best first, and the cost of finding out."""

    seat: int
    moves: tuple[MoveAnalysis, ...]  # best first
    line: tuple[str, ...]  # the expected line as notation, the best move first
    odds: tuple[float, ...]  # value for every seat, 0 (worst return) .. 1 (best return)
    iterations: int  # playouts of mcts, evaluated positions of other players
    seconds: float
    nodes: int = 0  # size of the tree in mcts, nodes visited in expectimax
    worlds: int = 1  # worlds sampled
    depth: int = 0  # decisions searched ahead
    is_final: bool = True  # False while the search goes on (for callbacks)
    token: str = ""  # repeats the search: aiplay.explain(token); empty if that is impossible

    @property
    def best(self) -> int:
        """The best move."""
        return self.moves[0].move

    @property
    def iterations_per_second(self) -> float:
        """The speed of the search."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0
