"""`aiplay serve`: a page to play on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import socket

__all__ = ["serve"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
LEAST = 16  # characters of a token


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = LOOPBACK[0],
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0: any free one.")] = 8000,
    public: Annotated[
        bool, typer.Option("--public", help="Allow another address than that of this machine.")
    ] = False,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            envvar="AIPLAY_TOKEN",
            help="Who opens rooms has to know it; with --public.",
            show_default="made up",
        ),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Another page that may connect; may be repeated."),
    ] = None,
    replay: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A record or a saved match to show; may be repeated."),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", file_okay=False, help="A folder in which rooms outlive the server."),
    ] = None,
    searches: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=256, help="Searches at once.", show_default="cores"),
    ] = None,
    max_time: Annotated[float, typer.Option(metavar="SECONDS", min=0.01, help="Longest search.")] = 10.0,
    max_rooms: Annotated[int, typer.Option(metavar="N", min=1, help="Rooms at once.")] = 1000,
    idle: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=1, help="A room that nobody uses is closed after this time."),
    ] = 1800.0,
) -> None:
    """Open a page to play on in the browser.

    docs/serving.md tells how to serve many people.

    Example: aiplay serve --replay cup.db
    """
    import os
    import secrets

    if host not in LOOPBACK and not public:
        raise typer.BadParameter(f"{host} can be reached by others; add --public", param_hint="--host")
    if token is not None and len(token) < LEAST:
        raise typer.BadParameter(f"it needs {LEAST} characters or more", param_hint="--token")
    token = (token or secrets.token_urlsafe()) if public else token
    try:
        from aiplay.serve.app import LOCAL, make_app
        from aiplay.serve.process import run
    except ModuleNotFoundError as missing:
        typer.echo(f"aiplay: {missing.name} is missing: pip install 'aiplay[serve]'", err=True)
        raise typer.Exit(1) from None
    from aiplay.serve.limits import Limits

    limits = Limits(searches=searches or os.cpu_count() or 1, time=max_time, rooms=max_rooms, idle=idle)
    app = make_app(
        limits,
        token=token,
        keep=keep,
        replays=replay or (),
        hosts=() if public else LOCAL,
        origins=origin or (),
    )
    listener = _listen(host, port)
    typer.echo(
        f"aiplay: {_address(host, listener)}{f'#token={token}' if token else ''} (Ctrl-C ends it)", err=True
    )
    run(app, listener, limits)


def _listen(host: str, port: int) -> socket.socket:
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, f"{host}:{port}") from None


def _address(host: str, listener: socket.socket) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}/"
