"""Files that options name (``data=PATH``): which of them may be read, and how; files written as a whole.

A program that takes options from strangers, as the engine does, reads within ``files_from(folder)``: files outside of
this folder are refused, before anything is said about them.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from aiplay.errors import GameDataError

__all__ = ["FileRefusedError", "allowed_path", "files_from", "read_file", "write_file"]

MAX_BYTES = 2**20  # of a file


class FileRefusedError(GameDataError):
    """A file may not be read here."""


class _Rule(NamedTuple):
    """The folder that files may be read from; None: no files."""

    folder: str | None


_rule: ContextVar[_Rule | None] = ContextVar("aiplay_files", default=None)


@contextmanager
def files_from(folder: str | os.PathLike[str] | None) -> Iterator[None]:
    """Read files from this folder only, in this thread and within the block; without a folder, none at all."""
    former = _rule.set(_Rule(None if folder is None else os.fspath(folder)))
    try:
        yield
    finally:
        _rule.reset(former)


def read_file(path: str, most: int = MAX_BYTES) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    OSError or ValueError if it cannot be read, FileRefusedError if it may not.
    """
    found = allowed_path(path)
    # Opening a FIFO would wait for somebody who writes into it.
    descriptor = os.open(found, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(content) > most:
        raise ValueError(f"it has more than {most} bytes")
    return content


def allowed_path(path: str) -> str:
    """Return the path to open; FileRefusedError unless it is in the folder, links followed."""
    rule = _rule.get()
    if rule is None:
        return path
    if rule.folder is None:
        raise FileRefusedError(
            "files are not read here: start with --data-dir FOLDER to allow those in a folder"
        )
    folder = os.path.realpath(rule.folder)
    try:
        found = os.path.realpath(os.path.join(folder, path))
        is_inside = os.path.commonpath([folder, found]) == folder
    except ValueError:  # a null character, or another drive
        is_inside = False
    if not is_inside:
        raise FileRefusedError(f"{path!r} is not in the folder of --data-dir; allowed: names of files in it")
    return found


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file completely or not at all."""
    path = Path(path)
    draft = path.with_name(f".aiplay-{os.getpid()}-{threading.get_ident()}")  # as short as any name may be
    try:
        with draft.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as problem:  # names the draft
        raise OSError(problem.errno, problem.strerror, str(path)) from None
    finally:
        with suppress(
            OSError
        ):  # a disk that cannot be written says so here as well, and would name the draft
            draft.unlink(missing_ok=True)
