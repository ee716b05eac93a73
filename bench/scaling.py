"""How matches scale with the number of workers: `python bench/scaling.py [--json]`.

Plays the same games in this process, on worker processes, and on two Dask workers (it starts a cluster). Measures games
per second, and the processor time of all processes per game, which does not depend on other load. Games that take no
time show the overhead of a game in this process and in the scheduler of Dask. Also measures how many finished games per
second the store keeps. The best of several rounds counts. Needs psutil, which comes with Dask. docs/scaling.md explains
the figures.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

import psutil

from aiplay.match import DaskCluster, Duel, ProcessPool, Store, play_all

Make = Callable[[], contextlib.AbstractContextManager[Executor | None]]
BEST = {"games/s": max, "ms in all": min, "ms here": min, "ms scheduler": min}


class LocalDask(DaskCluster):
    """A Dask cluster on this machine: a scheduler, and workers with one thread each."""

    def __init__(self, n_workers: int) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._processes: list[subprocess.Popen[bytes]] = []
        file = Path(self._folder.name) / "scheduler.json"
        self._start("scheduler", "--port", "0")
        for _ in range(n_workers):
            self._start("worker", "--nthreads", "1", "--no-nanny")
        while not file.exists():
            time.sleep(0.05)
        super().__init__(json.loads(file.read_text())["address"])
        self._client.wait_for_workers(n_workers)

    def _start(self, *arguments: str) -> None:
        here = ("--host", "127.0.0.1", "--no-dashboard")
        file = ("--scheduler-file", f"{self._folder.name}/scheduler.json")
        command = [sys.executable, "-m", "dask", *arguments, *here, *file]
        quiet = subprocess.DEVNULL
        self._processes.append(subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=self._folder.name))

    @property
    def scheduler(self) -> psutil.Process:
        """The process of the scheduler."""
        return psutil.Process(self._processes[0].pid)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End everything."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        for process in reversed(self._processes):
            process.terminate()
            process.wait()
        self._folder.cleanup()


def processor_time(*processes: psutil.Process) -> float:
    """Return the processor seconds that these processes have used."""
    times = [process.cpu_times() for process in processes]
    return float(sum(time.user + time.system for time in times))


def play(duel: Duel, executor: Executor | None) -> dict[str, float]:
    """Measure one run, on workers that have been started before."""
    here = psutil.Process()
    groups = {"ms here": [here], "ms in all": [here, *here.children(recursive=True)], "ms scheduler": []}
    if isinstance(executor, LocalDask):
        groups["ms scheduler"] = [executor.scheduler]
    before = {name: processor_time(*processes) for name, processes in groups.items()}
    started = time.perf_counter()
    n = sum(1 for _ in play_all(duel.schedule, executor))
    seconds = time.perf_counter() - started
    costs = {name: 1000 * (processor_time(*group) - before[name]) / n for name, group in groups.items()}
    return {"games/s": n / seconds, **costs}


def commits_per_second(seconds: float) -> float:
    """Return how many finished games the store keeps per second, each in its own transaction."""
    duel = Duel("illusio", "random", "random", games=2, seed=1)
    result = next(iter(play_all(duel.schedule)))
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.create(Path(folder) / "match.db", duel.description()) as store,
    ):
        started, n = time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            store.add([replace(result, scheduled=replace(result.scheduled, number=n))], 0.0)
            n += 1
        return n / (time.perf_counter() - started)


def measure(rounds: int, n_games: int) -> dict[str, dict[str, float]]:
    """Return games per second on every executor, and the overhead of games that take no time."""
    makes: dict[str, Make] = {
        "this process": contextlib.nullcontext,
        "1 process": lambda: ProcessPool(1),
        "2 processes": lambda: ProcessPool(2),
        "2 Dask workers": lambda: LocalDask(2),
    }
    warm = Duel("illusio", "random", "random", games=8, seed=1)
    real = Duel("illusio", "mcts:iterations=1000", "mcts:iterations=1000", games=n_games, seed=1)
    empty = Duel("pig", "random", "random", games=1000, seed=1)
    found: dict[str, dict[str, float]] = {name: {} for name in makes}
    for _ in range(rounds):
        for name, make in makes.items():
            with make() as executor:
                play(warm, executor)
                on_real = play(real, executor)
                figures = {**play(empty, executor), **{key: on_real[key] for key in ("games/s", "ms in all")}}
            for key, figure in figures.items():
                found[name][key] = BEST[key](figure, found[name].get(key, figure))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure how matches scale with the number of workers.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of measurements (3)")
    parser.add_argument("--games", type=int, default=40, help="games of a measurement (40)")
    arguments = parser.parse_args()
    found = measure(arguments.rounds, arguments.games)
    commits = max(commits_per_second(1.0) for _ in range(arguments.rounds))
    if arguments.json:
        print(json.dumps({"executors": found, "commits per second": commits}, indent=2))
        return
    alone = found["this process"]
    print(f"{'':<16} {'games/s':>8} {'speed-up':>9} {'efficiency':>11} {'ms here':>8} {'ms scheduler':>13}")
    for name, row in found.items():
        speed = f"{row['games/s']:>8.2f} {row['games/s'] / alone['games/s']:>8.2f}x"
        efficiency = f"{alone['ms in all'] / row['ms in all']:>11.0%}"
        print(f"{name:<16} {speed} {efficiency} {row['ms here']:>8.2f} {row['ms scheduler']:>13.2f}")
    print(f"finished games that the store keeps: {commits:,.0f} per second")


if __name__ == "__main__":
    main()
