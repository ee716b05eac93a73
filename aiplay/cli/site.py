"""`aiplay site`: the page of `aiplay serve` as static files, with the bots in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["site"]


def site(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder to write; made if it is missing.")],
    wheel: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="aiplay compiled for the browser.",
            show_default="from the cache, or from PyPI",
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            file_okay=False,
            help="Folder of what is fetched.",
            show_default="$AIPLAY_WASM, or aiplay-wasm in the user's cache",
        ),
    ] = None,
) -> None:
    """Write a page to play on that needs no server: bots run in the browser.

    docs/browser.md tells what it needs, and how fast it is.

    Example: aiplay site public && python -m http.server -d public
    """
    from aiplay.site.build import build_site
    from aiplay.site.runtime import default_cache, fetch_aiplay

    folder = default_cache() if cache is None else cache
    made = build_site(out, fetch_aiplay(folder) if wheel is None else wheel, folder)
    typer.echo(
        f"{made.folder}: {made.files} files, {made.bytes / 1e6:.1f} MB, {made.compressed / 1e6:.1f} MB compressed"
    )
