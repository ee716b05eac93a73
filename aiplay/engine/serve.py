"""The engine as a process: lines in, lines out, and an end when nobody listens any more."""

from __future__ import annotations

import select
import threading
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from aiplay.engine.answers import Answer
from aiplay.engine.engine import Engine

__all__ = ["read_lines", "serve"]

MAX_LINE = 4 * 2**20  # bytes of a query; longer lines are answered with an error
CHUNK = 2**16  # bytes of a longer line that are read, and forgotten, at once
LOOK = 0.5  # seconds between two looks at whether somebody still listens


def read_lines(stream: BinaryIO, limit: int = MAX_LINE) -> Iterator[bytes | None]:
    """The lines of a stream; None for one that is longer than `limit` (it is skipped, not kept)."""
    while line := stream.readline(limit + 1):
        if len(line) > limit and not line.endswith(b"\n"):
            while (rest := stream.readline(CHUNK)) and not rest.endswith(b"\n"):
                pass
            yield None
        else:
            yield line


def serve(
    source: BinaryIO,
    target: BinaryIO,
    *,
    workers: int = 2,
    max_tables: int = 1000,
    max_queries: int = 10_000,
) -> bool:
    """Answer the queries of a stream of JSON lines until it ends, and finish what was asked.

    Nobody reads the answers any more: everything ends at once. Whether somebody did to the last.
    """
    lost = threading.Event()

    def send(answer: Answer) -> None:
        if not lost.is_set():
            try:
                target.write(msgspec.json.encode(answer) + b"\n")
                target.flush()
            except (OSError, ValueError):  # ValueError: the file is closed on this side
                lost.set()

    engine = Engine(send, workers=workers, max_tables=max_tables, max_queries=max_queries)
    try:
        for line in read_lines(source):
            if lost.is_set():
                break
            if line is None:
                engine.refuse(f"a line is longer than {MAX_LINE} bytes")
            else:
                engine.receive(line)
        while not lost.is_set() and not engine.wait(LOOK):
            if not _is_read(target):
                lost.set()
    except BaseException:
        lost.set()
        raise
    finally:
        engine.close(wait=not lost.is_set())
    return not lost.is_set()


def _is_read(target: BinaryIO) -> bool:
    """Whether somebody may still read what is written: not if the other end of the pipe is closed."""
    if not hasattr(select, "poll"):  # Windows: found out by writing
        return True
    try:
        poll = select.poll()
        poll.register(target.fileno(), 0)
    except (OSError, ValueError):  # not a file of the system
        return True
    return not poll.poll(0)
