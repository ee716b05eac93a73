"""AI opponents for tabletop games with dice, hidden cards and one to six seats."""

from aiplay._core.game import Game, State, View
from aiplay._core.stream import RandomStream
from aiplay.analysis import Analysis, MoveAnalysis
from aiplay.errors import (
    AiplayError,
    GameDataError,
    IllegalMoveError,
    InvalidStateError,
    OptionError,
    PlayerSpecError,
    RecordError,
    UnknownGameError,
)
from aiplay.games.python_game import PythonGame
from aiplay.limit import Limit
from aiplay.players.base import Player
from aiplay.registry import game_names, load_game, make_player, player_names
from aiplay.table import Record, Table, play_game, replay

__version__ = "0.1.0"

CHANCE = -1
TERMINAL = -4

__all__ = [
    "CHANCE",
    "TERMINAL",
    "AiplayError",
    "Analysis",
    "Game",
    "GameDataError",
    "IllegalMoveError",
    "InvalidStateError",
    "Limit",
    "MoveAnalysis",
    "OptionError",
    "Player",
    "PlayerSpecError",
    "PythonGame",
    "RandomStream",
    "Record",
    "RecordError",
    "State",
    "Table",
    "UnknownGameError",
    "View",
    "game_names",
    "load_game",
    "make_player",
    "play_game",
    "player_names",
    "replay",
]
