"""Rooms that are kept: saved ones, and all of them if a server may have to go on where another stopped."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import msgspec

__all__ = ["FolderStore", "MemoryStore", "RoomStore"]

Document = dict[str, Any]
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # of a room: nothing else becomes part of a path
SUFFIX = ".room.json"


class RoomStore(Protocol):
    """Keeps rooms as documents by name."""

    is_durable: bool  # True: another process can go on with a room

    def put(self, name: str, document: Document) -> None:
        """Keep a room, or its newest state."""

    def get(self, name: str) -> Document | None:
        """Return a room, if it is kept."""

    def prune(self, age: float, most: int) -> None:
        """Drop rooms older than `age` seconds, and the oldest beyond `most`."""


class MemoryStore:
    """Keeps rooms as long as the process lives."""

    is_durable = False

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._kept: dict[str, tuple[float, bytes]] = {}

    def put(self, name: str, document: Document) -> None:
        """Keep a room."""
        self._kept.pop(name, None)
        self._kept[name] = self._now(), msgspec.json.encode(document)

    def get(self, name: str) -> Document | None:
        """Return a room, if it is kept."""
        found = self._kept.get(name)
        return None if found is None else msgspec.json.decode(found[1], type=Document)

    def prune(self, age: float, most: int) -> None:
        """Drop old rooms; the dictionary is in their order."""
        limit = self._now() - age
        names = list(self._kept)
        late = len(names) - most
        for place, name in enumerate(names):
            if place < late or self._kept[name][0] < limit:
                del self._kept[name]


class FolderStore:
    """Keeps every room as a file of a folder, for the next process or for another machine that shares it."""

    is_durable = True

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _path(self, name: str) -> Path | None:
        return self._folder / f"{name}{SUFFIX}" if NAME.fullmatch(name) else None

    def put(self, name: str, document: Document) -> None:
        """Write a room completely or not at all."""
        path = self._path(name)
        assert path is not None, "the host chooses the names of rooms"
        draft = self._folder / f".{name}.{os.getpid()}"
        draft.touch(mode=0o600)  # it holds everything that is hidden
        draft.write_bytes(msgspec.json.encode(document))
        draft.replace(path)

    def get(self, name: str) -> Document | None:
        """Return a room, if there is a file of it."""
        path = self._path(name)
        if path is None or not path.is_file():
            return None
        try:
            return msgspec.json.decode(path.read_bytes(), type=Document)
        except (OSError, msgspec.DecodeError):
            return None

    def prune(self, age: float, most: int) -> None:
        """Delete old files."""
        files = sorted(self._folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime)
        limit, late = time.time() - age, len(files) - most
        for place, path in enumerate(files):
            if place < late or path.stat().st_mtime < limit:
                path.unlink(missing_ok=True)
