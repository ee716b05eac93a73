"""A real browser for the tests of the page: a wire that can be cut, and people who click."""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 30_000  # milliseconds that the page may take; no test measures time
WIDE, NARROW = {"width": 1600, "height": 1000}, {"width": 380, "height": 800}


def without(reason: str) -> None:
    """Skip the test; fail if AIPLAY_BROWSER=required, as in .ci/run."""
    if os.environ.get("AIPLAY_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """A headless browser of this machine."""
    found = os.environ.get("AIPLAY_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        without("needs a browser: apt-get install chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        without("needs playwright: pip install playwright")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


class Contexts:
    """Browser contexts that are used again, empty: a new one takes a second of processor time.

    A page of the server's own address stays open in each, so that the process that shows its pages lives on.
    """

    def __init__(self, browser: Any, port: int) -> None:
        self._browser, self._home = browser, f"http://127.0.0.1:{port}/page/icon.svg"
        self._kept: list[Any] = []  # the page that stays open, one for each context

    def new_page(self, viewport: dict[str, int], **media: str) -> Any:
        """Open a page in a context that nobody uses; no storage is left in it."""
        home = next((page for page in self._kept if page.context.pages == [page]), None) or self._new()
        home.evaluate("localStorage.clear()")
        page = home.context.new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(**media)
        return page

    def _new(self) -> Any:
        home = self._browser.new_context().new_page()
        home.goto(self._home)
        self._kept.append(home)
        return home


class Wire:
    """A way to a server that can be cut, as networks are: without a word to either side."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self.is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self.is_cut:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._target))
                self._pairs.append((near, far))
                threading.Thread(target=self._carry, args=(near, far), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        with near, far, contextlib.suppress(OSError, ValueError):
            while True:
                ready, _, _ = select.select([near, far], [], [])
                for one in ready:
                    data = one.recv(65536)
                    if not data:
                        return
                    (far if one is near else near).sendall(data)

    def cut(self) -> None:
        """Break all connections, and let none through until `mend`."""
        self.is_cut = True
        for pair in self._pairs:
            for one in pair:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
        self._pairs.clear()

    def mend(self) -> None:
        """Let connections through again."""
        self.is_cut = False

    def close(self) -> None:
        """End the wire."""
        self.cut()
        self._listener.close()


class Person:
    """Somebody at a browser of their own. What the page received and complained about is kept."""

    def __init__(self, browser: Any | Contexts, port: int, **context: Any) -> None:
        self.port = port
        self.page = browser.new_page(**{"viewport": WIDE, "reduced_motion": "reduce", **context})
        self.context = self.page.context
        self.page.set_default_timeout(PATIENCE)
        self.problems: list[str] = []
        self.received: list[dict[str, Any]] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.problems.append(f"{error}\n{error.stack}"))
        self.page.on("websocket", self._listen)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def _listen(self, wire: Any) -> None:
        wire.on("framereceived", lambda frame: self.received.append(json.loads(frame)))

    def visit(self, fragment: str = "") -> Person:
        """Go to the page, at a fragment."""
        self.page.goto(f"http://127.0.0.1:{self.port}/{fragment}")
        self.page.wait_for_selector(".setup, .board svg")
        return self

    def open(
        self,
        game: str,
        options: dict[str, Any] | None = None,
        seats: dict[int, str] | None = None,
        **more: str,
    ) -> Person:
        """Open a table in the lobby: options and seats by their fields, `more` by the id of a select."""
        page = self.page
        page.check(f"[name=game][value={game}]", force=True)
        page.wait_for_selector(f".setup:has-text('{game.replace('_', ' ')}')")
        page.evaluate("document.querySelector('.setup details').open = true")
        for name, value in (options or {}).items():
            field = page.locator(f"#option-{name}")
            if isinstance(value, bool):
                field.set_checked(value)
            else:
                field.fill(str(value))
                field.dispatch_event("change")
        for seat, who in (seats or {}).items():
            page.select_option(f"#seat-{seat}", who)
        for field_id, value in {"pace": "0", **more}.items():
            page.fill(f"#{field_id}", value) if field_id == "seed" else page.select_option(
                f"#{field_id}", value
            )
        page.click(".setup .primary")
        page.wait_for_selector(".board svg")
        return self

    @property
    def room(self) -> str:
        """The name of the room in the address."""
        from urllib.parse import parse_qs

        return parse_qs(self.page.url.partition("#")[2])["room"][0]

    def wait_for_turn(self) -> bool:
        """True when it is this person's turn; False if the game is over."""
        found = self.page.wait_for_function(
            "() => /^Your turn$|win|draw|Shared|succeeds|fails|over/"
            ".exec(document.querySelector('.status').textContent)?.[0]"
        )
        return found.json_value() == "Your turn"

    def ply(self) -> int:
        """The ply that the page shows."""
        return int(self.page.get_attribute(".table", "data-ply"))

    def play(self, *moves: object) -> Person:
        """Make moves from the list, by their texts, each when it is this person's turn."""
        for move in moves:
            assert self.wait_for_turn()
            ply = self.ply()
            self.page.click(f".move:text-is('{move}')")
            self.wait_until(lambda: self.ply() > ply)
        return self

    def click_a_move(self, rng: random.Random) -> None:
        """Click on things on the table, or on buttons under it, until a move is made."""
        page, ply = self.page, self.ply()
        clickable = page.locator(".board [data-thing].is-legal:not(.is-chosen), .choice .way")
        for _ in range(12):
            count = clickable.count()
            if self.ply() > ply or not count:
                break
            clickable.nth(rng.randrange(count)).click(force=True)
            if not page.locator(".choice .chip").count():  # nothing is chosen any more: a move is made
                break
        else:
            raise AssertionError(f"twelve clicks make no move: {page.inner_text('.choice')}")
        self.wait_until(lambda: self.ply() > ply)

    def wait_until(self, is_true: Callable[[], bool]) -> None:
        """Wait until something has happened that the page does not show."""
        for _ in range(PATIENCE // 20):
            if is_true():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError("it has not happened")

    def play_to_the_end(self, rng: random.Random, most: int = 400) -> int:
        """Play on by clicks until the game is over; return the number of clicks on moves."""
        for moves in range(most):
            if not self.wait_for_turn():
                return moves
            self.click_a_move(rng)
        raise AssertionError(f"the game is not over after {most} moves")

    def close(self) -> None:
        """Close the page; it must not have complained."""
        self.page.close()
        assert self.problems == []
