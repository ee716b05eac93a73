"""The host: connections, rooms and queries. No web framework, no threads of its own; everything runs in one thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

import aiplay
from aiplay.engine.answers import game_fields, hint_answer, next_level_answer
from aiplay.engine.messages import Games
from aiplay.engine.parse import error_answer, identity_of, kind_of, read_query
from aiplay.engine.positions import QueryError, find_move, loaded_game
from aiplay.errors import PackageError
from aiplay.files import files_from
from aiplay.limit import Limit
from aiplay.serve import messages
from aiplay.serve.connection import Connection
from aiplay.serve.film import FilmRoom
from aiplay.serve.insight import beliefs, outcomes
from aiplay.serve.limits import LEVELS, Limits
from aiplay.serve.matches import Library
from aiplay.serve.play import PlayRoom
from aiplay.serve.room import Member, Room, analysis_fields, digest, fits
from aiplay.serve.rooms import Rooms
from aiplay.serve.searches import Clock, Search, Searches
from aiplay.serve.store import MemoryStore, RoomStore
from aiplay.serve.tutor import advice, adviser

__all__ = ["Host"]

Fields = dict[str, Any]
OUTCOME_SECONDS = 0.3  # to find the values of outcomes


class Host:
    """Answers the queries of connections, and pushes to them what happens in their rooms."""

    def __init__(
        self,
        clock: Clock,
        searches: Searches,
        limits: Limits | None = None,
        *,
        token: str | None = None,
        store: RoomStore | None = None,
        library: Library | None = None,
    ) -> None:
        self.limits = Limits() if limits is None else limits
        self.clock, self.searches, self.token = clock, searches, token
        self.library = Library() if library is None else library
        self.connections: set[Connection] = set()
        self.rooms = Rooms(clock, searches, self.limits, MemoryStore() if store is None else store)
        self._handlers: dict[type[messages.Query], Callable[[Connection, Any], Fields | None]] = {
            messages.Hello: self._hello,
            messages.GameQuery: self._game,
            messages.NextLevel: self._next_level,
            messages.OpenRoom: self._open_room,
            messages.Watch: self._watch,
            messages.Replay: self._replay,
            messages.Join: self._join,
            messages.MoveQuery: self._move,
            messages.Undo: self._undo,
            messages.Hint: self._hint,
            messages.Think: self._think,
            messages.StopThinking: self._stop_thinking,
            messages.Now: self._now,
            messages.Speed: self._speed,
            messages.Step: self._step,
            messages.Seek: self._seek,
            messages.Save: self._save,
            messages.Leave: self._leave,
        }

    # ---- Connections -----------------------------------------------------------------------------------------

    def connect(self, send: Callable[[Fields], object]) -> Connection:
        """Return a new connection; `send` gets answers and pushes."""
        connection = Connection(send, self.limits, self.clock.now(), is_trusted=self.token is None)
        self.connections.add(connection)
        return connection

    def disconnect(self, connection: Connection) -> None:
        """Let a connection out of its rooms."""
        self.connections.discard(connection)
        for room in [*connection.thinking]:
            self._end_thinking(connection, room)
        members, connection.members = connection.members, []
        for room, member in members:
            if member in room.members:
                room.exit(member)

    def close(self, why: str) -> None:
        """Tell everybody that it is over; rooms that can go on elsewhere are kept."""
        self.rooms.close(why)

    def receive(self, connection: Connection, text: str | bytes) -> bool:
        """Answer a message; return False if the connection has sent too many, and should be closed."""
        if not connection.may_ask(self.clock.now()):
            error = f"too many messages: allowed are {self.limits.messages:g} a second"
            connection.send({"id": None, "ok": False, "error": error, "field": None})
            return False
        identity = None
        try:
            document = msgspec.json.decode(text)
            identity = identity_of(document)
            query = read_query(*kind_of(document, messages.ACTIONS))
            with files_from(None):  # whatever clients send names no file here
                answer = self._handlers[type(query)](connection, query)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
            answer = {"ok": False, "error": f"not valid JSON: {problem}", "field": None}
        except Exception as problem:  # whatever it is, the host goes on
            failed = error_answer(problem)
            answer = {"ok": False, "error": failed.error, "field": failed.field}
        if answer is not None:
            connection.send({"id": identity, "ok": True, **answer})
        return True

    # ---- What there is ---------------------------------------------------------------------------------------

    def _hello(self, connection: Connection, query: messages.Hello) -> Fields:
        if self.token is not None and query.token is not None:
            if not fits(query.token, digest(self.token)):
                raise QueryError("this is not the token of the server", "token")
            connection.is_trusted = True
        return {
            "version": aiplay.__version__,
            "trusted": connection.is_trusted,
            "games": _games(),
            "strengths": [{"name": each.name, "about": each.about} for each in LEVELS],
            "limits": {"time": self.limits.time, "message": self.limits.message},
            "matches": self.library.fields() if connection.is_trusted else [],
        }

    def _game(self, connection: Connection, query: messages.GameQuery) -> Fields:
        game = loaded_game(query.game, query.options)
        whole = Games(id=0, catalogue=True, rules=True, scene_schema=True)
        drawing = f"drawings/{game.name}.js" if getattr(game, "drawing", None) else None
        return {**msgspec.structs.asdict(game_fields(game, whole)), "drawing": drawing}

    def _next_level(self, connection: Connection, query: messages.NextLevel) -> Fields:
        found = next_level_answer(loaded_game(query.game, query.options), query.results)
        return {
            "level": found.level,
            "rating": found.rating,
            "margin": found.margin,
            "chances": found.chances,
        }

    # ---- Rooms are opened ------------------------------------------------------------------------------------

    def _check_opening(self, connection: Connection) -> None:
        if not connection.is_trusted:
            raise QueryError("opening rooms needs the token of the server: send it with hello", "token")
        if connection.opened >= self.limits.rooms_each:
            raise QueryError(f"you have opened {self.limits.rooms_each} rooms: that is enough", "room")
        connection.opened += 1

    def _open_room(self, connection: Connection, query: messages.OpenRoom) -> Fields:
        if query.saved is not None:
            return self.rooms.reopen(query.saved)
        self._check_opening(connection)
        return self.rooms.open(query, allows_specs=self.token is None)

    def _watch(self, connection: Connection, query: messages.Watch) -> Fields:
        self._check_opening(connection)
        return self.rooms.watch(query, allows_specs=self.token is None)

    def _replay(self, connection: Connection, query: messages.Replay) -> Fields:
        self._check_opening(connection)
        if (query.record is None) == (query.match is None):
            raise QueryError("give either a record or a match", "record")
        if query.match is not None:
            return self.rooms.show(*self.library.find(query.match, query.number))
        assert query.record is not None
        return self.rooms.show(self.rooms.checked_record(query.record))

    # ---- Members ---------------------------------------------------------------------------------------------

    def _join(self, connection: Connection, query: messages.Join) -> Fields:
        room = self.rooms.find(query.room)
        seat = room.place(query.secret)
        for where, known in list(connection.members):
            if where is room and known.seat == seat:  # joined before: once more is once
                connection.drop(known)
                room.members.remove(known)
        member = Member(connection.send, seat, connection, told=query.since)
        connection.members.append((room, member))
        room.enter(member)
        room.tell(besides=member)
        return room.shown(member)

    def _leave(self, connection: Connection, query: messages.Leave) -> Fields:
        room = self._game_room(connection, query)
        member = connection.member(room, query.seat)
        connection.drop(member)
        room.exit(member)
        if room.members and not room.is_present(query.seat):
            room.leave(query.seat)
        return {"left": query.seat}

    def _game_room(self, connection: Connection, query: messages.RoomQuery) -> PlayRoom:
        """Return the room of a query that only rooms with a game going on have."""
        room = self.rooms.find(query.room)
        connection.member(room, getattr(query, "seat", None))
        if not isinstance(room, PlayRoom):
            raise QueryError(
                f"a room in mode {room.mode!r} has no {type(query).__struct_config__.tag}", "room"
            )
        return room

    def _controlled(self, connection: Connection, query: messages.RoomQuery) -> PlayRoom | FilmRoom:
        """Return a room whose speed a member may control: nobody plays in it."""
        room = self.rooms.find(query.room)
        connection.member(room)
        if room.mode == "play" or not isinstance(room, PlayRoom | FilmRoom):
            raise QueryError(
                f"a room in mode {room.mode!r} has no {type(query).__struct_config__.tag}", "room"
            )
        return room

    # ---- Play ------------------------------------------------------------------------------------------------

    def _move(self, connection: Connection, query: messages.MoveQuery) -> Fields:
        return {"ply": self._game_room(connection, query).play(query.seat, query.move, query.ply)}

    def _undo(self, connection: Connection, query: messages.Undo) -> Fields:
        return {"undone": True, "ply": self._game_room(connection, query).undo(query.seat)}

    def _now(self, connection: Connection, query: messages.Now) -> Fields:
        self._game_room(connection, query).now()
        return {}

    def _speed(self, connection: Connection, query: messages.Speed) -> Fields:
        self._controlled(connection, query).set_speed(query.seconds)
        return {}

    def _step(self, connection: Connection, query: messages.Step) -> Fields:
        self._controlled(connection, query).step(query.count)
        return {}

    def _seek(self, connection: Connection, query: messages.Seek) -> Fields:
        room = self._controlled(connection, query)
        if not isinstance(room, FilmRoom):
            raise QueryError("only a replay can be sought", "room")
        room.seek(query.ply, query.seat)
        return {"ply": room.ply}

    def _save(self, connection: Connection, query: messages.Save) -> Fields:
        room = self.rooms.find(query.room)
        return self.rooms.save(room, query.secret, {connection.member(room).seat})

    # ---- Thinking --------------------------------------------------------------------------------------------

    def _hint(self, connection: Connection, query: messages.Hint) -> None:
        room = self._game_room(connection, query)
        view = room.thinking_view(connection.member(room, query.seat))
        self._check_queue()

        def done(search: Search) -> Fields:
            assert search.analysis is not None
            fields = hint_answer(view, search.analysis, query.count)
            return {"seat": fields.seat, "moves": fields.moves, "seconds": fields.seconds}

        self._answer_later(connection, query, advice(view), done)

    def _think(self, connection: Connection, query: messages.Think) -> None:
        room = self.rooms.find(query.room)
        view = room.thinking_view(connection.member(room, query.seat if room.mode == "play" else None))
        move = None if query.move is None else find_move(view, query.move, is_own=True)
        self._check_queue()
        self._end_thinking(connection, room)

        def fields(search: Search) -> Fields:
            assert search.analysis is not None
            is_partial = not search.is_over
            told = {**analysis_fields(view, search.analysis), **search.found}
            return {"partial": is_partial, "ply": ply, **told}

        ply, player = room.ply, adviser()
        search = Search(
            player,
            view,
            Limit(time=min(query.time, self.limits.time)),
            every=query.every,
            before=lambda: {"beliefs": beliefs(view)},
            after=lambda found: {
                "outcomes": outcomes(view, found.best if move is None else move, player, OUTCOME_SECONDS)
            },
            progress=lambda search: connection.send({"id": query.id, "ok": True, **fields(search)}),
        )
        connection.thinking[room] = search
        self._answer_later(connection, query, search, fields)

    def _check_queue(self) -> None:
        if self.searches.waiting >= self.limits.queue:
            raise QueryError(f"{self.limits.queue} searches are waiting already: try again later")

    def _answer_later(
        self,
        connection: Connection,
        query: messages.RoomQuery,
        search: Search,
        fields: Callable[[Search], Fields],
    ) -> None:
        """Start a search for a connection, and answer when it is done."""

        def done(search: Search) -> None:
            for room, running in [*connection.thinking.items()]:
                if running is search:
                    del connection.thinking[room]
            if connection not in self.connections:
                return
            failed = {"ok": False, "error": search.error, "field": None}
            answer = failed if search.analysis is None else {"ok": True, **fields(search)}
            connection.send({"id": query.id, **answer})

        search.done = done
        search.due = self.clock.now() + (search.limit.time or 0.0) + self.limits.late
        self.searches.start(search)

    def _stop_thinking(self, connection: Connection, query: messages.StopThinking) -> Fields:
        self._end_thinking(connection, self.rooms.find(query.room))
        return {}

    def _end_thinking(self, connection: Connection, room: Room) -> None:
        search = connection.thinking.pop(room, None)
        if search is not None:
            self.searches.stop(search)


def _games() -> list[Any]:
    found = []
    for name in aiplay.game_names():
        try:
            found.append(game_fields(aiplay.load_game(name), Games(id=0)))
        except PackageError:  # the others can still be played
            continue
    return found
