"""Speed-up of mcts or expectimax by a second thread: `python bench/threads.py [--json] [--player expectimax]`.

Iterations per second of wall time with one thread, with two (a tree for each), and of two processes with one thread
each at the same time, the most that the machine can give. Measured in turn; the best round of each counts. Other work
on the machine slows processes as much as threads, so compare these two. The last column does not depend on it:
iterations per second of processor time with two threads, as a share of those with one.

expectimax: seconds of wall time to search some positions to a depth, with one thread and with two.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from multiprocessing.synchronize import Barrier

import aiplay

GAMES = ("connect_four", "pig", "leduc_poker", "illusio", "levitation")
DEPTHS = {"connect_four": 11, "three_magicians": 5, "illusio": 3}  # of expectimax
POSITIONS = 4  # for each of them
OPENING = 8  # random moves before


def iterations_per_second(name: str, threads: int, seconds: float) -> tuple[float, float]:
    """Search the first decision once; return rates by wall time and by processor time."""
    table = aiplay.Table(aiplay.load_game(name), seed=1)
    player = aiplay.make_player(f"mcts:threads={threads},reuse=no", seed=1)
    started = time.process_time()
    analysis = player.analyse(table.view(table.to_move), aiplay.Limit(time=seconds))
    return analysis.iterations_per_second, analysis.iterations / (time.process_time() - started)


def worker(
    name: str, seconds: float, rounds: int, barrier: Barrier, results: multiprocessing.SimpleQueue[float]
) -> None:
    """Search whenever both processes are ready."""
    for _ in range(rounds):
        barrier.wait()
        results.put(iterations_per_second(name, 1, seconds)[0])


def measure(name: str, seconds: float, rounds: int) -> dict[str, float]:
    """Return the best rate of each kind."""
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(3), context.SimpleQueue()
    processes = [
        context.Process(target=worker, args=(name, seconds, rounds, barrier, results)) for _ in range(2)
    ]
    for process in processes:
        process.start()
    one, two, both = [], [], []
    for _ in range(rounds):
        one.append(iterations_per_second(name, 1, seconds))
        two.append(iterations_per_second(name, 2, seconds))
        barrier.wait()
        both.append(results.get() + results.get())
    for process in processes:
        process.join()
    return {
        "one thread": max(wall for wall, _ in one),
        "two threads": max(wall for wall, _ in two),
        "two processes": max(both),
        "processor time": max(cpu for _, cpu in two) / max(cpu for _, cpu in one),
    }


# ---- expectimax ------------------------------------------------------------------------------------------------------


def positions(name: str) -> list[aiplay.View]:
    """Return decisions with a choice, after random moves."""
    found: list[aiplay.View] = []
    stream = aiplay.RandomStream(1)
    while len(found) < POSITIONS:
        table = aiplay.Table(aiplay.load_game(name), seed=stream.bits())
        for _ in range(OPENING):
            if not table.over:
                table.play(stream.choice(table.legal_moves()))
        if not table.over and len(table.legal_moves()) > 2:
            found.append(table.view(table.to_move))
    return found


def seconds_to_depth(name: str, views: list[aiplay.View], threads: int, is_choosing: bool) -> float:
    """Search all positions; return the seconds of wall time."""
    started = time.perf_counter()
    for view in views:
        player = aiplay.make_player(f"expectimax:depth={DEPTHS[name]},threads={threads}", seed=1)
        if is_choosing:
            player.choose(view)
        else:
            player.analyse(view)
    return time.perf_counter() - started


def measure_expectimax(rounds: int) -> dict[str, dict[str, float]]:
    """Return the best times of each kind."""
    results = {}
    for name in DEPTHS:
        views = positions(name)
        for method in ("choose", "analyse"):
            times: dict[int, list[float]] = {1: [], 2: []}
            for _ in range(rounds):
                for threads, found in times.items():
                    found.append(seconds_to_depth(name, views, threads, method == "choose"))
            results[f"{name} {method}"] = {"one thread": min(times[1]), "two threads": min(times[2])}
    return results


def print_expectimax(results: dict[str, dict[str, float]]) -> None:
    """Print seconds and speed-up."""
    print(f"{'seconds':<26} {'one thread':>11} {'two threads':>12}")
    for name, best in results.items():
        one, two = best.values()
        print(f"{name:<26} {one:>11.3f} {two:>12.3f} {one / two:>6.2f}x")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="Measure mcts with one thread, two threads and two processes."
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a search (0.5)")
    parser.add_argument("--rounds", type=int, default=7, help="measurements of everything (7)")
    parser.add_argument("--player", choices=("mcts", "expectimax"), default="mcts", help="(mcts)")
    arguments = parser.parse_args()
    if arguments.player == "expectimax":
        found = measure_expectimax(arguments.rounds)
        print(json.dumps(found, indent=2)) if arguments.json else print_expectimax(found)
        return
    results = {name: measure(name, arguments.seconds, arguments.rounds) for name in GAMES}
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    print(
        f"{'iterations/s':<14} {'one thread':>11} {'two threads':>19} {'two processes':>19} {'of that':>8}"
        f" {'per cpu s':>10}"
    )
    for name, best in results.items():
        one, two, processes, share = best.values()
        print(
            f"{name:<14} {one:>11,.0f} {two:>11,.0f} {two / one:>6.2f}x {processes:>11,.0f}"
            f" {processes / one:>6.2f}x {two / processes:>8.0%} {share:>10.0%}"
        )


if __name__ == "__main__":
    main()
