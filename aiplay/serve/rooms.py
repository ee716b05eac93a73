"""All rooms of a host: opened, found, kept, and closed when nobody uses them."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable
from typing import Any

import msgspec

from aiplay._core.game import Game
from aiplay.engine.answers import shorten
from aiplay.engine.engine import SEED_BITS
from aiplay.engine.messages import RecordFields
from aiplay.engine.positions import QueryError, blaming, loaded_game, table_of_record
from aiplay.record import Record
from aiplay.serve import messages
from aiplay.serve.film import FilmRoom
from aiplay.serve.limits import Limits
from aiplay.serve.play import PlayRoom
from aiplay.serve.room import Room, Services, digest, new_secret
from aiplay.serve.searches import Clock, Searches
from aiplay.serve.seats import Seat, seated
from aiplay.serve.store import RoomStore
from aiplay.table import Table

__all__ = ["Rooms"]

Fields = dict[str, Any]
SWEEP_INTERVAL = 15.0  # seconds between two looks for rooms that nobody uses
FORMAT = 1  # of kept rooms


class Rooms:
    """The rooms in memory, and the store of those that can be woken again."""

    def __init__(self, clock: Clock, searches: Searches, limits: Limits, store: RoomStore) -> None:
        self._clock, self._limits, self._store = clock, limits, store
        self._open: dict[str, Room] = {}
        self._services = Services(clock, searches, limits, self._changed)
        self._store.prune(limits.kept, limits.saved)
        self._timer = clock.call_later(SWEEP_INTERVAL, self._sweep_again)

    def __len__(self) -> int:
        return len(self._open)

    # ---- New rooms -------------------------------------------------------------------------------------------

    def open(self, query: messages.OpenRoom, *, allows_specs: bool) -> Fields:
        """Open a room to play in."""
        table = self._table(query)
        seats = seated(query.seats, table.game.seats, allows_people=True, allows_specs=allows_specs)
        people = sum(seat.kind == "human" for seat in seats)
        is_known = query.seed is not None or query.record is not None
        if people > 1 and is_known and (table.game.has_hidden or table.game.has_chance):
            raise QueryError("who gives seed or record would know more than the other people", "seats")
        room = PlayRoom(self._services, table, seats)
        room.tutor.loss, room.speed = query.tutor, query.pace
        return self._admit(room) | {"seats": _give_secrets(seats)}

    def _table(self, query: messages.OpenRoom) -> Table:
        if query.record is not None:
            if query.game is not None or query.options or query.seed is not None:
                raise QueryError("the record has game, options and seed: leave them out", "record")
            self._check_length(query.record)
            return table_of_record(query.record)
        if query.game is None:
            raise QueryError("game is missing: give the name of a game, a record or a saved room", "game")
        return self._new_table(query.game, query.options, query.seed)

    def _new_table(self, name: str, options: dict[str, Any], seed: int | None) -> Table:
        game = loaded_game(name, options)
        return Table(game, secrets.randbits(SEED_BITS) if seed is None else seed)

    def watch(self, query: messages.Watch, *, allows_specs: bool) -> Fields:
        """Open a room in which bots play."""
        table = self._new_table(query.game, query.options, query.seed)
        seats = seated(query.seats, table.game.seats, allows_people=False, allows_specs=allows_specs)
        room = PlayRoom(self._services, table, seats)
        room.speed = query.speed
        return self._admit(room) | {"seats": []}

    def show(self, record: Record, game: Game | None = None) -> Fields:
        """Open a room that shows a record."""
        with blaming("record"):
            room = FilmRoom(self._services, record, game)
        return self._admit(room) | {"seats": []}

    def checked_record(self, sent: RecordFields) -> Record:
        """Return a record that a client sent."""
        self._check_length(sent)
        players = sent.players if isinstance(sent.players, list) else []
        return Record(sent.game, sent.options, sent.seed, sent.moves, players)

    def _check_length(self, sent: RecordFields) -> None:
        if len(sent.moves) > self._limits.moves:
            raise QueryError(
                f"the record has {len(sent.moves)} moves; allowed: {self._limits.moves}", "record"
            )

    def _admit(self, room: Room) -> Fields:
        """Add a room; return its name and the secret of its owner."""
        self._check_number()
        owner = new_secret()
        room.owner = digest(owner)
        self._open[room.name] = room
        self._changed(room)
        return {"room": room.name, "owner": owner}

    def _check_number(self) -> None:
        """Make room for one more: the finished game that nobody has looked at for longest is closed."""
        if len(self._open) < self._limits.rooms:
            return
        done = [room for room in self._open.values() if room.state.is_over and not room.members]
        if not done:
            raise QueryError(f"there are {self._limits.rooms} rooms already: try again later", "room")
        self._close(min(done, key=lambda room: room.used), "the game is over")

    # ---- Rooms are found -------------------------------------------------------------------------------------

    def find(self, name: str) -> Room:
        """Return a room, woken if it was kept."""
        room = self._open.get(name) or self._wake(name)
        if room is None:
            raise QueryError(f"there is no room {shorten(name)}: it may have been closed", "room")
        return room

    def _wake(self, name: str) -> Room | None:
        document = self._store.get(name)
        if document is None or document.get("format") != FORMAT:
            return None
        self._check_number()
        room = _read_room(self._services, name, document)
        self._open[name] = room
        return room

    # ---- Rooms are kept --------------------------------------------------------------------------------------

    def _changed(self, room: Room) -> None:
        if isinstance(room, PlayRoom) and (self._store.is_durable or room.is_saved):
            self._store.put(room.name, _document(room))

    def save(self, room: Room, secret: str | None, seats: Iterable[int | None]) -> Fields:
        """Save a room: return its record if that gives nothing away, and else the way back to the room itself."""
        record = room.open_record()
        if record is not None:
            return {"record": msgspec.json.decode(record.to_json())}
        if secret is None or room.place(secret) not in seats:
            raise QueryError("saving this room needs the secret of your seat", "secret")
        room.is_saved = True
        self._changed(room)
        return {"saved": _handle(room.name, secret)}

    def reopen(self, saved: str) -> Fields:
        """Return the way back to a saved room."""
        name, secret = _read_handle(saved)
        room = self.find(name)
        seat = room.place(secret)
        if seat is None:
            return {"room": name, "owner": secret, "seats": []}
        return {"room": name, "owner": None, "seats": [{"seat": seat, "secret": secret}]}

    # ---- Rooms are closed ------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Close rooms that nobody uses."""
        now = self._clock.now()
        for room in list(self._open.values()):
            # Somebody who looks on without doing anything keeps a room open ten times as long.
            if now - room.used > self._limits.idle * (10 if room.members else 1):
                self._close(room, "nobody has used the room for a while")

    def _close(self, room: Room, why: str) -> None:
        self._changed(room)
        del self._open[room.name]
        room.close(why)

    def _sweep_again(self) -> None:
        self.sweep()
        self._store.prune(self._limits.kept, self._limits.saved)
        self._timer = self._clock.call_later(SWEEP_INTERVAL, self._sweep_again)

    def close(self, why: str) -> None:
        """Close all rooms."""
        self._timer.cancel()
        for room in self._open.values():
            self._changed(room)
            room.close(why)
        self._open.clear()


def _give_secrets(seats: list[Seat]) -> list[Fields]:
    """Give the seats of people secrets, and return them."""
    given = []
    for seat in seats:
        if seat.kind == "human":
            secret = new_secret()
            seat.secret = digest(secret)
            given.append({"seat": seat.number, "secret": secret})
    return given


# ---- Documents of the store ----------------------------------------------------------------------------------


def _document(room: PlayRoom) -> Fields:
    return {
        "format": FORMAT,
        "record": msgspec.json.decode(room.table.record.to_json()),
        "seats": [seat.to_document() for seat in room.seats],
        "owner": room.owner,
        "tutor": room.tutor.loss,
        "speed": room.speed,
        "saved": room.is_saved,
    }


def _read_room(services: Services, name: str, document: Fields) -> PlayRoom:
    table = table_of_record(msgspec.convert(document["record"], RecordFields))
    seats = [Seat.from_document(number, fields) for number, fields in enumerate(document["seats"])]
    room = PlayRoom(services, table, seats, name=name)
    room.owner, room.tutor.loss = document["owner"], document["tutor"]
    room.speed, room.is_saved = document["speed"], document["saved"]
    return room


def _handle(name: str, secret: str) -> str:
    return base64.urlsafe_b64encode(f"{name} {secret}".encode()).decode()


def _read_handle(saved: str) -> tuple[str, str]:
    try:
        name, secret = base64.urlsafe_b64decode(saved.encode()).decode().split(" ")
    except ValueError:
        raise QueryError("this is not a saved room", "saved") from None
    return name, secret
