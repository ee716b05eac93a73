"""`aiplay learn`: strategies from a game that plays itself."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aiplay.cli.files import check_targets
from aiplay.cli.options import GameName, GameOptions, Json, Seats, chosen_game, file_option, iterations_option

if TYPE_CHECKING:
    from aiplay.learn import LearningState
    from aiplay.strategy import Strategy

__all__ = ["learn"]


class Method(StrEnum):
    """How to learn."""

    equilibrium = "equilibrium"


def learn(
    game: GameName = None,
    method: Annotated[
        Method,
        typer.Option(
            "--method", help="equilibrium: a strategy that cannot be read, for games with bluffing."
        ),
    ] = Method.equilibrium,
    minutes: Annotated[
        float | None, typer.Option("--minutes", metavar="M", help="Minutes at most.", show_default="5")
    ] = None,
    iterations: Annotated[int | None, iterations_option("Iterations at most, instead of --minutes.")] = None,
    target: Annotated[
        float | None,
        typer.Option(
            "--target",
            metavar="X",
            help="Stop when a best response wins no more than this.",
            show_default="0.01 % of the range of returns",
        ),
    ] = None,
    sampled: Annotated[
        bool,
        typer.Option(
            "--sampled", help="Sample games, also if the game is small enough to be held as a whole."
        ),
    ] = False,
    seats: Seats = None,
    option: GameOptions = None,
    out: Annotated[
        Path | None, file_option("--out", "The strategy file; default: GAME.strategy.json.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a killed run, from the checkpoint beside its file.")
    ] = False,
    seed: Annotated[
        int, typer.Option("--seed", "-s", metavar="N", min=0, max=2**64 - 1, help="Sample other games.")
    ] = 0,
    as_json: Json = False,
) -> None:
    """Learn to play a game from games against itself, and write the result to a file.

    The player `strategy:file=FILE` plays it. A killed run loses at most the last half minute: --resume goes on.

    Example: aiplay learn --method equilibrium --game leduc_poker --out leduc.json
    """
    from aiplay.cli.options import GAME
    from aiplay.learn.equilibrium import MINUTES, learn_equilibrium

    chosen = chosen_game(game or GAME, seats, option)
    file = out or Path(f"{chosen.name}.strategy.json")
    check_targets(None, file)
    if minutes is None and iterations is None:
        minutes = MINUTES
    with _Display() as display:
        strategy = learn_equilibrium(
            chosen,
            file,
            minutes=minutes,
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


class _Display:
    """A line on the terminal that says how far learning is."""

    def __init__(self) -> None:
        from aiplay.cli.show import console, is_live

        out = console(stderr=True)
        self._status: Any = out.status("learning") if is_live(out) else None

    def __enter__(self) -> _Display:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def show(self, state: LearningState) -> None:
        if self._status is not None:
            known = "" if state.exploitability is None else f", exploitability {state.exploitability:.5f}"
            sets = f"{state.information_sets:,} information sets"
            self._status.update(f"{state.seconds:.0f} s, {state.iterations:,} iterations, {sets}{known}")


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
