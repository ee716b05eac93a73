"""Matches between players: who is better, by how much, and how certain that is.

>>> from aiplay.match import Duel, ProcessPool
>>> duel = Duel("pig", "greedy", "random", games=20, seed=1)
>>> duel.play().a_wins                     # duel.play(ProcessPool(2)) plays the same games on two processes
20
"""

from typing import TYPE_CHECKING

from aiplay.lazy import lazy_names

if TYPE_CHECKING:
    from aiplay.match.duel import Duel, SideSummary, Summary
    from aiplay.match.executors import DaskCluster, ProcessPool, n_cores
    from aiplay.match.match import Match
    from aiplay.match.runner import play_all
    from aiplay.match.saved import load_match
    from aiplay.match.scheduled import GameResult, ScheduledGame, play_scheduled
    from aiplay.match.statistics import Sprt
    from aiplay.match.store import Store
    from aiplay.match.tournament import Tournament

__all__ = [
    "DaskCluster",
    "Duel",
    "GameResult",
    "Match",
    "ProcessPool",
    "ScheduledGame",
    "SideSummary",
    "Sprt",
    "Store",
    "Summary",
    "Tournament",
    "load_match",
    "n_cores",
    "play_all",
    "play_scheduled",
]

# The modules of the names above. Each is imported when one of its names is first used: worker processes need few.
_MODULES = {
    "duel": ("Duel", "SideSummary", "Summary"),
    "executors": ("DaskCluster", "ProcessPool", "n_cores"),
    "match": ("Match",),
    "runner": ("play_all",),
    "saved": ("load_match",),
    "scheduled": ("GameResult", "ScheduledGame", "play_scheduled"),
    "statistics": ("Sprt",),
    "store": ("Store",),
    "tournament": ("Tournament",),
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
