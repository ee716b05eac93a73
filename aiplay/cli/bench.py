"""`aiplay bench`: the speed of games and search on this machine."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.options import (
    GameOptions,
    Json,
    OldSeats,
    Seats,
    chosen_game,
    chosen_seats,
    game_option,
    spec_option,
)

if TYPE_CHECKING:
    from rich.console import Console

    from aiplay._core.game import Game
    from aiplay.speed import Speed

__all__ = ["bench"]


def bench(
    game: Annotated[str | None, game_option("The game.", "every game")] = None,
    player: Annotated[
        list[str] | None, spec_option("--player", "A player to measure; may be repeated.", "mcts, expectimax")
    ] = None,
    seats: Seats = None,
    option: GameOptions = None,
    as_json: Json = False,
    players: OldSeats = None,
) -> None:
    """Measure the speed of games and search on this machine.

    Copies of a state, worlds sampled from a view, moves, random games, and the search of players, per second of
    processor time.

    Example: aiplay bench --game pig --player mcts:mode=pimc
    """
    from aiplay.cli.show import console
    from aiplay.registry import game_names, load_game
    from aiplay.speed import PLAYERS, machine

    seats = chosen_seats(seats, players)
    if game is None and (seats is not None or option):
        raise typer.BadParameter("it needs a --game", param_hint="--seats or --option")
    games = [chosen_game(game, seats, option)] if game else [load_game(name) for name in game_names()]
    found, is_complete = _measure(games, player or PLAYERS, console(stderr=True))
    if as_json:
        typer.echo(json.dumps({"machine": machine(), "games": [dataclasses.asdict(one) for one in found]}))
    else:
        _print(found, machine(), console())
    raise typer.Exit(0 if is_complete else 130)


def _measure(games: list[Game], specs: Sequence[str], out: Console) -> tuple[list[Speed], bool]:
    """Return the figures of the games, and False if interrupted. On a terminal, show a progress bar."""
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
                found.append(measure_speed(game, specs))
                progress.advance(task)
        except KeyboardInterrupt:
            if not found:
                raise
            typer.echo("aiplay: interrupted; these are the figures so far", err=True)
            return found, False
    return found, True


def _print(found: list[Speed], facts: dict[str, object], out: Console) -> None:
    from aiplay.cli.show import fit
    from aiplay.grid import Grid, print_grid

    shares = " to ".join(
        dict.fromkeys(f"{100 * extreme(one.share for one in found):.0f}" for extreme in (min, max))
    )
    caption = f"per second of processor time; this process got {shares} % of a core"
    grid = Grid(caption=caption, caption_justify="left")
    grid.add_column("game")
    players = [f"{player.player} {player.unit}" for player in found[0].players]
    for heading in ("bytes", "copies", "worlds", "moves", "random games", *players):
        grid.add_column(heading, justify="right")
    for one in found:
        rates = (one.copies, one.worlds, one.moves, one.playouts, *(each.per_second for each in one.players))
        grid.add_row(one.game, str(one.state_bytes), *map(_short, rates))
    print_grid(out, grid)
    out.print(fit(", ".join(f"{name} {value}" for name, value in facts.items()), out.width))


def _short(number: float | None) -> str:
    """Return a number with three digits."""
    if number is None:
        return "-"
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"
