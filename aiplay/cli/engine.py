"""`aiplay engine`: a bot for front ends in any language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aiplay.cli.options import folder_option

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
    max_time: Annotated[
        float, typer.Option(metavar="S", min=0, help="Seconds per query; a longer search is stopped.")
    ] = 600,
    max_worlds: Annotated[int, typer.Option(metavar="N", min=1, help="Worlds per query.")] = 10_000,
    max_samples: Annotated[
        int, typer.Option(metavar="N", min=1, help="Outcomes of chance per move, world and query.")
    ] = 10_000,
    max_memory: Annotated[int, typer.Option(metavar="MB", min=1, help="Megabytes per query.")] = 1024,
    max_threads: Annotated[int, typer.Option(metavar="N", min=1, help="Threads per query.")] = 16,
    max_total_memory: Annotated[
        int, typer.Option(metavar="MB", min=1, help="Megabytes of all searches that run at once.")
    ] = 4096,
    max_total_threads: Annotated[
        int, typer.Option(metavar="N", min=1, help="Threads of all searches that run at once.")
    ] = 64,
    max_kept_memory: Annotated[
        int, typer.Option(metavar="MB", min=0, help="Megabytes of the trees of kept players.")
    ] = 2048,
    data_dir: Annotated[
        Path | None,
        folder_option(
            "--data-dir", "Let queries name data files of games in this folder (by default, none)."
        ),
    ] = None,
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
    from aiplay.engine.caps import Caps

    answers = sys.stdout.buffer
    with contextlib.redirect_stdout(sys.stderr):  # output of a game or player must not mix with the answers
        caps = Caps(
            worlds=max_worlds,
            samples=max_samples,
            memory=max_memory,
            threads=max_threads,
            time=max_time,
            total_memory=max_total_memory,
            total_threads=max_total_threads,
            kept_memory=max_kept_memory,
        )
        try:
            is_heard = serve(
                sys.stdin.buffer,
                answers,
                workers=workers,
                max_tables=max_tables,
                max_players=max_players,
                max_queries=max_queries,
                caps=caps,
                data_dir=None if data_dir is None else str(data_dir),
            )
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        if not is_heard:
            os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())  # Python flushes it on exit
