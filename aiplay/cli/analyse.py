"""`aiplay analyse`: a position as a player sees it."""

from __future__ import annotations

import dataclasses
import json
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.options import (
    GAME,
    GameOptions,
    Json,
    OldSeats,
    Seats,
    Seed,
    chosen_game,
    chosen_seats,
    game_option,
    iterations_option,
    limit_text,
    ply_option,
    spec_option,
    time_option,
)

if TYPE_CHECKING:
    from rich.console import Console, Group

    from aiplay._core.game import Game, View
    from aiplay.analysis import Analysis
    from aiplay.limit import Limit
    from aiplay.players.base import Player
    from aiplay.table import Table

__all__ = ["analyse", "shown_analysis"]

REFRESH = 0.2  # seconds between two updates on a terminal


def analyse(
    game: Annotated[
        str | None, game_option("The game; not needed with a position or a record.", GAME)
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position",
            metavar="FILE",
            help="A view or a state as JSON; - is standard input.",
            show_default="the first choice of a new game",
        ),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            "--record", metavar="FILE", help="A record of a game, as `play` saves it.", show_default=False
        ),
    ] = None,
    ply: Annotated[
        int | None, ply_option("The position after N moves of the record.", "its last decision")
    ] = None,
    player: Annotated[str, spec_option("--player", "The player that analyses.", True)] = "mcts",
    seconds: Annotated[
        float | None, time_option("Seconds to spend.", "the player's own limit, else 0.5")
    ] = None,
    iterations: Annotated[int | None, iterations_option("Iterations to spend, instead of --time.")] = None,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Number of moves to show.")] = 12,
    seats: Seats = None,
    option: GameOptions = None,
    seed: Seed = None,
    as_json: Json = False,
    players: OldSeats = None,
) -> None:
    """Analyse a position: moves with their values, the best line, the odds of every seat.

    The player sees what the seat to move sees, even if the file holds a state or a record. In a new game, forced moves
    are made first.

    Example: aiplay analyse --game connect_four --player mcts --time 2
    """
    from aiplay.cli.show import console, fit
    from aiplay.limit import Limit
    from aiplay.registry import limited_spec, make_player
    from aiplay.table import Table

    if position is not None and record is not None:
        raise typer.BadParameter("give either --position or --record", param_hint="--position")
    if ply is not None and record is None:
        raise typer.BadParameter("it needs a --record", param_hint="--ply")
    seats = chosen_seats(seats, players)
    analyst = make_player(player, seed=seed)
    limit = None
    if (given := limit_text(seconds, iterations)) is not None:
        limited_spec(analyst.name, given)  # refuses a limit that the player does not have
        limit = Limit(time=seconds, iterations=iterations)
    if position is None and record is None:
        view, ply, heading = _first_choice(Table(chosen_game(game or GAME, seats, option), seed=seed))
    else:
        view, ply, heading = _read(position, record, ply)
        _check_game(view.game, game, seats, option)
    heading += f", {analyst.spec}"
    out = console()
    if as_json:
        analysis, is_complete = _analyse(analyst, view, limit, None, heading, top)
        typer.echo(json.dumps(_document(view, ply, analyst, analysis)))
    else:
        out.print(fit(str(view), out.width), soft_wrap=True)
        analysis, is_complete = _analyse(analyst, view, limit, out, heading, top)
        out.print(shown_analysis(analysis, heading, out, top), crop=False)
    raise typer.Exit(0 if is_complete else 130)


def _first_choice(table: Table) -> tuple[View, int, str]:
    """Return the first position of a new game in which a seat has a choice, its ply, and its heading."""
    forced = 0
    while not table.over and len(moves := table.legal_moves()) == 1:
        table.play(moves[0])
        forced += 1
    if table.over:
        raise typer.BadParameter(
            f"no seat ever has a choice in this game of {table.game.name}", param_hint="--game"
        )
    skipped = f" after {forced} forced move{'s' * (forced > 1)}" if forced else ""
    return table.view(table.to_move), len(table.moves), f"seat {table.to_move} to move{skipped}"


def _read(position: str | None, record: str | None, ply: int | None) -> tuple[View, int | None, str]:
    """Return the position in a file, its ply if that is known, and its heading."""
    from aiplay.cli.files import read_decision, read_view

    if record is None:
        assert position is not None
        view = read_view(position)
        return view, None, f"seat {view.seat} to move"
    table, n_moves = read_decision(record, ply)
    at = len(table.moves)
    back = f" after {at} of {n_moves} moves" if ply is None and at < n_moves else ""
    return table.view(table.to_move), at, f"seat {table.to_move} to move{back}"


def _check_game(found: Game, name: str | None, seats: int | None, option: list[str] | None) -> None:
    """Refuse a game or options on the command line that are not those of the file."""
    if name is not None and name != found.name:
        raise typer.BadParameter(f"{name}, but the file is of {found.name}", param_hint="--game")
    if (seats is not None or option) and chosen_game(found.name, seats, option) != found:
        raise typer.BadParameter(f"the file is of {found!r}", param_hint="--seats or --option")


def _analyse(
    analyst: Player, view: View, limit: Limit | None, out: Console | None, heading: str, top: int
) -> tuple[Analysis, bool]:
    """Return the analysis, and False if it was interrupted. On a terminal it is shown as it grows."""
    from rich.live import Live

    from aiplay.cli.show import is_live

    known: list[Analysis] = []
    is_watched = out is not None and is_live(out)
    with Live(console=out, transient=True, auto_refresh=False) if is_watched else nullcontext() as live:

        def report(analysis: Analysis) -> None:
            known[:] = [analysis]
            if live is not None and out is not None:
                live.update(shown_analysis(analysis, heading, out, top), refresh=True)

        try:
            return analyst.analyse(view, limit, progress=report, every=REFRESH), True
        except KeyboardInterrupt:
            if not known:
                raise
    typer.echo("aiplay: interrupted; this is the analysis so far", err=True)
    return known[0], False


def shown_analysis(analysis: Analysis, heading: str, out: Console, top: int) -> Group:
    """Return an analysis for people."""
    from rich.console import Group
    from rich.text import Text

    from aiplay.cli.show import analysis_grid, odds_text

    names = {seat: f"seat {seat}" for seat in range(len(analysis.odds))}
    cost = f"{analysis.iterations:,} iterations in {analysis.seconds:.2f} s"
    if analysis.iterations_per_second:
        cost += f" ({analysis.iterations_per_second:,.0f}/s)"
    facts = {"tree": analysis.nodes, "depth": analysis.depth, "worlds": analysis.worlds}
    cost += "".join(f", {name} {n:,}" for name, n in facts.items() if n > (name == "worlds"))
    below = {"line": ", ".join(analysis.line), "odds": odds_text(analysis, names), "cost": cost}
    rest = [Text(f"{name}  {text}") for name, text in below.items() if text]
    return Group(Text(), Text(heading, style="bold"), analysis_grid(analysis, out, top), Text(), *rest)


def _document(view: View, ply: int | None, analyst: Player, analysis: Analysis) -> dict[str, object]:
    """Return an analysis for programs."""
    return {
        "game": view.game.name,
        "options": dict(view.game.options),
        "ply": ply,
        "player": analyst.spec,
        "seed": analyst.seed,
        "move": analysis.best,
        **dataclasses.asdict(analysis),
    }
