"""The body of the commands that play a match: where it is played and kept, its progress, its results."""

from __future__ import annotations

import contextlib
import json
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import typer

import aiplay
from aiplay.cli.options import TIME
from aiplay.errors import MatchError

if TYPE_CHECKING:
    from rich.console import Console

    from aiplay.match import Match, Store

__all__ = ["MatchCommand", "MatchOptions", "play_with_progress"]

M = TypeVar("M", bound="Match")

REFRESH = 0.2  # seconds between two updates of the progress bar
HEAD_START = 0.3  # seconds that quick games are played here, before worker processes are worth their start
PRINT_EVERY = 10.0  # seconds between two progress messages where there is no terminal


@dataclass(frozen=True, kw_only=True)
class MatchOptions:
    """The options of every command that plays a match; None: not given."""

    games: int | None
    seats: int | None
    options: list[str] | None  # of the game
    seed: int | None
    limit: str | None  # for players without one of their own
    jobs: int | None
    save: Path | None
    dask: str | None = None

    def limited(self, spec: str) -> str:
        """Return the specification of a player with the limit, if it has none of its own."""
        from aiplay.registry import limited_spec

        return limited_spec(spec, self.chosen_limit)

    @property
    def chosen_limit(self) -> str:
        """The limit that was given, or the default one."""
        return self.limit or f"time={TIME}"

    def file(self) -> Path | None:
        """Return the file for a new match; None: it is not kept."""
        return self.save

    @contextlib.contextmanager
    def opened(
        self, match: Match, store: Store | None, description: dict[str, Any]
    ) -> Iterator[tuple[Executor | None, Store | None]]:
        """Open what plays a match and what keeps it: the store given, or a new one."""
        from aiplay.match import Store

        with contextlib.ExitStack() as stack:
            executor = stack.enter_context(chosen_executor(self.jobs, self.dask, match.specs))
            # The file is created last, so that an executor that fails leaves none behind.
            if store is None and (file := self.file()) is not None:
                store = stack.enter_context(Store.create(file, description))
            yield executor, store


@dataclass(frozen=True, kw_only=True)
class MatchCommand(MatchOptions, ABC, Generic[M]):
    """A command that plays a match and shows its results."""

    resume: Path | None
    adjust: bool | str  # a str: with the trained value of this file
    as_json: bool

    @abstractmethod
    def begin(self) -> M:
        """Return the match that the options describe."""

    @abstractmethod
    def reopen(self, store: Store) -> M:
        """Return the match in a store; refuse options that contradict it."""

    @abstractmethod
    def document(self, match: M, store: Store | None) -> dict[str, Any]:
        """Return the results for programs."""

    @abstractmethod
    def show(self, match: M) -> None:
        """Print the results for people."""

    def description(self, match: M) -> dict[str, Any]:
        """Return the description that is kept in the file."""
        return match.description()

    def run(self) -> None:
        """Play the match and show its results, also after Ctrl-C or a failure."""
        from aiplay.match import Store

        if self.save is not None and self.resume is not None:
            raise typer.BadParameter("give either --save or --resume", param_hint="--resume")
        with contextlib.ExitStack() as stack:
            store = None if self.resume is None else stack.enter_context(Store.resume(self.resume))
            match = self.begin() if store is None else self.reopen(store)
            executor, store = stack.enter_context(self.opened(match, store, self.description(match)))
            try:
                is_quick = self.jobs is None and self.dask is None and not _has_search(match.specs)
                play_with_progress(match, executor, store, HEAD_START if is_quick else 0.0)
            except KeyboardInterrupt:
                typer.echo("aiplay: interrupted; these are the results so far", err=True)
                self.finish(match, store)
                raise typer.Exit(130) from None
            except MatchError:
                if match.results:
                    self.finish(match, store)
                raise
            self.finish(match, store)

    def finish(self, match: M, store: Store | None) -> None:
        """Show the results, and say what can be done with the file."""
        if self.as_json:
            typer.echo(json.dumps(self.document(match, store), allow_nan=False))
        else:
            self.show(match)
        if store is None:
            return
        if not match.is_finished:
            typer.echo(f"go on: aiplay {match.kind} --resume {store.path}", err=self.as_json)
        elif not self.as_json:
            typer.echo(f"charts: aiplay report {store.path} --html report.html")


# ---- Where it is played --------------------------------------------------------------------------------------


@contextlib.contextmanager
def chosen_executor(jobs: int | None, dask: str | None, specs: Iterable[str]) -> Iterator[Executor | None]:
    """Open a Dask cluster or a pool of processes. None for one job: this process plays."""
    from aiplay.match import DaskCluster, ProcessPool, n_cores
    from aiplay.registry import make_player

    if dask is not None and jobs is not None:
        raise typer.BadParameter("give either --jobs or --dask", param_hint="--dask")
    if dask is not None:
        with _no_logging(), DaskCluster(dask) as cluster:
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
def _no_logging() -> Iterator[None]:
    """Silence Dask, which logs tracebacks of errors that the command reports in one line."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _has_search(specs: Iterable[str]) -> bool:
    """True if a player searches: its games may take long from the first one on."""
    from aiplay.registry import make_player

    return any(make_player(spec).iterations_spent is not None for spec in specs)


# ---- Progress ------------------------------------------------------------------------------------------------


def play_with_progress(
    match: Match, executor: Executor | None, store: Store | None, head_start: float = 0.0
) -> None:
    """Play a match, for some seconds in this process and then on the executor.

    Meanwhile show its progress: a bar on a terminal, else a message every few seconds.
    """
    from rich.console import Console

    console = Console(stderr=True)
    if store is not None:
        _warn_of_other_version(store)
        match.take_results(store)
    with _bar(match, console) if console.is_terminal else _messages(match) as update:
        if head_start:
            end = time.monotonic() + head_start
            for _ in match.play_games(None, store):
                update()
                if time.monotonic() > end:
                    break
        for _ in match.play_games(executor, store):
            update()


def _warn_of_other_version(store: Store) -> None:
    begun, now = store.description.get("version"), aiplay.__version__
    if begun != now:
        text = f"aiplay: begun with aiplay {begun}, continued with aiplay {now}; players may have changed"
        typer.echo(text, err=True)


@contextlib.contextmanager
def _bar(match: Match, console: Console) -> Iterator[Callable[[], None]]:
    from rich import progress as parts

    from aiplay.report.news import news, title

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
        n, done = len(match.schedule), len(match.results)
        task = progress.add_task(title(match), total=n, completed=done, news=news(match))

        def update() -> None:
            progress.update(task, completed=len(match.results), news=news(match))

        yield _limited(REFRESH, update)


@contextlib.contextmanager
def _messages(match: Match) -> Iterator[Callable[[], None]]:
    from aiplay.report.news import news, title

    def update() -> None:
        progress = f"{len(match.results)} of {len(match.schedule)} games"
        typer.echo(f"{title(match)}: {progress}, {news(match)}", err=True)

    yield _limited(PRINT_EVERY, update)


def _limited(seconds: float, act: Callable[[], None]) -> Callable[[], None]:
    """Return a function that calls `act`, but not again before these seconds have passed."""
    last = time.monotonic()

    def call() -> None:
        nonlocal last
        if time.monotonic() - last >= seconds:
            last = time.monotonic()
            act()

    return call
