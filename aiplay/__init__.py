"""AI opponents for tabletop games with dice, hidden cards and one to six seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiplay.lazy import lazy_names

if TYPE_CHECKING:
    from aiplay import audit, balance, errors, match, report, review, testing
    from aiplay._core.game import Game, State, View
    from aiplay._core.stream import RandomStream
    from aiplay._core.typedefs import CHANCE, TERMINAL
    from aiplay.analysis import Analysis, MoveAnalysis
    from aiplay.decision import Explanation, explain
    from aiplay.errors import (
        AiplayError,
        AuditError,
        ContractError,
        GameDataError,
        IllegalMoveError,
        InvalidStateError,
        MatchError,
        OptionError,
        PackageError,
        PlayerSpecError,
        RecordError,
        StoreError,
        StrategyError,
        TokenError,
        UnknownGameError,
        ValueFileError,
    )
    from aiplay.games.python_game import PythonGame
    from aiplay.limit import Limit
    from aiplay.players.base import Player
    from aiplay.rating import PersonRating
    from aiplay.record import Record
    from aiplay.registry import game_names, load_game, make_player, player_names
    from aiplay.table import Table, play_game, replay

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "TERMINAL",
    "AiplayError",
    "Analysis",
    "AuditError",
    "ContractError",
    "Explanation",
    "Game",
    "GameDataError",
    "IllegalMoveError",
    "InvalidStateError",
    "Limit",
    "MatchError",
    "MoveAnalysis",
    "OptionError",
    "PackageError",
    "PersonRating",
    "Player",
    "PlayerSpecError",
    "PythonGame",
    "RandomStream",
    "Record",
    "RecordError",
    "State",
    "StoreError",
    "StrategyError",
    "Table",
    "TokenError",
    "UnknownGameError",
    "ValueFileError",
    "View",
    "audit",
    "balance",
    "errors",
    "explain",
    "game_names",
    "load_game",
    "make_player",
    "match",
    "play_game",
    "player_names",
    "replay",
    "report",
    "review",
    "testing",
]

# The modules of the names above. Each is imported when one of its names is first used.
_MODULES = {
    "_core.game": ("Game", "State", "View"),
    "_core.stream": ("RandomStream",),
    "_core.typedefs": ("CHANCE", "TERMINAL"),
    "analysis": ("Analysis", "MoveAnalysis"),
    "audit": (),
    "balance": (),
    "errors": (
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
    ),
    "decision": ("Explanation", "explain"),
    "games.python_game": ("PythonGame",),
    "limit": ("Limit",),
    "match": (),
    "players.base": ("Player",),
    "rating": ("PersonRating",),
    "record": ("Record",),
    "registry": ("game_names", "load_game", "make_player", "player_names"),
    "report": (),
    "review": (),
    "table": ("Table", "play_game", "replay"),
    "testing": (),
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
