"""Matches between players: who is better, by how much, and how sure is that.

>>> from aiplay.match import Duel, ProcessPool
>>> duel = Duel("pig", "greedy", "random", games=20, seed=1)
>>> duel.play().a_wins                     # with duel.play(ProcessPool(2)) the same, on two processes
20
"""

from aiplay.match.duel import Duel, SideSummary, Summary
from aiplay.match.executors import DaskCluster, ProcessPool, n_cores
from aiplay.match.fixture import Fixture, GameResult, play_fixture
from aiplay.match.match import Match
from aiplay.match.runner import play_all
from aiplay.match.statistics import Sprt
from aiplay.match.store import Store
from aiplay.match.tournament import Tournament

__all__ = [
    "DaskCluster",
    "Duel",
    "Fixture",
    "GameResult",
    "Match",
    "ProcessPool",
    "SideSummary",
    "Sprt",
    "Store",
    "Summary",
    "Tournament",
    "n_cores",
    "play_all",
    "play_fixture",
]
