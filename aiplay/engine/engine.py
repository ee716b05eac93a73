"""The engine behind the protocol: takes queries, answers them from a pool of threads, and survives every error."""

from __future__ import annotations

import functools
import itertools
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, get_args

import msgspec

import aiplay
from aiplay._core.game import Game, View
from aiplay.analysis import Analysis
from aiplay.engine import answers, messages
from aiplay.engine.answers import SHOWN, Answer, shorten, turn_fields
from aiplay.engine.messages import PROTOCOL, QUERIES
from aiplay.errors import AiplayError, PackageError, PlayerSpecError
from aiplay.limit import Limit
from aiplay.players.base import Player, moves_to_choose_from
from aiplay.players.human import HumanPlayer
from aiplay.table import Table

__all__ = ["Engine"]

ACTIONS = {kind.__struct_config__.tag: kind for kind in get_args(QUERIES)}  # the type of every query
MAX_WARNINGS = 20  # about unknown fields of one query
SEED_BITS = 53  # of the seeds that the engine chooses: whole numbers that JavaScript can represent
STOP_INTERVAL = 0.02  # seconds between two calls of `stop` for a search that has not ended yet

Send = Callable[[Answer], object]


class QueryError(Exception):
    """A query cannot be answered; `field` is the field that is wrong."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


@dataclass
class _OpenTable:
    """A table that the engine holds; its lock lets one query at a time use it."""

    table: Table
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(eq=False)
class _Job:
    """A query that a player has to answer, waiting or running; `view` is the position when the query came in."""

    query: messages.PlayerQuery
    view: View
    player: Player
    limit: Limit | None  # from the query
    move: int = 0  # the move to explain
    is_terminated: bool = False
    done: threading.Event = field(default_factory=threading.Event)

    def effective_limit(self) -> Limit | None:
        """Return the limit of the query; no time at all if it was terminated before it started."""
        return Limit(time=0) if self.is_terminated else self.limit


class Engine:
    """Answers queries; calls `send` with every answer, from several threads but one at a time."""

    def __init__(
        self, send: Send, *, workers: int = 2, max_tables: int = 1000, max_queries: int = 10_000
    ) -> None:
        self._send, self._sending = send, threading.Lock()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="aiplay-engine")
        self._max_tables, self._max_queries = max_tables, max_queries
        self._tables: dict[str, _OpenTable] = {}
        self._jobs: dict[_Job, None] = {}  # a set that keeps the order
        self._guard = threading.Condition()  # protects tables and jobs; notified when a job ends
        self._names = itertools.count(1)

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
        identity = _identity(document)
        try:
            answer = self._answer_to(self._parse(document, identity))
        except Exception as problem:  # whatever it is, the engine goes on with the next line
            answer = _error_answer(problem)
        if answer is not None:
            self._answer(identity, answer)

    def refuse(self, problem: str) -> None:
        """Answer a line that holds no query."""
        self._answer(None, answers.ErrorAnswer(error=problem))

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all queries are answered; return False if some are not after `timeout` seconds."""
        with self._guard:
            return self._guard.wait_for(lambda: not self._jobs, timeout)

    def close(self, *, wait: bool = True) -> None:
        """Shut down after all queries are answered; with `wait=False`, stop running searches first."""
        if not wait:
            self._terminate(None)
        self._pool.shutdown(wait=True)

    def _parse(self, document: object, identity: messages.Id | None) -> messages.Query:
        if not isinstance(document, dict):
            raise QueryError("a query is a JSON object with an id and an action")
        action = document.get("action")
        kind = ACTIONS.get(action) if isinstance(action, str) else None
        if kind is None:
            raise QueryError(
                f"action is {shorten(action)}; allowed: {', '.join(map(str, ACTIONS))}", "action"
            )
        known = ("action", *kind.__struct_fields__)
        for name in [name for name in document if name not in known][:MAX_WARNINGS]:
            warning = f"unknown field {shorten(name)} is ignored; {action} has {', '.join(known[1:])}"
            self._answer(identity, answers.WarningAnswer(warning=warning, field=name[:SHOWN]))
        try:
            query: messages.Query = msgspec.convert(document, kind)
        except msgspec.ValidationError as problem:
            raise QueryError(*_wrong_field(problem)) from None
        return query

    # ---- Answers go out --------------------------------------------------------------------------------------

    def _answer(self, identity: messages.Id | None, answer: Answer) -> None:
        answer.id = identity
        with self._sending:
            self._send(answer)

    def _answer_to(self, query: messages.Query) -> Answer | None:
        """Return the answer to a query, or None if a player has to find it first."""
        match query:
            case messages.PlayerQuery():
                self._submit(query)
                return None
            case messages.Version():
                return answers.VersionAnswer(version=aiplay.__version__, protocol=PROTOCOL)
            case messages.Games():
                return self._games(query)
            case messages.NewTable():
                return self._new_table(query)
            case messages.View():
                return self._view(query)
            case messages.LegalMoves():
                return _legal_moves(self._position(query))
            case messages.Play():
                return self._play(query)
            case messages.Undo():
                return self._undo(query)
            case messages.Close():
                return self._close_table(query)
            case messages.Terminate():
                return answers.TerminateAnswer(terminated=self._terminate(query.query))
        raise QueryError(f"no answer to {type(query).__name__}", "action")

    def _games(self, query: messages.Games) -> Answer:
        found = []
        for name in aiplay.game_names():
            try:
                found.append(answers.game_fields(name))
            except PackageError as problem:  # the others can still be played
                self._answer(query.id, answers.WarningAnswer(warning=str(problem), field="game"))
        return answers.GamesAnswer(games=found)

    # ---- Tables ----------------------------------------------------------------------------------------------

    def _new_table(self, query: messages.NewTable) -> Answer:
        with _blaming("options"):
            try:
                game = _load_game(query.game, query.options)
            except (aiplay.UnknownGameError, PackageError) as problem:
                raise QueryError(str(problem), "game") from None
        seed = secrets.randbits(SEED_BITS) if query.seed is None else query.seed
        table = Table(game, seed=seed)
        with self._guard:
            name = query.table if query.table is not None else self._free_name()
            if name in self._tables:
                raise QueryError(f"there is a table {shorten(name)} already", "table")
            if len(self._tables) >= self._max_tables:
                raise QueryError(f"there are {self._max_tables} tables already: close one first", "table")
            self._tables[name] = _OpenTable(table)
        return answers.NewTableAnswer(table=name, seed=seed, seats=game.seats, **turn_fields(table))

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
            view = _seat_view(found.table, query.seat)
        whole = messages.ViewFields(
            game=view.game.name, options=dict(view.game.options), seat=view.seat, view=view.to_fields()
        )
        return answers.ViewAnswer(view=whole, text=str(view), to_move=view.to_move)

    def _play(self, query: messages.Play) -> Answer:
        found = self._find_table(query.table)
        with found.lock:
            state = found.table.state
            with _blaming("move"):
                move = found.table.play(query.move)
            return answers.PlayAnswer(move=move, text=state.move_text(move), **turn_fields(found.table))

    def _undo(self, query: messages.Undo) -> Answer:
        found = self._find_table(query.table)
        with found.lock:
            return answers.UndoAnswer(undone=found.table.undo(), **turn_fields(found.table))

    def _position(self, query: messages.Position) -> View:
        """Return the view that a query is about."""
        if (query.table is None) == (query.view is None):
            raise QueryError("give either a table or a view", "table")
        if query.table is not None:
            found = self._find_table(query.table)
            with found.lock:
                return _seat_view(found.table, None)
        assert query.view is not None
        with _blaming("view"):
            return _sent_view(query.view)

    # ---- Players ---------------------------------------------------------------------------------------------

    def _submit(self, query: messages.PlayerQuery) -> None:
        """Check a query completely, and give it to the pool of threads."""
        view, limit = self._position(query), None
        with _blaming("table" if query.view is None else "view"):
            moves_to_choose_from(view)
        with _blaming("player"):
            player = aiplay.make_player(query.player, seed=query.seed)
        if isinstance(player, HumanPlayer):
            raise QueryError("player 'human' needs a terminal, and the engine has none", "player")
        if isinstance(query.limit, messages.LimitFields):
            with _blaming("limit"):
                limit = Limit(**msgspec.structs.asdict(query.limit))
        query.view = None  # thousands of jobs may wait: keep the position, not what it was made from
        job = _Job(query, view, player, limit)
        if isinstance(query, messages.Explain):
            job.move = _legal_move(view, query.move)
        with self._guard:
            if len(self._jobs) >= self._max_queries:
                raise QueryError(
                    f"{self._max_queries} queries are running or waiting already: wait for an answer"
                )
            self._jobs[job] = None
        self._pool.submit(self._run, job)

    def _run(self, job: _Job) -> None:
        try:
            answer = self._result(job)
        except PlayerSpecError as problem:  # a limit that the player does not have
            answer = answers.ErrorAnswer(error=str(problem), field="limit" if job.limit else "player")
        except Exception as problem:  # a broken game or player must not end the engine
            answer = _error_answer(problem)
        job.done.set()
        try:
            self._answer(job.query.id, answer)
        finally:
            with self._guard:
                del self._jobs[job]
                self._guard.notify_all()

    def _result(self, job: _Job) -> Answer:
        query, view, player, limit = job.query, job.view, job.player, job.effective_limit()
        started = time.perf_counter()
        if isinstance(query, messages.Choose):
            move = player.choose(view) if limit is None else player.choose(view, limit)
            seconds = time.perf_counter() - started
            return answers.ChooseAnswer(move=move, text=view.move_text(move), seconds=seconds)
        if isinstance(query, messages.Explain):
            return answers.explain_answer(player.analyse(view, limit), job.move)
        every = query.every if isinstance(query, messages.Analyse) else None
        if every is None:
            return answers.analyse_answer(player.analyse(view, limit), is_partial=False)

        def progress(now: Analysis) -> None:
            self._answer(query.id, answers.analyse_answer(now, is_partial=True))

        analysis = player.analyse(view, limit, progress=progress, every=every)
        return answers.analyse_answer(analysis, is_partial=False)

    def _terminate(self, identity: messages.Id | None) -> list[messages.Id]:
        with self._guard:
            chosen = [job for job in self._jobs if identity is None or job.query.id == identity]
            fresh = [job for job in chosen if not job.is_terminated]
            for job in fresh:
                job.is_terminated = True
        if fresh:
            threading.Thread(target=_stop, args=(fresh,), daemon=True).start()
        return [job.query.id for job in chosen]


def _stop(jobs: list[_Job]) -> None:
    """Stop the players of jobs until all have ended: a search that is just starting misses the first call."""
    while jobs := [job for job in jobs if not job.done.is_set()]:
        for job in jobs:
            job.player.stop()
        jobs[0].done.wait(STOP_INTERVAL)


def _load_game(name: str, options: dict[str, Any]) -> Game:
    """Return a game: immutable, so that all tables and views with the same options can share it."""
    try:
        return _shared_game(name, **options)
    except TypeError:  # a value that cannot be cached, such as a list: load_game says what is wrong with it
        return aiplay.load_game(name, **options)


@functools.lru_cache(maxsize=64, typed=True)
def _shared_game(name: str, /, **options: Any) -> Game:
    return aiplay.load_game(name, **options)


def _sent_view(sent: messages.ViewFields) -> View:
    """Return a view that a client sent as a whole."""
    game = _load_game(sent.game, sent.options)
    if sent.options != game.options:
        raise QueryError(f"options are {sent.options}; needed are all of them: {dict(game.options)}", "view")
    return game.view_from_fields(sent.view, sent.seat)


@contextmanager
def _blaming(field: str) -> Iterator[None]:
    """Turn errors within into a QueryError about this field."""
    try:
        yield
    except (AiplayError, TypeError, OverflowError) as problem:
        raise QueryError(str(problem), field) from None


def _identity(document: object) -> messages.Id | None:
    """Return the id of a query, even if the rest of it is wrong."""
    identity = document.get("id") if isinstance(document, dict) else None
    try:
        valid: messages.Id | None = msgspec.convert(identity, messages.Id | None)
    except msgspec.ValidationError:
        return None
    return valid


def _error_answer(problem: Exception) -> answers.ErrorAnswer:
    """Return the answer to a query that failed."""
    if isinstance(problem, QueryError):
        return answers.ErrorAnswer(error=str(problem), field=problem.field)
    if isinstance(problem, AiplayError):
        return answers.ErrorAnswer(error=str(problem))
    return answers.ErrorAnswer(error=f"{type(problem).__name__}: {problem}")


def _wrong_field(problem: msgspec.ValidationError) -> tuple[str, str | None]:
    """Return the message about a wrong field, and the name of the field."""
    text, _, path = str(problem).partition(" - at `$.")
    path = path.rstrip("`")
    if not path and "field `" in text:
        path = text.split("field `")[1].split("`")[0]
    if path == "limit" and "unknown field" in text:
        text += f"; allowed: {', '.join(messages.LimitFields.__struct_fields__)}"
    return (f"{path}: {text}" if path else text), path.split(".")[0].split("[")[0] or None


def _seat_view(table: Table, seat: int | None) -> View:
    """Return the view of a seat; of the one to move by default."""
    if seat is None:
        seat = max(table.to_move, 0)
    if not 0 <= seat < table.game.seats:
        raise QueryError(f"seat is {seat}; allowed: 0 to {table.game.seats - 1}", "seat")
    return table.view(seat)


def _legal_moves(view: View) -> Answer:
    moves = [answers.MoveFields(move=move, text=view.move_text(move)) for move in view.legal_moves()]
    return answers.LegalMovesAnswer(seat=view.seat, to_move=view.to_move, moves=moves)


def _legal_move(view: View, move: int | str) -> int:
    """Return the number of a legal move."""
    with _blaming("move"):
        number = view.parse_move(move) if isinstance(move, str) else move
        view.move_text(number)
        return number
