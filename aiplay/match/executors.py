"""Executors for games: processes of this machine, or a Dask cluster.

    with ProcessPool(jobs=4) as executor: ...               # worker processes of this machine
    with DaskCluster("tcp://10.0.0.1:8786") as executor: ...

Both are `concurrent.futures.Executor`s for `aiplay.match.runner.play_all`, which also takes any other executor. They
add `capacity` (how many batches of games to keep under way) and `renew` (recover after games were lost).
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import connection, resource_tracker
from typing import Any, ParamSpec, TypeVar

from aiplay.errors import MatchError, OptionError
from aiplay.options import RenamedOptionWarning

__all__ = ["DaskCluster", "ProcessPool", "n_cores"]

P = ParamSpec("P")
T = TypeVar("T")


def n_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ProcessPool(Executor):
    """Worker processes of this machine.

    They are spawned, as forking a process with threads is not safe. They ignore Ctrl-C, which this process handles.
    They end with this process, even if it is killed, and as soon as the pool is shut down.
    """

    def __init__(self, jobs: int) -> None:
        if jobs < 1:
            raise OptionError(f"a pool of {jobs} processes; allowed: at least 1")
        self.jobs = jobs
        self._pool = self._new_pool()

    @property
    def capacity(self) -> int:
        """Two batches for each worker: one that is played and one that waits."""
        return 2 * self.jobs

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function in a worker. Workers are started when they are needed.

        The call is pickled here: a failure in the pool's own thread could break a pool that is being shut down.
        """
        try:
            call = pickle.dumps((fn, args, kwargs))
        except Exception as problem:
            failed: Future[T] = Future()
            failed.set_exception(problem)
            return failed
        with _control_c_held():
            return self._pool.submit(_call, call)

    def renew(self) -> None:
        """Start new workers, after one has died and all calls were lost with it."""
        self._end()
        self._pool = self._new_pool()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the workers at once, busy or not."""
        self._end()

    def _new_pool(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_begin_worker)

    def _end(self) -> None:
        """Cancel the calls that wait, then end the workers; in the other order these calls would fail."""
        processes: list[Any] = list((self._pool._processes or {}).values())
        manager: Any = self._pool._executor_manager_thread
        waiting: dict[int, Any] = self._pool._pending_work_items
        self._pool.shutdown(wait=False, cancel_futures=True)
        for number, item in list(waiting.items()):
            if item.future.done():  # already cancelled by its owner; the pool must not set an error as well
                waiting.pop(number, None)
        for process in processes:
            process.terminate()
        if manager is not None:
            manager.join()


def _call(call: bytes) -> Any:
    fn, args, kwargs = pickle.loads(call)
    return fn(*args, **kwargs)


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore", RenamedOptionWarning)  # the process that makes the match has warned
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Exit when the parent is gone: a parent that is killed cannot end its workers."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


@contextlib.contextmanager
def _control_c_held() -> Iterator[None]:
    """Hold back Ctrl-C. Processes that are started meanwhile never get it; they would print a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield  # Windows
        return
    resource_tracker.ensure_running()  # starting it later would release the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class DaskCluster(Executor):
    """The workers of a Dask cluster, by the address of its scheduler. Needs the extra `aiplay[dask]`."""

    TIMEOUT = 5.0  # seconds for the scheduler to answer
    COUNT_EVERY = 2.0  # seconds after which the workers are counted again

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise MatchError(
                "a Dask cluster needs the package distributed: pip install 'aiplay[dask]'"
            ) from None
        try:
            self._knock(address)
            self._client = Client(address, timeout=self.TIMEOUT, set_as_default=False)
        except Exception as problem:  # another kind of server may cause any error
            why = str(problem) or type(problem).__name__
            raise MatchError(
                f"no Dask scheduler answers at {address!r} within {self.TIMEOUT:.0f} s ({why}); "
                "allowed: the address that `dask scheduler` prints, like tcp://10.0.0.1:8786"
            ) from None
        self._address = address
        self._executor = self._client.get_executor(pure=False)
        self._threads, self._counted = 0, -math.inf

    def _knock(self, address: str) -> None:
        """Check that a scheduler is there. A client that cannot connect would retry and log for a long time."""
        import asyncio
        import socket
        from concurrent.futures import ThreadPoolExecutor
        from urllib.parse import urlsplit

        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        if parts.scheme not in ("tcp", "tls") or not parts.hostname or not parts.port:
            raise ValueError("not of the form tcp://HOST:PORT")
        # Fails at once if nothing listens there.
        socket.create_connection((parts.hostname, parts.port), self.TIMEOUT).close()
        with ThreadPoolExecutor(1) as thread:  # the caller's thread may have an event loop
            thread.submit(asyncio.run, self._greet(address)).result()

    async def _greet(self, address: str) -> None:
        import asyncio

        from distributed import Security
        from distributed.comm import connect

        async with asyncio.timeout(self.TIMEOUT):
            comm = await connect(address, self.TIMEOUT, **Security().get_connection_args("client"))
        await comm.close()

    @property
    def capacity(self) -> int:
        """Two games for each thread of the cluster, and at least four, as workers may still join."""
        if time.monotonic() > self._counted + self.COUNT_EVERY and self._client.status == "running":
            self._counted = time.monotonic()
            self._threads = sum(self._client.nthreads().values())
        return max(4, 2 * self._threads)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function on the cluster."""
        future: Future[T] = self._executor.submit(fn, *args, **kwargs)
        return future

    def renew(self) -> None:
        """Wait for the scheduler, after the connection was lost and all calls with it."""
        give_up = time.monotonic() + self.TIMEOUT
        while self._client.status != "running":
            if time.monotonic() > give_up:
                raise MatchError(f"the Dask scheduler at {self._address!r} no longer answers")
            time.sleep(0.05)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """Abandon the calls that are under way. The cluster itself keeps running."""
        self._executor.shutdown(wait=False)
        self._client.close()
