"""`aiplay games`: what can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiplay._core.game import Game

__all__ = ["games"]

SAMPLE = 200  # random games behind the averages


def games() -> None:
    """List the games, with what random games of them are like."""
    from rich.console import Console
    from rich.table import Table

    from aiplay._core.measure import survey
    from aiplay.registry import game_names, load_game

    table = Table(caption=f"moves and choices: averages of {SAMPLE} random games", caption_justify="left")
    table.add_column("game", no_wrap=True)
    for heading in ("seats", "hidden", "chance", "co-op", "bytes", "moves", "choices"):
        table.add_column(heading, justify="right")
    for name in game_names():
        game = load_game(name)
        typical = survey(game.new_state(), SAMPLE, 1)
        table.add_row(
            name,
            _seats(game),
            _yes(game.has_hidden),
            _yes(game.has_chance),
            _yes(game.is_cooperative),
            str(game.state_size),
            f"{typical['moves']:.0f}",
            f"{typical['branching']:.1f}",
        )
    Console().print(table)


def _seats(game: Game) -> str:
    """How many seats the game may have, by its option `players`."""
    for option in game.OPTIONS:
        if option.name == "players":
            return f"{option.low:.0f}-{option.high:.0f}"
    return str(game.seats)


def _yes(fact: bool) -> str:
    return "yes" if fact else "-"
