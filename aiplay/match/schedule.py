"""The games of a match: who sits where on which deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, count
from math import comb
from typing import TYPE_CHECKING

from aiplay._core.stream import RandomStream, seed_below
from aiplay.match.scheduled import ScheduledGame

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = [
    "MAX_GAMES",
    "MAX_OPENING",
    "A",
    "B",
    "compares_teams",
    "meetings",
    "n_meetings",
    "schedule_duel",
    "schedule_tournament",
    "seatings",
]

A, B = 0, 1  # the two sides of a duel
MAX_GAMES = 1_000_000  # of a match: its whole schedule is kept in memory
MAX_OPENING = 1000  # random moves at the start of a deal


def compares_teams(game: Game) -> bool:
    """True if players do not meet but play the same deals one after the other: cooperative and solo games."""
    return game.is_cooperative or game.seats == 1


def seatings(game: Game, players: Sequence[int] = (A, B)) -> list[tuple[int, ...]]:
    """Return the seatings of a deal, chosen so that no player has an advantage from its seats.

    Before: at most one player for each seat. Two players at two seats sit in both orders. At more seats the players
    fill the seats in turn, in every rotation and with the players exchanged. Teams take all seats, one after the other.
    """
    if compares_teams(game):
        return [(player,) * game.seats for player in players]
    n = len(players)
    in_turn = [seat % n for seat in range(game.seats)]
    rotations = [in_turn[shift:] + in_turn[:shift] for shift in range(game.seats)]
    exchanged = [
        tuple(players[(place + shift) % n] for place in places) for shift in range(n) for places in rotations
    ]
    return list(dict.fromkeys(exchanged))


def meetings(game: Game, n_players: int) -> list[tuple[int, ...]]:
    """Return who meets whom in a tournament: every combination that fills the seats, or all players if they fit."""
    if compares_teams(game) or n_players <= game.seats:
        return [tuple(range(n_players))]
    return list(combinations(range(n_players), game.seats))


def n_meetings(game: Game, n_players: int) -> int:
    """Return the number of meetings without listing them."""
    if compares_teams(game) or n_players <= game.seats:
        return 1
    return comb(n_players, game.seats)


def schedule_duel(
    game: Game, specs: tuple[str, str], n_games: int, seed: int, opening: int = 0
) -> Iterator[ScheduledGame]:
    """Yield the games of a duel: `n_games`, and as many more as complete the last deal."""
    all_seatings = seatings(game)
    n_deals = -(-n_games // len(all_seatings))
    for deal in range(n_deals):
        table_seed = seed_below(seed, deal)
        for index, seating in enumerate(all_seatings):
            number = deal * len(all_seatings) + index
            seated = tuple(specs[side] for side in seating)
            yield ScheduledGame(number, deal, table_seed, game, seated, seating, opening=opening)


def schedule_tournament(
    games: Sequence[Game], specs: Sequence[str], n_games: int, seed: int
) -> Iterator[ScheduledGame]:
    """Yield the games of a tournament: `n_games` for each game and meeting, and as many more as complete the last deal.

    In cooperative games any two teams play `n_games` between them.

    Games come in rounds of one deal for each game and meeting, so that an unfinished tournament is balanced as well.
    At tables of three and more, neighbours are drawn anew for every deal.
    """
    rounds = {
        (number, players): -(-n_games // _games_of_two(game, players))
        for number, game in enumerate(games)
        for players in meetings(game, len(specs))
    }
    numbers, deals = count(), count()
    for round_number in range(max(rounds.values())):
        for (game_number, players), n_rounds in rounds.items():
            if round_number < n_rounds:
                game, deal = games[game_number], next(deals)
                table_seed = seed_below(seed, deal)
                for seating in seatings(game, _neighbours(game, players, table_seed)):
                    seated = tuple(specs[player] for player in seating)
                    yield ScheduledGame(next(numbers), deal, table_seed, game, seated, seating)


def _games_of_two(game: Game, players: Sequence[int]) -> int:
    """Return how many games of a deal are between two given players."""
    return 2 if compares_teams(game) else len(seatings(game, players))


def _neighbours(game: Game, players: Sequence[int], table_seed: int) -> Sequence[int]:
    """Return the players in their order around the table."""
    if compares_teams(game) or len(players) < 3:
        return players  # the seatings contain every order already
    return RandomStream(seed_below(table_seed, 0)).shuffled(players)
