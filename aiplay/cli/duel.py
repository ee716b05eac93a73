"""`aiplay duel`: which of two players is better."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.options import GameName, GameOptions, Seats, Seed, chosen_game

if TYPE_CHECKING:
    from rich.table import Table

    from aiplay.match.duel import Duel, Summary

__all__ = ["duel"]

TIME = 0.05  # seconds per move of players that have no limit of their own
REFRESH = 0.2  # seconds between two looks at the running score


def duel(
    a: Annotated[
        str, typer.Option("--a", metavar="SPEC", help="A player: random, greedy, mcts:time=0.2 ...")
    ],
    b: Annotated[str, typer.Option("--b", metavar="SPEC", help="The player to compare it with.")],
    game: GameName = "illusio",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games, in pairs.")] = 20,
    players: Seats = None,
    option: GameOptions = None,
    seed: Seed = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time", help="Seconds per move of players without a limit of their own.", show_default="0.05"
        ),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="Iterations per move instead.", show_default=False)
    ] = None,
) -> None:
    """Let two players meet in pairs of games: the same deal and dice, with seats exchanged."""
    from rich.console import Console

    from aiplay.match.duel import Duel
    from aiplay.registry import limited_spec

    if seconds is not None and iterations is not None:
        raise typer.BadParameter("give either --time or --iterations", param_hint="--time")
    limit = f"iterations={iterations}" if iterations is not None else f"time={seconds or TIME}"
    a, b = limited_spec(a, limit), limited_spec(b, limit)
    match = Duel(chosen_game(game, players, option), a, b, games=games, seed=seed)
    try:
        _play(match)
    except KeyboardInterrupt:
        typer.echo("aiplay: interrupted; these are the results so far", err=True)
        Console().print(_result(match, match.summary()))
        raise typer.Exit(130) from None
    Console().print(_result(match, match.summary()))


def _play(match: Duel) -> None:
    """Play all games; on a terminal with a progress bar."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("a scores {task.fields[score]}"),
        TimeRemainingColumn(),
    )
    shown = 0.0
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(match.game.name, total=len(match.fixtures), score="-")
        for _ in match.play_games():
            progress.advance(task)
            if not progress.disable and time.monotonic() - shown >= REFRESH:
                shown = time.monotonic()
                progress.update(task, score=_percent(match.summary().a_score))


def _result(match: Duel, summary: Summary) -> Table:
    from rich.table import Table

    # Every pair has a winner's share for both sides, so b's interval is a's, mirrored.
    rows = (
        (
            "a",
            summary.a,
            summary.a_wins,
            summary.b_wins,
            summary.a_score,
            summary.a_score_low,
            summary.a_score_high,
        ),
        (
            "b",
            summary.b,
            summary.b_wins,
            summary.a_wins,
            1 - summary.a_score,
            1 - summary.a_score_high,
            1 - summary.a_score_low,
        ),
    )
    options = "".join(f" {name}={value}" for name, value in match.game.options.items())
    table = Table(
        title=f"{match.game.name}{options}: {summary.games} games in {summary.pairs} pairs",
        caption=f"{summary.seconds:.1f} s, repeat with --seed {summary.seed}",
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("")
    table.add_column("player")
    for heading in ("wins", "draws", "losses", "score", "95 % interval", "ms/move"):
        table.add_column(heading, justify="right")
    for name, side, wins, losses, score, low, high in rows:
        table.add_row(
            name,
            side.spec,
            str(wins),
            str(summary.draws),
            str(losses),
            _percent(score),
            f"{100 * low:.1f} .. {_percent(high)}",
            f"{1000 * side.seconds_per_move:.3g}",
        )
    return table


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
