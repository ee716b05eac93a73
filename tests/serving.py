"""A server in a thread, and clients that talk to it over real WebSockets."""

import contextlib
import json
import threading
import time

import pytest

uvicorn = pytest.importorskip("uvicorn", reason="needs the extra serve")
pytest.importorskip("starlette", reason="needs the extra serve")
connect = pytest.importorskip("websockets.sync.client", reason="needs the extra serve").connect

from aiplay.serve.app import make_app  # noqa: E402
from aiplay.serve.limits import Limits  # noqa: E402

PATIENCE = 30.0  # seconds until a test gives up; no test measures time
MOST_MESSAGES = 20_000  # that a test reads while it waits for one


def wait_until(is_true):
    """Wait until something has happened that no message tells."""
    for _ in range(int(100 * PATIENCE)):
        if is_true():
            return
        time.sleep(0.01)
    raise AssertionError("it has not happened")


class Client:
    """One connection."""

    def __init__(self, port, **options):
        self._opened = contextlib.ExitStack()
        address = f"ws://127.0.0.1:{port}/ws"
        self.socket = self._opened.enter_context(connect(address, max_size=None, **options))
        self.pushes, self.texts, self.partials = [], [], []
        self._number = 0

    def _receive(self):
        text = self.socket.recv(timeout=PATIENCE)
        self.texts.append(text)
        return json.loads(text)

    def ask(self, action, **fields):
        """Return the answer to a query, without the partial ones."""
        self._number += 1
        self.socket.send(json.dumps({"id": self._number, "action": action, **fields}))
        for _ in range(MOST_MESSAGES):
            message = self._receive()
            if "push" in message:
                self.pushes.append(message)
            elif message["id"] == self._number:
                if not message.get("partial"):
                    return message
                self.partials.append(message)
        raise AssertionError(f"no answer to {action}")

    def wanted(self, action, **fields):
        """Return the answer to a query that has to succeed."""
        answer = self.ask(action, **fields)
        assert answer["ok"], answer
        return answer

    def refused(self, action, **fields):
        """Return the error of a query that has to fail."""
        answer = self.ask(action, **fields)
        assert not answer["ok"], answer
        return answer["error"]

    def until(self, fits):
        """Return the first push that fits, of those that have come and those that will."""
        for push in self.pushes:
            if fits(push):
                return push
        for _ in range(MOST_MESSAGES):
            message = self._receive()
            assert "push" in message, message
            self.pushes.append(message)
            if fits(message):
                return message
        raise AssertionError("no push fits")

    def close(self):
        self._opened.close()


class Server:
    """The server in a thread; its host can be looked at."""

    def __init__(self, limits=None, **options):
        self.app = make_app(limits, **options)
        config = uvicorn.Config(
            self.app,
            port=0,
            ws="websockets-sansio",
            ws_max_size=(limits or Limits()).message,
            log_level="warning",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        wait_until(lambda: self._server.started or not self._thread.is_alive())
        assert self._server.started, "the server has not started"
        self.port = self._server.servers[0].sockets[0].getsockname()[1]
        self._clients = []

    @property
    def host(self):
        return self.app.state.host

    def client(self, **options):
        self._clients.append(Client(self.port, **options))
        return self._clients[-1]

    def stop(self):
        for client in self._clients:
            with contextlib.suppress(Exception):
                client.close()
        self._server.should_exit = True
        self._thread.join(PATIENCE)


@contextlib.contextmanager
def serving(limits=None, **options):
    """A server for one test."""
    server = Server(limits, **options)
    try:
        yield server
    finally:
        server.stop()


def opened(client, game, kinds, **more):
    """Open a room: "h" a person, anything else a bot of that strength; return it and the secrets by seat."""
    seats = [{"kind": "human"} if kind == "h" else {"kind": "bot", "strength": kind} for kind in kinds]
    room = client.wanted("open_room", game=game, seats=seats, **more)
    return room["room"], {entry["seat"]: entry["secret"] for entry in room["seats"]}
