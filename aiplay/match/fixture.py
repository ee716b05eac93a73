"""One game of a match: what has to be played, and what came of it.

Both are plain data that pickles small, so that any process on any machine can play a game:

    Fixture(number, pair, seed, game, specs, sides)      play_fixture(fixture) -> GameResult
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiplay._core.stream import seed_below
from aiplay.registry import make_player
from aiplay.table import Table

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["Fixture", "GameResult", "play_fixture"]

PLAYER_SEEDS = 1_000_000  # the first of the seeds below a table's seed that players get


@dataclass(frozen=True)
class Fixture:
    """One game of a match, complete enough to be played anywhere."""

    number: int  # of the game in the match, from 0
    pair: int  # fixtures with the same number have the same deal and dice, and differ only in who sits where
    seed: int  # of the table
    game: Game  # pickles as its class and options; a process that gets it often loads it once
    specs: tuple[str, ...]  # the player at each seat
    sides: tuple[int, ...]  # the same as numbers: which player of the match sits at each seat


@dataclass(frozen=True)
class GameResult:
    """One finished game; every tuple but the record has a value for each seat."""

    fixture: Fixture
    returns: tuple[float, ...]
    moves: tuple[int, ...]  # how many the seat made, forced ones included
    seconds: tuple[float, ...]  # how long it thought, altogether
    iterations: tuple[int | None, ...]  # what its searches spent; None for a player that does not search
    record: tuple[int, ...]  # every move of the table, those of chance included


def play_fixture(fixture: Fixture) -> GameResult:
    """Play one game. It depends on nothing but the fixture: any process can do it, in any order."""
    seats = range(fixture.game.seats)
    table = Table(fixture.game, seed=fixture.seed)
    first_seed = PLAYER_SEEDS + fixture.number * fixture.game.seats
    players = [
        make_player(spec, seed=seed_below(fixture.seed, first_seed + seat))
        for seat, spec in enumerate(fixture.specs)
    ]
    moves, seconds = [0 for _ in seats], [0.0 for _ in seats]
    while not table.over:
        seat = table.to_move
        view = table.view(seat)
        started = time.perf_counter()
        move = players[seat].choose(view)
        seconds[seat] += time.perf_counter() - started
        moves[seat] += 1
        table.play(move)
    return GameResult(
        fixture,
        returns=tuple(table.returns()),
        moves=tuple(moves),
        seconds=tuple(seconds),
        iterations=tuple(player.iterations_spent for player in players),
        record=table.moves,
    )
