"""The host and the engine of a worker, in plain Python; and how a site is made, without a browser."""

import json
import zipfile

import pytest
from terminal import run_here

import aiplay
from aiplay.errors import AiplayError, PackageError
from aiplay.site import build, runtime
from aiplay.site.worker import EngineWorker, HostWorker, PageStore, WorkerClock


class Page:
    """Takes the place of JavaScript: messages, timers and calls wait here."""

    def __init__(self, kind=HostWorker, **more):
        self.sent, self.timers, self.calls, self.kept = [], [], 0, {}
        if kind is HostWorker:
            more = {"keep": self.keep, **more}
        self.worker = kind(
            lambda text: self.sent.append(json.loads(text)),
            lambda milliseconds, number: self.timers.append((milliseconds, number)),
            self.soon,
            **more,
        )

    def soon(self):
        self.calls += 1

    def keep(self, name, text):
        self.kept[name] = text

    def ask(self, **query):
        self.worker.receive(json.dumps({"id": len(self.sent), **query}))
        return self.sent[-1]

    def run(self, until=lambda: False):
        while self.calls and not until():
            self.calls -= 1
            self.worker.run()


def opened(page, strength="gentle"):
    """Open a room with a person and a bot, and join it."""
    seats = [{"kind": "human"}, {"kind": "bot", "strength": strength}]
    room = page.ask(action="open_room", game="connect_four", seats=seats)
    secret = room["seats"][0]["secret"]
    assert page.ask(action="join", room=room["room"], secret=secret)["ok"]
    return room["room"], secret


# ---- The host ------------------------------------------------------------------------------------------------


def test_a_bot_answers_a_move():
    page = Page()
    room, _ = opened(page)
    page.run()
    page.ask(action="move", room=room, seat=0, move="4")
    page.run()
    assert page.worker.host.rooms.find(room).table.moves[0] == 3
    assert len(page.worker.host.rooms.find(room).table.moves) == 2


def test_messages_are_read_between_two_slices():
    page = Page()
    room, _ = opened(page)
    page.run()
    query = {"id": "think", "action": "think", "room": room, "seat": 0, "time": 10, "every": 10}
    page.worker.receive(json.dumps(query))
    for _ in range(3):
        page.calls -= 1
        page.worker.run()
    assert "think" not in [message.get("id") for message in page.sent]
    page.ask(action="stop_thinking", room=room)
    page.run()
    (answer,) = [message for message in page.sent if message.get("id") == "think"]
    assert answer["iterations"] > 0
    assert answer["seconds"] < 9


def test_a_room_outlives_the_worker():
    page = Page()
    room, secret = opened(page)
    page.run()
    page.ask(action="move", room=room, seat=0, move="4")
    page.run()
    again = Page(kept=json.dumps(page.kept))
    shown = again.ask(action="join", room=room, secret=secret)
    assert shown["ok"], shown
    assert shown["ply"] == 2


def test_what_cannot_be_read_is_no_room():
    store = PageStore({"room": "{"}, lambda name, text: None)
    assert store.get("room") is None
    assert store.get("another") is None


def test_the_oldest_rooms_are_dropped_first():
    told = []
    store = PageStore({}, lambda name, text: told.append((name, text is None)))
    for name in ("a", "b", "c", "a"):
        store.put(name, {})
    store.prune(0.0, 2)
    assert told[-1] == ("b", True)
    assert [store.get(name) for name in ("a", "b", "c")] == [{}, None, {}]


def test_timers_fire_once_and_can_be_cancelled():
    numbers, fired = [], []
    clock = WorkerClock(lambda milliseconds, number: numbers.append(number), lambda: None)
    clock.call_later(1.0, lambda: fired.append("first"))
    clock.call_later(1.0, lambda: fired.append("second")).cancel()
    for number in numbers * 2:
        clock.fire(number)
    assert fired == ["first"]


def test_calls_are_made_one_at_a_time_even_if_one_fails():
    calls, clock_calls = [], []
    clock = WorkerClock(lambda milliseconds, number: None, lambda: clock_calls.append(1))
    clock.post(lambda: 1 / 0)
    clock.post(lambda: calls.append("second"))
    with pytest.raises(ZeroDivisionError):
        clock.run()
    assert len(clock_calls) == 2  # asked for again before the call that failed
    clock.run()
    assert calls == ["second"]


# ---- The engine ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["mcts", "mixed", "expectimax"])
def test_the_engine_of_a_worker_answers_and_stops(player):
    page = Page(EngineWorker)
    page.ask(action="new_table", game="connect_four", table="t")
    page.run()
    page.worker.receive(
        json.dumps({"id": "c", "action": "choose", "table": "t", "player": "mcts:iterations=20"})
    )
    page.run()
    assert page.sent[-1]["id"] == "c"
    query = {"id": "l", "action": "analyse", "table": "t", "player": player, "limit": {"time": 600}}
    page.worker.receive(json.dumps(query))
    for _ in range(3):
        page.calls -= 1
        page.worker.run()
    page.worker.receive(json.dumps({"id": "s", "action": "terminate", "query": "l"}))
    page.run()
    assert [message["id"] for message in page.sent[-2:]] == ["s", "l"]


# ---- Files ---------------------------------------------------------------------------------------------------


def test_the_first_page_has_another_transport_and_loads_nothing_from_elsewhere():
    text = build._index((build.PAGE / "index.html").read_text())
    assert 'name="aiplay-transport" content="site/transport.js"' in text
    assert "socket.js" not in text
    assert "default-src 'none'" in text


def test_an_archive_has_what_a_page_needs_and_is_always_the_same(tmp_path):
    wheel = tmp_path / "a.whl"
    names = [
        "aiplay/table.py",
        "aiplay/cli/app.py",
        "aiplay/_core/game.pxd",
        "aiplay/games/pig.md",
        "a.dist-info/RECORD",
    ]
    with zipfile.ZipFile(wheel, "w") as target:
        for name in names:
            target.writestr(name, name)
    archives = [build.package_archive([wheel]) for _ in range(2)]
    assert archives[0] == archives[1]
    (tmp_path / "a.zip").write_bytes(archives[0])
    assert zipfile.ZipFile(tmp_path / "a.zip").namelist() == ["aiplay/table.py", "aiplay/games/pig.md"]


def test_a_download_that_is_not_the_expected_file_is_refused(tmp_path, monkeypatch):
    wrong = tmp_path / "pyodide" / "-" / f"pyodide-{runtime.PYODIDE}.tgz"
    wrong.parent.mkdir(parents=True)
    wrong.write_bytes(b"something else")
    monkeypatch.setattr(runtime, "REGISTRY", tmp_path.as_uri())
    with pytest.raises(PackageError, match="is not the expected file"):
        runtime.fetch_pyodide(tmp_path / "cache")
    assert not list((tmp_path / "cache").iterdir())


def test_a_file_that_cannot_be_downloaded_leaves_nothing(tmp_path):
    with pytest.raises(PackageError, match="cannot download"):
        runtime.download((tmp_path / "missing").as_uri(), tmp_path / "cache" / "file")
    assert not list((tmp_path / "cache").iterdir())


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "mine.txt").write_text("mine")
    with pytest.raises(AiplayError, match="holds other files"):
        build.build_site(tmp_path, tmp_path / "a.whl", tmp_path)
    assert (tmp_path / "page" / "mine.txt").read_text() == "mine"


def test_without_a_wheel_the_command_says_how_to_get_one(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.executable", "/bin/false")  # pip finds nothing
    done = run_here("site", tmp_path / "out", "--cache", tmp_path / "cache")
    assert done.returncode == 1
    assert f"aiplay {aiplay.__version__}" in done.stderr
    assert "python tools/wasm" in done.stderr
    assert not (tmp_path / "out").exists()
