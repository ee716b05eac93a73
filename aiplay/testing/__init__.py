"""Checks for any game, native or written in Python.

>>> import aiplay
>>> check_game(aiplay.load_game("leduc_poker"), games=5)
"""

from aiplay.testing.conformance import check_game
from aiplay.testing.damage import check_damaged
from aiplay.testing.endurance import soak_game
from aiplay.testing.memory import ForgetfulViewsWarning, forgetful_views
from aiplay.testing.trial import GameCheckError

__all__ = [
    "ForgetfulViewsWarning",
    "GameCheckError",
    "check_damaged",
    "check_game",
    "forgetful_views",
    "soak_game",
]
