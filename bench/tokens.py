"""Tokens of decisions: how long they are, what they cost, and how many are repeated exactly.

``python bench/tokens.py [--decisions N]`` plays every game with every searching player, limited to 20 ms a move, and
repeats each decision with another number of threads.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator

import aiplay

PLAYERS = ("greedy", "mcts", "mcts:threads=2", "expectimax", "mixed")
LIMIT = aiplay.Limit(time=0.02)


def decisions(name: str, spec: str, count: int) -> Iterator[tuple[str, float, int]]:
    """Yield the token of each decision, the seconds to make it, and the move."""
    table, players = aiplay.Table(aiplay.load_game(name), seed=1), list[aiplay.Player]()
    players = [aiplay.make_player(spec, seed=seat) for seat in range(table.game.seats)]
    for number in range(count):
        if table.over:
            table = aiplay.Table(table.game, seed=number)
        player = players[table.to_move]
        move = player.choose(table.view(table.to_move), LIMIT)
        started = time.perf_counter()
        token = player.token
        yield token, time.perf_counter() - started, move
        table.play(move)


def main() -> None:
    """Measure, and print a row for each game and player."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=40)
    count = parser.parse_args().decisions
    print("| game | player | decisions | the same | characters: median, longest | microseconds to make |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in aiplay.game_names():
        for spec in PLAYERS:
            found = list(decisions(name, spec, count))
            same = sum(
                (again := aiplay.explain(token, threads=1 + number % 3)).is_same and again.move == move
                for number, (token, _, move) in enumerate(found)
            )
            sizes = [len(token) for token, _, _ in found]
            cost = 1e6 * statistics.median(seconds for _, seconds, _ in found)
            length = f"{statistics.median(sizes):.0f}, {max(sizes)}"
            print(f"| {name} | {spec} | {len(found)} | {same} | {length} | {cost:.0f} |")


if __name__ == "__main__":
    main()
