"""Options that several commands have: each is declared once, and has the same name everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = [
    "GAME",
    "TIME",
    "Adjust",
    "AdjustValue",
    "Csv",
    "Dask",
    "GameName",
    "GameNumber",
    "GameOptions",
    "Iterations",
    "Jobs",
    "Json",
    "OldSeats",
    "Resume",
    "Save",
    "Seats",
    "Seconds",
    "Seed",
    "chosen_game",
    "chosen_seats",
    "complete_game",
    "complete_option",
    "complete_player",
    "file_option",
    "folder_option",
    "game_option",
    "games_option",
    "iterations_option",
    "limit_text",
    "ply_option",
    "seat_option",
    "spec_option",
    "time_option",
]

GAME = "illusio"  # the default game
TIME = 0.05  # seconds per move in matches, for players without a limit of their own


# ---- Completion in shells ------------------------------------------------------------------------------------


def complete_game(incomplete: str) -> list[str]:
    """Return the games that begin with the typed text."""
    from aiplay.registry import game_names

    return [name for name in game_names() if name.startswith(incomplete)]


def complete_player(incomplete: str) -> list[str]:
    """Return the players that begin with the typed text; after a colon or a comma, the options of the player."""
    from aiplay.registry import player_class, player_names

    start, mark, part = incomplete.rpartition("," if "," in incomplete else ":")
    if not mark:
        return [name for name in player_names() if name.startswith(incomplete)]
    kind = player_class(incomplete.partition(":")[0])
    names = [option.name for option in kind.OPTIONS] if kind is not None else []
    return [f"{start}{mark}{name}=" for name in names if name.startswith(part)]


def complete_option(context: typer.Context, incomplete: str) -> list[str]:
    """Return the options of the game given before that begin with the typed text."""
    from aiplay.registry import game_names, load_game

    game = context.params.get("game") or GAME
    names = [option.name for option in load_game(game).OPTIONS] if game in game_names() else []
    return [f"{name}=" for name in names if name.startswith(incomplete)]


# ---- Options whose help or default differs from command to command -------------------------------------------


def game_option(text: str, default: str) -> Any:
    """Return the option for a game."""
    return typer.Option(
        "--game", "-g", metavar="NAME", help=text, show_default=default, autocompletion=complete_game
    )


def games_option(text: str, default: str) -> Any:
    """Return the option for a number of games."""
    return typer.Option("--games", "-n", metavar="N", min=1, help=text, show_default=default)


def spec_option(name: str, text: str, default: str | bool = False) -> Any:
    """Return an option for the specification of a player."""
    return typer.Option(name, metavar="SPEC", help=text, show_default=default, autocompletion=complete_player)


def folder_option(name: str, text: str) -> Any:
    """Return an option that takes a folder, which has to exist."""
    return typer.Option(name, metavar="FOLDER", exists=True, file_okay=False, help=text, show_default=False)


def file_option(name: str, text: str) -> Any:
    """Return an option for a file."""
    return typer.Option(name, metavar="FILE", help=text, show_default=False)


def seat_option(text: str, default: str) -> Any:
    """Return the option for a seat."""
    return typer.Option("--seat", metavar="N", min=0, help=text, show_default=default)


def ply_option(text: str, default: str) -> Any:
    """Return the option for a ply of a record."""
    return typer.Option("--ply", metavar="N", min=0, help=text, show_default=default)


def time_option(text: str, default: str) -> Any:
    """Return the option for a limit in seconds."""
    return typer.Option("--time", metavar="SECONDS", help=text, show_default=default)


def iterations_option(text: str) -> Any:
    """Return the option for a limit in iterations."""
    return typer.Option("--iterations", metavar="N", help=text, show_default=False)


# ---- Options that are the same in every command --------------------------------------------------------------

GameName = Annotated[str | None, game_option("The game; `aiplay games` lists them.", GAME)]
Seats = Annotated[
    int | None, typer.Option("--seats", metavar="N", help="Number of seats.", show_default=False)
]
OldSeats = Annotated[int | None, typer.Option("--players", "-p", metavar="N", hidden=True)]
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
Adjust = Annotated[
    bool,
    typer.Option("--adjust", help="Also give scores without the luck of dice and cards: narrower intervals."),
]
AdjustValue = Annotated[
    str | None, file_option("--adjust-value", "Like --adjust, also by a value that `aiplay learn` wrote.")
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
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=1,
        help="Games at once, each in a process.",
        show_default="cores; 1 if quick",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="Play on a Dask cluster: tcp://HOST:PORT of its scheduler.",
        show_default=False,
    ),
]
Save = Annotated[Path | None, file_option("--save", "Keep every finished game in a new file.")]
Resume = Annotated[Path | None, file_option("--resume", "Play the missing games of a saved match.")]
GameNumber = Annotated[
    int | None,
    typer.Option("--game-number", metavar="N", min=0, help="The game of a saved match.", show_default=False),
]
Csv = Annotated[Path | None, file_option("--csv", "Write every game, a row for each seat.")]
Seconds = Annotated[
    float | None, time_option("Seconds per move, for players without a limit of their own.", str(TIME))
]
Iterations = Annotated[int | None, iterations_option("Iterations per move, instead of --time.")]


def limit_text(seconds: float | None, iterations: int | None) -> str | None:
    """Return the limit for players without one of their own, as an option of a specification."""
    from aiplay.limit import Limit

    if seconds is not None and iterations is not None:
        raise typer.BadParameter("give either --time or --iterations", param_hint="--time")
    Limit(time=seconds, iterations=iterations)  # checks the values, even if no player needs them
    if iterations is not None:
        return f"iterations={iterations}"
    return None if seconds is None else f"time={seconds}"


def chosen_seats(seats: int | None, players: int | None) -> int | None:
    """Return the number of seats. `--players N`, its old name, is accepted with a note."""
    if players is None:
        return seats
    if seats is not None:
        message = "it is the old name of --seats; give --seats only"
        raise typer.BadParameter(message, param_hint="--players")
    typer.echo("aiplay: --players N is now --seats N; the old name will be removed in version 0.2", err=True)
    return players


def chosen_game(name: str, seats: int | None, options: list[str] | None) -> Game:
    """Return the game that these options describe."""
    from aiplay.registry import load_game

    given: dict[str, str | int] = {} if seats is None else {"players": seats}
    for text in options or []:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise typer.BadParameter(f"{text!r} is not KEY=VALUE", param_hint="--option")
        if key in given:
            hint = "--seats or --option" if key == "players" else "--option"
            raise typer.BadParameter(f"{key!r} is given twice", param_hint=hint)
        given[key] = value
    return load_game(name, **given)
