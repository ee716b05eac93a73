"""`aiplay engine` as a process: pipes, signals, memory and standard error."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "aiplay.cli", "engine"]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and pipes of POSIX")
TABLE = {"id": 0, "action": "new_table", "game": "connect_four", "table": "t", "seed": 1}
LONG = {"action": "choose", "table": "t", "limit": {"time": 600}}


class Process:
    """An engine process with its pipes."""

    def __init__(self, *options):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen([*COMMAND, *options], **pipes)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def send(self, *queries):
        lines = [query if isinstance(query, bytes) else json.dumps(query).encode() for query in queries]
        self.process.stdin.write(b"\n".join(lines) + b"\n")
        self.process.stdin.flush()

    def answer(self):
        return json.loads(self.process.stdout.readline())

    def end(self, timeout=60):
        """Wait for the end; return exit code and standard error."""
        code = self.process.wait(timeout)
        return code, self.process.stderr.read()

    def memory(self):
        """Peak memory in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) * 1024


def run(data, *options):
    """Run an engine with these bytes as its input; return answers, exit code and standard error."""
    done = subprocess.run([*COMMAND, *options], input=data, capture_output=True, timeout=60, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr


def test_queries_and_nonsense_are_answered_and_standard_error_stays_empty():
    answers, code, said = run(b'{"id": 1, "action": "version"}\nnonsense\n\xff\x00\n{"id": 2, "action": "gam')
    assert [answer["id"] for answer in answers] == [1, None, None, None]
    assert answers[0]["protocol"] == 2
    assert all("error" in answer for answer in answers[1:])
    assert (code, said) == (0, b"")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads memory from /proc")
def test_a_line_of_100_megabytes_takes_no_memory():
    with Process() as engine:
        engine.send({"id": 1, "action": "version"})
        engine.answer()
        before = engine.memory()
        piece = b"[" * 2**20
        for _ in range(100):
            engine.process.stdin.write(piece)
        engine.send(b"", {"id": 2, "action": "version"})
        assert "longer than" in engine.answer()["error"]
        assert engine.answer()["id"] == 2
        assert engine.memory() - before < 30 * 2**20


def test_five_thousand_queries_at_once_are_all_answered():
    queries = [{"id": i, "action": "choose", "table": "t", "player": "random"} for i in range(5000)]
    with Process("--workers", "4") as engine:
        threading.Thread(target=engine.send, args=(TABLE, *queries), daemon=True).start()
        answers = [engine.answer() for _ in range(5001)]
    assert sorted(answer["id"] for answer in answers[1:]) == list(range(5000))
    assert all("move" in answer for answer in answers[1:])


def test_searches_finish_after_the_end_of_the_input():
    query = {"id": 1, "action": "analyse", "table": "t", "limit": {"time": 0.5}}
    data = "\n".join(json.dumps(line) for line in (TABLE, query)).encode()  # without a newline at the end
    answers, code, said = run(data)
    assert answers[-1]["id"] == 1
    assert answers[-1]["seconds"] > 0.3
    assert (code, said) == (0, b"")


@POSIX
def test_an_engine_stops_its_searches_when_the_client_is_gone():
    with Process() as engine:
        engine.send(TABLE, {"id": 1, **LONG})
        engine.answer()
        engine.process.stdout.close()  # both pipes, as when the client is killed
        engine.process.stdin.close()
        assert engine.end() == (0, b"")


@POSIX
def test_an_engine_ends_at_the_next_query_when_nobody_reads_its_answers():
    with Process() as engine:
        engine.send(TABLE, {"id": 1, **LONG})
        engine.answer()
        engine.process.stdout.close()
        engine.send({"id": 2, "action": "version"}, {"id": 3, "action": "version"})
        assert engine.end() == (0, b"")


@POSIX
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_a_signal_ends_the_engine_in_the_middle_of_a_search(number, code):
    with Process() as engine:
        engine.send(TABLE, {"id": 1, **LONG})
        engine.answer()
        time.sleep(0.1)
        engine.process.send_signal(number)
        assert engine.end() == (code, b"")


def test_output_of_a_player_goes_to_standard_error():
    script = (
        "from aiplay.players.random import RandomPlayer\n"
        "choose = RandomPlayer.choose\n"
        "RandomPlayer.choose = lambda self, view: print('choosing') or choose(self, view)\n"
        "from aiplay.cli import main\n"
        "main()\n"
    )
    query = {"id": 1, "action": "choose", "table": "t", "player": "random"}
    done = subprocess.run(
        [sys.executable, "-c", script, "engine"],
        input="\n".join(json.dumps(line) for line in (TABLE, query)),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [0, 1]
    assert done.stderr == "choosing\n"
