"""`aiplay audit`: is a player fair?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.files import check_targets, write_text
from aiplay.cli.options import (
    GameOptions,
    Json,
    Seats,
    chosen_game,
    file_option,
    game_option,
    games_option,
    spec_option,
)

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["audit"]


def audit(
    game: Annotated[str | None, game_option("The game.", "all games")] = None,
    player: Annotated[
        list[str] | None, spec_option("--player", "The player; may be repeated.", "all players")
    ] = None,
    seats: Seats = None,
    option: GameOptions = None,
    games: Annotated[int | None, games_option("Number of games of each part.", "100")] = None,
    seed: Annotated[
        int,
        typer.Option("--seed", "-s", metavar="N", min=0, max=2**64 - 1, help="Other games and questions."),
    ] = 0,
    html: Annotated[Path | None, file_option("--html", "Write the certificate as a page.")] = None,
    as_json: Json = False,
) -> None:
    """Check that a player knows only what its seat sees, and that the game keeps its secrets.

    Every choice is asked again behind other truths and before other futures, worlds are compared with enumeration, and
    the player has to guess dice and cards. Exit code 1: a promise is broken.

    Example: aiplay audit --game leduc_poker --player mcts
    """
    from aiplay import audit
    from aiplay.cli.show import console
    from aiplay.registry import player_names

    check_targets(html)
    specs = player or [name for name in player_names() if name != "human"]
    found, out = [], console(stderr=True)
    with out.status("auditing") as status:
        for one in audit.audit_players(
            _games(game, seats, option), specs, games=games or audit.GAMES, seed=seed
        ):
            found.append(one)
            status.update(f"{one.player} in {one.game} is audited; going on")
    if html is not None:
        write_text(html, audit.page(found))
    if as_json:
        typer.echo(json.dumps(audit.document(found), allow_nan=False))
    else:
        typer.echo(audit.text(found, max(console().width, 60)), nl=False)
        if html is not None:
            typer.echo(f"wrote {html}")
    raise typer.Exit(0 if all(one.is_fair for one in found) else 1)


def _games(name: str | None, seats: int | None, options: list[str] | None) -> list[Game]:
    """Return the chosen game, or all of them."""
    from aiplay.registry import game_names, load_game

    if name is not None:
        return [chosen_game(name, seats, options)]
    if seats is not None or options:
        raise typer.BadParameter("it needs a --game", param_hint="--seats or --option")
    return [load_game(each) for each in game_names()]
