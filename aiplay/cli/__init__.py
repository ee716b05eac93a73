"""The command line. Every error is one line on stderr; exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main", "run"]


def main() -> None:
    """Entry point of the command `aiplay`."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; return its exit code. AIPLAY_TRACEBACK=1 shows where an error comes from."""
    import typer

    from aiplay.cli.app import app
    from aiplay.errors import AiplayError

    command = typer.main.get_command(app)
    usage_error = typer.BadParameter.__mro__[1]  # typer gives its other errors no public name
    try:
        return int(command.main(args=list(arguments), prog_name="aiplay", standalone_mode=False) or 0)
    except Exception as problem:
        if os.environ.get("AIPLAY_TRACEBACK"):
            raise
        if isinstance(problem, usage_error):
            message = problem.format_message()  # type: ignore[attr-defined]
            if message.startswith("No such command"):
                message += f" The commands: {', '.join(command.commands)}."  # type: ignore[attr-defined]
            return _fail(message, 2)
        if isinstance(problem, AiplayError):
            return _fail(str(problem), 2)
        if isinstance(problem, OSError | typer.Abort):
            return _fail(str(problem) or "aborted", 1)
        return _fail(f"{type(problem).__name__}: {problem} (AIPLAY_TRACEBACK=1 shows more)", 1)


def _fail(message: str, code: int) -> int:
    print("aiplay:", " ".join(message.split()), file=sys.stderr)
    return code
