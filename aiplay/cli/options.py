"""Options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["GameName", "GameOptions", "Seats", "Seed", "chosen_game"]

GameName = Annotated[str, typer.Option("--game", "-g", help="The game; `aiplay games` lists them.")]
Seats = Annotated[
    int | None, typer.Option("--players", "-p", help="How many seats play.", show_default=False)
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option of the game; may be repeated."),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", "-s", min=0, max=2**64 - 1, help="Repeat a run.", show_default="random"),
]


def chosen_game(name: str, players: int | None, options: list[str] | None) -> Game:
    """The game that these options describe."""
    from aiplay.registry import load_game

    given: dict[str, str | int] = {}
    for text in options or []:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise typer.BadParameter(f"{text!r} is not KEY=VALUE", param_hint="--option")
        given[key] = value
    if players is not None:
        given["players"] = players
    return load_game(name, **given)
