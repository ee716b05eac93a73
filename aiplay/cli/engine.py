"""`aiplay engine`: a bot for front ends in any language."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["engine"]


def engine(
    workers: Annotated[int, typer.Option(min=1, max=256, help="Searches at once.")] = 2,
    max_tables: Annotated[int, typer.Option(min=1, help="Tables that may be open at once.")] = 1000,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of the queries and exit.")
    ] = False,
) -> None:
    """Answer queries in JSON lines on standard input and output; docs/engine.md tells which."""
    import sys

    if schema:
        from aiplay.engine.schema import schema_text

        typer.echo(schema_text(), nl=False)
        return
    from aiplay.engine import serve

    serve(sys.stdin.buffer, sys.stdout.buffer, workers=workers, max_tables=max_tables)
