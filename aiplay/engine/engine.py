"""The engine behind the protocol: it takes queries, answers them from a pool of threads, and never gives up."""

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
from typing import get_args

import msgspec

import aiplay
from aiplay._core.game import Game, View
from aiplay.analysis import Analysis
from aiplay.engine import answers, messages
from aiplay.engine.answers import SHOWN, Answer, shortened, turn_of
from aiplay.engine.messages import PROTOCOL, QUERIES
from aiplay.errors import AiplayError, PackageError, PlayerSpecError
from aiplay.limit import Limit
from aiplay.players.base import Player, moves_to_choose_from
from aiplay.players.human import HumanPlayer
from aiplay.players.search import SearchPlayer
from aiplay.table import Table

__all__ = ["Engine"]

KINDS = {kind.__struct_config__.tag: kind for kind in get_args(QUERIES)}
MAX_WARNINGS = 20  # about unknown fields of one query
SEED_BITS = 53  # of the seeds that the engine chooses: all that JavaScript can repeat
AGAIN = 0.02  # seconds after which a search that is just starting is told again to end

Send = Callable[[Answer], object]


class QueryError(Exception):
    """A query that cannot be answered; `field` names what is wrong with it."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


@dataclass
class _Held:
    """A table that the engine holds; one query at a time looks at it."""

    table: Table
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(eq=False)
class _Thought:
    """A query that a player thinks about, or will: the position is the one that the query met."""

    query: messages.Thinking
    view: View
    player: Player
    limit: Limit | None
    move: int = 0  # the one to explain
    is_terminated: bool = False
    done: threading.Event = field(default_factory=threading.Event)

    def allowance(self) -> Limit | None:
        """What the player may spend; nothing, if the query was terminated before its turn came."""
        return Limit(time=0) if self.is_terminated and isinstance(self.player, SearchPlayer) else self.limit


class Engine:
    """Answers queries; `send` gets every answer, from several threads but one at a time."""

    def __init__(
        self, send: Send, *, workers: int = 2, max_tables: int = 1000, max_queries: int = 10_000
    ) -> None:
        self._send, self._sending = send, threading.Lock()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="aiplay-engine")
        self._max_tables, self._max_queries = max_tables, max_queries
        self._tables: dict[str, _Held] = {}
        self._thoughts: dict[_Thought, None] = {}  # a set that keeps the order
        self._guard = threading.Condition()  # of the two above; notified when nothing is left to think about
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
        except Exception as problem:  # whatever it is, the next line is answered too
            answer = _failure(problem)
        if answer is not None:
            self._answer(identity, answer)

    def refuse(self, problem: str) -> None:
        """Answer a line that holds no query."""
        self._answer(None, answers.ErrorAnswer(error=problem))

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until everything that was asked is answered; whether it is."""
        with self._guard:
            return self._guard.wait_for(lambda: not self._thoughts, timeout)

    def close(self, *, wait: bool = True) -> None:
        """Finish what is being thought about (or end it), and stop."""
        if not wait:
            self._terminate(None)
        self._pool.shutdown(wait=True)

    def _parse(self, document: object, identity: messages.Id | None) -> messages.Query:
        if not isinstance(document, dict):
            raise QueryError("a query is a JSON object with an id and an action")
        action = document.get("action")
        kind = KINDS.get(action) if isinstance(action, str) else None
        if kind is None:
            raise QueryError(
                f"action is {shortened(action)}; allowed: {', '.join(map(str, KINDS))}", "action"
            )
        known = ("action", *kind.__struct_fields__)
        for name in [name for name in document if name not in known][:MAX_WARNINGS]:
            warning = f"unknown field {shortened(name)} is ignored; {action} has {', '.join(known[1:])}"
            self._answer(identity, answers.WarningAnswer(warning=warning, field=name[:SHOWN]))
        try:
            query: messages.Query = msgspec.convert(document, kind)
        except msgspec.ValidationError as problem:
            raise QueryError(*_explain(problem)) from None
        return query

    # ---- Answers go out --------------------------------------------------------------------------------------

    def _answer(self, identity: messages.Id | None, answer: Answer) -> None:
        answer.id = identity
        with self._sending:
            self._send(answer)

    def _answer_to(self, query: messages.Query) -> Answer | None:
        """The answer, or None if a player has to think about it first."""
        match query:
            case messages.Thinking():
                self._queue(query)
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
                found.append(answers.described(name))
            except PackageError as problem:  # the others can still be played
                self._answer(query.id, answers.WarningAnswer(warning=str(problem), field="game"))
        return answers.GamesAnswer(games=found)

    # ---- Tables ----------------------------------------------------------------------------------------------

    def _new_table(self, query: messages.NewTable) -> Answer:
        with _blaming("options"):
            try:
                game = _game(query.game, msgspec.json.encode(query.options))
            except (aiplay.UnknownGameError, PackageError) as problem:
                raise QueryError(str(problem), "game") from None
        seed = secrets.randbits(SEED_BITS) if query.seed is None else query.seed
        table = Table(game, seed=seed)
        with self._guard:
            name = query.table if query.table is not None else self._free_name()
            if name in self._tables:
                raise QueryError(f"there is a table {shortened(name)} already", "table")
            if len(self._tables) >= self._max_tables:
                raise QueryError(f"there are {self._max_tables} tables already: close one first", "table")
            self._tables[name] = _Held(table)
        return answers.NewTableAnswer(table=name, seed=seed, seats=game.seats, **turn_of(table))

    def _free_name(self) -> str:
        return next(name for number in self._names if (name := f"table-{number}") not in self._tables)

    def _held(self, name: str) -> _Held:
        with self._guard:
            if name not in self._tables:
                shown = ", ".join(shortened(known) for known in itertools.islice(self._tables, 10)) or "none"
                raise QueryError(f"no table is called {shortened(name)}; the tables are: {shown}", "table")
            return self._tables[name]

    def _close_table(self, query: messages.Close) -> Answer:
        self._held(query.table)
        with self._guard:
            self._tables.pop(query.table, None)
        return answers.CloseAnswer(closed=query.table)

    def _view(self, query: messages.View) -> Answer:
        held = self._held(query.table)
        with held.lock:
            view = _seat_view(held.table, query.seat)
        fields = msgspec.json.decode(view.to_json())
        return answers.ViewAnswer(view=fields, text=str(view), to_move=view.to_move)

    def _play(self, query: messages.Play) -> Answer:
        held = self._held(query.table)
        with held.lock:
            state = held.table.state
            with _blaming("move"):
                move = held.table.play(query.move)
            return answers.PlayAnswer(move=move, text=state.move_text(move), **turn_of(held.table))

    def _undo(self, query: messages.Undo) -> Answer:
        held = self._held(query.table)
        with held.lock:
            return answers.UndoAnswer(undone=held.table.undo(), **turn_of(held.table))

    def _position(self, query: messages.Position) -> View:
        """The view that a query is about."""
        if (query.table is None) == (query.view is None):
            raise QueryError("give either a table or a view", "table")
        if query.table is not None:
            held = self._held(query.table)
            with held.lock:
                return _seat_view(held.table, None)
        assert query.view is not None
        with _blaming("view"):
            game = _game(query.view.game, msgspec.json.encode(query.view.options))
            return game.view_from_json(msgspec.json.encode(query.view))

    # ---- Thinking --------------------------------------------------------------------------------------------

    def _queue(self, query: messages.Thinking) -> None:
        """Check all of a query, and let a thread of the pool think about it."""
        view, limit = self._position(query), None
        with _blaming("table" if query.view is None else "view"):
            moves_to_choose_from(view)
        with _blaming("player"):
            player = aiplay.make_player(query.player, seed=query.seed)
        if isinstance(player, HumanPlayer):
            raise QueryError("player 'human' needs a terminal, and the engine has none for him", "player")
        if isinstance(query.limit, messages.LimitFields):
            with _blaming("limit"):
                limit = Limit(**msgspec.structs.asdict(query.limit))
        query.view = None  # thousands may wait: only the position is kept, not the text it came in
        thought = _Thought(query, view, player, limit)
        if isinstance(query, messages.Explain):
            thought.move = _legal_move(view, query.move)
        with self._guard:
            if len(self._thoughts) >= self._max_queries:
                raise QueryError(
                    f"{self._max_queries} queries are being thought about already: wait for some"
                )
            self._thoughts[thought] = None
        self._pool.submit(self._think, thought)

    def _think(self, thought: _Thought) -> None:
        try:
            answer = self._thought(thought)
        except PlayerSpecError as problem:  # a limit that the player does not have
            answer = answers.ErrorAnswer(error=str(problem), field="limit" if thought.limit else "player")
        except Exception as problem:  # a broken game or player must not end the engine
            answer = _failure(problem)
        thought.done.set()
        try:
            self._answer(thought.query.id, answer)
        finally:
            with self._guard:
                del self._thoughts[thought]
                self._guard.notify_all()

    def _thought(self, thought: _Thought) -> Answer:
        query, view, player, limit = thought.query, thought.view, thought.player, thought.allowance()
        started = time.perf_counter()
        if isinstance(query, messages.Choose):
            move = player.choose(view, limit) if isinstance(player, SearchPlayer) else player.choose(view)
            seconds = time.perf_counter() - started
            return answers.ChooseAnswer(move=move, text=view.move_text(move), seconds=seconds)
        if isinstance(query, messages.Explain):
            return answers.explained(player.analyse(view, limit), thought.move)
        every = query.every if isinstance(query, messages.Analyse) else None
        if every is None:
            return answers.analysed(player.analyse(view, limit), is_partial=False)

        def progress(now: Analysis) -> None:
            self._answer(query.id, answers.analysed(now, is_partial=True))

        return answers.analysed(player.analyse(view, limit, progress=progress, every=every), is_partial=False)

    def _terminate(self, identity: messages.Id | None) -> list[messages.Id]:
        with self._guard:
            chosen = [t for t in self._thoughts if identity is None or t.query.id == identity]
            fresh = [thought for thought in chosen if not thought.is_terminated]
            for thought in fresh:
                thought.is_terminated = True
        if fresh:
            threading.Thread(target=_stop, args=(fresh,), daemon=True).start()
        return [thought.query.id for thought in chosen]


def _stop(thoughts: list[_Thought]) -> None:
    """End searches, as often as it takes: one that is just starting misses the first call."""
    while thoughts := [thought for thought in thoughts if not thought.done.is_set()]:
        for thought in thoughts:
            if isinstance(thought.player, SearchPlayer):
                thought.player.stop()
        thoughts[0].done.wait(AGAIN)


@functools.lru_cache(maxsize=64)
def _game(name: str, options: bytes) -> Game:
    """A game: immutable, so that all tables and views may share it."""
    return aiplay.load_game(name, **msgspec.json.decode(options))


@contextmanager
def _blaming(field: str) -> Iterator[None]:
    """Whatever is wrong within is the fault of this field."""
    try:
        yield
    except (AiplayError, TypeError, OverflowError) as problem:
        raise QueryError(str(problem), field) from None


def _identity(document: object) -> messages.Id | None:
    """The id of a query, however wrong the rest of it is."""
    identity = document.get("id") if isinstance(document, dict) else None
    try:
        valid: messages.Id | None = msgspec.convert(identity, messages.Id | None)
    except msgspec.ValidationError:
        return None
    return valid


def _failure(problem: Exception) -> answers.ErrorAnswer:
    """The answer to a query that could not be answered."""
    if isinstance(problem, QueryError):
        return answers.ErrorAnswer(error=str(problem), field=problem.field)
    if isinstance(problem, AiplayError):
        return answers.ErrorAnswer(error=str(problem))
    return answers.ErrorAnswer(error=f"{type(problem).__name__}: {problem}")


def _explain(problem: msgspec.ValidationError) -> tuple[str, str | None]:
    """The message of a wrong field, and the field's name."""
    text, _, path = str(problem).partition(" - at `$.")
    path = path.rstrip("`")
    if not path and "field `" in text:
        path = text.split("field `")[1].split("`")[0]
    if path == "limit" and "unknown field" in text:
        text += f"; allowed: {', '.join(messages.LimitFields.__struct_fields__)}"
    return (f"{path}: {text}" if path else text), path.split(".")[0].split("[")[0] or None


def _seat_view(table: Table, seat: int | None) -> View:
    if seat is None:
        seat = max(table.to_move, 0)
    if not 0 <= seat < table.game.seats:
        raise QueryError(f"seat is {seat}; allowed: 0 to {table.game.seats - 1}", "seat")
    return table.view(seat)


def _legal_moves(view: View) -> Answer:
    moves = [answers.MoveFields(move=move, text=view.move_text(move)) for move in view.legal_moves()]
    return answers.LegalMovesAnswer(seat=view.seat, to_move=view.to_move, moves=moves)


def _legal_move(view: View, move: int | str) -> int:
    """The number of a legal move."""
    with _blaming("move"):
        number = view.parse_move(move) if isinstance(move, str) else move
        view.move_text(number)
        return number
