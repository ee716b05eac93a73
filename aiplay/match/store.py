"""Matches on disk: an SQLite file with what is to be played and every finished game.

    with Store.create("match.db", {"kind": "duel", ...}) as store:    # a new file; refuses an existing one
        store.add(result, elapsed)                                    # one transaction: the game is kept
    with Store.resume("match.db") as store:                           # goes on with a file, also of a killed run
        store.description                                             # what `create` was given
        store.results(fixtures)                                       # the games of these that are finished
        store.elapsed                                                 # seconds that the match has taken
    with Store.read("match.db") as store: ...                         # only looks, for reports

`create` and `resume` hold SQLite's own exclusive lock until `close`: a second run on the file is refused, and a
killed run leaves no lock behind. Everything that goes wrong with a file is a `StoreError` of one line.

A finished game is in the operating system's hands when `add` returns (write-ahead log, synchronous=NORMAL): killing
the process loses nothing. A power cut may lose the last seconds, never the file; what is lost is played again.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import aiplay
from aiplay.errors import StoreError
from aiplay.match.fixture import Fixture, GameResult

__all__ = ["Store"]

APPLICATION = 0x61695079  # "aiPy": marks an SQLite file as one of ours
FORMAT = 1  # changes when older programs could no longer read a file
SCHEMA = """
DROP TABLE IF EXISTS match;
DROP TABLE IF EXISTS games;
CREATE TABLE match (description TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY,  -- of the game in the match: none can be counted twice
    pair INTEGER NOT NULL,
    game TEXT NOT NULL,
    options TEXT NOT NULL,       -- JSON, as everything below but elapsed
    seed TEXT NOT NULL,
    specs TEXT NOT NULL,         -- by seat: the player,
    sides TEXT NOT NULL,         -- which player of the match that is,
    returns TEXT NOT NULL,       -- what it got,
    moves TEXT NOT NULL,         -- how many moves it made,
    seconds TEXT NOT NULL,       -- how long it thought
    iterations TEXT NOT NULL,    -- and what its searches spent
    record TEXT NOT NULL,        -- every move of the table
    elapsed REAL NOT NULL        -- seconds that the match had taken by then
);
"""
COLUMNS = (
    "number, pair, game, options, seed, specs, sides, returns, moves, seconds, iterations, record, elapsed"
)


class Store:
    """The file of a match; made by `create`, `resume` or `read`."""

    def __init__(self, path: str | os.PathLike[str], mode: str) -> None:
        self.path = Path(path)
        self.description: dict[str, Any] = {}
        if mode != "rwc" and not self.path.is_file():
            what = "this is a folder, not a file" if self.path.is_dir() else "there is no such file"
            raise StoreError(f"{path}: {what}")
        with self._explained():
            # isolation_level=None: transactions begin and end where the code says so.
            self._connection = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode={mode}",
                uri=True,
                isolation_level=None,
                timeout=0.5,
                check_same_thread=False,
            )

    # ---- Opening and closing ---------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: str | os.PathLike[str], description: Mapping[str, Any]) -> Self:
        """A new file for the match that `description` (plain JSON) describes."""
        is_new = not os.path.lexists(path)
        if not is_new and not os.path.isfile(path):
            raise StoreError(f"{path}: a match can only be saved in a file; this is something else")
        store = cls(path, "rwc")
        with store._closing_on_error(is_new):
            store._write_description(description)
            store._write_ahead()
        return store

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> Self:
        """The file of a match that goes on."""
        store = cls(path, "rw")
        with store._closing_on_error():
            with store._explained(), store._transaction("EXCLUSIVE"):
                pass  # only for the lock, which stays
            store._read_description()
            store._write_ahead()
        return store

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """The file of a match, to look at only."""
        store = cls(path, "rw" if os.access(path, os.W_OK) else "ro")
        with store._closing_on_error():
            store._read_description()
        return store

    def close(self) -> None:
        """Let others have the file; nothing but the file itself stays behind."""
        with contextlib.suppress(sqlite3.Error):  # every game is kept already: this only tidies up
            self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- Games -----------------------------------------------------------------------------------------------

    def add(self, result: GameResult, elapsed: float) -> None:
        """Keep a finished game, in one transaction; `elapsed`: seconds that the match has taken."""
        fixture = result.fixture
        lists = (
            fixture.specs,
            fixture.sides,
            result.returns,
            result.moves,
            result.seconds,
            result.iterations,
        )
        values = (
            fixture.number,
            fixture.pair,
            fixture.game.name,
            _json(dict(fixture.game.options)),
            str(fixture.seed),  # SQLite has no unsigned numbers
            *map(_json, lists),
            _json(result.record),
            elapsed,
        )
        with self._explained(), self._transaction() as cursor:
            marks = ", ".join("?" for _ in values)
            cursor.execute(f"INSERT INTO games ({COLUMNS}) VALUES ({marks})", values)

    def results(self, fixtures: Iterable[Fixture]) -> list[GameResult]:
        """The finished games, by number. All have to be among these fixtures, just as they were played."""
        known = {fixture.number: fixture for fixture in fixtures}
        with self._explained():
            rows = self._connection.execute(f"SELECT {COLUMNS} FROM games ORDER BY number").fetchall()
            return [self._result(known.get(row[0]), row) for row in rows]

    @property
    def elapsed(self) -> float:
        """Seconds that the match has taken, over all its runs."""
        with self._explained():
            (seconds,) = self._connection.execute("SELECT max(elapsed) FROM games").fetchone()
            return float(seconds or 0.0)

    def _result(self, fixture: Fixture | None, row: tuple[Any, ...]) -> GameResult:
        number, _, game, options, seed, *texts, _ = row
        specs, sides, returns, moves, seconds, iterations, record = (
            tuple(json.loads(text)) for text in texts
        )
        played = (game, json.loads(options), int(seed), specs, sides)
        if fixture is None or played != _identity(fixture):
            raise StoreError(
                f"{self.path}: game {number} is none of the match that the file describes; "
                "was it written by another version of aiplay, or changed?"
            )
        return GameResult(fixture, returns, moves, seconds, iterations, record)

    # ---- The file --------------------------------------------------------------------------------------------

    def _write_description(self, description: Mapping[str, Any]) -> None:
        """Lock the file, make sure that nothing is lost, and fill it, all in one transaction."""
        self.description = {"version": aiplay.__version__, **description}
        with self._explained(), self._transaction("EXCLUSIVE") as cursor:
            self._check_owner()
            self._check_no_games()
            for statement in SCHEMA.split(";\n"):
                cursor.execute(statement)
            cursor.execute("INSERT INTO match VALUES (?)", (_json(self.description),))
            cursor.execute(f"PRAGMA application_id = {APPLICATION}")
            cursor.execute(f"PRAGMA user_version = {FORMAT}")

    def _read_description(self) -> None:
        with self._explained():
            self._check_owner()
            if not self._has_games_table():
                raise StoreError(f"{self.path}: there is no match in this file")
            self._check_format()
            (text,) = self._connection.execute("SELECT description FROM match").fetchone()
            self.description = json.loads(text)

    def _check_owner(self) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != APPLICATION:
            raise StoreError(f"{self.path}: this database belongs to another program, not to aiplay")

    def _check_format(self) -> None:
        (found,) = self._connection.execute("PRAGMA user_version").fetchone()
        if found != FORMAT:
            raise StoreError(
                f"{self.path}: format {found} was written by a newer aiplay; "
                f"aiplay {aiplay.__version__} reads format {FORMAT}"
            )

    def _check_no_games(self) -> None:
        """A match that never got to its first finished game may be replaced."""
        if not self._has_games_table():
            return
        self._check_format()
        (games,) = self._connection.execute("SELECT count(*) FROM games").fetchone()
        if games:
            raise StoreError(
                f"{self.path}: a match is saved there already, with {games} finished games; "
                f"--resume {self.path} goes on with it"
            )

    def _has_games_table(self) -> bool:
        query = "SELECT count(*) FROM sqlite_master WHERE name = 'games'"
        return bool(self._connection.execute(query).fetchone()[0])

    def _write_ahead(self) -> None:
        """From now on a commit is one write without waiting for the disk, yet the file cannot break."""
        with self._explained():
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")

    @contextlib.contextmanager
    def _transaction(self, kind: str = "IMMEDIATE") -> Iterator[sqlite3.Cursor]:
        """All or nothing. An exclusive one makes the lock: it stays until the file is closed."""
        cursor = self._connection.cursor()
        if kind == "EXCLUSIVE":
            cursor.execute("PRAGMA locking_mode = EXCLUSIVE")
        cursor.execute(f"BEGIN {kind}")
        try:
            yield cursor
            cursor.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # SQLite has undone it already when the disk is full
                cursor.execute("ROLLBACK")
            raise

    # ---- What can go wrong -----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _closing_on_error(self, is_new: bool = False) -> Iterator[None]:
        """Close what cannot be used; of what this program has made, nothing half-written stays behind."""
        try:
            yield
        except BaseException as problem:
            self._connection.close()
            if is_new and not _is_locked(problem):
                self.path.unlink(missing_ok=True)
            raise

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """SQLite's errors in plain words."""
        try:
            yield
        except (sqlite3.Error, ValueError) as problem:
            raise StoreError(f"{self.path}: {_explain(problem)}") from problem


def _is_locked(problem: BaseException) -> bool:
    cause = problem.__cause__ or problem
    return isinstance(cause, sqlite3.OperationalError) and "locked" in str(cause)


def _explain(problem: Exception) -> str:
    text = str(problem)
    if _is_locked(problem):
        return "another run is using this file; wait for its end, or save to another file"
    if "not a database" in text or isinstance(problem, ValueError):
        return "this is not a file of a match (or it is damaged)"
    if "unable to open" in text or "readonly" in text:
        return "cannot be written; the folder has to exist, and you have to be allowed to write there"
    if "full" in text or "disk I/O" in text:
        return f"cannot be written: {text}; what was finished before is kept"
    return text


def _identity(fixture: Fixture) -> tuple[Any, ...]:
    """What has to be the same for a finished game to be that of a fixture."""
    game = fixture.game
    return game.name, dict(game.options), fixture.seed, fixture.specs, fixture.sides


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
