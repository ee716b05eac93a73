"""The engine behind the protocol: it reads queries, answers them from a pool of threads, and never gives up."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, BinaryIO, get_args

import msgspec

import aiplay
from aiplay._core.game import View
from aiplay.analysis import Analysis
from aiplay.engine import messages
from aiplay.engine.messages import PROTOCOL, QUERIES
from aiplay.errors import AiplayError
from aiplay.limit import Limit
from aiplay.players.base import Player
from aiplay.players.search import SearchPlayer
from aiplay.table import Table

__all__ = ["Engine", "serve"]

MAX_LINE = 4 * 2**20  # bytes of a query; longer lines are answered with an error
LOOK = 0.05  # seconds between two looks at whether a query was terminated
KINDS = {kind.__struct_config__.tag: kind for kind in get_args(QUERIES)}

Answer = dict[str, Any]
Send = Callable[[Answer], None]


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


@dataclass
class _Running:
    """A query that a player thinks about."""

    query: messages.Thinking
    player: Player | None = None
    is_terminated: bool = False

    def terminate(self) -> None:
        self.is_terminated = True
        if isinstance(self.player, SearchPlayer):
            self.player.stop()


class Engine:
    """Answers queries; `send` gets every answer, from several threads but one at a time."""

    def __init__(self, send: Send, *, workers: int = 2, max_tables: int = 1000) -> None:
        self._send, self._sending = send, threading.Lock()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="aiplay-engine")
        self._max_tables = max_tables
        self._tables: dict[str, _Held] = {}
        self._running: list[_Running] = []
        self._guard = threading.Lock()  # of the two above
        self._names = itertools.count(1)

    # ---- Queries come in -------------------------------------------------------------------------------------

    def receive(self, line: bytes) -> None:
        """Take one line; its answers go to `send`, now or later."""
        if not line.strip():
            return
        try:
            document = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
            self._answer({"id": None, "error": f"not valid JSON: {problem}", "field": None})
            return
        identity = document.get("id") if isinstance(document, dict) else None
        identity = identity if isinstance(identity, str | int) else None
        try:
            query = self._parse(document, identity)
            if isinstance(query, messages.Thinking):
                self._queue(query)
            else:
                self._reply(query.id, lambda: self._answer_to(query))
        except QueryError as problem:
            self._answer({"id": identity, "error": str(problem), "field": problem.field})

    def refuse(self, problem: str) -> None:
        """Answer a line that was not even read."""
        self._answer({"id": None, "error": problem, "field": None})

    def close(self, *, wait: bool = True) -> None:
        """Finish what is being thought about (or end it), and stop."""
        if not wait:
            self._terminate(None)
        self._pool.shutdown(wait=True)

    def _parse(self, document: object, identity: str | int | None) -> messages.Query:
        if not isinstance(document, dict):
            raise QueryError("a query is a JSON object with an id and an action")
        action = document.get("action")
        kind = KINDS.get(action) if isinstance(action, str) else None
        if kind is None:
            raise QueryError(f"action is {action!r}; allowed: {', '.join(map(str, KINDS))}", "action")
        known = {"action", *kind.__struct_fields__}
        for name in document.keys() - known:
            warning = f"unknown field {name!r} is ignored; {action} has {', '.join(kind.__struct_fields__)}"
            self._answer({"id": identity, "warning": warning, "field": name})
        try:
            query: messages.Query = msgspec.convert(document, kind)
        except msgspec.ValidationError as problem:
            raise QueryError(*_explain(problem)) from None
        return query

    def _queue(self, query: messages.Thinking) -> None:
        running = _Running(query)
        with self._guard:
            self._running.append(running)
        self._pool.submit(self._think, running)

    def _think(self, running: _Running) -> None:
        try:
            self._reply(running.query.id, lambda: self._thought(running))
        finally:
            with self._guard:
                self._running.remove(running)

    # ---- Answers go out --------------------------------------------------------------------------------------

    def _reply(self, identity: str | int, make: Callable[[], Answer]) -> None:
        """Send an answer, or the error that stands in its way."""
        try:
            answer = make()
        except QueryError as problem:
            answer = {"error": str(problem), "field": problem.field}
        except AiplayError as problem:
            answer = {"error": str(problem), "field": None}
        except Exception as problem:  # a broken game or player must not end the engine
            answer = {"error": f"{type(problem).__name__}: {problem}", "field": None}
        self._answer({"id": identity, **answer})

    def _answer(self, answer: Answer) -> None:
        with self._sending:
            self._send(answer)

    def _answer_to(self, query: messages.Query) -> Answer:
        match query:
            case messages.Version():
                return {"version": aiplay.__version__, "protocol": PROTOCOL}
            case messages.Games():
                return {"games": [_describe(name) for name in aiplay.game_names()]}
            case messages.NewTable():
                return self._new_table(query)
            case messages.View():
                return self._view(query)
            case messages.LegalMoves():
                view = self._position(query)
                moves = [{"move": move, "text": view.move_text(move)} for move in view.legal_moves()]
                return {"seat": view.seat, "to_move": view.to_move, "moves": moves}
            case messages.Play():
                return self._play(query)
            case messages.Undo():
                held = self._held(query.table)
                with held.lock:
                    return {"undone": held.table.undo(), **_turn(held.table)}
            case messages.Close():
                self._held(query.table)
                with self._guard:
                    self._tables.pop(query.table, None)
                return {"closed": query.table}
            case messages.Terminate():
                return {"terminated": self._terminate(query.query)}
        raise QueryError(f"no answer to {type(query).__name__}", "action")

    # ---- Tables ----------------------------------------------------------------------------------------------

    def _new_table(self, query: messages.NewTable) -> Answer:
        try:
            game = aiplay.load_game(query.game, **query.options)
        except aiplay.UnknownGameError as problem:
            raise QueryError(str(problem), "game") from None
        except (AiplayError, TypeError) as problem:
            raise QueryError(str(problem), "options") from None
        held = _Held(Table(game, seed=query.seed))
        with self._guard:
            name = query.table if query.table is not None else self._free_name()
            if name in self._tables:
                raise QueryError(f"there is a table {name!r} already", "table")
            if len(self._tables) >= self._max_tables:
                raise QueryError(f"there are {self._max_tables} tables already: close one first", "table")
            self._tables[name] = held
        return {"table": name, "seed": held.table.seed, "seats": game.seats, **_turn(held.table)}

    def _free_name(self) -> str:
        return next(name for number in self._names if (name := f"table-{number}") not in self._tables)

    def _held(self, name: str) -> _Held:
        with self._guard:
            if name not in self._tables:
                shown = ", ".join(list(self._tables)[:10]) or "none"
                raise QueryError(f"no table is called {name!r}; the tables are: {shown}", "table")
            return self._tables[name]

    def _view(self, query: messages.View) -> Answer:
        held = self._held(query.table)
        with held.lock:
            view = _seat_view(held.table, query.seat)
        return {"view": msgspec.json.decode(view.to_json()), "text": str(view), "to_move": view.to_move}

    def _play(self, query: messages.Play) -> Answer:
        held = self._held(query.table)
        with held.lock:
            state = held.table.state
            try:
                move = held.table.play(query.move)
            except AiplayError as problem:
                raise QueryError(str(problem), "move") from None
            return {"move": move, "text": state.move_text(move), **_turn(held.table)}

    def _position(self, query: messages.Position) -> View:
        """The view that a query is about."""
        if (query.table is None) == (query.view is None):
            raise QueryError("give either a table or a view", "table")
        if query.table is not None:
            held = self._held(query.table)
            with held.lock:
                return _seat_view(held.table, None)
        assert query.view is not None
        try:
            game = aiplay.load_game(query.view.get("game", ""), **(query.view.get("options") or {}))
            return game.view_from_json(msgspec.json.encode(query.view))
        except (AiplayError, TypeError) as problem:
            raise QueryError(str(problem), "view") from None

    # ---- Thinking --------------------------------------------------------------------------------------------

    def _thought(self, running: _Running) -> Answer:
        query = running.query
        view = self._position(query)
        try:
            player = running.player = aiplay.make_player(query.player, seed=query.seed)
        except AiplayError as problem:
            raise QueryError(str(problem), "player") from None
        every = query.every if isinstance(query, messages.Analyse) else None
        analysis = self._analyse(running, player, view, every)
        if isinstance(query, messages.Choose):
            return {"move": analysis.best, "text": analysis.moves[0].text, "seconds": analysis.seconds}
        if isinstance(query, messages.Explain):
            return _explanation(view, analysis, query.move)
        return {"partial": False, **_analysis(analysis)}

    def _analyse(self, running: _Running, player: Player, view: View, every: float | None) -> Analysis:
        query = running.query
        limit = None
        if isinstance(query.limit, messages.LimitFields):
            limit = Limit(**msgspec.structs.asdict(query.limit))
        reported = [0.0]

        def progress(now: Analysis) -> None:
            if running.is_terminated:
                running.terminate()  # once more: the player may not have been searching the first time
            elif every is not None and now.seconds - reported[0] >= every:
                reported[0] = now.seconds
                self._answer({"id": query.id, "partial": True, **_analysis(now)})

        return player.analyse(
            view, limit, progress=progress, every=LOOK if every is None else min(LOOK, every)
        )

    def _terminate(self, identity: str | int | None) -> list[str | int]:
        with self._guard:
            chosen = [r for r in self._running if identity is None or r.query.id == identity]
        for running in chosen:
            running.terminate()
        return [running.query.id for running in chosen]


def _explain(problem: msgspec.ValidationError) -> tuple[str, str | None]:
    """The message of a wrong field, and the field's name."""
    text, _, path = str(problem).partition(" - at `$.")
    name = path.rstrip("`").split(".")[0].split("[")[0] or None
    if name is None and "field `" in text:
        name = text.split("field `")[1].split("`")[0]
    return (f"{name}: {text}" if name else text), name


def _seat_view(table: Table, seat: int | None) -> View:
    if seat is None:
        seat = max(table.to_move, 0)
    if not 0 <= seat < table.game.seats:
        raise QueryError(f"seat is {seat}; allowed: 0 to {table.game.seats - 1}", "seat")
    return table.view(seat)


def _turn(table: Table) -> Answer:
    """Whose turn it is, or how it ended."""
    over = table.over
    return {"to_move": table.to_move, "over": over, "returns": table.returns() if over else None}


def _describe(name: str) -> Answer:
    game = aiplay.load_game(name)
    options = [
        {"name": option.name, "default": option.default, "allowed": option.allowed, "about": option.doc}
        for option in game.OPTIONS
    ]
    return {
        "name": name,
        "seats": game.seats,
        "chance": game.has_chance,
        "hidden": game.has_hidden,
        "cooperative": game.is_cooperative,
        "options": options,
    }


def _analysis(analysis: Analysis) -> Answer:
    return {
        "seat": analysis.seat,
        "move": analysis.best,
        "moves": [
            {
                "move": move.move,
                "text": move.text,
                "visits": move.visits,
                "value": move.value,
                "error": move.error,
                "proven": move.proven,
            }
            for move in analysis.moves
        ],
        "line": list(analysis.line),
        "odds": list(analysis.odds),
        "iterations": analysis.iterations,
        "nodes": analysis.nodes,
        "worlds": analysis.worlds,
        "depth": analysis.depth,
        "seconds": analysis.seconds,
    }


def _explanation(view: View, analysis: Analysis, move: int | str) -> Answer:
    """One move among the others."""
    try:
        number = view.parse_move(move) if isinstance(move, str) else move
        view.move_text(number)
    except AiplayError as problem:
        raise QueryError(str(problem), "move") from None
    place = next(index for index, entry in enumerate(analysis.moves) if entry.move == number)
    this, best = analysis.moves[place], analysis.moves[0]
    verdict = (
        f"{this.text} is the best move: {this.value:.1%}"
        if place == 0
        else f"{this.text} is number {place + 1} of {len(analysis.moves)}: {this.value:.1%}, "
        f"{best.text} is better with {best.value:.1%}"
    )
    whole = _analysis(analysis)
    return {
        "move": number,
        "text": this.text,
        "rank": place + 1,
        "of": len(analysis.moves),
        "value": this.value,
        "error": this.error,
        "visits": this.visits,
        "best": whole["moves"][0],
        "loss": best.value - this.value,
        "line": whole["line"] if place == 0 else [],
        "verdict": verdict,
        "seconds": analysis.seconds,
    }


def read_lines(stream: BinaryIO, limit: int = MAX_LINE) -> Iterator[bytes | None]:
    """The lines of a stream; None for one that is longer than `limit` (it is skipped, not kept)."""
    while line := stream.readline(limit + 1):
        if len(line) > limit and not line.endswith(b"\n"):
            while (rest := stream.readline(limit + 1)) and not rest.endswith(b"\n"):
                pass
            yield None
        else:
            yield line


def serve(source: BinaryIO, target: BinaryIO, *, workers: int = 2, max_tables: int = 1000) -> None:
    """Answer the queries of a stream of JSON lines until it ends, and finish what was asked."""

    def send(answer: Answer) -> None:
        target.write(msgspec.json.encode(answer) + b"\n")
        target.flush()

    engine = Engine(send, workers=workers, max_tables=max_tables)
    try:
        for line in read_lines(source):
            if line is None:
                engine.refuse(f"a line is longer than {MAX_LINE} bytes")
            else:
                engine.receive(line)
    except BaseException:
        engine.close(wait=False)
        raise
    engine.close()
