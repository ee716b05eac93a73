"""`aiplay analyse`: what a player thinks of a position."""

from __future__ import annotations

import dataclasses
import json
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.options import (
    GameOptions,
    Json,
    Seats,
    Seed,
    chosen_game,
    complete_game,
    complete_player,
    limit_text,
)

if TYPE_CHECKING:
    from rich.console import Console, Group

    from aiplay._core.game import Game, View
    from aiplay.analysis import Analysis
    from aiplay.limit import Limit
    from aiplay.players.base import Player
    from aiplay.table import Table

__all__ = ["analyse"]

REFRESH = 0.2  # seconds between two looks at what is known


def analyse(
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="NAME",
            help="The game; a position or a record names it itself.",
            show_default="illusio",
            autocompletion=complete_game,
        ),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position",
            metavar="FILE",
            help="A view or a state as JSON; - is the standard input.",
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
        int | None,
        typer.Option(
            "--ply",
            metavar="N",
            min=0,
            help="After so many moves of the record.",
            show_default="its last decision",
        ),
    ] = None,
    player: Annotated[
        str,
        typer.Option("--player", metavar="SPEC", help="Who thinks.", autocompletion=complete_player),
    ] = "mcts",
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="T",
            help="How many seconds it may think.",
            show_default="the player's own limit, else 0.5",
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option("--iterations", metavar="N", help="How many iterations instead.", show_default=False),
    ] = None,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="How many moves to show.")] = 12,
    players: Seats = None,
    option: GameOptions = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Show what a player thinks of a position.

    Its moves with their values, the best line and the odds of every seat. The player sees what the seat to move sees,
    also of a state or a record. A new game goes on to the first position with a choice.

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
    thinker = make_player(player, seed=seed)
    limit = None
    if (given := limit_text(seconds, iterations)) is not None:
        limited_spec(thinker.name, given)  # says which limits the player has
        limit = Limit(time=seconds, iterations=iterations)
    if position is None and record is None:
        view, ply, heading = _first_choice(Table(chosen_game(game or "illusio", players, option), seed=seed))
    else:
        view, ply, heading = _read(position, record, ply)
        _check_game(view.game, game, players, option)
    heading += f", {thinker.spec}"
    out = console()
    if as_json:
        analysis, is_whole = _think(thinker, view, limit, None, heading, top)
        typer.echo(json.dumps(_document(view, ply, thinker, analysis)))
    else:
        out.print(fit(str(view), out.width), soft_wrap=True)
        analysis, is_whole = _think(thinker, view, limit, out, heading, top)
        out.print(_shown(analysis, heading, out, top), crop=False)
    raise typer.Exit(0 if is_whole else 130)


def _first_choice(table: Table) -> tuple[View, int, str]:
    """The first position of a new game in which a seat has a choice, its ply, and what to call it."""
    forced = 0
    while not table.over and len(moves := table.legal_moves()) == 1:
        table.play(moves[0])
        forced += 1
    if table.over:
        raise typer.BadParameter(
            f"nobody ever had a choice in this game of {table.game.name}", param_hint="--game"
        )
    skipped = f" after {forced} forced move{'s' * (forced > 1)}" if forced else ""
    return table.view(table.to_move), len(table.moves), f"seat {table.to_move} to move{skipped}"


def _read(position: str | None, record: str | None, ply: int | None) -> tuple[View, int | None, str]:
    """The position of a file, its ply if that is known, and what to call it."""
    from aiplay.cli.files import read_decision, read_view

    if record is None:
        assert position is not None
        view = read_view(position)
        return view, None, f"seat {view.seat} to move"
    table, n_moves = read_decision(record, ply)
    at = len(table.moves)
    back = f" after {at} of {n_moves} moves" if ply is None and at < n_moves else ""
    return table.view(table.to_move), at, f"seat {table.to_move} to move{back}"


def _check_game(found: Game, name: str | None, players: int | None, option: list[str] | None) -> None:
    """A game on the command line has to be that of the file; so do its options, if any are given."""
    if name is not None and name != found.name:
        raise typer.BadParameter(f"{name}, but the file is of {found.name}", param_hint="--game")
    if (players is not None or option) and chosen_game(found.name, players, option) != found:
        raise typer.BadParameter(f"the file is of {found!r}", param_hint="--players or --option")


def _think(
    thinker: Player, view: View, limit: Limit | None, out: Console | None, heading: str, top: int
) -> tuple[Analysis, bool]:
    """What the player thinks, and whether it could think to the end; on a terminal one can watch."""
    from rich.live import Live

    from aiplay.cli.show import is_live

    known: list[Analysis] = []
    is_watched = out is not None and is_live(out)
    with Live(console=out, transient=True, auto_refresh=False) if is_watched else nullcontext() as live:

        def report(analysis: Analysis) -> None:
            known[:] = [analysis]
            if live is not None and out is not None:
                live.update(_shown(analysis, heading, out, top), refresh=True)

        try:
            return thinker.analyse(view, limit, progress=report, every=REFRESH), True
        except KeyboardInterrupt:
            if not known:
                raise
    typer.echo("aiplay: interrupted; this is what is known so far", err=True)
    return known[0], False


def _shown(analysis: Analysis, heading: str, out: Console, top: int) -> Group:
    """An analysis for people."""
    from rich.console import Group
    from rich.text import Text

    from aiplay.cli.show import analysis_table, odds_text

    names = {seat: f"seat {seat}" for seat in range(len(analysis.odds))}
    cost = f"{analysis.iterations:,} iterations in {analysis.seconds:.2f} s"
    if analysis.iterations_per_second:
        cost += f" ({analysis.iterations_per_second:,.0f}/s)"
    facts = {"tree": analysis.nodes, "depth": analysis.depth, "worlds": analysis.worlds}
    cost += "".join(f", {name} {n:,}" for name, n in facts.items() if n > (name == "worlds"))
    lines = [
        ("line", ", ".join(analysis.line)),
        ("odds", odds_text(analysis, names)),
        ("cost", cost),
    ]
    rest = [Text(f"{name}  {text}") for name, text in lines if text]
    return Group(Text(), Text(heading, style="bold"), analysis_table(analysis, out, top), Text(), *rest)


def _document(view: View, ply: int | None, thinker: Player, analysis: Analysis) -> dict[str, object]:
    """An analysis for programs."""
    return {
        "game": view.game.name,
        "options": dict(view.game.options),
        "ply": ply,
        "player": thinker.spec,
        "seed": thinker.seed,
        "move": analysis.best,
        **dataclasses.asdict(analysis),
    }
