"""`aiplay games`: the games and their options."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aiplay.cli.options import Json, complete_game

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["games"]

SAMPLE = 200  # random games behind the averages


def games(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="Show everything about one game, with its options.",
            show_default="list all games",
            autocompletion=complete_game,
        ),
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Print the rules of the game, as Markdown.")] = False,
    as_json: Json = False,
) -> None:
    """List the games, with averages over random games.

    Example: aiplay games pig
    """
    from aiplay.registry import load_game

    if rules:
        typer.echo(_rules(name))
        return
    found = _all_facts() if name is None else [_facts(load_game(name))]
    if as_json:
        typer.echo(json.dumps({"games": found, "sample": SAMPLE}))
    elif name is None:
        _print(found)
    else:
        _print_one(found[0])


def _rules(name: str | None) -> str:
    """Return the rules of a game; a clear error if there are none."""
    from aiplay.registry import load_game

    if name is None:
        raise typer.BadParameter("name a game: aiplay games NAME --rules", param_hint="--rules")
    text = load_game(name).rules
    if not text:
        raise typer.BadParameter(
            f"{name} has no page of rules: a .md file beside its module", param_hint="--rules"
        )
    return text


def _all_facts() -> list[dict[str, Any]]:
    from aiplay.errors import PackageError
    from aiplay.registry import game_names, load_game

    found = []
    for name in game_names():
        try:
            found.append(_facts(load_game(name)))
        except PackageError as problem:  # list the others all the same
            typer.echo(f"aiplay: {problem}", err=True)
    return found


def _facts(game: Game) -> dict[str, Any]:
    from aiplay._core.measure import survey
    from aiplay.value import shipped_value

    typical, value = survey(game.new_state(), SAMPLE, 1), shipped_value(game)
    low, high = game.seat_range
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
        "advice": dict(game.advice),
        "value": None if value is None else value.description["made"],
        "rules": f"aiplay games {game.name} --rules" if game.rules else None,
        "options": [
            {"name": option.name, "default": option.default, "allowed": option.allowed, "about": option.doc}
            for option in game.OPTIONS
        ],
        "fields": {
            name: {"low": field.low, "high": field.high, "about": field.doc}
            for name, field in game.FIELDS.items()
        },
        "labels": {name: list(names) for name, names in game.labels.items()},
    }


def _print(found: list[dict[str, Any]]) -> None:
    from aiplay.cli.show import console
    from aiplay.grid import Grid, print_grid

    grid = Grid(caption=f"moves and choices: averages of {SAMPLE} random games", caption_justify="left")
    grid.add_column("game")
    for heading in ("seats", "hidden", "chance", "co-op", "bytes", "moves", "choices"):
        grid.add_column(heading, justify="right")
    for facts in found:
        grid.add_row(
            facts["name"],
            _seats_text(facts),
            *("yes" if facts[key] else "-" for key in ("hidden", "chance", "cooperative")),
            str(facts["state_bytes"]),
            f"{facts['moves']:.0f}",
            f"{facts['branching']:.1f}",
        )
    print_grid(console(), grid)


def _print_one(facts: dict[str, Any]) -> None:
    from aiplay.cli.show import console, fit, options_grid
    from aiplay.grid import print_grid

    out = console()
    kinds = {"hidden": "hidden information", "chance": "chance", "cooperative": "one team of all seats"}
    texts = {
        "name": facts["name"],
        "about": facts["about"],
        "seats": _seats_text(facts),
        "with": ", ".join(text for key, text in kinds.items() if facts[key]),
        "length": f"{facts['moves']:.0f} moves, chance included (average of {SAMPLE} random games)",
        "choices": f"{facts['branching']:.1f} on average, {facts['widest']} at most",
        "bytes": f"{facts['state_bytes']} for a state",
        "advice": ", ".join(f"{name}={value}" for name, value in facts["advice"].items()),
        "value": facts["value"] and "trained, comes with the game (the game's own evaluation: value=game)",
        "rules": facts["rules"],
    }
    for heading, text in texts.items():
        if text:
            out.print(fit(f"{heading:<9}{text}", out.width), soft_wrap=True)
    out.print()
    if facts["options"]:
        print_grid(out, options_grid(facts["options"]))
    else:
        out.print("no options")


def _seats_text(facts: dict[str, Any]) -> str:
    low, high = facts["min_seats"], facts["max_seats"]
    return str(low) if low == high else f"{low}-{high}"
