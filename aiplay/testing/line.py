"""A game that is being checked: its moves and positions, and what a failure says about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from aiplay._core.game import Game, State
from aiplay.errors import AiplayError

__all__ = ["GameCheckError", "Line"]


class GameCheckError(AiplayError, AssertionError):
    """A game that breaks the contract."""


@dataclass
class Line:
    """One random game: its moves, and the positions between them with their bytes at that time."""

    game: Game
    seed: int
    origin: str
    at: int = 0  # the ply that is being looked at, for messages
    aside: str = ""  # where a check has gone from there
    moves: list[int] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    prints: list[bytes] = field(default_factory=list)

    def error(self, problem: str) -> GameCheckError:
        """The failure, with all that is needed to see it again."""
        return GameCheckError(
            f"{problem}\n"
            f"  game:  {self.game!r}\n"
            f"  seed:  {self.seed} ({self.origin})\n"
            f"  moves: {self.moves[: self.at]} (play them from new_state() to get there)"
            f"{self.aside and chr(10) + '  then:  ' + self.aside}"
        )

    def fail(self, problem: str) -> NoReturn:
        """Give up."""
        raise self.error(problem)

    def require(self, holds: bool, problem: str) -> None:
        """Give up unless something holds."""
        if not holds:
            self.fail(problem)

    def remember(self, state: State) -> None:
        """Keep the next position, as it is now."""
        self.at = len(self.states)
        self.states.append(state.copy())
        self.prints.append(state.to_bytes())
