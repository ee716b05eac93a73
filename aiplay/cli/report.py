"""`aiplay report`: the results of a saved match."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from aiplay.cli.files import check_targets, write_text
from aiplay.cli.options import Csv, Json, file_option

__all__ = ["report"]


def report(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A saved duel or tournament, finished or not.")
    ],
    html: Annotated[
        Path | None, file_option("--html", "Write a page with charts (needs aiplay[report]).")
    ] = None,
    csv: Csv = None,
    as_json: Json = False,
) -> None:
    """Show the results of a saved match: ratings, cross table, charts.

    Example: aiplay report match.db --html match.html
    """
    from aiplay import report
    from aiplay.match import load_match

    check_targets(file, html, csv)
    match = load_match(file)
    if html is not None:
        write_text(html, report.page(match))
    if csv is not None:
        write_text(csv, report.csv(match))
    if as_json:
        typer.echo(json.dumps(report.document(match), allow_nan=False))
    elif html is None and csv is None:
        from aiplay.cli.show import wide_console
        from aiplay.report.grids import print_standings

        print_standings(match, wide_console())
    else:
        typer.echo("wrote " + " and ".join(str(path) for path in (html, csv) if path is not None))
