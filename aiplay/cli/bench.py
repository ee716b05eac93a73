"""`aiplay bench`: how fast games and search are here."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.options import GameOptions, Json, Seats, chosen_game, complete_game

if TYPE_CHECKING:
    from rich.console import Console

    from aiplay._core.game import Game
    from aiplay.speed import Speed

__all__ = ["bench"]


def bench(
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="NAME",
            help="The game.",
            show_default="every game",
            autocompletion=complete_game,
        ),
    ] = None,
    players: Seats = None,
    option: GameOptions = None,
    as_json: Json = False,
) -> None:
    """Measure the speed of games and of search.

    Copies of a state, worlds sampled from a view, moves, random games and iterations of mcts, per second of one core.

    Example: aiplay bench --game pig
    """
    from aiplay.cli.show import console
    from aiplay.registry import game_names, load_game
    from aiplay.speed import machine

    if game is None and (players is not None or option):
        raise typer.BadParameter("it needs a --game", param_hint="--players or --option")
    games = [chosen_game(game, players, option)] if game else [load_game(name) for name in game_names()]
    found, is_whole = _measure(games, console(stderr=True))
    if as_json:
        typer.echo(json.dumps({"machine": machine(), "games": [dataclasses.asdict(one) for one in found]}))
    else:
        _print(found, machine(), console())
    raise typer.Exit(0 if is_whole else 130)


def _measure(games: list[Game], out: Console) -> tuple[list[Speed], bool]:
    """The figures of all games, and whether there was time for them; on a terminal with a progress bar."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from aiplay.cli.show import is_live
    from aiplay.speed import measure_speed

    found: list[Speed] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=out, transient=True, disable=not is_live(out)) as progress:
        task = progress.add_task("", total=len(games))
        try:
            for game in games:
                progress.update(task, description=game.name)
                found.append(measure_speed(game))
                progress.advance(task)
        except KeyboardInterrupt:
            if not found:
                raise
            typer.echo("aiplay: interrupted; these are the figures so far", err=True)
            return found, False
    return found, True


def _print(found: list[Speed], facts: dict[str, object], out: Console) -> None:
    from rich.table import Table

    from aiplay.cli.show import fit, print_table

    table = Table(caption="per second, on one core; mcts with its default options", caption_justify="left")
    table.add_column("game")
    for heading in ("bytes", "copies", "worlds", "moves", "random games", "mcts iterations"):
        table.add_column(heading, justify="right")
    for one in found:
        rates = (one.copies, one.worlds, one.moves, one.playouts, one.iterations)
        table.add_row(one.game, str(one.state_bytes), *map(_short, rates))
    print_table(out, table)
    out.print(fit(", ".join(f"{name} {value}" for name, value in facts.items()), out.width))


def _short(number: float | None) -> str:
    """A number in three digits."""
    if number is None:
        return "-"
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"
