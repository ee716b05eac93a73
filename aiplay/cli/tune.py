"""`aiplay tune`: better options for a player."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.files import check_targets
from aiplay.cli.options import (
    GAME,
    TIME,
    Dask,
    GameName,
    GameOptions,
    Iterations,
    Jobs,
    Json,
    Save,
    Seats,
    Seconds,
    Seed,
    chosen_game,
    file_option,
    games_option,
    limit_text,
    spec_option,
)

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.tune import Plan, Tuning

__all__ = ["tune"]

PLAYER = "mcts"
GAMES = 400


def tune(
    game: GameName = None,
    player: Annotated[str | None, spec_option("--player", "The player to tune.", PLAYER)] = None,
    seconds: Seconds = None,
    iterations: Iterations = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="NAME[=V,V..]",
            help="An option to vary, with its values; may be repeated.",
            show_default="all that matter",
        ),
    ] = None,
    games: Annotated[int | None, games_option("Games of the search.", str(GAMES))] = None,
    final: Annotated[
        int | None,
        typer.Option(
            "--final", metavar="N", min=1, help="Most games of the last duel.", show_default=str(GAMES)
        ),
    ] = None,
    seats: Seats = None,
    option: GameOptions = None,
    seed: Seed = None,
    jobs: Jobs = None,
    dask: Dask = None,
    save: Save = None,
    resume: Annotated[Path | None, file_option("--resume", "Go on with a saved run.")] = None,
    as_json: Json = False,
) -> None:
    """Find better options for a player, at a limit: variants of it play against it.

    The best variant has to win a last duel on fresh deals. If it does not, nothing better was found.

    Example: aiplay tune --game pig --player mcts --time 0.02
    """
    from aiplay import tune
    from aiplay.cli.show import wide_console
    from aiplay.tune.grids import print_tuning

    if resume is not None:
        given: dict[str, object] = {
            "--game": game,
            "--player": player,
            "--time": seconds,
            "--iterations": iterations,
        }
        given |= {"--vary": vary, "--games": games, "--final": final, "--seats": seats, "--option": option}
        _refuse(resume, {**given, "--seed": seed, "--save": save})
        chosen, plan, scores = tune.read_plan(resume)
    else:
        check_targets(None, save)
        chosen = chosen_game(game or GAME, seats, option)
        spec = _limited(player or PLAYER, seconds, iterations)
        n, most = games or GAMES, final or GAMES
        plan = tune.plan_tuning(chosen, spec, games=n, final=most, vary=_varied(vary), seed=seed)
        scores = []
    found = _tune(chosen, plan, scores, resume or save, jobs, dask)
    if as_json:
        typer.echo(json.dumps(tune.document(found), allow_nan=False))
        return
    print_tuning(found, wide_console())
    typer.echo(f"{found.seconds:.1f} s; repeat with --seed {found.seed}")


def _refuse(file: Path, given: Mapping[str, object]) -> None:
    for name, value in given.items():
        if value is not None:
            raise typer.BadParameter(f"{file} says what is tuned; leave out {name}", param_hint=name)


def _limited(player: str, seconds: float | None, iterations: int | None) -> str:
    from aiplay.registry import limited_spec

    return limited_spec(player, limit_text(seconds, iterations) or f"time={TIME}")


def _varied(texts: list[str] | None) -> dict[str, list[str]] | None:
    """Return the options to vary with their values: ``cutoff=0,4``, or ``cutoff`` for the usual values."""
    if not texts:
        return None
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        parts = [value.strip() for value in values.split(",")] if equals else []
        if not name.strip() or not all(parts) or name.strip() in found:
            message = f"{text!r} is not NAME or NAME=VALUE,VALUE.. of another option"
            raise typer.BadParameter(message, param_hint="--vary")
        found[name.strip()] = parts
    return found


def _tune(
    game: Game, plan: Plan, scores: list[float], file: Path | None, jobs: int | None, dask: str | None
) -> Tuning:
    """Tune, with a progress bar on a terminal."""
    from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

    from aiplay.cli.match import chosen_executor
    from aiplay.cli.show import console, is_live
    from aiplay.tune import Tuner

    out = console(stderr=True)
    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        chosen_executor(jobs, dask, [plan.player]) as executor,
        Progress(*columns, console=out, transient=True, disable=not is_live(out)) as bar,
    ):
        task = bar.add_task("", total=None)

        def show(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)

        return Tuner(game, plan, scores, save=file, executor=executor, progress=show).run()
