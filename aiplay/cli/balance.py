"""`aiplay balance`: what matches of strong players say about a game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.files import check_targets, write_text
from aiplay.cli.match import MatchOptions, play_with_progress
from aiplay.cli.options import (
    GAME,
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
    from aiplay.balance import Balance
    from aiplay.match import Match

__all__ = ["balance"]

GAMES = 200
PLAYER = "mcts"


def balance(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A saved match; without one, a new match is played."),
    ] = None,
    game: GameName = None,
    player: Annotated[str, spec_option("--player", "Who plays all seats of a new match.", True)] = PLAYER,
    games: Annotated[int | None, games_option("Games of a new match.", str(GAMES))] = None,
    seats: Seats = None,
    option: GameOptions = None,
    seed: Seed = None,
    jobs: Jobs = None,
    seconds: Seconds = None,
    iterations: Iterations = None,
    save: Save = None,
    playouts: Annotated[
        int,
        typer.Option(
            "--playouts", metavar="N", min=0, help="Value positions by N playouts; 0: by the evaluation."
        ),
    ] = 0,
    verb: Annotated[
        str | None,
        typer.Option("--verb", metavar="VERB", help="Show everything about one verb.", show_default=False),
    ] = None,
    html: Annotated[Path | None, file_option("--html", "Write a page (needs aiplay[report]).")] = None,
    as_json: Json = False,
) -> None:
    """Show how balanced a game is: seats, luck, length, and every card, talent and choice with its win rate.

    Example: aiplay balance --game illusio --player mcts:iterations=500
    """
    from aiplay import balance
    from aiplay.balance.grids import print_balance
    from aiplay.cli.show import wide_console

    check_targets(file, html, save)
    limit = limit_text(seconds, iterations)
    if file is None:
        wanted = MatchOptions(
            games=games, seats=seats, options=option, seed=seed, limit=limit, jobs=jobs, save=save
        )
        match = _played(chosen_game(game or GAME, seats, option), player, wanted)
    else:
        given = {"--games": games, "--seats": seats, "--option": option, "--seed": seed, "--save": save}
        match = _saved(file, given)
    found = _balance(match, game, playouts)
    _check_verb(verb, found)
    if html is not None:
        write_text(html, balance.page(found, verb))
    if as_json:
        typer.echo(json.dumps(balance.document(found), allow_nan=False))
        return
    print_balance(found, wide_console(), verb)
    if html is not None:
        typer.echo(f"wrote {html}")


def _check_verb(verb: str | None, found: Balance) -> None:
    verbs = sorted({one.verb for one in found.usages})
    if verb is not None and verb not in verbs:
        raise typer.BadParameter(
            f"{verb!r}; the verbs of these games are {', '.join(verbs)}", param_hint="--verb"
        )


def _saved(file: Path, given: Mapping[str, object]) -> Match:
    from aiplay.match import load_match

    for name, value in given.items():
        if value:
            raise typer.BadParameter(f"{file} says what was played; leave out {name}", param_hint=name)
    return load_match(file)


def _played(game: Game, player: str, wanted: MatchOptions) -> Match:
    """Play a match of a player against itself."""
    from aiplay.match import Duel

    spec = wanted.limited(player)
    match = Duel(game, spec, spec, wanted.games or GAMES, wanted.seed)
    with wanted.opened(match, None, match.description()) as (executor, store):
        play_with_progress(match, executor, store)
    return match


def _balance(match: Match, game: str | None, playouts: int) -> Balance:
    """Take the games apart, with a progress bar on a terminal."""
    from rich.progress import Progress

    from aiplay.balance import balance_match
    from aiplay.cli.show import console

    out = console(stderr=True)
    with Progress(console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task("taking games apart", total=None)
        return balance_match(
            match,
            game,
            playouts=playouts,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
