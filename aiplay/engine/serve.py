"""The engine as a process: lines in, lines out, until the client goes away."""

from __future__ import annotations

import select
import threading
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from aiplay.engine.answers import Answer
from aiplay.engine.engine import Engine

__all__ = ["read_lines", "serve"]

MAX_LINE = 4 * 2**20  # bytes of a query; longer lines are answered with an error
CHUNK = 2**16  # bytes to read at once while a longer line is skipped
CHECK_INTERVAL = 0.5  # seconds between two checks that the client still reads


def read_lines(stream: BinaryIO, limit: int = MAX_LINE) -> Iterator[bytes | None]:
    """Yield the lines of a stream; None for a line longer than `limit`, which is skipped without storing it."""
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
    **settings: Any,
) -> bool:
    """Answer a stream of JSON lines until it ends and every query is answered; `settings`: those of `Engine`.

    Stops at once if the reader of the answers goes away. Returns True if it stayed.
    """
    lost = threading.Event()

    def send(answer: Answer) -> None:
        if not lost.is_set():
            try:
                target.write(msgspec.json.encode(answer) + b"\n")
                target.flush()
            except (OSError, ValueError):  # ValueError: the file is closed on this side
                lost.set()

    engine = Engine(send, **settings)
    try:
        for line in read_lines(source):
            if lost.is_set():
                break
            if line is None:
                engine.refuse(f"a line is longer than {MAX_LINE} bytes")
            else:
                engine.receive(line)
        while not lost.is_set() and not engine.wait(CHECK_INTERVAL):
            if not _is_read(target):
                lost.set()
    except BaseException:
        lost.set()
        raise
    finally:
        engine.close(wait=not lost.is_set())
    return not lost.is_set()


def _is_read(target: BinaryIO) -> bool:
    """Return False if the other end of the pipe is closed."""
    if not hasattr(select, "poll"):  # Windows: only writing shows it
        return True
    try:
        poll = select.poll()
        poll.register(target.fileno(), 0)
    except (OSError, ValueError):  # not a file with a descriptor
        return True
    return not poll.poll(0)
