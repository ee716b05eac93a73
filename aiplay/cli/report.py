"""`aiplay report`: what a saved match says."""

from __future__ import annotations

import json
import os
from errno import EISDIR, ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.options import Csv, Json

if TYPE_CHECKING:
    from aiplay.match import Match

__all__ = ["report"]


def report(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A saved duel or tournament, finished or not.")
    ],
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a page with pictures (needs aiplay[report]).", show_default=False
        ),
    ] = None,
    csv: Csv = None,
    as_json: Json = False,
) -> None:
    """Show what a saved match says: ratings, cross table, pictures.

    Example: aiplay report match.db --html match.html
    """
    check_targets(file, html, csv)
    match = read_match(file)
    if html is not None:
        from aiplay.cli.files import write_text
        from aiplay.report.page import page

        write_text(html, page(match))
    if csv is not None:
        write_csv(csv, match)
    if as_json:
        from aiplay.cli.standings import standings_document

        typer.echo(json.dumps(standings_document(match), allow_nan=False))
    elif html is None and csv is None:
        from aiplay.cli.standings import show_match

        show_match(match)
    else:
        typer.echo("wrote " + " and ".join(str(path) for path in (html, csv) if path is not None))


def check_targets(match: Path | None, *targets: Path | None) -> None:
    """Refuse files that would replace the match, and those that could not be written in the end."""
    for target in filter(None, targets):
        if match is not None and target.resolve() == match.resolve():
            raise typer.BadParameter(
                f"{target} is the match itself; give another file", param_hint="--html or --csv"
            )
        for is_wrong, number in ((target.is_dir(), EISDIR), (not target.parent.is_dir(), ENOENT)):
            if is_wrong:
                raise OSError(number, os.strerror(number), str(target))


def read_match(path: Path) -> Match:
    """The match in a file."""
    from aiplay.errors import StoreError
    from aiplay.match import Duel, Store, Tournament

    with Store.read(path) as store:
        kind = store.description.get("kind")
        for cls in (Duel, Tournament):
            if kind == cls.kind:
                return cls.of(store)
        raise StoreError(f"{path}: a match of kind {kind!r}; reports are made of duels and tournaments")


def write_csv(path: Path, match: Match) -> None:
    """Write the games of a match to a file, as a whole or not at all."""
    from aiplay.cli.files import write_text
    from aiplay.cli.standings import games_csv

    write_text(path, games_csv(match))
