"""`aiplay players`: the players and their options."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aiplay.cli.options import Json, complete_player

if TYPE_CHECKING:
    from rich.console import Console

    from aiplay.options import Option

__all__ = ["players"]


def players(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="Show one player only.",
            show_default="all players",
            autocompletion=complete_player,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the players with their options: name:option=value,option=value.

    Example: aiplay players mcts
    """
    from aiplay.cli.show import console

    found = _all_facts() if name is None else [_facts(name)]
    if as_json:
        typer.echo(json.dumps({"players": found}))
        return
    out = console()
    for number, facts in enumerate(found):
        if number:
            out.print()
        _print(facts, out)


def _all_facts() -> list[dict[str, Any]]:
    from aiplay.errors import PackageError
    from aiplay.registry import player_names

    found = []
    for name in player_names():
        try:
            found.append(_facts(name))
        except PackageError as problem:  # list the others all the same
            typer.echo(f"aiplay: {problem}", err=True)
    return found


def _facts(name: str) -> dict[str, Any]:
    from aiplay.registry import make_player

    kind = type(make_player(name))  # says which players there are if none has that name
    return {
        "name": kind.name,
        "about": (kind.__doc__ or "").partition("\n")[0].replace("``", ""),
        "options": [_option(option) for option in kind.OPTIONS],
    }


def _option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "default": option.default,
        "low": option.low if math.isfinite(option.low) else None,
        "high": option.high if math.isfinite(option.high) else None,
        "choices": list(option.choices),
        "allowed": option.allowed,
        "about": option.doc,
    }


def _print(facts: dict[str, Any], out: Console) -> None:
    from aiplay.cli.show import fit, options_grid
    from aiplay.grid import print_grid

    out.print(fit(f"{facts['name']}: {facts['about']}", out.width), soft_wrap=True)
    if facts["options"]:
        print_grid(out, options_grid(facts["options"]))
    else:
        out.print("no options")
