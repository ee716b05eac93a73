"""Do searches disturb an event loop, or each other? `python bench/event_loop.py [--json]`.

Ticks: a task in the loop repeatedly sleeps for 5 ms. How late does it wake up while searches run beside the loop with
`aiplay.aio` (and, for comparison, inside the loop)? A game written in Python needs the GIL for every step, so it
disturbs the loop more than a compiled game.

Threads: iterations per second of one search, and of two searches at once in two Python threads. Ideally two searches
make twice as many per second of wall time, and as many per second of processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import threading
import time
from pathlib import Path

from timing import milliseconds

import aiplay
from aiplay import aio

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from high_card import HighCard

TICK = 0.005


def view_of(game: aiplay.Game) -> aiplay.View:
    table = aiplay.Table(game, seed=1)
    return table.view(table.to_move)


async def ticks(seconds: float, late: list[float]) -> None:
    """Record how late the loop wakes up this task."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while loop.time() < end:
        due = loop.time() + TICK
        await asyncio.sleep(TICK)
        late.append(loop.time() - due)


async def beside(game: aiplay.Game, searches: int, seconds: float) -> list[float]:
    """Measure lateness while searches run in threads."""
    late: list[float] = []
    limit = aiplay.Limit(time=seconds)
    players = [aiplay.make_player("mcts:reuse=no", seed=seed) for seed in range(searches)]
    await asyncio.gather(
        ticks(seconds, late), *(aio.analyse(player, view_of(game), limit) for player in players)
    )
    return late


async def inside(game: aiplay.Game, seconds: float) -> list[float]:
    """Measure lateness while the loop itself searches, 0.2 s at a time."""
    late: list[float] = []
    player = aiplay.make_player("mcts:time=0.2,reuse=no,early_stop=no", seed=1)
    ticking = asyncio.create_task(ticks(seconds, late))
    while not ticking.done():
        await asyncio.sleep(0)
        player.choose(view_of(game))
    return late


def searched(game: aiplay.Game, threads: int, seconds: float) -> tuple[float, float]:
    """Measure iterations of all threads together, per second of wall time and of processor time."""
    counts = []

    def search(seed: int) -> None:
        player = aiplay.make_player("mcts:reuse=no", seed=seed)
        counts.append(player.analyse(view_of(game), aiplay.Limit(time=seconds)).iterations)

    workers = [threading.Thread(target=search, args=(seed,)) for seed in range(threads)]
    wall, cpu = time.perf_counter(), time.process_time()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return sum(counts) / wall, sum(counts) / cpu


def speed(game: aiplay.Game, seconds: float, rounds: int) -> dict[str, float]:
    """Measure one and two threads alternately; report the best round of each."""
    one, two = [], []
    for _ in range(rounds):
        one.append(searched(game, 1, seconds))
        two.append(searched(game, 2, seconds))
    return {
        "one thread, iterations/s": max(wall for wall, _ in one),
        "two threads, iterations/s": max(wall for wall, _ in two),
        "ratio": max(wall for wall, _ in two) / max(wall for wall, _ in one),
        "ratio per processor time": max(cpu for _, cpu in two) / max(cpu for _, cpu in one),
    }


def measure(seconds: float, rounds: int) -> dict[str, dict[str, float]]:
    illusio = aiplay.load_game("illusio")
    results = {"nothing beside": milliseconds(asyncio.run(beside(illusio, 0, seconds)))}
    for searches in (1, 2, 4):
        results[f"illusio, {searches} beside"] = milliseconds(asyncio.run(beside(illusio, searches, seconds)))
    results["high_card (Python), 1 beside"] = milliseconds(asyncio.run(beside(HighCard(), 1, seconds)))
    results["illusio, inside the loop"] = milliseconds(asyncio.run(inside(illusio, seconds)))
    for name in ("illusio", "connect_four"):
        results[f"{name}, threads"] = speed(aiplay.load_game(name), 0.5, rounds)
    return results


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure an event loop beside searches.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds for each case (5)")
    parser.add_argument("--rounds", type=int, default=7, help="measurements of the threads (7)")
    arguments = parser.parse_args()
    results = measure(arguments.seconds, arguments.rounds)
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    for name, numbers in results.items():
        print(f"{name:<30}", ", ".join(f"{key} {value:,.3g}" for key, value in numbers.items()))


if __name__ == "__main__":
    main()
