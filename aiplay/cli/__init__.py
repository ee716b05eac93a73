"""The command line. Every error is one line on stderr; exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from io import TextIOWrapper

__all__ = ["main", "run"]


def main() -> None:
    """Entry point of the command `aiplay`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # characters that a terminal cannot show become "?"
    warnings.formatwarning = lambda message, *_: f"aiplay: {message}\n"  # without a line of code
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before a command has begun, or while it ends
        code = _fail("interrupted", 130)
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. With AIPLAY_TRACEBACK=1, errors show a traceback."""
    import typer

    from aiplay.cli.app import app

    command = typer.main.get_command(app)
    words = list(arguments) or ["--help"]
    try:
        code = int(command.main(args=words, prog_name="aiplay", standalone_mode=False) or 0)
        if sys.stdout is not None:  # None if it was closed
            sys.stdout.flush()  # detects a closed pipe here, not while Python exits
        return code
    except BrokenPipeError:
        return _leave_pipe()
    except Exception as problem:
        if os.environ.get("AIPLAY_TRACEBACK"):
            raise
        return _fail(*_explained(problem, getattr(command, "commands", {})))


def _explained(problem: Exception, commands: dict[str, object]) -> tuple[str, int]:
    """Return the message for a problem, and the exit code."""
    import typer

    from aiplay import errors
    from aiplay.errors import AiplayError

    failures = (
        errors.GameDataError,
        errors.InvalidStateError,
        errors.MatchError,
        errors.PackageError,
        errors.RecordError,
        errors.StrategyError,
        errors.TokenError,
        errors.ValueFileError,
    )
    usage_error = typer.BadParameter.__mro__[1]  # typer has no public name for the base of its errors
    if isinstance(problem, usage_error):
        message = problem.format_message().replace("Value error, ", "")  # type: ignore[attr-defined]
        message += _given(problem, message)
        if message.startswith("No such command"):
            message += f" The commands: {', '.join(commands)}."
        return message, 2
    if isinstance(problem, AiplayError):
        return str(problem), 1 if isinstance(problem, failures) else 2
    if isinstance(problem, typer.Abort):
        is_key = isinstance(problem.__cause__, KeyboardInterrupt)
        return ("interrupted", 130) if is_key else ("the input has ended", 1)
    if isinstance(problem, OSError):
        where = f"{problem.filename}: " if problem.filename else ""
        return f"{where}{problem.strerror or problem}", 1
    return f"{type(problem).__name__}: {problem} (AIPLAY_TRACEBACK=1 shows more)", 1


def _given(problem: Exception, message: str) -> str:
    """Return the given value for a message in which typer names only the allowed ones; its cause has it."""
    known = getattr(problem.__cause__, "errors", None)
    given = repr(known()[0]["input"]) if known is not None else ""
    return "" if given in message else f"; it is {given}"


def _fail(message: str, code: int) -> int:
    print("aiplay:", " ".join(message.split()), file=sys.stderr)
    return code


def _leave_pipe() -> int:
    """End quietly after the reader has closed the pipe, also when Python flushes its output on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
