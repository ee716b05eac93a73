"""`aiplay replay`: a saved game, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from aiplay._core.typedefs import CHANCE
from aiplay.cli.options import GameNumber, ply_option, seat_option

if TYPE_CHECKING:
    from rich.console import Console

    from aiplay._core.game import Game
    from aiplay.record import Record

__all__ = ["replay"]

KEYS = "Enter next, b back, a number goes there, e end, q quit"


def replay(
    record: Annotated[
        str,
        typer.Argument(metavar="RECORD", help="A saved game, or a saved match; - is standard input."),
    ],
    ply: Annotated[int | None, ply_option("Show only the position after N moves.", "all")] = None,
    seat: Annotated[int | None, seat_option("Show only what this seat saw.", "everything")] = None,
    game_number: GameNumber = None,
) -> None:
    """Step through a saved game.

    Without a terminal, every position is printed.

    Example: aiplay replay game.json --seat 0
    """
    import sys

    from aiplay.cli.files import read_table, read_table_of_match
    from aiplay.cli.show import console

    found, table = read_table(record) if game_number is None else read_table_of_match(record, game_number)
    if seat is not None and seat >= table.game.seats:
        raise typer.BadParameter(
            f"{seat}; {found.game} has seats 0 to {table.game.seats - 1}", param_hint="--seat"
        )
    if ply is not None and ply > len(found.moves):
        raise typer.BadParameter(f"{ply}; the record has 0 to {len(found.moves)}", param_hint="--ply")
    film = _Film(found, table.game, seat, console())
    if ply is not None:
        film.show(ply)
    elif film.out.is_terminal and sys.stdin.isatty():
        film.step()
    else:
        for number in range(len(found.moves) + 1):
            film.show(number)


class _Film:
    """All positions of a game, as the table or one seat saw them."""

    def __init__(self, record: Record, game: Game, seat: int | None, out: Console) -> None:
        self.record, self.game, self.seat, self.out = record, game, seat, out
        from aiplay.story import positions, story

        self.events = list(story(game, record.moves, seat))
        self.states = [state.copy() for state in positions(game, record.moves)]

    def show(self, ply: int) -> None:
        """Print a position and the move that led to it."""
        from aiplay.cli.show import fit

        state = self.states[ply]
        self.out.print(self._headline(ply), style="bold", soft_wrap=True)
        position = state if self.seat is None else state.view(self.seat)
        self.out.print(fit(str(position), self.out.width), soft_wrap=True)
        if state.is_over:
            results = (f"{self._called(seat)} {result:.3g}" for seat, result in enumerate(state.returns()))
            self.out.print(f"over: {', '.join(results)}", style="bold", soft_wrap=True)
        self.out.print()

    def step(self) -> None:
        """Let the user step back and forth."""
        last, ply = len(self.states) - 1, 0
        self.show(ply)
        while True:
            try:
                typed = self.out.input(f"{ply}/{last} ({KEYS})> ").strip().lower()
            except EOFError:
                typed = "q"
            goal = _goal(typed, ply, last)
            if typed in ("q", "quit"):
                return
            if goal is None or not 0 <= goal <= last:
                self.out.print(f"{typed!r} is none of these; the plies are 0 to {last}", soft_wrap=True)
            elif goal == ply == last:
                self.out.print("this is the end")
            else:
                ply = goal
                self.show(ply)

    def _headline(self, ply: int) -> str:
        if ply == 0:
            from aiplay.options import titled

            title = titled(self.game.name, self.game.options)
            return f"{title}, seed {self.record.seed}, {len(self.record.moves)} moves"
        event = self.events[ply - 1]
        return f"{ply}. {self._called(event.seat)}: {event.text}"

    def _called(self, seat: int) -> str:
        if seat == CHANCE:
            return "chance"
        name = self.record.players[seat] if seat < len(self.record.players) else ""
        return f"seat {seat}" + (f" ({name})" if name else "")


def _goal(typed: str, ply: int, last: int) -> int | None:
    """Return the ply that the user asks for; None if the text means none."""
    if typed in ("", "n", "next"):
        return min(ply + 1, last)
    if typed in ("b", "back"):
        return max(ply - 1, 0)
    if typed in ("e", "end"):
        return last
    return int(typed) if typed.isdecimal() else None
