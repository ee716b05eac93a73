"""Every error that aiplay raises on purpose. Each message says what was given and what is allowed."""

__all__ = [
    "AiplayError",
    "GameDataError",
    "IllegalMoveError",
    "InvalidStateError",
    "MatchError",
    "OptionError",
    "PackageError",
    "PlayerSpecError",
    "RecordError",
    "StoreError",
    "UnknownGameError",
]


class AiplayError(Exception):
    """Base of all errors of this library."""


class IllegalMoveError(AiplayError, ValueError):
    """A move that is not legal in the position."""


class InvalidStateError(AiplayError, ValueError):
    """A position (JSON, bytes, array) that no game of these rules can be in."""


class UnknownGameError(AiplayError, KeyError):
    """No game of that name is known."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, which would put the sentence in quotes.
        return str(self.args[0]) if self.args else ""


class OptionError(AiplayError, ValueError):
    """An option of a game or a limit that does not exist or has a value that is not allowed."""


class GameDataError(AiplayError, ValueError):
    """A data file (cards, boards) that does not fit the rules of its game."""


class PackageError(AiplayError, ImportError):
    """A package that is missing or cannot be loaded, or was compiled for another aiplay."""


class PlayerSpecError(AiplayError, ValueError):
    """A player specification that cannot be understood."""


class RecordError(AiplayError, ValueError):
    """A record of a game that cannot be replayed."""


class MatchError(AiplayError):
    """A match that cannot go on: a game that fails, workers that die or do not answer."""


class StoreError(MatchError):
    """A file of a match that cannot be read or written."""
