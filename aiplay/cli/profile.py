"""`aiplay profile`: what kind of game a game is, and which player to take."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from aiplay.cli.options import (
    GAME,
    TIME,
    GameName,
    GameOptions,
    Jobs,
    Json,
    Seats,
    Seed,
    chosen_game,
    games_option,
    time_option,
)

if TYPE_CHECKING:
    from aiplay._core.game import Game
    from aiplay.profile import Profile

__all__ = ["profile"]

GAMES = 60


def profile(
    game: GameName = None,
    seats: Seats = None,
    option: GameOptions = None,
    seconds: Annotated[float, time_option("Seconds per move of the player to recommend.", str(TIME))] = TIME,
    games: Annotated[int, games_option("Games to sample, and of every duel.", str(GAMES))] = GAMES,
    check: Annotated[
        bool, typer.Option("--check", help="Play the recommended player against the runner-up.")
    ] = False,
    seed: Seed = None,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """Show what kind of game a game is for players that search, and recommend one of them.

    Choices, chance, hidden worlds, length, the share of luck, and how strength grows with iterations.

    Example: aiplay profile --game connect_four --check
    """
    from aiplay import profile
    from aiplay.cli.show import wide_console
    from aiplay.profile.grids import print_profile

    found = _profile(chosen_game(game or GAME, seats, option), games, seconds, check, seed, jobs)
    if as_json:
        typer.echo(json.dumps(profile.document(found), allow_nan=False))
        return
    print_profile(found, wide_console())
    typer.echo(f"{found.seconds:.1f} s; repeat with --seed {found.seed}")


def _profile(
    game: Game, games: int, seconds: float, check: bool, seed: int | None, jobs: int | None
) -> Profile:
    """Make the profile, with a progress bar on a terminal."""
    from rich.progress import Progress

    from aiplay.cli.match import chosen_executor
    from aiplay.cli.show import console, is_live
    from aiplay.limit import Limit
    from aiplay.profile import profile_game

    Limit(time=seconds)  # reports a wrong value before the first game
    out = console(stderr=True)
    with (
        chosen_executor(jobs, None, ["mcts"]) as executor,
        Progress(console=out, transient=True, disable=not is_live(out)) as bar,
    ):
        task = bar.add_task("", total=None)
        return profile_game(
            game,
            games=games,
            time=seconds,
            check=check,
            seed=seed,
            executor=executor,
            progress=lambda what, done, total: bar.update(
                task, description=what, completed=done, total=total
            ),
        )
