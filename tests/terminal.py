"""The command `aiplay` as a process: with pipes, or in a pseudo-terminal."""

import contextlib
import io
import os
import re
import select
import struct
import subprocess
import sys
import time
from types import SimpleNamespace

import aiplay.cli

COMMAND = [sys.executable, "-m", "aiplay.cli"]
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\x07]")


def run(*arguments, text="", **more):
    """Run a command with pipes."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        input=text,
        timeout=120,
        encoding="utf-8",
        **more,
    )


def run_here(*arguments, text="", cwd="."):
    """The same without a process of its own, which is much quicker."""
    output, errors, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    try:
        with contextlib.chdir(cwd), contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = aiplay.cli.run([*map(str, arguments)])
    finally:
        sys.stdin = stdin
    return SimpleNamespace(returncode=code, stdout=output.getvalue(), stderr=errors.getvalue())


def kill_after_a_game(arguments, file):
    """Run a match; kill it when it has written another game to the write-ahead log of its file, or is about to."""
    import signal

    wal = file.with_name(f"{file.name}-wal")
    before = wal.stat().st_size if wal.exists() else 0
    with subprocess.Popen([*COMMAND, *map(str, arguments)], stderr=subprocess.DEVNULL) as process:
        give_up = time.monotonic() + 60
        while not (wal.exists() and wal.stat().st_size > before) and time.monotonic() < give_up:
            time.sleep(0.001)
        process.kill()
    assert process.returncode == -signal.SIGKILL


class Terminal:
    """A command in a pseudo-terminal: type, and wait for what it shows."""

    def __init__(self, *arguments, rows=24, columns=80, colours=True, **more):
        import fcntl
        import pty
        import termios

        self.control, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color"}
        for name in ("NO_COLOR", "COLUMNS", "LINES"):
            environment.pop(name, None)
        if not colours:
            environment["NO_COLOR"] = "1"
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment,
            start_new_session=True,
            **more,
        )
        os.close(terminal)
        self.raw = ""
        self.seen = 0  # how much of the text has been waited for

    @property
    def text(self):
        """All that was shown, without control characters."""
        return CONTROL.sub("", self.raw)

    def wait_for(self, pattern, seconds=60):
        """Read until the pattern has been shown after what was waited for before; return the match."""
        end = time.monotonic() + seconds
        while not (match := re.search(pattern, self.text[self.seen :])):
            assert time.monotonic() < end, f"{pattern!r} was not shown in:\n{self.text}"
            assert self._read(0.2), f"the command ended without {pattern!r}:\n{self.text}"
        self.seen += match.end()
        return match

    def type(self, line):
        """Type a line and press Enter."""
        os.write(self.control, line.encode() + b"\n")

    def press(self, key):
        """Press a key, once the command had the time to read keys one by one."""
        time.sleep(0.2)
        os.write(self.control, key)

    def interrupt(self):
        """Press Ctrl-C, once the command had the time to wait for what is typed."""
        import signal

        time.sleep(0.2)
        self.process.send_signal(signal.SIGINT)

    def end(self, seconds=60):
        """Wait for the end; the exit code."""
        end = time.monotonic() + seconds
        while self._read(0.2):
            assert time.monotonic() < end, f"the command goes on:\n{self.text}"
        return self.process.wait(10)

    def _read(self, seconds):
        """Whether more may come."""
        if select.select([self.control], [], [], seconds)[0]:
            with contextlib.suppress(OSError):  # Linux: the other end is closed
                if data := os.read(self.control, 65536):
                    self.raw += data.decode(errors="replace")
                    return True
            return False
        return self.process.poll() is None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.control)
