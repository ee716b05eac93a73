"""Which games a match consists of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, count
from typing import TYPE_CHECKING

from aiplay._core.stream import RandomStream, seed_below
from aiplay.match.fixture import Fixture

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["A", "B", "arrangements", "compares_teams", "duel_fixtures", "meetings", "tournament_fixtures"]

A, B = 0, 1  # the two sides of a duel


def compares_teams(game: Game) -> bool:
    """Whether the sides do not meet but play the same deals one after the other: cooperative and solo games."""
    return game.is_cooperative or game.seats == 1


def arrangements(game: Game, players: Sequence[int] = (A, B)) -> list[tuple[int, ...]]:
    """Every way in which players (at most one for each seat) are seated on one deal, so that no seat favours any.

    Two players at two seats: both orders. More seats are filled with the players in turn, turned around the table,
    and the players exchanged, until all have had the same places.
    """
    if compares_teams(game):
        return [(player,) * game.seats for player in players]
    n = len(players)
    in_turn = [seat % n for seat in range(game.seats)]
    turned = [in_turn[shift:] + in_turn[:shift] for shift in range(game.seats)]
    exchanged = [
        tuple(players[(place + shift) % n] for place in places) for shift in range(n) for places in turned
    ]
    return list(dict.fromkeys(exchanged))


def meetings(game: Game, n_players: int) -> list[tuple[int, ...]]:
    """Who meets whom in a tournament: as many as there are seats, in every combination; all of them if they fit."""
    if compares_teams(game) or n_players <= game.seats:
        return [tuple(range(n_players))]
    return list(combinations(range(n_players), game.seats))


def duel_fixtures(game: Game, specs: tuple[str, str], n_games: int, seed: int) -> Iterator[Fixture]:
    """The games of a duel: at least `n_games`, as many as complete the last pair."""
    seatings = arrangements(game)
    n_pairs = -(-n_games // len(seatings))
    for pair in range(n_pairs):
        table_seed = seed_below(seed, pair)
        for index, sides in enumerate(seatings):
            number = pair * len(seatings) + index
            yield Fixture(number, pair, table_seed, game, tuple(specs[side] for side in sides), sides)


def tournament_fixtures(
    games: Sequence[Game], specs: Sequence[str], n_games: int, seed: int
) -> Iterator[Fixture]:
    """The games of a tournament: for each game and meeting at least `n_games`, as many as complete the last deal.

    In cooperative games any two teams have played as many games together.

    They come in rounds, one deal of each game and meeting after the other, so that a part of a tournament is
    balanced, too. Who sits next to whom at a table of three and more is drawn for every deal.
    """
    rounds = {
        (number, players): -(-n_games // _games_of_two(game, players))
        for number, game in enumerate(games)
        for players in meetings(game, len(specs))
    }
    numbers, pairs = count(), count()
    for round_number in range(max(rounds.values())):
        for (game_number, players), n_rounds in rounds.items():
            if round_number < n_rounds:
                game, pair = games[game_number], next(pairs)
                table_seed = seed_below(seed, pair)
                for sides in arrangements(game, _neighbours(game, players, table_seed)):
                    seated = tuple(specs[side] for side in sides)
                    yield Fixture(next(numbers), pair, table_seed, game, seated, sides)


def _games_of_two(game: Game, players: Sequence[int]) -> int:
    """How many games two of the players get from a deal."""
    return 2 if compares_teams(game) else len(arrangements(game, players))


def _neighbours(game: Game, players: Sequence[int], table_seed: int) -> Sequence[int]:
    """The order of players around the table."""
    if compares_teams(game) or len(players) < 3:
        return players  # nothing to choose: arrangements have every order
    return RandomStream(seed_below(table_seed, 0)).shuffled(players)
