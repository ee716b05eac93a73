"""The errors of aiplay. Each message says what was given and what is allowed."""

__all__ = [
    "AiplayError",
    "AuditError",
    "ContractError",
    "GameDataError",
    "IllegalMoveError",
    "InvalidStateError",
    "MatchError",
    "OptionError",
    "PackageError",
    "PlayerSpecError",
    "RecordError",
    "StoreError",
    "StrategyError",
    "TokenError",
    "UnknownGameError",
    "ValueFileError",
]


class AiplayError(Exception):
    """Base class of all errors of this library."""


class IllegalMoveError(AiplayError, ValueError):
    """A move is not legal in the position."""


class InvalidStateError(AiplayError, ValueError):
    """A position (fields, JSON, bytes, array) cannot occur in the game."""


class UnknownGameError(AiplayError, KeyError):
    """No game has that name."""

    def __str__(self) -> str:
        # KeyError would show the repr of its argument: the message in quotes.
        return str(self.args[0]) if self.args else ""


class ContractError(AiplayError, ValueError):
    """A game breaks a promise of its contract: legal moves that depend on what is hidden, for example."""


class OptionError(AiplayError, ValueError):
    """An option of a game, or a limit, does not exist or has a value that is not allowed."""


class GameDataError(AiplayError, ValueError):
    """A data file (cards, boards) does not fit the rules of its game."""


class PackageError(AiplayError, ImportError):
    """A package is missing, cannot be loaded, or was compiled for another version of aiplay."""


class PlayerSpecError(AiplayError, ValueError):
    """A player specification is not valid."""


class AuditError(AiplayError, ValueError):
    """A player or a game cannot be audited."""


class StrategyError(AiplayError, ValueError):
    """A strategy file is damaged, or was learned for another game."""


class ValueFileError(AiplayError, ValueError):
    """A file with a trained value is damaged, or was learned for another game."""


class RecordError(AiplayError, ValueError):
    """A record of a game cannot be replayed."""


class TokenError(AiplayError, ValueError):
    """A token of a decision is damaged, or cannot be repeated."""


class MatchError(AiplayError):
    """A match cannot go on: a game failed, or workers died or do not answer."""


class StoreError(MatchError):
    """The file of a match cannot be read or written."""
