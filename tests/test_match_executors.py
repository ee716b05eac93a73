"""Games on processes, threads and a Dask cluster: the same results everywhere, every game counted once."""

import concurrent.futures
import contextlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

import aiplay
from aiplay.errors import MatchError, OptionError
from aiplay.match import DaskCluster, Duel, ProcessPool, play_all


def a_duel(games=30):
    return Duel("pig", "mcts:iterations=20", "greedy", games=games, seed=4)


def records(results):
    """Return record and iterations of every game by its number; no number occurs twice."""
    found = {result.scheduled.number: (result.record, result.iterations) for result in results}
    assert len(found) == len(results)
    return found


@pytest.fixture(scope="module")
def expected():
    """The games of a duel, played in this process."""
    return records(list(play_all(a_duel().schedule)))


# ---- Any executor ----------------------------------------------------------------------------------------------------


def test_threads_and_processes_give_the_same_games(expected):
    assert len(expected) == 30
    with ThreadPoolExecutor(3) as threads:
        assert records(list(play_all(a_duel().schedule, threads))) == expected
    with ProcessPool(2) as processes:
        assert records(list(play_all(a_duel().schedule, processes))) == expected


class ByHand(concurrent.futures.Executor):
    """An executor whose calls wait until a test finishes or loses them, in any order."""

    _max_workers = 3

    def __init__(self):
        self.waiting = []
        self.most = 0

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.waiting.append((future, fn, args))
        self.most = max(self.most, len(self.waiting))
        return future

    def finish(self, index):
        future, fn, args = self.waiting.pop(index)
        try:
            future.set_result(fn(*args))
        except Exception as problem:
            future.set_exception(problem)

    def lose(self, index, problem):
        future, _, _ = self.waiting.pop(index)
        future.set_exception(problem)


def drive(executor, act, results):
    """Take all results while `act` finishes calls in another thread."""
    done = threading.Event()

    def work():
        while not done.is_set():
            if executor.waiting:
                act()
            time.sleep(0.0005)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        return list(results)
    finally:
        done.set()
        thread.join()


def test_two_games_for_each_worker_are_under_way_and_may_finish_in_any_order(expected):
    executor = ByHand()
    results = drive(executor, lambda: executor.finish(-1), play_all(a_duel().schedule, executor))
    assert records(results) == expected
    assert executor.most <= 6  # two for each worker
    assert [result.scheduled.number for result in results] != sorted(expected)


class KilledWorker(Exception):  # noqa: N818
    """Named like the error by which Dask reports a task that was lost with several workers."""


def test_lost_games_are_played_again_and_counted_once(expected):
    executor = ByHand()
    turns = iter(range(10_000))

    def act():
        if next(turns) % 3 == 0:
            executor.lose(0, KilledWorker("tcp://10.0.0.1:1234"))
        else:
            executor.finish(-1)

    assert records(drive(executor, act, play_all(a_duel().schedule, executor))) == expected


def test_a_game_that_is_lost_repeatedly_ends_the_match():
    executor = ByHand()
    with pytest.raises(MatchError, match="game 0 was lost with its worker 3 times"):
        drive(executor, lambda: executor.lose(0, KilledWorker("x")), play_all(a_duel(2).schedule, executor))


def test_games_under_way_are_cancelled_when_the_iterator_is_closed():
    executor = ByHand()
    results = play_all(a_duel().schedule, executor)
    threading.Timer(0.05, executor.finish, [0]).start()
    next(results)
    results.close()
    assert executor.waiting
    assert all(future.cancelled() for future, _, _ in executor.waiting)


# ---- Games that fail -------------------------------------------------------------------------------------------------


class Broken(aiplay.PythonGame):
    """A game whose second move fails."""

    name = "broken"

    def setup(self) -> int:
        return 0

    def to_move(self, state):
        return state

    def legal_moves(self, state):
        return (0, 1)

    def play(self, state, move):
        if state == 1:
            raise ZeroDivisionError("on purpose")
        return 1


@pytest.mark.parametrize("make", [lambda: None, lambda: ThreadPoolExecutor(1)], ids=["here", "threads"])
def test_a_game_that_fails_ends_the_match_with_its_number(make):
    duel = Duel(Broken(), "random", "random", games=2, seed=1)
    with pytest.raises(MatchError, match=r"game 0 of the match \(broken, seed \d+\) failed: .*on purpose"):
        duel.play(make())


def test_a_game_that_cannot_be_imported_is_played_here_but_not_sent_to_processes():
    class Local(aiplay.PythonGame):
        name = "local"
        max_moves = 2

        def setup(self) -> int:
            return 2

        def to_move(self, state):
            return state - 1 if state else self.TERMINAL

        def legal_moves(self, state):
            return (0, 1)

        def play(self, state, move):
            return state - 1

        def returns(self, state):
            return (1, 0)

    duel = Duel(Local(), "mcts:iterations=10", "greedy", games=4, seed=1)
    assert duel.play().games == 4
    with ProcessPool(1) as pool, pytest.raises(MatchError, match=r"cannot be sent to a worker: .*Local"):
        Duel(Local(), "random", "random", games=2).play(pool)


def test_a_worker_with_another_version_is_refused():
    class Elsewhere(ByHand):
        def submit(self, fn, scheduled, version):
            return super().submit(fn, scheduled, "0.0.1")

    executor = Elsewhere()
    with pytest.raises(MatchError, match=r"a worker has aiplay .*, the match is played with aiplay 0\.0\.1"):
        drive(executor, lambda: executor.finish(0), play_all(a_duel(2).schedule, executor))


# ---- Processes -------------------------------------------------------------------------------------------------------


def test_a_pool_has_at_least_one_process():
    with pytest.raises(OptionError, match="at least 1"):
        ProcessPool(0)


def test_games_of_a_worker_that_dies_are_played_again(expected):
    with ProcessPool(2) as pool:
        results = play_all(a_duel().schedule, pool)
        found = [next(results)]
        victim = next(iter(pool._pool._processes.values()))
        victim.kill()
        found += results
    assert records(found) == expected
    assert not victim.is_alive()


CRASH = """
import os, aiplay
from aiplay.match import Duel, ProcessPool

class Crash(aiplay.PythonGame):
    name = "crash"
    def setup(self) -> int:
        return 0
    def to_move(self, state):
        return 0
    def legal_moves(self, state):
        os._exit(3)

if __name__ == "__main__":
    with ProcessPool(1) as pool:
        try:
            Duel(Crash(), "random", "random", games=2, seed=1).play(pool)
        except aiplay.MatchError as problem:
            print(problem)
"""


def test_a_game_that_kills_every_worker_ends_the_match(tmp_path):
    (tmp_path / "crash.py").write_text(CRASH)
    done = subprocess.run(
        [sys.executable, tmp_path / "crash.py"], capture_output=True, text=True, timeout=120
    )
    assert "game 0 was lost with its worker 3 times" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


ORPHANS = """
import os, sys, time
from aiplay.match import ProcessPool

if __name__ == "__main__":
    pool = ProcessPool(2)
    pids = [pool.submit(os.getpid) for _ in range(2)]
    busy = [pool.submit(time.sleep, 1000) for _ in range(2)]
    print(*{pid.result() for pid in pids}, flush=True)
    time.sleep(1000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_workers_end_with_a_parent_that_is_killed(tmp_path):
    (tmp_path / "orphans.py").write_text(ORPHANS)
    command = [sys.executable, tmp_path / "orphans.py"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        workers = [int(pid) for pid in process.stdout.readline().split()]
        process.send_signal(signal.SIGKILL)
    assert workers
    give_up = time.monotonic() + 30
    while any(map(is_running, workers)) and time.monotonic() < give_up:
        time.sleep(0.02)
    assert not any(map(is_running, workers))


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# ---- Dask ------------------------------------------------------------------------------------------------------------


class Cluster:
    """A real scheduler and two worker processes with a thread each, in a folder of their own."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        self.file = folder / "scheduler.json"
        here = ("--host", "127.0.0.1", "--no-dashboard")
        self._start("scheduler", *here, "--port", "0", "--scheduler-file", self.file)
        for _ in range(2):
            self._start("worker", *here, "--nthreads", "1", "--no-nanny", "--scheduler-file", self.file)

    def _start(self, *arguments):
        command = [sys.executable, "-m", "dask", *arguments]
        output = (self.folder / f"{len(self.processes)}.log").open("w")
        self.processes.append(subprocess.Popen(command, stdout=output, stderr=output, cwd=self.folder))
        output.close()

    @property
    def address(self):
        """The address of the scheduler, once both workers have joined."""
        give_up = time.monotonic() + 60
        while time.monotonic() < give_up:
            log = (self.folder / "0.log").read_text()
            if log.count("Register worker") + log.count("Starting worker compute stream") >= 2:
                return json.loads(self.file.read_text())["address"]
            time.sleep(0.05)
        raise AssertionError(log)

    def close(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.mark.parametrize("words", [b"", b"SSH-2.0-OpenSSH_9.2\r\n", bytes(64)], ids=["none", "ssh", "zeros"])
def test_a_server_that_is_not_a_scheduler_is_refused_quickly(words, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(DaskCluster, "TIMEOUT", 0.5)
    connections = []

    def serve():
        with contextlib.suppress(OSError):  # closed
            while True:
                connections.append(server.accept()[0])
                connections[-1].sendall(words)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        with pytest.raises(MatchError, match=r"no Dask scheduler answers at .* allowed: the address that"):
            DaskCluster(f"tcp://127.0.0.1:{server.getsockname()[1]}")
    for connection in connections:
        connection.close()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A cluster for the tests below, in their order: the second kills a worker, the last one the cluster."""
    pytest.importorskip("distributed")
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield cluster
    finally:
        cluster.close()


def test_the_command_plays_on_a_dask_cluster(cluster):
    options = "--game pig --a mcts:iterations=20 --b greedy --games 30 --seed 4 --json --dask"
    command = [sys.executable, "-m", "aiplay.cli", "duel", *options.split(), cluster.address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["a_score"] == a_duel().play().a_score


def test_every_game_is_counted_once_when_a_cluster_loses_a_worker(cluster, expected):
    duel = a_duel()
    with DaskCluster(cluster.address) as executor:
        assert executor.capacity == 4  # two for each of two workers
        games = duel.play_games(executor)
        for _ in range(4):
            next(games)
        cluster.processes[-1].kill()
        for _ in games:
            pass
    assert records(duel.results) == expected


def test_a_cluster_that_goes_away_ends_the_match_and_keeps_the_finished_games(cluster):
    duel = a_duel(games=3000)
    with DaskCluster(cluster.address) as executor:
        games = duel.play_games(executor)
        next(games)
        executor.TIMEOUT = 0.5
        cluster.close()
        with pytest.raises(MatchError, match=r"the Dask scheduler at .* no longer answers"):
            for _ in games:
                pass
    assert 0 < len(records(duel.results)) < 3000
