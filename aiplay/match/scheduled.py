"""One game of a match: a game that has to be played, and its result.

Both are plain data that pickles small, so any process on any machine can play a game:

    ScheduledGame(number, deal, seed, game, specs, seating)      play_scheduled(scheduled) -> GameResult
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiplay._core.stream import RandomStream, seed_below
from aiplay.match.adjust import Adjust, luck_in
from aiplay.registry import make_player
from aiplay.table import Table

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.record import Record

__all__ = ["GameResult", "ScheduledGame", "play_scheduled"]

OPENING_SEED = 999_999  # the stream of random openings is derived from the table's seed and this number
PLAYER_SEEDS = 1_000_000  # the players' seeds are derived from the table's seed, from this number on


@dataclass(frozen=True)
class ScheduledGame:
    """One game of a match, with all that is needed to play it anywhere."""

    number: int  # of the game in the match, from 0
    deal: int  # games of one deal have the same seed and differ only in their seating
    seed: int  # of the table
    game: Game  # pickles as its class and options
    specs: tuple[str, ...]  # by seat: the player's specification
    seating: tuple[int, ...]  # by seat: the player's number in the match
    adjust: Adjust = False  # how the result tells the luck of chance
    opening: int = 0  # random moves at the start, the same in all games of a deal


@dataclass(frozen=True)
class GameResult:
    """One finished game. Every tuple but the record has an entry for each seat."""

    scheduled: ScheduledGame
    returns: tuple[float, ...]
    moves: tuple[int, ...]  # moves made, forced ones included, without the opening
    seconds: tuple[float, ...]  # total time spent on them
    iterations: tuple[int | None, ...]  # total search iterations; None for a player that does not search
    record: tuple[int, ...]  # every move of the table, those of chance included
    luck: tuple[tuple[float, ...], ...] = ()  # of every seat, for each kind of value; empty unless adjusted

    def to_record(self) -> Record:
        """Return the record of the game, with the players of all seats."""
        from aiplay.record import Record  # here, not above: playing a match needs none

        scheduled = self.scheduled
        options = dict(scheduled.game.options)
        return Record(scheduled.game.name, options, scheduled.seed, self.record, scheduled.specs)


def play_scheduled(scheduled: ScheduledGame) -> GameResult:
    """Play one game. The result depends on nothing else, so any process can play it, in any order."""
    seats = range(scheduled.game.seats)
    table = Table(scheduled.game, seed=scheduled.seed)
    _play_opening(table, scheduled)
    first_seed = PLAYER_SEEDS + scheduled.number * scheduled.game.seats
    players = [
        make_player(spec, seed=seed_below(scheduled.seed, first_seed + seat))
        for seat, spec in enumerate(scheduled.specs)
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
        scheduled,
        returns=tuple(table.returns()),
        moves=tuple(moves),
        seconds=tuple(seconds),
        iterations=tuple(player.iterations_spent for player in players),
        record=table.moves,
        luck=luck_in(scheduled.game, table.moves, scheduled.adjust),
    )


def _play_opening(table: Table, scheduled: ScheduledGame) -> None:
    """Play the random moves at the start; if they end the game, both seatings of the deal end the same."""
    stream = RandomStream(seed_below(scheduled.seed, OPENING_SEED))
    for _ in range(scheduled.opening):
        if not table.over:
            table.play(stream.choice(table.legal_moves()))
