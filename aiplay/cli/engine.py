"""`aiplay engine`: a bot for front ends in any language."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["engine"]


def engine(
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=256, help="Searches at once.")] = 2,
    max_tables: Annotated[int, typer.Option(metavar="N", min=1, help="Open tables at once.")] = 1000,
    max_players: Annotated[
        int, typer.Option(metavar="N", min=1, help="Players kept by name at once, with their trees.")
    ] = 100,
    max_queries: Annotated[
        int, typer.Option(metavar="N", min=1, help="Queries that are searched, or wait for it, at once.")
    ] = 10_000,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of the queries and exit.")
    ] = False,
) -> None:
    """Answer queries of other programs: JSON messages on standard input and output.

    docs/engine.md lists the queries.

    Example: echo '{"id": 1, "action": "games"}' | aiplay engine
    """
    import contextlib
    import os
    import sys

    if schema:
        from aiplay.engine.schema import schema_text

        typer.echo(schema_text(), nl=False)
        return
    from aiplay.engine import serve

    answers = sys.stdout.buffer
    with contextlib.redirect_stdout(sys.stderr):  # output of a game or player must not mix with the answers
        limits = {
            "workers": workers,
            "max_tables": max_tables,
            "max_players": max_players,
            "max_queries": max_queries,
        }
        try:
            is_heard = serve(sys.stdin.buffer, answers, **limits)
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        if not is_heard:
            os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())  # Python flushes it on exit
