"""`aiplay learn`: values and strategies from a game that plays itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.files import check_targets
from aiplay.cli.learn_value import LearnValue, Status
from aiplay.cli.options import (
    Dask,
    GameName,
    GameOptions,
    Jobs,
    Json,
    Seats,
    chosen_game,
    file_option,
    games_option,
    iterations_option,
)

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.learn import LearningState
    from aiplay.strategy import Strategy

__all__ = ["learn"]


class Method(StrEnum):
    """How to learn."""

    value = "value"
    equilibrium = "equilibrium"


class Source(StrEnum):
    """Sources of a value."""

    searches = "searches"
    results = "results"


def learn(
    game: GameName = None,
    method: Annotated[
        Method,
        typer.Option(
            "--method",
            help="value: how good a position is, for players that search; "
            "equilibrium: a strategy that cannot be read, for games with bluffing.",
        ),
    ] = Method.value,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", metavar="M", help="Minutes at most.", show_default="10; equilibrium: 5"),
    ] = None,
    iterations: Annotated[int | None, iterations_option("Iterations (for a value: rounds) at most.")] = None,
    limit: Annotated[
        str | None,
        typer.Option(
            "--limit",
            metavar="KEY=VALUE",
            help="Value: limit of the search for a move, such as time=0.01.",
            show_default="iterations=200; from results 100; for a game in Python 50",
        ),
    ] = None,
    games: Annotated[
        int | None,
        games_option("Value: games of a round.", "500; from results 20000; for a game in Python 100"),
    ] = None,
    source: Annotated[
        Source | None,
        typer.Option(
            "--source",
            help="Value: learn from searches, or from the results of far more games alone.",
            show_default="searches",
        ),
    ] = None,
    hidden: Annotated[
        int | None,
        typer.Option("--hidden", metavar="N", help="Value: hidden units of the network.", show_default="32"),
    ] = None,
    cutoff: Annotated[
        int | None,
        typer.Option(
            "--cutoff",
            metavar="N",
            help="Value: moves of a playout before the value decides.",
            show_default="0; of several the best, if the game has a policy for playouts",
        ),
    ] = None,
    prior_weight: Annotated[
        float | None,
        typer.Option(
            "--prior-weight",
            metavar="X",
            help="Value: visits that the value counts for as a prior.",
            show_default="2",
        ),
    ] = None,
    jobs: Jobs = None,
    dask: Dask = None,
    target: Annotated[
        float | None,
        typer.Option(
            "--target",
            metavar="X",
            help="Equilibrium: stop when a best response wins no more than this.",
            show_default="0.01 % of the range of returns",
        ),
    ] = None,
    sampled: Annotated[
        bool,
        typer.Option(
            "--sampled",
            help="Equilibrium: sample games, also if the game is small enough to be held as a whole.",
        ),
    ] = False,
    seats: Seats = None,
    option: GameOptions = None,
    out: Annotated[
        Path | None,
        file_option("--out", "The file to write; default: GAME.value.json or GAME.strategy.json."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a killed run, from the checkpoint beside its file.")
    ] = False,
    seed: Annotated[
        int, typer.Option("--seed", "-s", metavar="N", min=0, max=2**64 - 1, help="Learn from other games.")
    ] = 0,
    as_json: Json = False,
) -> None:
    """Learn to play a game from games against itself, and write the result to a file.

    A value is for the option value=FILE of greedy, mcts and expectimax. The player `strategy:file=FILE` plays a
    strategy. A killed run loses little: --resume goes on.

    Example: aiplay learn --game connect_four --minutes 10 --out four.json
    """
    from aiplay.cli.options import GAME

    chosen = chosen_game(game or GAME, seats, option)
    kind = "value" if method == Method.value else "strategy"
    file = out or Path(f"{chosen.name}.{kind}.json")
    check_targets(None, file)
    chosen_settings = {
        "limit": limit,
        "games": games,
        "source": None if source is None else source.value,
        "hidden": hidden,
        "cutoff": cutoff,
        "prior_weight": prior_weight,
    }
    if method == Method.value:
        _refuse(method, {"target": target, "sampled": sampled or None})
        settings = {name: value for name, value in chosen_settings.items() if value is not None}
        command = LearnValue(chosen, file, minutes, iterations, {"seed": seed, **settings}, resume, as_json)
        command.run(jobs, dask)
    else:
        _refuse(method, {**chosen_settings, "jobs": jobs, "dask": dask})
        _learn_equilibrium(chosen, file, minutes, iterations, target, sampled, resume, seed, as_json)


def _refuse(method: Method, given: Mapping[str, object]) -> None:
    """Raise an error for an option that the method does not have."""
    for name, value in given.items():
        if value is not None:
            raise typer.BadParameter(
                f"--method {method} does not have it", param_hint=f"--{name.replace('_', '-')}"
            )


def _learn_equilibrium(
    game: Game,
    file: Path,
    minutes: float | None,
    iterations: int | None,
    target: float | None,
    sampled: bool,
    resume: bool,
    seed: int,
    as_json: bool,
) -> None:
    from aiplay.learn.equilibrium import MINUTES, learn_equilibrium

    with _Display() as display:
        strategy = learn_equilibrium(
            game,
            file,
            minutes=MINUTES if minutes is None and iterations is None else minutes,
            iterations=iterations,
            target=target,
            seed=seed,
            sampled=sampled,
            resume=resume,
            progress=display.show,
        )
    if as_json:
        typer.echo(json.dumps({**strategy.description, "file": str(file)}))
    else:
        _print(strategy, file)


class _Display(Status):
    """Shows how far learning is."""

    def show(self, state: LearningState) -> None:
        """Show another state."""
        known = "" if state.exploitability is None else f", exploitability {state.exploitability:.5f}"
        sets = f"{state.information_sets:,} information sets"
        self.update(f"{state.seconds:.0f} s, {state.iterations:,} iterations, {sets}{known}")


def _print(strategy: Strategy, file: Path) -> None:
    made = strategy.description
    how = "the whole game" if made["solver"] == "whole" else "sampled games"
    typer.echo(f"{made['game']}: {made['iterations']:,} iterations over {how}")
    positions = "" if made["positions"] is None else f", {made['positions']:,} positions"
    typer.echo(f"  {made['information_sets']:,} information sets{positions}")
    if made["exploitability"] is None:
        typer.echo("  exploitability: not known, the game is too large for an exact best response")
    else:
        typer.echo(f"  exploitability {made['exploitability']:.5f}")
    if made["forgotten"]:
        typer.echo(f"  {made['forgotten']:,} decisions have views that do not tell how they came about")
    typer.echo(f"wrote {file}; play it with --player strategy:file={file}")
