"""Which games a match consists of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiplay._core.stream import seed_below
from aiplay.match.fixture import Fixture

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["A", "B", "arrangements", "compares_teams", "duel_fixtures"]

A, B = 0, 1  # the two sides of a duel


def compares_teams(game: Game) -> bool:
    """Whether the sides do not meet but play the same deals one after the other: cooperative and solo games."""
    return game.is_cooperative or game.seats == 1


def arrangements(game: Game) -> list[tuple[int, ...]]:
    """Every way in which the two sides are seated on one deal, so that no seat favours a side.

    Two seats: both orders. More seats are filled with A and B in turn, and turned around the table until both
    sides have had all the same places.
    """
    if compares_teams(game):
        return [(A,) * game.seats, (B,) * game.seats]
    in_turn = tuple(seat % 2 for seat in range(game.seats))
    turned = [in_turn[shift:] + in_turn[:shift] for shift in range(game.seats)]
    exchanged = [tuple(1 - side for side in sides) for sides in turned]
    return list(dict.fromkeys(turned + exchanged))


def duel_fixtures(game: Game, specs: tuple[str, str], n_games: int, seed: int) -> Iterator[Fixture]:
    """The games of a duel: at least `n_games`, as many as complete the last pair."""
    seatings = arrangements(game)
    n_pairs = -(-n_games // len(seatings))
    for pair in range(n_pairs):
        table_seed = seed_below(seed, pair)
        for index, sides in enumerate(seatings):
            number = pair * len(seatings) + index
            yield Fixture(number, pair, table_seed, game, tuple(specs[side] for side in sides), sides)
