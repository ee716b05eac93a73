"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = [
    "TIME",
    "Csv",
    "Dask",
    "GameName",
    "GameOptions",
    "Iterations",
    "Jobs",
    "Json",
    "Resume",
    "Save",
    "Seats",
    "Seconds",
    "Seed",
    "chosen_game",
    "complete_game",
    "complete_option",
    "complete_player",
    "limit_text",
]


def complete_game(incomplete: str) -> list[str]:
    """The games that a shell offers for what has been typed."""
    from aiplay.registry import game_names

    return [name for name in game_names() if name.startswith(incomplete)]


def complete_player(incomplete: str) -> list[str]:
    """The players that a shell offers; behind a colon or a comma, the options of the player."""
    from aiplay.registry import player_class, player_names

    start, mark, part = incomplete.rpartition("," if "," in incomplete else ":")
    if not mark:
        return [name for name in player_names() if name.startswith(incomplete)]
    kind = player_class(incomplete.partition(":")[0])
    names = [option.name for option in kind.OPTIONS] if kind is not None else []
    return [f"{start}{mark}{name}=" for name in names if name.startswith(part)]


def complete_option(context: typer.Context, incomplete: str) -> list[str]:
    """The options of the game that was typed before."""
    from aiplay.registry import game_names, load_game

    game = context.params.get("game") or "illusio"
    names = [option.name for option in load_game(game).OPTIONS] if game in game_names() else []
    return [f"{name}=" for name in names if name.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Option(
        "--game",
        "-g",
        metavar="NAME",
        help="The game; `aiplay games` lists them.",
        autocompletion=complete_game,
    ),
]
Seats = Annotated[
    int | None, typer.Option("--players", "-p", metavar="N", help="How many seats play.", show_default=False)
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="KEY=VALUE",
        help="An option of the game; may be repeated.",
        autocompletion=complete_option,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed", "-s", metavar="N", min=0, max=2**64 - 1, help="Repeat a run.", show_default="random"
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="Games at once, each in a process.", show_default="cores"),
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Play on a Dask cluster: tcp://HOST:PORT of its scheduler.",
        show_default=False,
    ),
]
Save = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Keep every finished game.", show_default=False)
]
Resume = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Play what is missing of a saved match.", show_default=False),
]

Csv = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write every game, a row for each seat.", show_default=False),
]
TIME = 0.05  # seconds per move of players that have no limit of their own
Seconds = Annotated[
    float | None,
    typer.Option(
        "--time", help="Seconds per move of players without a limit of their own.", show_default=str(TIME)
    ),
]
Iterations = Annotated[
    int | None, typer.Option("--iterations", help="Iterations per move instead.", show_default=False)
]


def limit_text(seconds: float | None, iterations: int | None) -> str | None:
    """The limit of players that have none of their own, as an option of a specification."""
    from aiplay.limit import Limit

    if seconds is not None and iterations is not None:
        raise typer.BadParameter("give either --time or --iterations", param_hint="--time")
    Limit(time=seconds, iterations=iterations)  # says what is allowed, also if nobody needs the limit
    if iterations is not None:
        return f"iterations={iterations}"
    return None if seconds is None else f"time={seconds}"


def chosen_game(name: str, players: int | None, options: list[str] | None) -> Game:
    """The game that these options describe."""
    from aiplay.registry import load_game

    given: dict[str, str | int] = {} if players is None else {"players": players}
    for text in options or []:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise typer.BadParameter(f"{text!r} is not KEY=VALUE", param_hint="--option")
        if key in given:
            hint = "--players or --option" if key == "players" else "--option"
            raise typer.BadParameter(f"{key!r} is given twice", param_hint=hint)
        given[key] = value
    return load_game(name, **given)
