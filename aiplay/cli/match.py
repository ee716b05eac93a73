"""What the commands that play matches share: where the games are computed, and the progress shown meanwhile."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from typing import TYPE_CHECKING

import typer

import aiplay

if TYPE_CHECKING:
    from rich.console import Console

    from aiplay.match import Match, Store

__all__ = ["chosen_executor", "play_with_progress"]

REFRESH = 0.2  # seconds between two looks at the running score
LINE_EVERY = 10.0  # seconds between two lines of progress where there is no terminal


@contextlib.contextmanager
def chosen_executor(jobs: int | None, dask: str | None, specs: Iterable[str]) -> Iterator[Executor | None]:
    """Where to play: a Dask cluster, processes of this machine, or (one job) nowhere but here."""
    from aiplay.match import DaskCluster, ProcessPool, n_cores
    from aiplay.registry import make_player

    if dask is not None and jobs is not None:
        raise typer.BadParameter("give either --jobs or --dask", param_hint="--dask")
    if dask is not None:
        with _quiet(), DaskCluster(dask) as cluster:
            yield cluster
        return
    if jobs is None:  # a player that searches with several threads takes as many cores
        jobs = max(1, n_cores() // max(make_player(spec).options.get("threads", 1) for spec in specs))
    if jobs == 1:
        yield None
        return
    with ProcessPool(jobs) as pool:
        yield pool


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Dask logs tracebacks of what is told in one line here."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def play_with_progress(
    match: Match, title: str, executor: Executor | None, store: Store | None, news: Callable[[], str]
) -> None:
    """Play a match; meanwhile show how far it is, and the `news`: a bar on a terminal, else a line now and then."""
    from rich.console import Console

    console = Console(stderr=True)
    if store is not None:
        _warn_of_other_version(store)
        match.take_results(store)
    show = _bar if console.is_terminal else _lines
    with show(match, title, console, news) as look:
        for _ in match.play_games(executor, store):
            look()


def _warn_of_other_version(store: Store) -> None:
    begun, now = store.description.get("version"), aiplay.__version__
    if begun != now:
        text = f"aiplay: begun with aiplay {begun}, goes on with aiplay {now}; players may have changed"
        typer.echo(text, err=True)


@contextlib.contextmanager
def _bar(match: Match, title: str, console: Console, news: Callable[[], str]) -> Iterator[Callable[[], None]]:
    from rich import progress as parts

    columns = (
        parts.SpinnerColumn("line"),
        parts.TextColumn("{task.description}"),
        parts.BarColumn(None),
        parts.MofNCompleteColumn(),
        parts.TextColumn("{task.fields[news]}"),
        parts.TimeElapsedColumn(),
        parts.TimeRemainingColumn(),
    )
    with parts.Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(title, total=len(match.schedule), completed=len(match.results), news=news())

        def move_on() -> None:
            progress.update(task, completed=len(match.results), news=news())

        yield _now_and_then(REFRESH, move_on)


@contextlib.contextmanager
def _lines(match: Match, title: str, _: Console, news: Callable[[], str]) -> Iterator[Callable[[], None]]:
    def tell() -> None:
        typer.echo(f"{title}: {len(match.results)} of {len(match.schedule)} games, {news()}", err=True)

    yield _now_and_then(LINE_EVERY, tell)


def _now_and_then(every: float, act: Callable[[], None]) -> Callable[[], None]:
    """A function that acts when it is called, but not more often than `every` so many seconds."""
    last = time.monotonic()

    def look() -> None:
        nonlocal last
        if time.monotonic() - last >= every:
            last = time.monotonic()
            act()

    return look
