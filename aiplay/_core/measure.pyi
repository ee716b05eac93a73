from typing import SupportsIndex, TypedDict, type_check_only

from aiplay._core.game import State, View

@type_check_only
class Survey(TypedDict):
    games: int
    unfinished: int
    moves: float
    decisions: float
    longest: int
    branching: float
    widest: int
    returns: list[float]

def copy_states(state: State, n: int) -> None: ...
def generate_moves(state: State, n: int) -> int: ...
def sample_worlds(view: View, n: int, seed: SupportsIndex | None = 0) -> None: ...
def random_games(state: State, n: int, seed: SupportsIndex | None = 0) -> int: ...
def survey(state: State, n: int, seed: SupportsIndex | None = 0) -> Survey: ...
def perft(state: State, depth: int) -> int: ...
