"""The server as a process: started, stopped, killed, and gone on with by another."""

import re
import signal
import subprocess
import sys

import pytest

pytest.importorskip("uvicorn", reason="needs the extra serve")
from serving import Client, opened
from terminal import run


class Process:
    """`aiplay serve` on a free port."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "aiplay", "serve", "--port", "0", *map(str, arguments)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.line = self.process.stderr.readline()
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", self.line)[1])

    def end(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(timeout=30)
        self.process.stderr.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def some_moves(client, name, shown, count):
    """Let the person at seat 0 make some moves; return the last position that waits for them."""
    for _ in range(1000):
        assert not shown["over"], f"the game is over, and {count} more turns are wanted"
        if shown["to_move"] == 0 and shown["legal"]:
            if not count:
                return shown
            count -= 1
            client.wanted("move", room=name, seat=0, move=shown["legal"][0]["move"], ply=shown["ply"])
        ply = shown["ply"]
        shown = client.until(lambda push: push["push"] == "room" and push["ply"] > ply)
        client.pushes.clear()
    raise AssertionError(f"a thousand plies do not bring {count} more turns")


def test_a_killed_server_is_gone_on_with_by_another(tmp_path):
    with Process("--keep", tmp_path) as first:
        client = Client(first.port)
        name, secrets = opened(client, "levitation", ["h", "gentle"])
        shown = client.wanted("join", room=name, secret=secrets[0])
        before = some_moves(client, name, shown, 5)
    with Process("--keep", tmp_path) as second:
        client = Client(second.port)
        again = client.wanted("join", room=name, secret=secrets[0], since=before["ply"])
        for what in ("ply", "scene", "legal", "to_move", "text"):
            assert again[what] == before[what]
        assert again["events"] == []
        assert "not a secret" in client.refused("join", room=name, secret="guess")
        assert some_moves(client, name, again, 5)["ply"] > before["ply"]
        client.close()


def test_a_server_that_is_stopped_says_so_and_exits():
    with Process() as server:
        client = Client(server.port)
        name, secrets = opened(client, "pig", ["h", "gentle"])
        client.wanted("join", room=name, secret=secrets[0])
        server.process.send_signal(signal.SIGTERM)
        assert client.until(lambda push: push["push"] == "closed")["why"] == "the server stops"
        client.close()
        server.process.wait(timeout=30)


def test_another_address_needs_public():
    done = run("serve", "--host", "0.0.0.0", "--port", "0")
    assert (done.returncode, "add --public" in done.stderr) == (2, True)


def test_a_short_token_is_refused():
    done = run("serve", "--public", "--token", "short")
    assert (done.returncode, "16 characters" in done.stderr) == (2, True)


def test_rooms_are_kept_in_a_folder_not_in_a_file(tmp_path):
    (tmp_path / "rooms").write_text("")
    done = run("serve", "--port", "0", "--keep", tmp_path / "rooms")
    assert (done.returncode, "is a file" in done.stderr) == (2, True)


def test_a_public_server_makes_up_a_token():
    with Process("--public") as server:
        assert re.search(r"#token=[\w-]{20,}", server.line)
