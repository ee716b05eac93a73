"""The host behind HTTP and WebSocket: a starlette application that serves the page, its files, records and messages."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

import aiplay
from aiplay.engine.positions import QueryError
from aiplay.serve.host import Host
from aiplay.serve.limits import Limits
from aiplay.serve.matches import Library
from aiplay.serve.room import digest, fits
from aiplay.serve.searches import ThreadSearches
from aiplay.serve.store import FolderStore

__all__ = ["LOCAL", "LoopClock", "make_app"]

PAGE = Path(__file__).parent / "page"
LOCAL = ("localhost", "127.0.0.1", "::1")  # names that only this machine has
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",
}
POLICY_VIOLATION, TRY_AGAIN = 1008, 1013  # codes of closed WebSockets
FAREWELL = 1.0  # seconds for the last messages to a client


class LoopClock:
    """The clock of the running event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now(self) -> float:
        """Return the time of the loop."""
        return self._loop.time()

    def call_later(self, seconds: float, call: Callable[[], object]) -> asyncio.TimerHandle:
        """Call back in the loop."""
        return self._loop.call_later(seconds, call)

    def post(self, call: Callable[[], object]) -> None:
        """Call back in the loop soon; from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(call)


def make_app(
    limits: Limits | None = None,
    *,
    token: str | None = None,
    keep: str | Path | None = None,
    replays: Iterable[str | Path] = (),
    hosts: Sequence[str] = LOCAL,
    origins: Sequence[str] = (),
) -> Starlette:
    """Return the application.

    `token`: needed to open rooms. `keep`: a folder in which rooms outlive the process. `replays`: files of records and
    matches to show. `hosts`: names by which the server may be called (against DNS rebinding); none: any. `origins`:
    other pages that may connect.
    """
    limits, library = Limits() if limits is None else limits, Library(replays)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        clock = LoopClock(asyncio.get_running_loop())
        searches = ThreadSearches(clock, limits)
        store = None if keep is None else FolderStore(keep)
        app.state.host = Host(clock, searches, limits, token=token, store=store, library=library)
        yield
        app.state.host.close("the server stops")
        searches.close()

    app = Starlette(
        routes=[
            Route("/", _index),
            Mount("/page", StaticFiles(directory=PAGE)),
            Route("/drawings/{name}.js", _drawing),
            Route("/records/{room}", _record),
            Route("/records/{match}/{number:int}", _match_record),
            Route("/health", _health),
            WebSocketRoute("/ws", _talk),
        ],
        lifespan=lifespan,
    )
    app.state.origins = {origin.rstrip("/") for origin in origins}
    app.add_middleware(_Guard, hosts=frozenset(name.strip("[]") for name in hosts))
    return app


class _Guard:
    """Refuses requests under a wrong name, and adds headers for safety to every answer."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif self._hosts and HTTPConnection(scope).url.hostname not in self._hosts:
            await self._refuse(scope, receive, send)
        else:
            await self._app(scope, receive, _with_headers(send))

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(POLICY_VIOLATION, "wrong host name")
        else:
            names = ", ".join(sorted(self._hosts))
            answer = PlainTextResponse(f"this server is called {names}\n", 421)
            await answer(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def send_more(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_more


# ---- HTTP --------------------------------------------------------------------------------------------------


async def _index(request: Request) -> Response:
    return FileResponse(PAGE / "index.html")


async def _drawing(request: Request) -> Response:
    """Return the drawing that the package of a game brings along."""
    name = request.path_params["name"]
    if name not in aiplay.game_names():
        return PlainTextResponse("no such game\n", 404)
    game = aiplay.load_game(name)
    drawing = getattr(game, "drawing", None)
    path = Path(inspect.getfile(type(game))).parent / str(drawing)
    if drawing is None or path.suffix != ".js" or not path.is_file():
        return PlainTextResponse("this game has no drawing of its own\n", 404)
    return FileResponse(path, media_type="text/javascript")


async def _record(request: Request) -> Response:
    """Return the record of a room, if it gives nothing away; its secret is sent as a bearer token."""
    host: Host = request.app.state.host
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    try:
        room = host.rooms.find(request.path_params["room"])
        room.place(secret if kind.lower() == "bearer" else "")
    except QueryError:  # the same for a wrong name and a wrong secret
        return JSONResponse({"error": "no such room, or not its secret"}, 404)
    record = room.open_record()
    if record is None:
        return JSONResponse({"error": "the record is open when the game is over"}, 403)
    return Response(record.to_json(), media_type="application/json")


async def _match_record(request: Request) -> Response:
    """Return a game of a file that was named when the server was started."""
    host: Host = request.app.state.host
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if host.token is not None and not fits(given, digest(host.token)):
        return JSONResponse({"error": "this needs the token of the server"}, 403)
    try:
        record, _ = host.library.find(request.path_params["match"], request.path_params["number"])
    except QueryError as problem:
        return JSONResponse({"error": str(problem)}, 404)
    return Response(record.to_json(), media_type="application/json")


async def _health(request: Request) -> Response:
    host: Host = request.app.state.host
    load = {"rooms": len(host.rooms), "connections": len(host.connections), "waiting": host.searches.waiting}
    return JSONResponse(load)


# ---- WebSocket ---------------------------------------------------------------------------------------------


def _is_own(socket: WebSocket) -> bool:
    """True if the page that connects is ours: browsers always send its origin, other programs need not."""
    origin = socket.headers.get("origin")
    if origin is None or origin in socket.app.state.origins:
        return True
    return urlsplit(origin).netloc == socket.headers.get("host")


async def _talk(socket: WebSocket) -> None:
    host: Host = socket.app.state.host
    if not _is_own(socket):
        await socket.close(POLICY_VIOLATION, "wrong origin")
        return
    if len(host.connections) >= host.limits.connections:
        await socket.close(TRY_AGAIN, "too many connections")
        return
    await socket.accept()
    outgoing = _Outgoing(socket, host.limits.waiting)
    connection = host.connect(outgoing.put)
    writer = asyncio.create_task(outgoing.write())
    reader = asyncio.create_task(_read(socket, host, connection))
    try:
        await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        host.disconnect(connection)
        outgoing.end()
        await asyncio.wait({writer}, timeout=FAREWELL)  # the last answer goes out
        for task in (reader, writer):
            task.cancel()
        await asyncio.gather(reader, writer, return_exceptions=True)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it is closed already
            await socket.close(POLICY_VIOLATION, "too many messages, or not read")


async def _read(socket: WebSocket, host: Host, connection: Any) -> None:
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not host.receive(connection, message.get("text") or message.get("bytes") or b""):
                return


class _Outgoing:
    """The messages to a client; one that does not read them is disconnected."""

    def __init__(self, socket: WebSocket, most: int) -> None:
        self._socket = socket
        self._queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._most, self._is_full = most, False

    def put(self, message: dict[str, Any]) -> None:
        """Send a message soon."""
        if self._queue.qsize() < self._most:
            self._queue.put_nowait(message)
        else:
            self._is_full = True

    def end(self) -> None:
        """End after the messages that wait."""
        self._queue.put_nowait(None)

    async def write(self) -> None:
        """Send messages until the end, or until the client is gone or too far behind."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while not self._is_full and (message := await self._queue.get()) is not None:
                await self._socket.send_text(msgspec.json.encode(message).decode())
