"""A random game that is being checked, and the message when a check fails."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from aiplay._core.game import Game, State
from aiplay.errors import AiplayError

__all__ = ["GameCheckError", "Trial"]


class GameCheckError(AiplayError, AssertionError):
    """A game breaks the contract; `promise` is the function of the contract that is to blame, if that is known."""

    def __init__(self, message: str, promise: str = "") -> None:
        super().__init__(message)
        self.promise = promise

    def __reduce__(self) -> tuple[type[GameCheckError], tuple[str, str]]:
        return type(self), (str(self), self.promise)


@dataclass
class Trial:
    """One random game: its moves and states, with the bytes of every state when it was reached."""

    game: Game
    seed: int
    origin: str  # the call that the seed belongs to, for messages
    at: int = 0  # ply that is being checked, for messages
    n_worlds: int = 0  # worlds checked so far
    n_pairs: int = 0  # pairs of positions compared so far, of which a seat must notice all or nothing
    aside: str = ""  # steps of the check from that ply on, for messages
    moves: list[int] = field(default_factory=list)
    states: list[State] = field(default_factory=list)  # one more than moves
    prints: list[bytes] = field(default_factory=list)  # bytes of every state when it was reached

    def error(self, problem: str, promise: str = "") -> GameCheckError:
        """Return the failure, with everything needed to reproduce it."""
        return GameCheckError(
            f"{problem}\n"
            f"  game:  {self.game!r}\n"
            f"  seed:  {self.seed} ({self.origin})\n"
            f"  moves: {self.moves[: self.at]} (play them from new_state() to get there)"
            f"{self.aside and chr(10) + '  then:  ' + self.aside}",
            promise,
        )

    def fail(self, problem: str, promise: str = "") -> NoReturn:
        """Raise the failure."""
        raise self.error(problem, promise)

    def require(self, holds: bool, problem: str, promise: str = "") -> None:
        """Raise the failure unless a condition holds."""
        if not holds:
            self.fail(problem, promise)

    def remember(self, state: State) -> None:
        """Add a copy of the next state."""
        self.at = len(self.states)
        self.states.append(state.copy())
        self.prints.append(state.to_bytes())
