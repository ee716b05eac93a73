"""`aiplay tournament`: how strong are several players."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aiplay.cli.match import chosen_executor, play_with_progress
from aiplay.cli.options import (
    TIME,
    Csv,
    Dask,
    GameOptions,
    Iterations,
    Jobs,
    Json,
    Resume,
    Save,
    Seconds,
    Seed,
    chosen_game,
    complete_game,
    complete_player,
    limit_text,
)
from aiplay.cli.report import check_targets, write_csv

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.match import Store, Tournament

__all__ = ["tournament"]

GAME = "illusio"
GAMES = 20
ROOM = 36  # letters for the leading players while games are played
SPEC_HELP = "Two players or more: --players mcts greedy random; may be repeated."


def tournament(
    players: Annotated[
        list[str] | None,
        typer.Option("--players", "-p", metavar="SPEC...", help=SPEC_HELP, autocompletion=complete_player),
    ] = None,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[SPEC]...", hidden=True, autocompletion=complete_player)
    ] = None,  # all specifications behind --players but the first
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="A game, or all; may be repeated.",
            show_default=GAME,
            autocompletion=complete_game,
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=1, help="Games for every meeting.", show_default=str(GAMES)),
    ] = None,
    seats: Annotated[
        int | None, typer.Option("--seats", help="How many seats play.", show_default=False)
    ] = None,
    option: GameOptions = None,
    seed: Seed = None,
    jobs: Jobs = None,
    seconds: Seconds = None,
    iterations: Iterations = None,
    save: Save = None,
    resume: Resume = None,
    dask: Dask = None,
    csv: Csv = None,
    as_json: Json = False,
) -> None:
    """Let everybody meet everybody, and rate them.

    Example: aiplay tournament --game pig --players mcts expectimax greedy random
    """
    from aiplay.errors import MatchError
    from aiplay.match import Store

    given = {
        "--players": [*(players or ()), *(more or ())] or None,
        "--game": game,
        "--games": games,
        "--seats": seats,
        "--option": option,
        "--seed": seed,
        "--time or --iterations": limit_text(seconds, iterations),
        "--save": save,
    }
    if csv is not None:
        check_targets(save or resume, csv)
    with contextlib.ExitStack() as stack:
        match, store = _saved_match(given, resume, stack) if resume else (_new_tournament(given), None)
        executor = stack.enter_context(chosen_executor(jobs, dask, match.specs))
        if store is None:  # nothing is left behind when there is nowhere to play
            store = stack.enter_context(Store.create(save or _default_file(), match.description()))
        n = len(match.games_played)
        title = match.games_played[0].name if n == 1 else f"{n} games"
        try:
            play_with_progress(match, title, executor, store, lambda: _news(match))
        except KeyboardInterrupt:
            typer.echo("aiplay: interrupted; these are the results so far", err=True)
            _finish(match, store, csv, as_json)
            raise typer.Exit(130) from None
        except MatchError:
            if match.results:
                _finish(match, store, csv, as_json)
            raise
        _finish(match, store, csv, as_json)


# ---- What to play --------------------------------------------------------------------------------------------


def _saved_match(given: dict[str, Any], path: Path, stack: contextlib.ExitStack) -> tuple[Tournament, Store]:
    """A tournament to go on with, as it was begun."""
    from aiplay.match import Store, Tournament

    for name, value in given.items():
        if value is not None:
            raise typer.BadParameter(f"{path} says what is played; leave out {name}", param_hint="--resume")
    store = stack.enter_context(Store.resume(path))
    return Tournament.of(store), store


def _default_file() -> Path:
    """Where a tournament is kept that nobody asked to save: hours of computing should survive a mishap."""
    return Path(tempfile.mkdtemp(prefix="aiplay-")) / "tournament.db"


def _new_tournament(given: dict[str, Any]) -> Tournament:
    from aiplay.match import Tournament
    from aiplay.registry import limited_spec

    if given["--players"] is None:
        message = "missing; give --players SPEC SPEC ..., or --resume FILE"
        raise typer.BadParameter(message, param_hint="--players")
    for spec in given["--players"]:
        if spec.isdecimal():
            raise typer.BadParameter(
                f"{spec!r} is no player; the number of seats is given as --seats {spec}",
                param_hint="--players",
            )
    limit = given["--time or --iterations"] or f"time={TIME}"
    specs = [limited_spec(spec, limit) for spec in given["--players"]]
    games = _chosen_games(given["--game"] or [GAME], given["--seats"], given["--option"])
    return Tournament(games, specs, given["--games"] or GAMES, given["--seed"])


def _chosen_games(names: list[str], seats: int | None, options: list[str] | None) -> list[Game]:
    """The games by name; of all games those that have such seats and options."""
    from aiplay.errors import AiplayError, OptionError
    from aiplay.registry import game_names

    if "all" not in names:
        return [chosen_game(name, seats, options) for name in dict.fromkeys(names)]
    fitting, others = [], []
    for name in game_names():
        try:
            fitting.append(chosen_game(name, seats, options))
        except AiplayError as problem:
            others.append((name, problem))
    if not fitting:
        why = "; ".join(str(problem) for _, problem in others)
        raise OptionError(f"no game has these seats and options: {why}")
    if others:
        left_out = ", ".join(name for name, _ in others)
        typer.echo(f"aiplay: left out, as they have no such seats or options: {left_out}", err=True)
    return fitting


# ---- What came of it -----------------------------------------------------------------------------------------


def _news(match: Tournament) -> str:
    """The best players so far, as many as fit beside a progress bar."""
    kinds = [_kind(spec) for spec in match.specs]
    news = ""
    for spec, score in match.leaders():
        name = _kind(spec) if kinds.count(_kind(spec)) == 1 else spec
        more = f"{news}, {name} {100 * score:.0f} %" if news else f"{name[: ROOM - 6]} {100 * score:.0f} %"
        if len(more) > ROOM:
            break
        news = more
    return news or "no deal yet"


def _kind(spec: str) -> str:
    return spec.partition(":")[0]


def _finish(match: Tournament, store: Store, csv: Path | None, as_json: bool) -> None:
    """Show the results, and say how to see more of them."""
    from aiplay.cli.standings import show_match, standings_document

    if as_json:
        typer.echo(json.dumps({**standings_document(match), "file": str(store.path)}, allow_nan=False))
    else:
        show_match(match)
        if match.is_finished:
            typer.echo(f"pictures: aiplay report {store.path} --html report.html")
        else:
            typer.echo(f"go on: aiplay tournament --resume {store.path}")
    if csv is not None:  # last, for it may fail
        write_csv(csv, match)
