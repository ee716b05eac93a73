"""The result of tuning as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD

from aiplay.grid import Grid, print_grid
from aiplay.options import titled
from aiplay.report.figures import llr, percent
from aiplay.report.grids import WIDE, plain_console

if TYPE_CHECKING:
    from rich.console import Console

    from aiplay.tune.result import Tuning

__all__ = ["print_tuning", "text"]


def text(tuning: Tuning, width: int = WIDE) -> str:
    """Return the result of tuning as text, as `aiplay tune` prints it."""
    out = plain_console(width)
    with out.capture() as capture:
        print_tuning(tuning, out)
    return capture.get()


def print_tuning(tuning: Tuning, out: Console) -> None:
    """Print the result of tuning."""
    title = titled(tuning.game.name, tuning.game.options)
    tried = f"{tuning.variants} variants of {tuning.player} in {tuning.games} games against it"
    out.print(f"{title}: {tried}", soft_wrap=True)
    print_grid(out, _values(tuning))
    final = tuning.final
    figures = (
        f"{percent(final.score)} ({100 * final.low:.1f} .. {percent(final.high)}) of {final.games} games"
    )
    out.print(f"best        {tuning.best}", soft_wrap=True)
    out.print(f"last duel   {figures} on fresh deals, {llr(tuning.sprt)}", soft_wrap=True)
    if tuning.is_better:
        out.print(f"better      {tuning.spec}", soft_wrap=True)
    else:
        out.print(f"nothing better was found: keep {tuning.spec}", soft_wrap=True)


def _values(tuning: Tuning) -> Grid:
    grid = Grid(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for number, heading in enumerate(("option", "value", "deals", "adds", "error")):
        grid.add_column(heading, justify="right" if number > 1 else "left")
    before = ""
    for one in tuning.values:
        value = "as given" if one.value is None else str(one.value).lower()
        added = [f"{100 * one.effect:+.1f} %", f"± {100 * one.error:.1f}"] if one.error else []
        grid.add_row("" if one.option == before else one.option, value, f"{one.deals}", *added)
        before = one.option
    return grid
