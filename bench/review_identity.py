"""Luck, skill and others add up to the result: ``python bench/review_identity.py [--games 2000] [--game G ...]``.

Random games of every game, shared out over its numbers of seats. The deviation is the largest over all seats: of
result - initial from luck + skill + others, where the result is the game's return on the scale of values. Positions are
valued by the game's evaluation, positions before chance by 8 ends of its run (a review takes 64); in games that hide
something, any legal move is taken for the best one. docs/review.md has the mathematics.
"""

from __future__ import annotations

import argparse

import aiplay
from aiplay._core.stream import seed_below
from aiplay.review.accounts import accounts_of, changes
from aiplay.review.values import Referee, by_evaluation

ENDS = 8


def random_game(game: aiplay.Game, seed: int) -> aiplay.Table:
    """Return a finished game of random moves."""
    table, stream = aiplay.Table(game, seed=seed), aiplay.RandomStream(seed_below(seed, 1))
    while not table.over:
        moves = table.legal_moves()
        table.play(moves[stream.below(len(moves))])
    return table


def deviation(game: aiplay.Game, seed: int) -> float:
    """Return the largest deviation of a seat in one random game."""
    table, referee = random_game(game, seed), Referee(game, by_evaluation, ends=ENDS)
    found = changes(game, table.moves, referee, lambda state, move: state.legal_moves()[move % 2])
    accounts = accounts_of(game, found, referee.value(game.new_state()))
    span = game.max_return - game.min_return
    results = [(got - game.min_return) / span for got in table.returns()]
    return max(
        abs(result - one.initial - one.luck - one.skill - one.others)
        for one, result in zip(accounts, results, strict=True)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=2000, help="games of each game (default: 2000)")
    parser.add_argument("--game", nargs="+", default=aiplay.game_names(), help="games (default: all)")
    given = parser.parse_args()
    print("| game | seats | games | largest deviation |\n| --- | --- | --- | --- |")
    for name in given.game:
        low, high = aiplay.load_game(name).seat_range
        for seats in range(low, high + 1):
            game = aiplay.load_game(name, **({} if low == high else {"players": seats}))
            n = -(-given.games // (high - low + 1))
            worst = max(deviation(game, seed_below(seats, number)) for number in range(n))
            print(f"| {name} | {seats} | {n} | {worst:.0e} |", flush=True)


if __name__ == "__main__":
    main()
