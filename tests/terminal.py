"""Helpers that run the command `aiplay`: with pipes, within this process, or in a pseudo-terminal."""

import contextlib
import functools
import io
import math
import os
import re
import select
import struct
import subprocess
import sys
import time
from types import SimpleNamespace
from unittest import mock

import typer.main

import aiplay.cli

COMMAND = [sys.executable, "-m", "aiplay.cli"]
# The same command; its terminal becomes the controlling one, which Ctrl-C needs.
IN_TERMINAL = "import os; os.close(os.open(os.ttyname(0), os.O_RDWR)); from aiplay.cli import main; main()"
GET_COMMAND = functools.cache(typer.main.get_command)  # made again for each run, it takes most of the time
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\x07]")


def run(*arguments, text="", **more):
    """Run a command as a process with pipes."""
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
    """Run a command within this process, which is much quicker; a match never tells its progress."""
    output, errors, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    in_time = mock.patch("aiplay.cli.match.PRINT_EVERY", math.inf)  # however slow the machine is
    quickly = mock.patch("typer.main.get_command", GET_COMMAND)
    try:
        with (
            contextlib.chdir(cwd),
            in_time,
            quickly,
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(errors),
        ):
            code = aiplay.cli.run([*map(str, arguments)])
    finally:
        sys.stdin = stdin
    return SimpleNamespace(returncode=code, stdout=output.getvalue(), stderr=errors.getvalue())


def log_size(file):
    """Return the size of the write-ahead log beside the file of a match."""
    log = file.with_name(f"{file.name}-wal")
    return log.stat().st_size if log.exists() else 0


def wait_for_a_game(process, file, before=0):
    """Wait until a match writes another game to the log of its file, which had the size `before`."""
    give_up = time.monotonic() + 60
    while log_size(file) <= before:
        assert process.poll() is None, "the match ended without another game"
        assert time.monotonic() < give_up, "no game within a minute"
        time.sleep(0.001)


def kill_after_a_game(arguments, file):
    """Run a match, and kill it when it has written another game."""
    import signal

    before = log_size(file)
    with subprocess.Popen([*COMMAND, *map(str, arguments)], stderr=subprocess.DEVNULL) as process:
        try:
            wait_for_a_game(process, file, before)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGKILL


class Terminal:
    """A command in a pseudo-terminal: type, and wait for its output."""

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
            [sys.executable, "-c", IN_TERMINAL, *map(str, arguments)],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment,
            start_new_session=True,
            **more,
        )
        os.close(terminal)
        self.raw = ""
        self.seen = 0  # end of the text that was waited for

    @property
    def text(self):
        """All output so far, without control characters."""
        return CONTROL.sub("", self.raw)

    def wait_for(self, pattern, seconds=60):
        """Read until the pattern occurs after the previous match; return the match."""
        end = time.monotonic() + seconds
        while not (match := re.search(pattern, self.text[self.seen :])):
            assert time.monotonic() < end, f"{pattern!r} was not shown in:\n{self.text}"
            assert self._read(0.2), f"the command ended without {pattern!r}:\n{self.text}"
        self.seen += match.end()
        return match

    def type(self, text):
        """Type a text and press Enter."""
        os.write(self.control, text.encode() + b"\n")

    def press(self, key):
        """Press a key, after the command had time to switch to reading single keys."""
        time.sleep(0.2)
        os.write(self.control, key)

    def interrupt(self):
        """Press Ctrl-C, after the command had time to wait for input. Its worker processes get the signal, too."""
        self.press(b"\x03")

    def end(self, seconds=60):
        """Wait for the end, and return the exit code."""
        end = time.monotonic() + seconds
        while self._read(0.2):
            assert time.monotonic() < end, f"the command has not ended:\n{self.text}"
        return self.process.wait(10)

    def _read(self, seconds):
        """Read what there is. Return True if more may come."""
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
