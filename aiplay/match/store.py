"""Matches on disk: an SQLite file with the description of a match and every finished game.

    with Store.create("match.db", {"kind": "duel", ...}) as store:    # a new file; refuses an existing match
        store.add(results, elapsed)                                   # one transaction for games that finish together
    with Store.resume("match.db") as store:                           # to continue, even after the run was killed
        store.description                                             # as given to `create`
        store.results(schedule)                                       # the finished games of this schedule
        store.elapsed                                                 # seconds that the match has taken
    with Store.read("match.db") as store: ...                         # read only, for reports

`create` and `resume` hold SQLite's exclusive lock until `close`: a second run on the file is refused, and a killed run
leaves no lock behind. Every problem with a file is a `StoreError` with a message of one line.

A finished game is handed to the operating system before `add` returns (write-ahead log, synchronous=NORMAL), so killing
the process loses nothing. A power cut may lose the last few seconds but never damages the file; lost games are played
again.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import aiplay
from aiplay.errors import StoreError
from aiplay.match.adjust import luck_in
from aiplay.match.content import PlayedContent, checked_content, parsed_content
from aiplay.match.scheduled import GameResult, ScheduledGame

__all__ = ["SQLITE", "Store"]

SQLITE = b"SQLite format 3\0"  # the beginning of every file
APPLICATION = 0x61695079  # "aiPy": marks an SQLite file as one of ours
FORMAT = 2  # of new files; a number for each set of columns below
SCHEMA = """
DROP TABLE IF EXISTS match;
DROP TABLE IF EXISTS games;
CREATE TABLE match (description TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY,  -- of the game in the match; no game can be counted twice
    deal INTEGER NOT NULL,
    game TEXT NOT NULL,
    options TEXT NOT NULL,       -- as JSON
    seed TEXT NOT NULL,
    specs TEXT NOT NULL,         -- this and the following: JSON lists with an entry for each seat
    seating TEXT NOT NULL,       -- numbers of the players in the match
    returns TEXT NOT NULL,
    moves TEXT NOT NULL,         -- number of moves
    seconds TEXT NOT NULL,       -- total time
    iterations TEXT NOT NULL,    -- total search iterations; null for players that do not search
    record TEXT NOT NULL,        -- JSON list of every move of the table
    elapsed REAL NOT NULL        -- seconds that the match had taken by then
);
"""
COLUMNS = {  # by format
    1: "number, pair, game, options, seed, specs, sides, returns, moves, seconds, iterations, record, elapsed",
    2: "number, deal, game, options, seed, specs, seating, returns, moves, seconds, iterations, record, elapsed",
}


class Store:
    """The file of a match. Opened by `create`, `resume` or `read`."""

    def __init__(self, path: str | os.PathLike[str], mode: str) -> None:
        self.path = Path(path)
        self.description: dict[str, Any] = {}
        self._columns = COLUMNS[FORMAT]
        if mode != "rwc" and not self.path.is_file():
            what = "this is a folder, not a file" if self.path.is_dir() else "there is no such file"
            raise StoreError(f"{path}: {what}")
        with self._explained():
            # isolation_level=None: transactions begin and end only where the code says so.
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
        """Create a file for the match that `description` (plain JSON) describes."""
        is_new = not os.path.lexists(path)
        if not is_new and not os.path.isfile(path):
            raise StoreError(f"{path}: not a regular file; allowed: a new file")
        store = cls(path, "rwc")
        with store._closing_on_error(is_new):
            store._write_description(description)
            store._write_ahead()
        return store

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> Self:
        """Open the file of a match to play the rest of it."""
        store = cls(path, "rw")
        with store._closing_on_error():
            with store._explained(), store._transaction("EXCLUSIVE"):
                pass  # takes the lock, which is kept
            store._read_description()
            store._write_ahead()
        return store

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Open the file of a match for reading."""
        store = cls(path, "rw" if os.access(path, os.W_OK) else "ro")
        with store._closing_on_error():
            store._read_description()
        return store

    def close(self) -> None:
        """Close the file, and remove the write-ahead log beside it."""
        with contextlib.suppress(sqlite3.Error):  # only tidies up: every game is in the file or the log
            self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- Games -----------------------------------------------------------------------------------------------

    def add(self, results: Iterable[GameResult], elapsed: float) -> None:
        """Add finished games in one transaction; `elapsed`: seconds that the match has taken."""
        rows = [_row(result, elapsed) for result in results]
        with self._explained(), self._transaction() as cursor:
            marks = ", ".join("?" for _ in self._columns.split(","))
            cursor.executemany(f"INSERT INTO games ({self._columns}) VALUES ({marks})", rows)

    def results(self, schedule: Iterable[ScheduledGame]) -> list[GameResult]:
        """Return the finished games by number. Every one has to be in the schedule, just as it was played."""
        known = {scheduled.number: scheduled for scheduled in schedule}
        with self._explained():
            rows = self._connection.execute(f"SELECT {self._columns} FROM games ORDER BY number").fetchall()
            return [self._result(known.get(row[0]), row) for row in rows]

    @property
    def elapsed(self) -> float:
        """Seconds that the match has taken, over all its runs."""
        with self._explained():
            (seconds,) = self._connection.execute("SELECT max(elapsed) FROM games").fetchone()
            if not 0.0 <= float(seconds or 0.0) < math.inf:
                raise StoreError(f"{self.path}: damaged: the match has taken {seconds} seconds")
            return float(seconds or 0.0)

    def _result(self, scheduled: ScheduledGame | None, row: tuple[Any, ...]) -> GameResult:
        number, _, game, options, seed, *texts, _ = row
        by_name = dict(zip(PlayedContent.__struct_fields__, texts, strict=True))
        parsed = {name: parsed_content(self.path, text) for name, text in by_name.items()}
        found = checked_content(self.path, PlayedContent, parsed)
        played = (game, parsed_content(self.path, options), int(seed), found.specs, found.seating)
        if scheduled is None or played != _identity(scheduled):
            raise StoreError(
                f"{self.path}: game {number} does not belong to the match that the file describes; "
                "was it written by another version of aiplay, or changed?"
            )
        self._check_sizes(scheduled, found, number)
        # The luck is computed again: it depends on nothing but the record and the value.
        luck = luck_in(scheduled.game, found.record, scheduled.adjust)
        return GameResult(
            scheduled, found.returns, found.moves, found.seconds, found.iterations, found.record, luck
        )

    def _check_sizes(self, scheduled: ScheduledGame, found: PlayedContent, number: int) -> None:
        """Check that a finished game has an entry for each seat, and returns that the game can have."""
        game = scheduled.game
        sizes = {len(entries) for entries in (found.returns, found.moves, found.seconds, found.iterations)}
        in_range = all(game.min_return <= value <= game.max_return for value in found.returns)
        if sizes != {game.seats} or not in_range:
            raise StoreError(f"{self.path}: damaged: the results of game {number} are not possible")

    # ---- The file --------------------------------------------------------------------------------------------

    def _write_description(self, description: Mapping[str, Any]) -> None:
        """Lock the file, check that nothing would be lost, and fill it, all in one transaction."""
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
            if not self._has_games():
                raise StoreError(f"{self.path}: there is no match in this file")
            self._columns = COLUMNS[self._format()]
            rows = self._connection.execute("SELECT description FROM match LIMIT 2").fetchall()
            if len(rows) != 1:
                raise StoreError(f"{self.path}: damaged: {len(rows)} matches in the file; allowed: one")
            self.description = checked_content(
                self.path, dict[str, Any], parsed_content(self.path, rows[0][0])
            )

    def _check_owner(self) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (entries,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if entries and application != APPLICATION:
            raise StoreError(f"{self.path}: this database belongs to another program, not to aiplay")

    def _format(self) -> int:
        """Return the format of the file; refuse an unknown one."""
        (found,) = self._connection.execute("PRAGMA user_version").fetchone()
        if found not in COLUMNS:
            known = " and ".join(map(str, COLUMNS))
            raise StoreError(
                f"{self.path}: format {found} was written by a newer aiplay; "
                f"aiplay {aiplay.__version__} reads formats {known}"
            )
        return int(found)

    def _check_no_games(self) -> None:
        """Refuse to replace a match, unless it has no finished game."""
        if not self._has_games():
            return
        self._format()
        (games,) = self._connection.execute("SELECT count(*) FROM games").fetchone()
        if games:
            raise StoreError(
                f"{self.path}: a match is saved there already, with {games} finished games; "
                f"--resume {self.path} plays the rest of it"
            )

    def _has_games(self) -> bool:
        query = "SELECT count(*) FROM sqlite_master WHERE name = 'games'"
        return bool(self._connection.execute(query).fetchone()[0])

    def _write_ahead(self) -> None:
        """Make a commit one write that does not wait for the disk; the file stays consistent all the same."""
        with self._explained():
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")

    @contextlib.contextmanager
    def _transaction(self, kind: str = "IMMEDIATE") -> Iterator[sqlite3.Cursor]:
        """Run a transaction. An exclusive one takes the lock, which is kept until the file is closed."""
        cursor = self._connection.cursor()
        if kind == "EXCLUSIVE":
            cursor.execute("PRAGMA locking_mode = EXCLUSIVE")
        cursor.execute(f"BEGIN {kind}")
        try:
            yield cursor
            cursor.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # if the disk is full, SQLite has already rolled back
                cursor.execute("ROLLBACK")
            raise

    # ---- Errors ----------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _closing_on_error(self, is_new: bool = False) -> Iterator[None]:
        """Close the file on an error, and remove it if it is new: no half-written file is left behind."""
        try:
            yield
        except BaseException as problem:
            self._connection.close()
            if is_new and not _is_locked(problem):
                self.path.unlink(missing_ok=True)
            raise

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn SQLite's errors into a `StoreError` in plain words."""
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
        return "another run is using this file; wait until it ends, or save to another file"
    if "not a database" in text or isinstance(problem, ValueError):
        return "not the file of a match, or damaged"
    if "unable to open" in text or "readonly" in text:
        return "cannot be written; the folder has to exist, and you need permission to write there"
    if "full" in text or "disk I/O" in text:
        return f"cannot be written: {text}; games that were finished before are kept"
    return text


def _identity(scheduled: ScheduledGame) -> tuple[Any, ...]:
    """Return the values by which a finished game is recognised as this scheduled one."""
    game = scheduled.game
    return game.name, dict(game.options), scheduled.seed, scheduled.specs, scheduled.seating


def _row(result: GameResult, elapsed: float) -> tuple[Any, ...]:
    """Return a finished game as a row of the file."""
    scheduled = result.scheduled
    by_seat = (
        scheduled.specs,
        scheduled.seating,
        result.returns,
        result.moves,
        result.seconds,
        result.iterations,
    )
    return (
        scheduled.number,
        scheduled.deal,
        scheduled.game.name,
        _json(dict(scheduled.game.options)),
        str(scheduled.seed),  # SQLite has no unsigned numbers
        *map(_json, by_seat),
        _json(result.record),
        elapsed,
    )


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
