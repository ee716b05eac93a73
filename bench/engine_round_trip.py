"""Speed of `aiplay engine`: `python bench/engine_round_trip.py [--json]`.

One engine process, driven through its pipes like by a front end. Round trips: one query at a time, from writing the
query to reading the answer. Throughput: queries sent without waiting for answers. Tables: many games at once in one
engine, one query per table at a time, until all games are over.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from typing import Any

from timing import milliseconds

PLAYERS = ("random", "greedy")
Answer = dict[str, Any]


class Client:
    """An engine process."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "aiplay.cli", "engine"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, **query: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(query).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Answer:
        assert self.process.stdout is not None
        answer: Answer = json.loads(self.process.stdout.readline())
        if not answer["ok"]:
            raise RuntimeError(answer["error"])
        return answer

    def ask(self, **query: object) -> Answer:
        self.send(**query)
        return self.receive()

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def round_trips(client: Client, queries: int, **query: object) -> dict[str, float]:
    """Time one query after the other."""
    times = []
    for number in range(queries + 50):
        started = time.perf_counter()
        client.ask(id=number, **query)
        times.append(time.perf_counter() - started)
    return milliseconds(times[50:])  # the first 50 are warm-up


def throughput(client: Client, queries: int, **query: object) -> float:
    """Measure queries per second, sent without waiting for answers."""

    def write() -> None:
        for number in range(queries):
            client.send(id=number, **query)

    started = time.perf_counter()
    writer = threading.Thread(target=write)
    writer.start()
    for _ in range(queries):
        client.receive()
    writer.join()
    return queries / (time.perf_counter() - started)


def play_tables(client: Client, game: str, player: str, tables: int) -> dict[str, float]:
    """Play games on many tables at once; the answer to a table's query triggers its next one."""
    started, moves, over = time.perf_counter(), 0, 0
    for number in range(tables):
        client.send(id=number, action="new_table", game=game, table=str(number), seed=number)
    while over < tables:
        answer = client.receive()
        table = str(answer["id"])
        if "seconds" in answer:
            client.send(id=answer["id"], action="play", table=table, move=answer["move"])
        elif "closed" in answer:
            over += 1
        elif answer["over"]:
            moves += "move" in answer
            client.send(id=answer["id"], action="close", table=table)
        else:
            moves += "move" in answer
            client.send(id=answer["id"], action="choose", table=table, player=player, seed=moves)
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "moves": moves, "moves/s": moves / seconds}


def measure(queries: int, tables: int, games: list[str]) -> dict[str, Any]:
    """Run all measurements."""
    client = Client()
    client.ask(id=0, action="new_table", game="connect_four", table="t", seed=1)
    choose = {"action": "choose", "table": "t", "player": "random"}
    view = client.ask(id=0, action="view", table="t")["view"]
    stateless = {"action": "choose", "view": view, "player": "random"}
    results: dict[str, Any] = {
        "version": round_trips(client, queries, action="version"),
        "choose, random, a table of the engine": round_trips(client, queries, **choose),
        "choose, random, the whole view in the query": round_trips(client, queries, **stateless),
        "throughput": {"queries/s": throughput(client, queries, **choose)},
    }
    for game in games:
        for player in PLAYERS:
            results[f"{tables} tables of {game}, {player}"] = play_tables(client, game, player, tables)
    client.close()
    return results


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure round trips and many tables of the engine.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--queries", type=int, default=5000, help="round trips of each kind (5000)")
    parser.add_argument("--tables", type=int, default=100, help="tables at once (100)")
    parser.add_argument("--games", nargs="+", default=["connect_four", "illusio"], help="games to play")
    arguments = parser.parse_args()
    results = measure(arguments.queries, arguments.tables, arguments.games)
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    for name, numbers in results.items():
        print(f"{name:<46}", ", ".join(f"{key} {value:,.3g}" for key, value in numbers.items()))


if __name__ == "__main__":
    main()
