"""The engine behind the protocol: takes queries, answers them from a pool of threads, and survives every error."""

from __future__ import annotations

import itertools
import secrets
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, get_args

import msgspec

import aiplay
from aiplay._core.game import View
from aiplay.engine import answers, messages
from aiplay.engine.answers import SHOWN, Answer, move_fields, shorten, turn_fields
from aiplay.engine.caps import Budget, Caps
from aiplay.engine.messages import PROTOCOL, QUERIES
from aiplay.engine.parse import error_answer, identity_of, kind_of, read_query
from aiplay.engine.players import Job, KeptPlayers
from aiplay.engine.positions import (
    QueryError,
    blaming,
    checked_seat,
    find_move,
    loaded_game,
    seat_view,
    sent_view,
    table_of_record,
)
from aiplay.errors import PackageError, PlayerSpecError
from aiplay.files import files_from
from aiplay.limit import Limit
from aiplay.players.base import Slices, finish, moves_to_choose_from
from aiplay.table import Table

__all__ = ["Engine"]

ACTIONS: dict[str, type[messages.Query]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(QUERIES)
}  # the type of every query
MAX_WARNINGS = 20  # about unknown fields of one query
WATCH_INTERVAL = 0.1  # seconds between two looks for searches that have to end
SEED_BITS = 53  # of the seeds that the engine chooses: whole numbers that JavaScript can represent

Send = Callable[[Answer], object]


@dataclass
class _OpenTable:
    """A table that the engine holds; its lock lets one query at a time use it."""

    table: Table
    lock: threading.Lock = field(default_factory=threading.Lock)


class Engine:
    """Answers queries; calls `send` with every answer, from several threads but one at a time.

    With `workers=0` it has no threads: call `step` as long as it returns True, and `receive` in between.
    """

    def __init__(
        self,
        send: Send,
        *,
        workers: int = 2,
        max_tables: int = 1000,
        max_players: int = 100,
        max_queries: int = 10_000,
        caps: Caps | None = None,
        data_dir: str | None = None,
    ) -> None:
        """Prepare the threads. `data_dir`: options may name files in this folder, by default none."""
        self._caps, self._data_dir = (caps or Caps()).checked(), data_dir
        self._budget, self._is_closed = Budget(self._caps), threading.Event()
        self._send, self._sending = send, threading.Lock()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="aiplay-engine") if workers else None
        self._running: Slices[None] | None = None  # without threads: the job that was begun
        self._waiting: deque[Job] = deque()  # and those that were not
        self._max_tables, self._max_queries = max_tables, max_queries
        self._tables: dict[str, _OpenTable] = {}
        self._players = KeptPlayers(max_players, self._caps, data_dir)
        self._jobs: dict[Job, None] = {}  # a set that keeps the order
        self._guard = threading.Condition()  # protects tables, players and jobs; notified when a job ends
        self._names = itertools.count(1)
        if self._pool is not None:
            threading.Thread(target=self._watch, name="aiplay-engine-watch", daemon=True).start()
        self._handlers: dict[type[messages.Query], Callable[[Any], Answer]] = {
            messages.Version: self._version,
            messages.Games: self._games,
            messages.NewTable: self._new_table,
            messages.View: self._view,
            messages.LegalMoves: self._legal_moves,
            messages.Play: self._play,
            messages.Events: self._events,
            messages.Undo: self._undo,
            messages.Record: self._record,
            messages.Close: self._close_table,
            messages.Forget: self._forget,
            messages.NextLevel: self._next_level,
            messages.Terminate: self._terminate_query,
        }

    # ---- Queries come in -------------------------------------------------------------------------------------

    def receive(self, line: bytes) -> None:
        """Take one line; its answers go to `send`, now or later."""
        if not line.strip():
            return
        try:
            document = msgspec.json.decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
            self.refuse(f"not valid JSON: {problem}")
            return
        identity = identity_of(document)
        try:
            with files_from(self._data_dir):
                answer = self._answer_to(self._parse(document, identity))
        except Exception as problem:  # whatever it is, the engine goes on with the next line
            answer = error_answer(problem)
        if answer is not None:
            self._answer(identity, answer)

    def refuse(self, problem: str) -> None:
        """Answer a line that holds no query."""
        self._answer(None, answers.ErrorAnswer(error=problem))

    def step(self) -> bool:
        """Search for a moment in this thread, if there are no others; return True if there is more to do."""
        if self._running is None and self._waiting:
            self._running = self._run(self._waiting.popleft())
        if self._running is not None:
            self._stop_late()
            try:
                next(self._running)
            except StopIteration:
                self._running = None
        return self._running is not None or bool(self._waiting)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all queries are answered; return False if some are not after `timeout` seconds."""
        with self._guard:
            return self._guard.wait_for(lambda: not self._jobs, timeout)

    def close(self, *, wait: bool = True) -> None:
        """Shut down after all queries are answered; with `wait=False`, stop running searches first."""
        if not wait:
            self._terminate(None)
        if self._pool is not None:
            self._pool.shutdown(wait=True)
        while self.step():
            pass
        self._is_closed.set()

    def _watch(self) -> None:
        """Stop searches that have to end, until the engine is closed."""
        while not self._is_closed.wait(WATCH_INTERVAL):
            self._stop_late()

    def _stop_late(self) -> None:
        """Stop searches that take longer than a query may, and those that were just starting when terminated."""
        with self._guard:
            jobs = list(self._jobs)
        for job in jobs:
            job.stop_after(self._caps.time)

    def _parse(self, document: object, identity: messages.Id | None) -> messages.Query:
        sent, kind = kind_of(document, ACTIONS)
        known = ("action", *kind.__struct_fields__)
        for name in [name for name in sent if name not in known][:MAX_WARNINGS]:
            warning = f"unknown field {shorten(name)} is ignored; {sent['action']} has {', '.join(known[1:])}"
            self._answer(identity, answers.WarningAnswer(warning=warning, field=name[:SHOWN]))
        return read_query(sent, kind)

    # ---- Answers go out --------------------------------------------------------------------------------------

    def _answer(self, identity: messages.Id | None, answer: Answer) -> None:
        answer.id = identity
        with self._sending:
            self._send(answer)

    def _answer_to(self, query: messages.Query) -> Answer | None:
        """Return the answer to a query, or None if a player has to find it first."""
        if isinstance(query, messages.PlayerQuery):
            self._submit(query)
            return None
        return self._handlers[type(query)](query)

    def _version(self, query: messages.Version) -> Answer:
        return answers.VersionAnswer(version=aiplay.__version__, protocol=PROTOCOL)

    def _games(self, query: messages.Games) -> Answer:
        if query.game is not None:
            game = loaded_game(query.game, query.options, self._data_dir)
            return answers.GamesAnswer(games=[answers.game_fields(game, query)])
        if query.options:
            raise QueryError("options are those of one game: name it in `game`", "options")
        found = []
        for name in aiplay.game_names():
            try:
                found.append(answers.game_fields(aiplay.load_game(name), query))
            except PackageError as problem:  # the others can still be played
                self._answer(query.id, answers.WarningAnswer(warning=str(problem), field="game"))
        return answers.GamesAnswer(games=found)

    def _next_level(self, query: messages.NextLevel) -> Answer:
        game = loaded_game(query.game, query.options, self._data_dir)
        with blaming("game"):
            return answers.next_level_answer(game, query.results)

    # ---- Tables ----------------------------------------------------------------------------------------------

    def _new_table(self, query: messages.NewTable) -> Answer:
        table = _set_up(query, self._data_dir)
        with self._guard:
            name = query.table if query.table is not None else self._free_name()
            if name in self._tables:
                raise QueryError(f"there is a table {shorten(name)} already", "table")
            if len(self._tables) >= self._max_tables:
                raise QueryError(f"there are {self._max_tables} tables already: close one first", "table")
            self._tables[name] = _OpenTable(table)
        game = table.game
        return answers.NewTableAnswer(
            table=name,
            game=game.name,
            options=dict(game.options),
            seed=table.seed,
            seats=game.seats,
            **turn_fields(table),
        )

    def _free_name(self) -> str:
        return next(name for number in self._names if (name := f"table-{number}") not in self._tables)

    def _find_table(self, name: str) -> _OpenTable:
        with self._guard:
            if name not in self._tables:
                shown = ", ".join(shorten(known) for known in itertools.islice(self._tables, 10)) or "none"
                raise QueryError(f"no table is called {shorten(name)}; the tables are: {shown}", "table")
            return self._tables[name]

    def _close_table(self, query: messages.Close) -> Answer:
        self._find_table(query.table)
        with self._guard:
            self._tables.pop(query.table, None)
        return answers.CloseAnswer(closed=query.table)

    def _view(self, query: messages.View) -> Answer:
        found = self._find_table(query.table)
        with found.lock:
            view, ply = seat_view(found.table, query.seat), len(found.table.moves)
        whole = messages.ViewFields(
            game=view.game.name, options=dict(view.game.options), seat=view.seat, view=view.to_fields()
        )
        return answers.ViewAnswer(
            view=whole, scene=view.scene(), text=str(view), to_move=view.to_move, ply=ply
        )

    def _play(self, query: messages.Play) -> Answer:
        found = self._find_table(query.table)
        with found.lock:
            table, seat = found.table, query.seat
            observer = seat if query.observer is None else checked_seat(table, query.observer, "observer")
            if seat is not None and checked_seat(table, seat, "seat") != table.to_move and not table.over:
                raise QueryError(
                    f"it is not the turn of seat {seat}: seat {table.to_move} is to move", "seat"
                )
            view, ply = seat_view(table, None), len(table.moves)
            made = move_fields(view, find_move(view, query.move, is_own=seat is not None))
            table.play(made.move)
            return answers.PlayAnswer(
                move=made.move,
                text=made.text,
                parts=made.parts,
                events=None if observer is None else table.events(observer, ply),
                **turn_fields(table),
            )

    def _events(self, query: messages.Events) -> Answer:
        found = self._find_table(query.table)
        with found.lock:
            seat = query.seat if query.seat is None else checked_seat(found.table, query.seat, "seat")
            events = found.table.events(seat, query.since)
            return answers.EventsAnswer(events=events, ply=len(found.table.moves))

    def _undo(self, query: messages.Undo) -> Answer:
        found = self._find_table(query.table)
        with found.lock:
            return answers.UndoAnswer(undone=found.table.undo(), **turn_fields(found.table))

    def _record(self, query: messages.Record) -> Answer:
        found = self._find_table(query.table)
        with found.lock:
            record = found.table.record
        return answers.RecordAnswer(
            record=messages.RecordFields(
                game=record.game, options=dict(record.options), seed=record.seed, moves=list(record.moves)
            )
        )

    def _position(self, query: messages.Position) -> View:
        """Return the view that a query is about."""
        if (query.table is None) == (query.view is None):
            raise QueryError("give either a table or a view", "table")
        if query.table is not None:
            found = self._find_table(query.table)
            with found.lock:
                return seat_view(found.table, query.seat)
        assert query.view is not None
        if query.seat not in (None, query.view.seat):
            raise QueryError(f"seat is {query.seat}; the view is that of seat {query.view.seat}", "seat")
        return sent_view(query.view, self._data_dir)

    def _legal_moves(self, query: messages.LegalMoves) -> Answer:
        view = self._position(query)
        moves = [move_fields(view, move) for move in view.legal_moves()]
        return answers.LegalMovesAnswer(seat=view.seat, to_move=view.to_move, moves=moves)

    # ---- Players ---------------------------------------------------------------------------------------------

    def _submit(self, query: messages.PlayerQuery) -> None:
        """Check a query completely, and give it to the pool of threads."""
        view, limit = self._position(query), None
        with blaming("table" if query.view is None else "view"):
            moves_to_choose_from(view)
        is_own = query.view is not None or query.seat is not None
        move = find_move(view, query.move, is_own=is_own) if isinstance(query, messages.Explain) else 0
        if isinstance(query.limit, messages.LimitFields):
            with blaming("limit"):
                limit = Limit(**msgspec.structs.asdict(query.limit))
            self._caps.check_limit(limit)
        query.view = None  # thousands of jobs may wait: keep the position, not what it was made from
        with self._guard:
            if len(self._jobs) >= self._max_queries:
                raise QueryError(
                    f"{self._max_queries} queries are running or waiting already: wait for an answer"
                )
            job = Job(query, view, self._players.find(query), limit, move)
            self._jobs[job] = None
        if self._pool is None:
            self._waiting.append(job)
        else:
            self._pool.submit(lambda: finish(self._run(job)))

    def _run(self, job: Job) -> Slices[None]:
        def send(answer: Answer) -> None:
            self._answer(job.query.id, answer)

        try:
            with files_from(self._data_dir):
                answer = yield from job.slices(send, self._budget)
        except PlayerSpecError as problem:  # a limit that the player does not have
            answer = answers.ErrorAnswer(error=str(problem), field="limit" if job.limit else "player")
        except Exception as problem:  # a broken game or player must not end the engine
            answer = error_answer(problem)
        try:
            send(answer)
        finally:
            with self._guard:
                del self._jobs[job]
                self._players.trim()
                self._guard.notify_all()

    def _forget(self, query: messages.Forget) -> Answer:
        with self._guard:
            self._players.forget(query.keep)
        return answers.ForgetAnswer(forgotten=query.keep)

    def _terminate_query(self, query: messages.Terminate) -> Answer:
        return answers.TerminateAnswer(terminated=self._terminate(query.query))

    def _terminate(self, identity: messages.Id | None) -> list[messages.Id]:
        with self._guard:
            chosen = [job for job in self._jobs if identity is None or job.query.id == identity]
            fresh = [job for job in chosen if not job.is_terminated]
            for job in fresh:
                job.is_terminated = True
        for job in fresh:
            job.stop()
        return [job.query.id for job in chosen]


def _set_up(query: messages.NewTable, data_dir: str | None) -> Table:
    """Return the new table of a query: from a game, or from a record."""
    if query.record is not None:
        if query.game is not None or query.options or query.seed is not None:
            raise QueryError("the record has game, options and seed: leave them out", "record")
        return table_of_record(query.record, data_dir)
    if query.game is None:
        raise QueryError("game is missing: give the name of a game, or a record", "game")
    game = loaded_game(query.game, query.options, data_dir)
    return Table(game, seed=secrets.randbits(SEED_BITS) if query.seed is None else query.seed)
