"""`aiplay games`: what can be played."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

from aiplay.cli.options import Json

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["games"]

SAMPLE = 200  # random games behind the averages


def games(as_json: Json = False) -> None:
    """List the games, with what random games of them are like.

    Example: aiplay games --json
    """
    from aiplay.errors import PackageError
    from aiplay.registry import game_names, load_game

    found = []
    for name in game_names():
        try:
            found.append(_facts(load_game(name)))
        except PackageError as problem:  # the others can still be played
            typer.echo(f"aiplay: {problem}", err=True)
    if as_json:
        typer.echo(json.dumps({"games": found, "sample": SAMPLE}))
    else:
        _print(found)


def _facts(game: Game) -> dict[str, Any]:
    from aiplay._core.measure import survey

    typical = survey(game.new_state(), SAMPLE, 1)
    low, high = _seats(game)
    return {
        "name": game.name,
        "about": (type(game).__doc__ or "").partition("\n")[0],
        "min_seats": low,
        "max_seats": high,
        "hidden": game.has_hidden,
        "chance": game.has_chance,
        "cooperative": game.is_cooperative,
        "state_bytes": game.state_size,
        "moves": typical["moves"],
        "decisions": typical["decisions"],
        "branching": typical["branching"],
        "widest": typical["widest"],
        "options": [
            {"name": option.name, "default": option.default, "allowed": option.allowed, "about": option.doc}
            for option in game.OPTIONS
        ],
    }


def _print(found: list[dict[str, Any]]) -> None:
    from rich.table import Table

    from aiplay.cli.show import console, print_table

    table = Table(caption=f"moves and choices: averages of {SAMPLE} random games", caption_justify="left")
    table.add_column("game")
    for heading in ("seats", "hidden", "chance", "co-op", "bytes", "moves", "choices"):
        table.add_column(heading, justify="right")
    for facts in found:
        low, high = facts["min_seats"], facts["max_seats"]
        table.add_row(
            facts["name"],
            str(low) if low == high else f"{low}-{high}",
            *("yes" if facts[key] else "-" for key in ("hidden", "chance", "cooperative")),
            str(facts["state_bytes"]),
            f"{facts['moves']:.0f}",
            f"{facts['branching']:.1f}",
        )
    print_table(console(), table)


def _seats(game: Game) -> tuple[int, int]:
    """The fewest and the most seats that the game may have, by its option `players`."""
    for option in game.OPTIONS:
        if option.name == "players":
            return int(option.low), int(option.high)
    return game.seats, game.seats
