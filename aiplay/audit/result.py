"""The result of an audit: what was tried, how often, what was found, and what would have been found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["PROMISES", "Audit", "Breach", "Part"]

# What a game and a player promise to the seats at a table. A breach is called by one of these names.
PROMISES = {
    "choice": "a player chooses by its view and its seed, by nothing else",
    "future": "no choice depends on dice and cards that are still to come",
    "dice": "a player guesses the next die no better than chance",
    "cards": "a player guesses a hidden card no better than chance",
    "worlds": "sampled worlds fit the view, depend on nothing else, and are as likely as enumeration says",
    "perceive": "perceive tells a seat no more than its view shows",
    "conceal": "a view hides what perceive hides",
    "legal_moves": "the legal moves of a seat depend only on what it sees",
    "priors": "the priors of a seat depend only on what it sees",
    "playout_move": "the playout moves of a seat depend only on what it sees",
    "to_move": "whose turn it is depends only on what all seats see",
    "contract": "the game keeps the contract of games (aiplay.testing.check_game)",
}


@dataclass(frozen=True)
class Breach:
    """A promise that is broken, with the evidence."""

    promise: str  # one of PROMISES
    evidence: str

    def __str__(self) -> str:
        return f"{self.promise}: {PROMISES[self.promise]}. {self.evidence}"


@dataclass(frozen=True)
class Part:
    """One part of an audit."""

    name: str
    tried: str  # what was done, in a sentence; why not, if nothing was
    count: int = 0  # comparisons, worlds or guesses; 0: there was nothing to try
    noticed: str = ""  # what would have been noticed with a probability of 99 %
    error_rate: float = 0.0  # probability that a fair player and game fail this part
    breaches: tuple[Breach, ...] = ()

    @property
    def verdict(self) -> str:
        """``kept``, ``BROKEN`` or ``not tried``."""
        return "BROKEN" if self.breaches else "kept" if self.count else "not tried"


@dataclass(frozen=True)
class Audit:
    """The audit of one player in one game."""

    game: str
    options: Mapping[str, Any]
    player: str
    note: str  # how the player was limited, or empty
    games: int
    seed: int
    seconds: float
    version: str  # of aiplay
    parts: tuple[Part, ...] = field(repr=False)

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """All breaches, in the order of the parts."""
        return tuple(breach for part in self.parts for breach in part.breaches)

    @property
    def broken(self) -> tuple[str, ...]:
        """The names of the broken promises, each once."""
        return tuple(dict.fromkeys(breach.promise for breach in self.breaches))

    @property
    def is_fair(self) -> bool:
        """True if no promise was found broken."""
        return not self.breaches
